//! `[source.cloudwatch.NAME]`: where readings come from; `[default.cloudwatch]`: what sources share.
//!
//! # Layout
//!
//! - `role`: the role that is assumed, and whose account that is.
//! - `endpoints`: which of AWS's endpoints are called.
//! - `watched`: which models are watched.
//! - `apart`: what holds between sources.

mod apart;
mod endpoints;
mod role;
mod watched;

use std::collections::BTreeSet;
use std::time::Duration;

use domain::CloudWatchPlan;
use toml::de::DeValue;

use crate::aws::RoleArn;
use crate::duration::Bounds;
use crate::environment::Environment;
use crate::report::At;
use crate::secret::Reference;
use crate::table::{Fault, Setting, Table};
use crate::value::{boolean, glob, integer, number, text, word};
use crate::{Purpose, address, aws, secret, secret_url};

pub(crate) use apart::{Known, read_apart, shared_is_used};

const SETTLE_DELAY: Bounds = Bounds { least: 0, most: 3_600, unit: 'm' };
const DISCOVER_EVERY: Bounds = Bounds { least: 10, most: 86_400, unit: 'm' };
const ATTEMPT_TIMEOUT: Bounds = Bounds { least: 1, most: 60, unit: 's' };
/// More requests in a day than any model that is worth watching needs to have.
const MAX_DAILY_REQUESTS: u32 = 1_000_000;
const MAX_SERIES: u32 = 100_000;
const MAX_MONTHLY_USD: f64 = 1_000_000.0;

const REGIONS: &str = "[\"us-east-1\"]";
const SESSION_NAME: &str = "otpsd";

/// Reports what is wrong with what sources share, even where no source is.
pub(crate) fn check_shared(mut table: Table<'_, '_, '_>) {
    let values = values(&mut table);
    endpoints::can_be_called(&mut table, &values);
    watched::something_is(&mut table, &values);
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
    let role = role::read(&mut table, &values, &account_id, surroundings);
    endpoints::can_be_called(&mut table, &values);
    watched::something_is(&mut table, &values);
    let regions = regions(&mut table, values.regions);
    let globs = |list: Option<Vec<(String, At)>>| {
        list.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect()
    };
    let (role, account_id) = role?;
    Some(CloudWatchPlan {
        name: name.to_owned(),
        regions: regions?,
        endpoint_url: values.endpoint_url.value?,
        profile: values.profile.value?,
        role,
        linked_accounts: values.linked_accounts.value?,
        fips: values.fips.value?,
        dual_stack: values.dual_stack.value?,
        account_id,
        settle_delay: values.settle_delay.value?,
        reread_periods: values.reread_periods.value?,
        include: globs(values.include.value?),
        ignore: globs(values.ignore.value?),
        expect: globs(values.expect.value?),
        min_daily_requests: values.min_daily_requests.value?,
        max_series: values.max_series.value?,
        max_monthly_usd: values.max_monthly_usd.value?,
        discover_every: values.discover_every.value?,
        attempt_timeout: values.attempt_timeout.value?,
        heartbeat_url: heartbeat_url?,
    })
}

type List = Setting<Option<Vec<(String, At)>>>;

/// What sources may share.
struct Values {
    regions: List,
    profile: Setting<Option<String>>,
    role_arn: Setting<Option<RoleArn>>,
    external_id: Setting<Option<Reference>>,
    role_session_name: Setting<String>,
    linked_accounts: Setting<bool>,
    endpoint_url: Setting<Option<String>>,
    fips: Setting<bool>,
    dual_stack: Setting<bool>,
    settle_delay: Setting<Duration>,
    reread_periods: Setting<u8>,
    include: List,
    ignore: List,
    expect: List,
    min_daily_requests: Setting<u32>,
    max_series: Setting<u32>,
    max_monthly_usd: Setting<Option<f64>>,
    discover_every: Setting<Duration>,
    attempt_timeout: Setting<Duration>,
}

fn values(table: &mut Table<'_, '_, '_>) -> Values {
    let duration = |bounds: Bounds| move |value: &DeValue<'_>| bounds.read(value);
    let usual = CloudWatchPlan::new("", &[]);
    Values {
        regions: table.list("regions", REGIONS, aws::region),
        profile: table.optional("profile", text(word)),
        role_arn: table.optional("role-arn", text(aws::role_arn)),
        external_id: table.optional("external-id", secret::reference("OTPSD_EXTERNAL_ID")),
        role_session_name: table.setting(
            "role-session-name",
            SESSION_NAME.to_owned(),
            text(aws::role_session_name),
        ),
        linked_accounts: table.setting("linked-accounts", usual.linked_accounts, boolean),
        endpoint_url: table.optional("endpoint-url", text(address::web)),
        fips: table.setting("fips", usual.fips, boolean),
        dual_stack: table.setting("dual-stack", usual.dual_stack, boolean),
        settle_delay: table.setting("settle-delay", usual.settle_delay, duration(SETTLE_DELAY)),
        reread_periods: table.setting("reread-periods", usual.reread_periods, integer(0..=12)),
        include: table.list("include", "[\"*claude*\"]", glob("model")),
        ignore: table.list("ignore", "[\"*embed*\"]", glob("model")),
        expect: table.list("expect", "[\"*claude-sonnet-4-5*\"]", glob("model")),
        min_daily_requests: table.setting(
            "min-daily-requests",
            usual.min_daily_requests,
            integer(0..=MAX_DAILY_REQUESTS),
        ),
        max_series: table.setting("max-series", usual.max_series, integer(1..=MAX_SERIES)),
        max_monthly_usd: table.optional("max-monthly-usd", max_monthly_usd),
        discover_every: table.setting("discover-every", usual.discover_every, duration(DISCOVER_EVERY)),
        attempt_timeout: table.setting("attempt-timeout", usual.attempt_timeout, duration(ATTEMPT_TIMEOUT)),
    }
}

fn max_monthly_usd(value: &DeValue<'_>) -> Result<f64, Fault> {
    let (number, text) = number(value)?;
    if number > 0.0 && number <= MAX_MONTHLY_USD {
        Ok(number)
    } else {
        let fault = Fault::new(format!("must be above 0 and at most 1000000 US dollars, not {text}"));
        Err(if number == 0.0 { fault.hint("leave it out for no limit") } else { fault })
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
