//! When.

use std::fmt;
use std::ops::{Add, Sub};

use jiff::Timestamp;

/// The length of a period in seconds. The rule is defined on five minutes, and so is everything learned.
pub const PERIOD_SECONDS: i64 = 300;
/// Periods in an hour.
pub const PERIODS_PER_HOUR: i64 = 3_600 / PERIOD_SECONDS;
/// Periods in a day.
pub const PERIODS_PER_DAY: i64 = 86_400 / PERIOD_SECONDS;

/// One five-minute period, aligned to the clock in UTC, counted from 1970-01-01T00:00Z.
///
/// CloudWatch names a period by its start; so does [`fmt::Display`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period(i64);

impl Period {
    /// The period with this index (Unix seconds divided by [`PERIOD_SECONDS`]).
    #[must_use]
    pub const fn from_index(index: i64) -> Self {
        Self(index)
    }

    /// Unix seconds of the start, divided by [`PERIOD_SECONDS`].
    #[must_use]
    pub const fn index(self) -> i64 {
        self.0
    }

    /// The period that contains `time`.
    #[must_use]
    pub fn containing(time: Timestamp) -> Self {
        Self(time.as_second().div_euclid(PERIOD_SECONDS))
    }

    /// The period that starts at `time`, if one does.
    #[must_use]
    pub fn starting(time: Timestamp) -> Option<Self> {
        let period = Self::containing(time);
        (period.start() == time).then_some(period)
    }

    /// The last period that had ended at `time`.
    #[must_use]
    pub fn last_ended(time: Timestamp) -> Self {
        Self::containing(time) - 1
    }

    /// The first instant of the period.
    #[must_use]
    pub fn start(self) -> Timestamp {
        at(self.0)
    }

    /// The first instant after the period.
    #[must_use]
    pub fn end(self) -> Timestamp {
        at(self.0.saturating_add(1))
    }

    /// The day of the period in UTC, counted from 1970-01-01.
    #[must_use]
    pub const fn day(self) -> i64 {
        self.0.div_euclid(PERIODS_PER_DAY)
    }

    /// The hour of the day in UTC, 0 to 23.
    #[must_use]
    pub const fn hour_of_day(self) -> usize {
        (self.0.rem_euclid(PERIODS_PER_DAY) / PERIODS_PER_HOUR) as usize
    }

    /// The hour of the week in UTC, 0 to 167; 0 is Thursday 00:00, as 1970-01-01 was one.
    #[must_use]
    pub const fn hour_of_week(self) -> usize {
        (self.0.rem_euclid(7 * PERIODS_PER_DAY) / PERIODS_PER_HOUR) as usize
    }

    /// The first period of a day counted from 1970-01-01.
    #[must_use]
    pub const fn first_of_day(day: i64) -> Self {
        Self(day * PERIODS_PER_DAY)
    }
}

/// Clamped to the range of [`Timestamp`], so that no index can panic.
fn at(index: i64) -> Timestamp {
    let second = index.saturating_mul(PERIOD_SECONDS);
    Timestamp::from_second(second).unwrap_or(if second < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

impl Add<i64> for Period {
    type Output = Self;

    fn add(self, periods: i64) -> Self {
        Self(self.0.saturating_add(periods))
    }
}

impl Sub<i64> for Period {
    type Output = Self;

    fn sub(self, periods: i64) -> Self {
        Self(self.0.saturating_sub(periods))
    }
}

impl Sub for Period {
    type Output = i64;

    fn sub(self, other: Self) -> i64 {
        self.0.saturating_sub(other.0)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.start(), f)
    }
}

/// Periods from `from` up to, and without, `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first period inside.
    pub from: Period,
    /// The first period after.
    pub until: Period,
}

impl Span {
    /// Whether `period` lies inside.
    #[must_use]
    pub fn contains(&self, period: Period) -> bool {
        self.from <= period && period < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_named_by_its_start() {
        let time: Timestamp = "2026-10-15T18:17:43Z".parse().unwrap();
        let period = Period::containing(time);
        assert_eq!(period.to_string(), "2026-10-15T18:15:00Z");
        assert_eq!(period.end().to_string(), "2026-10-15T18:20:00Z");
        assert_eq!(Period::last_ended(time).to_string(), "2026-10-15T18:10:00Z");
        assert_eq!(Period::starting(time), None);
        assert_eq!(Period::starting(period.start()), Some(period));
    }

    #[test]
    fn hours_are_utc() {
        let period = Period::containing("2026-10-15T18:15:00Z".parse().unwrap());
        assert_eq!(period.hour_of_day(), 18);
        assert_eq!(period.hour_of_week(), 18, "15 October 2026 is a Thursday");
        assert_eq!(Period::first_of_day(period.day()).to_string(), "2026-10-15T00:00:00Z");
    }

    #[test]
    fn before_1970_and_out_of_range_do_not_panic() {
        assert_eq!(Period::from_index(-1).to_string(), "1969-12-31T23:55:00Z");
        assert_eq!(Period::from_index(-1).hour_of_day(), 23);
        assert_eq!(Period::from_index(i64::MAX).end(), Timestamp::MAX);
        assert_eq!(Period::from_index(i64::MIN).start(), Timestamp::MIN);
    }
}
