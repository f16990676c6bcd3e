//! How much of a source is read for what it may cost in a month.
//!
//! What explains is shed first, since a page needs none of it. Polling is widened last and only to every second period: a model that is
//! looked at more rarely is not watched. Beyond that the limit is passed, and that is said.

use domain::{PERIOD_SECONDS, PERIODS_PER_HOUR, Thrift};
use jiff::{SignedDuration, Timestamp, tz::Offset};

/// More is read again once it would leave so much of the limit unspent: what is just enough today is not tomorrow.
const UNSPENT: f64 = 0.05;

/// What a source costs, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// What it may in a month.
    pub limit: f64,
    /// What was asked for this month.
    pub spent: f64,
    /// One poll of all its Regions.
    pub poll: f64,
    /// What explains, of an hour in all of them.
    pub explanation: f64,
    /// What is left of the month.
    pub left: SignedDuration,
}

impl Budget {
    /// What the month comes to when the rest of it is read like that.
    #[must_use]
    pub fn month(&self, thrift: Thrift) -> f64 {
        let periods = self.left.as_secs_f64().max(0.0) / PERIOD_SECONDS as f64;
        let explanation = match thrift {
            Thrift::None => self.explanation * periods / PERIODS_PER_HOUR as f64,
            Thrift::Diagnosis | Thrift::Polling => 0.0,
        };
        self.spent + self.poll * periods / thrift.periods() as f64 + explanation
    }

    /// How it is read from now on, having been read like `before`.
    #[must_use]
    pub fn thrift(&self, before: Thrift) -> Thrift {
        let pays = |thrift: &Thrift| {
            let limit = if *thrift < before { self.limit * (1.0 - UNSPENT) } else { self.limit };
            self.month(*thrift) <= limit
        };
        Thrift::ALL.into_iter().find(pays).unwrap_or(Thrift::Polling)
    }
}

/// The month of a time, in UTC: its year times twelve and the month from zero.
#[must_use]
pub fn month_of(time: Timestamp) -> i32 {
    let date = Offset::UTC.to_datetime(time).date();
    i32::from(date.year()) * 12 + i32::from(date.month()) - 1
}

/// When a month ends, in UTC; the last of all times for one that never does.
#[must_use]
pub fn month_end(month: i32) -> Timestamp {
    let next = month + 1;
    let (year, month) = (i16::try_from(next.div_euclid(12)), i8::try_from(next.rem_euclid(12) + 1));
    let first =
        year.ok().zip(month.ok()).and_then(|(year, month)| jiff::civil::Date::new(year, month, 1).ok());
    first
        .and_then(|first| Offset::UTC.to_timestamp(first.to_datetime(jiff::civil::Time::midnight())).ok())
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten days are left: 2,880 periods and 240 hours. All of it is 28.80 and 2.40.
    fn budget(limit: f64, spent: f64) -> Budget {
        let left = SignedDuration::from_hours(240);
        Budget { limit, spent, poll: 0.01, explanation: 0.01, left }
    }

    #[test]
    fn a_month_is_what_was_spent_and_what_its_rest_comes_to() {
        let month = |thrift| budget(0.0, 50.0).month(thrift);
        for (thrift, usd) in [(Thrift::None, 81.2), (Thrift::Diagnosis, 78.8), (Thrift::Polling, 64.4)] {
            assert!((month(thrift) - usd).abs() < 1e-9, "{thrift:?}: {}", month(thrift));
        }
    }

    #[test]
    fn what_explains_is_shed_first_and_polling_is_widened_last() {
        let thrift = |limit| budget(limit, 50.0).thrift(Thrift::None);
        assert_eq!(thrift(81.3), Thrift::None);
        assert_eq!(thrift(81.1), Thrift::Diagnosis);
        assert_eq!(thrift(78.9), Thrift::Diagnosis);
        assert_eq!(thrift(78.7), Thrift::Polling);
        assert_eq!(thrift(10.0), Thrift::Polling, "it goes on, whatever it costs");
    }

    #[test]
    fn more_is_read_again_only_when_some_would_be_left() {
        // 95 % of 85.40 are 81.13, of 85.50 are 81.22.
        let again = |limit| budget(limit, 50.0).thrift(Thrift::Diagnosis);
        assert_eq!((again(85.4), again(85.5)), (Thrift::Diagnosis, Thrift::None));
        // Being just enough is no reason to read less.
        assert_eq!(budget(81.3, 50.0).thrift(Thrift::None), Thrift::None);
    }

    #[test]
    fn months_are_those_of_the_calendar_in_utc() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let december = month_of(time("2026-12-31T23:59:59Z"));
        assert_eq!(december, 2026 * 12 + 11);
        assert_eq!(month_end(december), time("2027-01-01T00:00:00Z"));
        assert_eq!(month_of(time("2027-01-01T00:00:00Z")), december + 1);
        assert_eq!(month_end(month_of(time("2028-02-01T00:00:00Z"))), time("2028-03-01T00:00:00Z"));
    }
}
