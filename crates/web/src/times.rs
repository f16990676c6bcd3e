//! Times as people read them: UTC, and how long ago.

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `18:20Z` on the day of `now`, `2026-10-14 18:20Z` on any other.
pub(crate) fn moment(time: Timestamp, now: Timestamp) -> String {
    let (time, today) = (Offset::UTC.to_datetime(time), Offset::UTC.to_datetime(now).date());
    let format = if time.date() == today { "%H:%MZ" } else { "%Y-%m-%d %H:%MZ" };
    time.strftime(format).to_string()
}

/// `2026-10-14 18:20:05Z`.
pub(crate) fn full(time: Timestamp) -> String {
    Offset::UTC.to_datetime(time).strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// A length by its two largest units: `45 s`, `4 min`, `3 h 12 min`, `5 d 3 h`.
pub(crate) fn length(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let two = |large: i64, large_unit: &str, small: i64, small_unit: &str| match small {
        0 => format!("{large} {large_unit}"),
        _ => format!("{large} {large_unit} {small} {small_unit}"),
    };
    match seconds {
        ..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "min"),
        _ => two(seconds / DAY, "d", seconds % DAY / HOUR, "h"),
    }
}

/// A moment, for templates.
#[derive(Debug, Clone)]
pub(crate) struct When {
    /// For machines.
    pub(crate) iso: String,
    /// For people.
    pub(crate) moment: String,
    /// `4 min ago`, or `in 4 min`.
    pub(crate) age: String,
}

impl When {
    /// `time`, seen from `now`.
    pub(crate) fn new(time: Timestamp, now: Timestamp) -> Self {
        let age = now.duration_since(time);
        let age =
            if age.is_negative() { format!("in {}", length(-age)) } else { format!("{} ago", length(age)) };
        Self { iso: time.to_string(), moment: moment(time, now), age }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_units_at_most() {
        for (seconds, text) in [
            (-5, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (11_520, "3 h 12 min"),
            (86_399, "23 h 59 min"),
            (86_400, "1 d"),
            (5 * 86_400 + 3 * 3_600 + 59, "5 d 3 h"),
        ] {
            assert_eq!(length(SignedDuration::from_secs(seconds)), text, "{seconds}");
        }
    }

    #[test]
    fn moments_have_a_date_only_when_it_is_another_day() {
        let now: Timestamp = "2026-10-15T00:10:00Z".parse().unwrap();
        let today = When::new("2026-10-15T00:05:30Z".parse().unwrap(), now);
        assert_eq!((today.moment.as_str(), today.age.as_str()), ("00:05Z", "4 min ago"));
        let yesterday = When::new("2026-10-14T23:59:00Z".parse().unwrap(), now);
        assert_eq!((yesterday.moment.as_str(), yesterday.age.as_str()), ("2026-10-14 23:59Z", "11 min ago"));
        let ahead = When::new("2026-10-15T00:12:00Z".parse().unwrap(), now);
        assert_eq!(ahead.age, "in 2 min");
        assert_eq!(full("2026-10-14T18:20:05.9Z".parse().unwrap()), "2026-10-14 18:20:05Z");
    }
}
