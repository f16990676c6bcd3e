//! Times of the day as people keep them: by the clock on their wall.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan as _};

/// Days of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weekdays(u8);

impl Weekdays {
    /// Every day.
    pub const ALL: Self = Self(0x7f);

    /// Only these.
    #[must_use]
    pub fn of(days: &[Weekday]) -> Self {
        Self(days.iter().fold(0, |set, day| set | bit(*day)))
    }

    /// Whether `day` is among them.
    #[must_use]
    pub fn has(self, day: Weekday) -> bool {
        self.0 & bit(day) != 0
    }
}

fn bit(day: Weekday) -> u8 {
    1 << day.to_monday_zero_offset()
}

/// Hours that come again: from a time of the day, inside, until another, outside, by the clock of a zone. Hours that end before they begin
/// run over midnight, and belong to the day on which they began.
///
/// When a clock is put back, the hour that it shows twice is in or out both times. When it is put forward, hours that begin in what it
/// skips begin when it skips them.
#[derive(Debug, Clone, PartialEq)]
pub struct Hours {
    /// The days on which they begin.
    pub days: Weekdays,
    /// When they begin.
    pub from: Time,
    /// When they end; not equal to `from`.
    pub until: Time,
    /// Whose clock.
    pub zone: TimeZone,
}

impl Hours {
    /// Whether `at` is inside.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        let local = self.zone.to_datetime(at);
        let (date, time) = (local.date(), local.time());
        if self.from < self.until {
            return self.from <= time && time < self.until && self.days.has(date.weekday());
        }
        let began_today = self.from <= time && self.days.has(date.weekday());
        let began_yesterday =
            time < self.until && date.yesterday().is_ok_and(|yesterday| self.days.has(yesterday.weekday()));
        began_today || began_yesterday
    }

    /// Those hours that touch the time from `begin` to `end`, in order: each from its first instant to the first one after it.
    #[must_use]
    pub fn between(&self, begin: Timestamp, end: Timestamp) -> Vec<(Timestamp, Timestamp)> {
        let last = self.zone.to_datetime(end).date();
        let mut date = self.zone.to_datetime(begin).date().yesterday().unwrap_or(Date::MIN);
        let mut all = Vec::new();
        while date <= last {
            if self.days.has(date.weekday())
                && let Some((from, until)) = self.on(date)
                && from < end
                && begin < until
            {
                all.push((from, until));
            }
            let Ok(next) = date.tomorrow() else { break };
            date = next;
        }
        all
    }

    /// The hours that begin on a date; `None` where the clock skips them whole.
    fn on(&self, date: Date) -> Option<(Timestamp, Timestamp)> {
        let ends_on = if self.from < self.until { date } else { date.checked_add(1.day()).ok()? };
        let from = self.instant(date.to_datetime(self.from), true)?;
        let until = self.instant(ends_on.to_datetime(self.until), false)?;
        (from < until).then_some((from, until))
    }

    /// When the clock shows a time: of one that it shows twice the first, or the last, and of one that it skips, when it skips it.
    fn instant(&self, local: DateTime, first: bool) -> Option<Timestamp> {
        let at = self.zone.to_ambiguous_timestamp(local);
        match at.offset() {
            AmbiguousOffset::Gap { .. } => {
                // The skip itself may be the very time that is asked for.
                let after = at.later().ok()?.checked_add(1.nanosecond()).ok()?;
                self.zone.preceding(after).next().map(|skip| skip.timestamp())
            }
            AmbiguousOffset::Fold { .. } if !first => at.later().ok(),
            AmbiguousOffset::Fold { .. } | AmbiguousOffset::Unambiguous { .. } => at.earlier().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New York in 2026, as a rule in the style of POSIX: forward on 8 March and back on 1 November, both at two o'clock.
    fn new_york() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    fn hours(days: Weekdays, from: (i8, i8), until: (i8, i8)) -> Hours {
        let time = |(hour, minute)| Time::constant(hour, minute, 0, 0);
        Hours { days, from: time(from), until: time(until), zone: new_york() }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_night_runs_over_midnight_and_belongs_to_the_day_it_began_on() {
        let night = hours(Weekdays::of(&[Weekday::Friday]), (22, 0), (7, 0));
        // Friday 5 June 2026, 22:00 in New York is Saturday 02:00 UTC.
        for (time, inside) in [
            ("2026-06-06T01:59:59Z", false),
            ("2026-06-06T02:00:00Z", true),
            ("2026-06-06T10:59:59Z", true),
            ("2026-06-06T11:00:00Z", false),
            ("2026-06-07T02:00:00Z", false),
        ] {
            assert_eq!(night.contains(at(time)), inside, "{time}");
        }
        let all = night.between(at("2026-06-01T00:00:00Z"), at("2026-06-15T00:00:00Z"));
        let expected = [
            (at("2026-06-06T02:00:00Z"), at("2026-06-06T11:00:00Z")),
            (at("2026-06-13T02:00:00Z"), at("2026-06-13T11:00:00Z")),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn an_hour_that_is_shown_twice_is_inside_both_times() {
        let early = hours(Weekdays::ALL, (1, 0), (2, 0));
        let (begin, end) = (at("2026-11-01T05:00:00Z"), at("2026-11-01T07:00:00Z"));
        for minutes in 0..120 {
            assert!(early.contains(begin + jiff::SignedDuration::from_mins(minutes)), "{minutes}");
        }
        assert!(!early.contains(end));
        assert_eq!(early.between(at("2026-11-01T04:00:00Z"), at("2026-11-01T09:00:00Z")), [(begin, end)]);
    }

    #[test]
    fn an_hour_that_is_skipped_is_not_there() {
        let skipped = hours(Weekdays::ALL, (2, 0), (3, 0));
        assert_eq!(skipped.between(at("2026-03-08T05:00:00Z"), at("2026-03-08T12:00:00Z")), []);
        let half = hours(Weekdays::ALL, (2, 30), (4, 0));
        // 02:30 does not exist on that day: the clock goes from 01:59 to 03:00, which is 07:00 UTC, and is inside at once.
        assert!(half.contains(at("2026-03-08T07:00:00Z")) && !half.contains(at("2026-03-08T06:59:59Z")));
        let all = half.between(at("2026-03-08T05:00:00Z"), at("2026-03-08T12:00:00Z"));
        assert_eq!(all, [(at("2026-03-08T07:00:00Z"), at("2026-03-08T08:00:00Z"))]);
    }
}
