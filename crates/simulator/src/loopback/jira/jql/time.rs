//! Times as queries write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// `-14d`, `-30m`, `now()`, `2026-10-15` or `2026-10-15 12:30`, the last two also with slashes; all in UTC.
pub(super) fn read(text: &str, now: Timestamp) -> Option<Timestamp> {
    if text.eq_ignore_ascii_case("now()") {
        return Some(now);
    }
    if let Some(seconds) = relative(text) {
        return now.checked_add(SignedDuration::from_secs(seconds)).ok();
    }
    let text = text.replace('/', "-");
    let civil = match text.split_once(' ') {
        Some((date, time)) => format!("{date}T{time}:00").parse::<DateTime>().ok()?,
        None => text.parse::<Date>().ok()?.to_datetime(jiff::civil::Time::midnight()),
    };
    TimeZone::UTC.to_timestamp(civil).ok()
}

/// A number and a unit: minutes, hours, days or weeks.
fn relative(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(unit)
}
