//! `[source.cloudwatch.NAME]`: where readings come from.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::CloudWatchPlan;

use crate::duration::Bounds;
use crate::environment::Environment;
use crate::report::At;
use crate::table::Table;
use crate::value::{glob, integer, text, word};
use crate::{Purpose, address, aws, secret_url};

const SETTLE_DELAY: Bounds = Bounds { least: 0, most: 3_600, unit: 'm' };
const DISCOVER_EVERY: Bounds = Bounds { least: 10, most: 86_400, unit: 'm' };
const ATTEMPT_TIMEOUT: Bounds = Bounds { least: 1, most: 60, unit: 's' };

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: (Purpose, &dyn Environment),
) -> Option<CloudWatchPlan> {
    let example = "[\"us-east-1\"]";
    let regions = table.list("regions", example, aws::region);
    let profile = table.optional("profile", text(word));
    let account_id = table.optional("account-id", text(aws::account_id));
    let endpoint_url = table.optional("endpoint-url", text(address::web));
    let settle_delay =
        table.setting("settle-delay", Duration::from_secs(120), |value| SETTLE_DELAY.read(value));
    let reread_periods = table.setting("reread-periods", 3, integer(0..=12));
    let include = table.list("include", "[\"*claude*\"]", glob("model"));
    let ignore = table.list("ignore", "[\"*embed*\"]", glob("model"));
    let discover_every =
        table.setting("discover-every", Duration::from_secs(900), |value| DISCOVER_EVERY.read(value));
    let attempt_timeout =
        table.setting("attempt-timeout", Duration::from_secs(10), |value| ATTEMPT_TIMEOUT.read(value));

    let heartbeat_url = table.optional("heartbeat-url", secret_url::read("HEARTBEAT_URL"));
    let heartbeat_url =
        secret_url::resolve_optional(table.report, surroundings, "heartbeat-url", heartbeat_url);

    let regions = match regions.value? {
        Some(regions) if !regions.is_empty() => without_repeats(&mut table, regions),
        Some(_) => {
            if let Some(at) = regions.at {
                let message = "`regions` must name at least one Region";
                table.report.error(at, message).hint(format!("write `regions = {example}`"));
            }
            return None;
        }
        None => {
            table.lacks("regions", example);
            return None;
        }
    };
    let globs = |list: Option<Vec<(String, At)>>| {
        list.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect()
    };
    Some(CloudWatchPlan {
        name: name.to_owned(),
        regions,
        endpoint_url: endpoint_url.value?,
        profile: profile.value?,
        account_id: account_id.value?,
        settle_delay: settle_delay.value?,
        reread_periods: reread_periods.value?,
        include: globs(include.value?),
        ignore: globs(ignore.value?),
        discover_every: discover_every.value?,
        attempt_timeout: attempt_timeout.value?,
        heartbeat_url: heartbeat_url?,
    })
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
