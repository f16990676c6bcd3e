//! Times as they are shown.

use jiff::Timestamp;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;

/// How times are shown: by the day of the week where that is enough to tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moments {
    /// `Mon 02:17`
    Weekday,
    /// `2026-11-02 02:17`
    Date,
}

/// Hours in which no day of the week comes twice.
const WEEK_HOURS: i64 = 6 * 24;

impl Moments {
    /// For times between two.
    pub(super) fn of(begins: Timestamp, ends: Timestamp) -> Self {
        if ends.duration_since(begins).as_hours() <= WEEK_HOURS { Self::Weekday } else { Self::Date }
    }

    /// In UTC, always as wide.
    pub(super) fn text(self, time: Timestamp) -> String {
        let civil = time.to_zoned_datetime(TimeZone::UTC);
        let clock = format!("{:02}:{:02}", civil.hour(), civil.minute());
        match self {
            Self::Date => format!("{} {clock}", civil.date()),
            Self::Weekday => {
                let day = match civil.weekday() {
                    Weekday::Monday => "Mon",
                    Weekday::Tuesday => "Tue",
                    Weekday::Wednesday => "Wed",
                    Weekday::Thursday => "Thu",
                    Weekday::Friday => "Fri",
                    Weekday::Saturday => "Sat",
                    Weekday::Sunday => "Sun",
                };
                format!("{day} {clock}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::notice::tests::time;
    use super::*;

    #[test]
    fn a_day_of_the_week_is_enough_within_one() {
        let (begins, page) = (time("2026-11-02T00:00:00Z"), time("2026-11-02T02:17:59Z"));
        assert_eq!(Moments::of(begins, time("2026-11-03T12:00:00Z")).text(page), "Mon 02:17");
        assert_eq!(Moments::of(begins, time("2026-11-08T00:00:00Z")), Moments::Weekday);
        assert_eq!(Moments::of(begins, time("2026-11-08T01:00:00Z")).text(page), "2026-11-02 02:17");
    }
}
