//! `low_confidence`: a series that cannot be watched, and somebody who thinks it is.

use domain::{Cause, Terms};

use super::{Found, Sight};

/// Days in a row on which most periods with requests could not be judged.
const DAYS: i64 = 7;
/// It is over after so many days in a row on which most could.
const DAYS_TO_CLOSE: i64 = 3;
/// A day with fewer periods with requests is a day off.
const FEWEST_PERIODS: u16 = 12;

/// Whether most periods of a day could not be judged, if the day says anything.
fn blind(sight: &Sight<'_>, day: i64) -> Option<bool> {
    let day = sight.days.get(day)?;
    (day.busy >= FEWEST_PERIODS).then_some(2 * day.judgeable < day.busy)
}

pub(super) fn look(sight: &Sight<'_>) -> Option<Found> {
    let today = sight.period.day();
    let now = sight.days.get(today)?.terms;
    (0..DAYS).all(|back| blind(sight, today - back) == Some(true)).then(|| Found {
        cause: Cause::LowConfidence,
        usual: sight.days.get(today - DAYS + 1).map_or(now, |day| day.terms),
        now,
        days: (DAYS as u8, DAYS as u8),
    })
}

/// The terms of the day, once it can be judged again.
pub(super) fn is_over(sight: &Sight<'_>) -> Option<Terms> {
    let today = sight.period.day();
    (0..DAYS_TO_CLOSE)
        .all(|back| blind(sight, today - back) == Some(false))
        .then(|| sight.days.get(today).map(|day| day.terms))?
}
