//! Times as people read them, always in UTC and saying so, and as CloudWatch writes them.

use jiff::Timestamp;

/// `06:15Z`
pub(crate) fn clock(time: Timestamp) -> String {
    time.strftime("%H:%MZ").to_string()
}

/// `Thu 3 Dec 06:15Z`
pub(crate) fn day_and_clock(time: Timestamp) -> String {
    time.strftime("%a %-d %b %H:%MZ").to_string()
}

/// `Thu 3 Dec 2026`
pub(crate) fn day(time: Timestamp) -> String {
    time.strftime("%a %-d %b %Y").to_string()
}

/// `06:15Z` on the day of `reference`, with the day otherwise.
pub(crate) fn clock_beside(time: Timestamp, reference: Timestamp) -> String {
    if day(time) == day(reference) { clock(time) } else { day_and_clock(time) }
}

/// `35 min`, `2 h 50 min`, `3 d 4 h`.
pub(crate) fn lasting(from: Timestamp, until: Timestamp) -> String {
    let minutes = (until.as_second().saturating_sub(from.as_second()) / 60).max(0);
    let (days, hours) = (minutes / 1_440, minutes % 1_440 / 60);
    match (days, hours, minutes % 60) {
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

/// As a CloudWatch notification writes when the state changed: `2026-12-03T06:17:02.000+0000`.
pub(crate) fn state_change(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.%3f+0000").to_string()
}

/// As a CloudWatch reason writes when a datapoint was: `03/12/26 06:10:00`.
pub(crate) fn reason(time: Timestamp) -> String {
    time.strftime("%d/%m/%y %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn times_are_utc() {
        let time = at("2026-12-03T06:05:02.0419Z");
        assert_eq!(clock(time), "06:05Z");
        assert_eq!(day_and_clock(time), "Thu 3 Dec 06:05Z");
        assert_eq!(day(time), "Thu 3 Dec 2026");
        assert_eq!(clock_beside(time, at("2026-12-03T23:59:00Z")), "06:05Z");
        assert_eq!(clock_beside(time, at("2026-12-04T00:00:00Z")), "Thu 3 Dec 06:05Z");
    }

    #[test]
    fn durations_have_two_units_at_most() {
        let from = at("2026-12-03T06:00:00Z");
        assert_eq!(lasting(from, at("2026-12-03T06:35:00Z")), "35 min");
        assert_eq!(lasting(from, at("2026-12-03T08:50:00Z")), "2 h 50 min");
        assert_eq!(lasting(from, at("2026-12-03T09:00:00Z")), "3 h");
        assert_eq!(lasting(from, at("2026-12-06T10:20:00Z")), "3 d 4 h");
        assert_eq!(lasting(from, at("2026-12-05T06:20:00Z")), "2 d");
        assert_eq!(lasting(from, at("2026-12-03T05:00:00Z")), "0 min");
    }

    #[test]
    fn cloudwatch_writes_times_in_two_ways_of_its_own() {
        assert_eq!(state_change(at("2025-11-14T18:40:26.838Z")), "2025-11-14T18:40:26.838+0000");
        assert_eq!(state_change(at("2026-12-03T06:17:00Z")), "2026-12-03T06:17:00.000+0000");
        assert_eq!(reason(at("2025-11-14T18:39:00Z")), "14/11/25 18:39:00");
    }
}
