//! `no_data`: silence at hours that are not silent.

use domain::{Cause, OpenTicket, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period};

use super::{Found, Sight, terms_of, weeks_before};
use crate::history::Point;

/// So long nothing may have come.
const SILENCE: i64 = 6 * PERIODS_PER_HOUR;
/// Requests that the same hours of each week before had: with so many to be expected, none is no chance.
const EXPECTED: f64 = 20.0;
/// It is over once so many periods of the last hour had requests: one request is not yet traffic.
const PERIODS_BACK: usize = 3;

fn requests(sight: &Sight<'_>, from: Period, until: Period) -> f64 {
    sight.history.range(from, until).filter_map(|(_, point)| point.samples()).sum()
}

fn has_data(sight: &Sight<'_>, period: Period) -> bool {
    sight.history.get(period).and_then(Point::samples).is_some_and(|samples| samples > 0.0)
}

pub(super) fn look(sight: &Sight<'_>, open: &[OpenTicket]) -> Option<Found> {
    let until = sight.period + 1;
    let from = until - SILENCE;
    if sight.alarm_of_absence {
        // The configuration says that missing periods are an alarm; it is one that can wait.
        let usual = weeks_before(sight.history, from, until);
        let now = terms_of(sight.history, from, until);
        return Some(Found { cause: Cause::NoData, usual, now, days: (0, 0) });
    }
    // The newest period first: while there is traffic this costs nothing.
    if has_data(sight, sight.period)
        || open.iter().any(|ticket| ticket.cause == Cause::NoData)
        || (1..SILENCE).any(|back| has_data(sight, sight.period - back))
    {
        return None;
    }
    let first = sight.history.first()?;
    let mut weeks = [1, 2]
        .into_iter()
        .map(|weeks| weeks * 7 * PERIODS_PER_DAY)
        .filter(|back| from - *back >= first)
        .map(|back| requests(sight, from - back, until - back))
        .peekable();
    weeks.peek()?;
    weeks.all(|requests| requests >= EXPECTED).then(|| Found {
        cause: Cause::NoData,
        usual: weeks_before(sight.history, from, until),
        now: terms_of(sight.history, from, until),
        days: (0, 0),
    })
}

/// The terms of the last hour, once it has data again.
pub(super) fn is_over(sight: &Sight<'_>) -> Option<domain::Terms> {
    if sight.alarm_of_absence || !has_data(sight, sight.period) {
        return None;
    }
    let back = (0..PERIODS_PER_HOUR).filter(|&back| has_data(sight, sight.period - back)).count();
    let until = sight.period + 1;
    (back >= PERIODS_BACK).then(|| terms_of(sight.history, until - PERIODS_PER_HOUR, until))
}
