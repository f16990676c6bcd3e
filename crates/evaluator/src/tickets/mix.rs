//! `streaming_mix`: another share of the requests streams.

use domain::{Cause, PERIODS_PER_DAY, Period, Terms};

use super::{Found, Sight, terms_of, weeks_before};

/// The share must have moved by this much: what calls that do not stream are charged is no longer a detail.
const MOVED: f64 = 0.15;
/// In each of so many parts of the last day: a burst of some hours is no change of mix.
const PARTS: i64 = 4;
/// A part with fewer requests says nothing; two of them must say it.
const FEWEST_REQUESTS: f64 = 20.0;

/// Share of the requests that streamed.
fn share(sight: &Sight<'_>, from: Period, until: Period) -> Option<f64> {
    let (mut streamed, mut samples) = (0.0, 0.0);
    for (_, point) in sight.history.range(from, until) {
        let Some(n) = point.samples().filter(|n| *n > 0.0) else { continue };
        let some_streamed = point.ttft_p50().is_some() || point.ttft_sum().is_some();
        streamed += match point.streamed() {
            Some(streamed) => streamed,
            // A recording of medians alone does not say how many streamed.
            None if some_streamed => continue,
            // TimeToFirstToken has no datapoint at all where nothing streamed.
            None => 0.0,
        };
        samples += n;
    }
    (samples >= FEWEST_REQUESTS).then(|| streamed / samples)
}

pub(super) fn look(sight: &Sight<'_>) -> Option<Found> {
    let usual = sight.learned?.streaming_share;
    // The newest period first: one look at one point, nearly always the last.
    let part = PERIODS_PER_DAY / PARTS;
    let until = sight.period + 1;
    let newest = share(sight, until - part, until)?;
    if (newest - usual).abs() < MOVED {
        return None;
    }
    let side = (newest - usual).signum();
    let mut parts = 0;
    for index in 0..PARTS {
        let end = until - index * part;
        if let Some(share) = share(sight, end - part, end) {
            if (share - usual) * side < MOVED {
                return None;
            }
            parts += 1;
        }
    }
    let from = until - PERIODS_PER_DAY;
    (parts >= 2).then(|| Found {
        cause: Cause::StreamingMix,
        usual: Terms { streaming_share: usual, ..weeks_before(sight.history, from, until) },
        now: terms_of(sight.history, from, until),
        days: (1, 1),
    })
}

/// The terms of the day, once its share is back at the level that was frozen.
pub(super) fn is_over(sight: &Sight<'_>, usual: &Terms) -> Option<Terms> {
    let until = sight.period + 1;
    let from = until - PERIODS_PER_DAY;
    let share = share(sight, from, until)?;
    ((share - usual.streaming_share).abs() < MOVED / 2.0)
        .then(|| Terms { streaming_share: share, ..terms_of(sight.history, from, until) })
}
