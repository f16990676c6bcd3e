//! `[source.cloudwatch.NAME]`: where readings come from; `[default.cloudwatch]`: what sources share.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::CloudWatchPlan;
use toml::de::DeValue;

use crate::duration::Bounds;
use crate::environment::Environment;
use crate::report::At;
use crate::table::{Setting, Table};
use crate::value::{glob, integer, text, word};
use crate::{Purpose, address, aws, secret_url};

const SETTLE_DELAY: Bounds = Bounds { least: 0, most: 3_600, unit: 'm' };
const DISCOVER_EVERY: Bounds = Bounds { least: 10, most: 86_400, unit: 'm' };
const ATTEMPT_TIMEOUT: Bounds = Bounds { least: 1, most: 60, unit: 's' };

const REGIONS: &str = "[\"us-east-1\"]";

/// Reports what is wrong with what sources share, even where no source is.
pub(crate) fn check_shared(mut table: Table<'_, '_, '_>) {
    let values = values(&mut table);
    if values.regions.at.is_some() {
        regions(&mut table, values.regions);
    }
}

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: (Purpose, &dyn Environment),
) -> Option<CloudWatchPlan> {
    let values = values(&mut table);
    let account_id = table.optional("account-id", text(aws::account_id));
    let heartbeat_url = table.optional("heartbeat-url", secret_url::read("HEARTBEAT_URL"));
    let heartbeat_url =
        secret_url::resolve_optional(table.report, surroundings, "heartbeat-url", heartbeat_url);
    let regions = regions(&mut table, values.regions);
    let globs = |list: Option<Vec<(String, At)>>| {
        list.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect()
    };
    Some(CloudWatchPlan {
        name: name.to_owned(),
        regions: regions?,
        endpoint_url: values.endpoint_url.value?,
        profile: values.profile.value?,
        account_id: account_id.value?,
        settle_delay: values.settle_delay.value?,
        reread_periods: values.reread_periods.value?,
        include: globs(values.include.value?),
        ignore: globs(values.ignore.value?),
        discover_every: values.discover_every.value?,
        role: None,
        linked_accounts: false,
        fips: false,
        dual_stack: false,
        expect: Vec::new(),
        min_daily_requests: 0,
        max_series: CloudWatchPlan::MAX_SERIES,
        max_monthly_usd: None,
        attempt_timeout: values.attempt_timeout.value?,
        heartbeat_url: heartbeat_url?,
    })
}

type List = Setting<Option<Vec<(String, At)>>>;

/// What sources may share.
struct Values {
    regions: List,
    profile: Setting<Option<String>>,
    endpoint_url: Setting<Option<String>>,
    settle_delay: Setting<Duration>,
    reread_periods: Setting<u8>,
    include: List,
    ignore: List,
    discover_every: Setting<Duration>,
    attempt_timeout: Setting<Duration>,
}

fn values(table: &mut Table<'_, '_, '_>) -> Values {
    let duration = |bounds: Bounds| move |value: &DeValue<'_>| bounds.read(value);
    Values {
        regions: table.list("regions", REGIONS, aws::region),
        profile: table.optional("profile", text(word)),
        endpoint_url: table.optional("endpoint-url", text(address::web)),
        settle_delay: table.setting("settle-delay", Duration::from_secs(120), duration(SETTLE_DELAY)),
        reread_periods: table.setting("reread-periods", 3, integer(0..=12)),
        include: table.list("include", "[\"*claude*\"]", glob("model")),
        ignore: table.list("ignore", "[\"*embed*\"]", glob("model")),
        discover_every: table.setting("discover-every", Duration::from_secs(900), duration(DISCOVER_EVERY)),
        attempt_timeout: table.setting("attempt-timeout", Duration::from_secs(10), duration(ATTEMPT_TIMEOUT)),
    }
}

fn regions(table: &mut Table<'_, '_, '_>, regions: List) -> Option<Vec<String>> {
    match regions.value? {
        Some(named) if !named.is_empty() => Some(without_repeats(table, named)),
        Some(_) => {
            if let Some(at) = regions.at {
                let message = "`regions` must name at least one Region";
                table.report.error(at, message).hint(format!("write `regions = {REGIONS}`"));
            }
            None
        }
        None => {
            table.lacks("regions", REGIONS);
            None
        }
    }
}

fn without_repeats(table: &mut Table<'_, '_, '_>, regions: Vec<(String, At)>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for (region, at) in regions {
        if seen.insert(region.clone()) {
            kept.push(region);
        } else {
            table.report.warning(at, format!("`{region}` is named twice")).hint("it is read once");
        }
    }
    kept
}
