//! `level_shift`: an incident that has stood for days is waiting for somebody to decide.

use domain::{Cause, Incident, PERIODS_PER_DAY, Terms};

use super::{Found, Sight, last_day, terms_of};

/// Days that an incident stands before it asks.
const DAYS: u8 = 3;

pub(super) fn look(sight: &Sight<'_>, incident: Option<&Incident>) -> Option<Found> {
    let onset = incident?.onset;
    (sight.period + 1 - onset >= i64::from(DAYS) * PERIODS_PER_DAY).then(|| Found {
        cause: Cause::LevelShift,
        usual: terms_of(sight.history, onset - PERIODS_PER_DAY, onset),
        now: now(sight),
        days: (DAYS, DAYS),
    })
}

/// The last day in terms.
pub(super) fn now(sight: &Sight<'_>) -> Terms {
    last_day(sight.history, sight.period)
}
