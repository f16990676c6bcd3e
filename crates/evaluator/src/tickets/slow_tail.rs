//! `slow_tail`: the sums are slow, the median user is not.

use domain::{Cause, Estimator, PERIODS_PER_HOUR, Terms};

use super::{Found, Sight, terms_of, weeks_before};
use crate::stretch::{Stretch, fresh};
use crate::tail::is_a_slow_tail;

/// So long it must have lasted.
const LASTING: i64 = 2 * PERIODS_PER_HOUR;
/// Requests that it must be about: of a tail of one in seven, nine were slow.
const FEWEST_REQUESTS: f64 = 60.0;
/// As sure as a datapoint that breaches.
const SIGMAS: f64 = 2.0;

fn last_hours(sight: &Sight<'_>) -> Option<Stretch> {
    let learned = sight.learned?;
    learned.baseline(Estimator::TokenWeighted)?;
    let mut stretch = Stretch::default();
    if sight.untrained.last().is_some_and(|span| span.until > sight.period - LASTING) {
        // These hours still hold an incident.
        return None;
    }
    for back in 0..LASTING {
        if let Some(one) = fresh(sight.history, learned, Estimator::TokenWeighted, sight.period - back) {
            stretch.add(one);
        }
    }
    (stretch.samples >= FEWEST_REQUESTS).then_some(stretch)
}

pub(super) fn look(sight: &Sight<'_>) -> Option<Found> {
    let learned = sight.learned?;
    let stretch = last_hours(sight)?;
    let rule = &sight.settings.rule;
    let sigma = stretch.sigma(learned, Estimator::TokenWeighted);
    let drop = stretch.log_ratio();
    let until = sight.period + 1;
    let from = until - LASTING;
    (drop < rule.page_below.ln()
        && drop + SIGMAS * sigma < rule.recover_above.ln()
        // Not one bad quarter of an hour within them.
        && stretch.log_ratio_without_worst(stretch.periods.len() / 4) < rule.recover_above.ln()
        && is_a_slow_tail(sight.history, learned, &stretch))
    .then(|| Found {
        cause: Cause::SlowTail,
        usual: weeks_before(sight.history, from, until),
        now: terms_of(sight.history, from, until),
        days: (0, 0),
    })
}

/// The terms of the last hours, once the sums are back.
pub(super) fn is_over(sight: &Sight<'_>) -> Option<Terms> {
    let stretch = last_hours(sight)?;
    let until = sight.period + 1;
    (stretch.log_ratio() >= sight.settings.rule.recover_above.ln())
        .then(|| terms_of(sight.history, until - LASTING, until))
}
