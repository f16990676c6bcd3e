//! `[baseline]`: what a series is compared with.

use domain::{Learning, PERIOD_SECONDS, PERIODS_PER_DAY};
use toml::de::DeValue;

use crate::duration::{Bounds, days, shown};
use crate::never_train;
use crate::table::{Fault, Setting, Table};
use crate::value::{boolean, integer};

/// CloudWatch keeps five-minute data for so many days, and nothing older can be learned from.
const KEPT_DAYS: u16 = 63;
const KEPT: &str = "CloudWatch keeps five-minute data for 63 days";

/// Reads what is learned from. `evaluation_periods` is how many periods the rule looks at.
pub(crate) fn read(mut table: Table<'_, '_, '_>, evaluation_periods: u8) -> Option<Learning> {
    let default = Learning::default();
    let history = table.setting("history", default.history_days, |value| history(value, evaluation_periods));
    let min_history = table.setting("min-history", default.min_days, kept_days);
    let min_datapoints = table.setting(
        "min-datapoints",
        default.min_datapoints,
        integer(1..=u32::from(KEPT_DAYS) * PERIODS_PER_DAY as u32),
    );
    let backfill = table.setting("backfill", default.backfill_days, kept_days);
    let seasonal = table.setting("seasonal", default.seasonal, boolean);
    let never_train = table.list("never-train", "[\"2026-11-26/2026-11-28\"]", never_train::span);

    not_longer(
        &mut table,
        ("min-history", &min_history),
        ("history", &history),
        "no series would ever leave LEARNING",
    );
    not_longer(
        &mut table,
        ("history", &history),
        ("backfill", &backfill),
        "a first start could not fill the baseline",
    );
    attainable(&mut table, &min_datapoints, &history);

    Some(Learning {
        history_days: history.value?,
        min_days: min_history.value?,
        min_datapoints: min_datapoints.value?,
        backfill_days: backfill.value?,
        seasonal: seasonal.value?,
        never_train: never_train.value?.unwrap_or_default().into_iter().map(|(span, _)| span).collect(),
    })
}

fn kept_days(value: &DeValue<'_>) -> Result<u16, Fault> {
    days(1, KEPT_DAYS)(value).map_err(|fault| {
        let is_too_long =
            fault.hint.is_none() && seconds(value).is_some_and(|s| s > u64::from(KEPT_DAYS) * 86_400);
        if is_too_long { fault.hint(KEPT) } else { fault }
    })
}

fn history(value: &DeValue<'_>, evaluation_periods: u8) -> Result<u16, Fault> {
    let window = u64::from(evaluation_periods) * PERIOD_SECONDS.unsigned_abs();
    match seconds(value) {
        Some(history) if history < window => Err(Fault::new(format!(
            "must be longer than what the rule looks at, but {} is shorter than {evaluation_periods} periods of 5m",
            shown(history)
        ))
        .hint("two weeks are \"14d\"")),
        _ => kept_days(value),
    }
}

fn seconds(value: &DeValue<'_>) -> Option<u64> {
    Bounds { least: 0, most: u64::MAX, unit: 'd' }.seconds(value).ok()
}

/// Reports when the first of two settings is longer than the second.
fn not_longer(
    table: &mut Table<'_, '_, '_>,
    (short_key, short): (&str, &Setting<u16>),
    (long_key, long): (&str, &Setting<u16>),
    why: &str,
) {
    let (Some(short_days), Some(long_days)) = (short.value, long.value) else { return };
    let Some(at) = long.at.or(short.at).filter(|_| short_days > long_days) else { return };
    let message = format!(
        "`{long_key}` must not be shorter than `{short_key}`, but {long_days}d{} is shorter than {short_days}d{}",
        long.whence(),
        short.whence()
    );
    let draft = table.report.error(at, message);
    match (long.at, short.at) {
        (None, _) => draft.hint(format!("set `{long_key}` too: {why}")),
        (_, None) => draft.hint(format!("set `{short_key}` too, if so little is meant: {why}")),
        _ => draft.hint(why),
    };
    if let (Some(_), Some(short)) = (long.at, short.at) {
        draft.see(short, format!("`{short_key}` is longer"));
    }
}

fn attainable(table: &mut Table<'_, '_, '_>, min_datapoints: &Setting<u32>, history: &Setting<u16>) {
    let (Some(least), Some(days)) = (min_datapoints.value, history.value) else { return };
    let periods = u32::from(days) * PERIODS_PER_DAY as u32;
    let Some(at) = min_datapoints.at.or(history.at).filter(|_| least > periods) else { return };
    let message = format!(
        "`min-datapoints` must fit into `history`, but {least}{} is more than the {periods} periods of {days}d{}",
        min_datapoints.whence(),
        history.whence()
    );
    table.report.error(at, message).hint("no series would ever leave LEARNING");
}
