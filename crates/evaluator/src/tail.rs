//! Is it the host, or a few requests?
//!
//! A slow host slows all requests alike: the median one, the sums and the 95th percentile lose the same share. One request
//! in seven slowed to a third hardly moves the median, moves the sums, and moves the 95th percentile most. None of the
//! three is reliable for every mix of replies, so both differences are weighed by the noise that they usually have.

use domain::{Datapoint, Estimator};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::learned::Learned;
use crate::stretch::Stretch;

/// In a slow tail (one request in seven, three to ten times slower) the median user is spared, and the 95th percentile
/// loses on top, about this share of what the sums lose.
const APART_IN_A_TAIL: f64 = 0.6;
/// How far that share itself differs between mixes of replies, as one standard deviation: neither figure alone convinces.
const MISFIT: f64 = 0.3;
/// The drop may be the host's while what the figures say lies nearer to "all requests alike" (0) than to a slow tail (1); a
/// little less than half way, since a page is not taken back and evidence that was withheld is weighed again with the next period.
const NEARER_TO_THE_HOST: f64 = 0.4;
/// A ticket that says so must be clearer than that: it is told in the morning, and can wait for the next hour.
const CLEARLY_A_TAIL: f64 = 0.6;

/// Median of OTPS over the sums, in `ln`; and the median reply it depends on.
pub(crate) fn median_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    Some((point.output_p50()?.ln(), (otps.p50? / otps.token_weighted?).ln()))
}

/// What the 95th percentile of the wait should be, by the sums, over what it is, in `ln`; and the long reply it depends on.
///
/// A wait is a first token and a decode time, and the slowest in twenty is slow by either. Where both spread, their
/// spreads add up as squares, so that this holds for short answers to long prompts as well as for long answers to short ones.
pub(crate) fn tail_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    let (tokens, ttft) = (point.output_p95()?, point.ttft_p50()?);
    let wait = point.latency_p95()? - ttft;
    let first = (point.ttft_p95()? - ttft).max(0.0);
    let decode = tokens / otps.token_weighted? * 1_000.0;
    (wait > 0.0 && tokens > 0.0).then(|| (tokens.ln(), (first.hypot(decode) / wait).ln()))
}

/// Whether the drop of a stretch may be the host's.
pub(crate) fn may_be_the_host(history: &History, learned: &Learned, stretch: &Stretch) -> bool {
    likeness(history, learned, stretch) <= NEARER_TO_THE_HOST
}

/// Whether the drop of a stretch is clearly that of a few slow requests.
pub(crate) fn is_a_slow_tail(history: &History, learned: &Learned, stretch: &Stretch) -> bool {
    likeness(history, learned, stretch) >= CLEARLY_A_TAIL
}

/// How much the drop of a stretch looks like a slow tail: 0 for "all requests alike", 1 for a slow tail. Without anything to
/// tell them apart it is 0.
fn likeness(history: &History, learned: &Learned, stretch: &Stretch) -> f64 {
    let drop = -stretch.log_ratio();
    if learned.baseline(Estimator::TokenWeighted).is_none() || drop <= 0.0 {
        return 0.0;
    }
    let usual = learned.contrasts(history);
    let (mut likeness, mut weights) = (0.0, 0.0);
    for (contrast, usual, sign) in [
        (median_contrast as fn(&Point) -> Option<(f64, f64)>, &usual.median, 1.0),
        (tail_contrast, &usual.tail, -1.0),
    ] {
        let Some(usual) = usual else { continue };
        let (mut sum, mut certainty) = (0.0, 0.0);
        for fresh in &stretch.periods {
            let Some((x, y)) = history.get(fresh.period).and_then(contrast) else { continue };
            let own = fresh.samples / usual.sampling_variance(x);
            sum += own * (y - usual.expected(x));
            certainty += own;
        }
        if certainty <= 0.0 {
            continue;
        }
        let in_a_tail = sign * APART_IN_A_TAIL * drop;
        let variance = (1.0 / certainty + usual.lasting_variance()) / (in_a_tail * in_a_tail);
        let weight = 1.0 / (variance + MISFIT * MISFIT);
        likeness += weight * (sum / certainty) / in_a_tail;
        weights += weight;
    }
    if weights > 0.0 { likeness / weights } else { 0.0 }
}
