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

/// In a slow tail the median user loses about a fifth of what the sums lose (one request in seven, two to ten times slower).
const FELT_BY_THE_MEDIAN: f64 = 0.2;
/// And the 95th percentile, which lies among the slow ones, twice as much.
const FELT_BY_THE_95TH: f64 = 2.0;

/// Median of OTPS over the sums, in `ln`; and the median reply it depends on.
pub(crate) fn median_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    Some((point.output_p50()?.ln(), (otps.p50? / otps.token_weighted?).ln()))
}

/// The same of the 95th percentile: the time that the longest replies took, against what the sums make of them.
pub(crate) fn tail_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    let tokens = point.output_p95()?;
    let decode = point.latency_p95()? - point.ttft_p50()?;
    (decode > 0.0 && tokens > 0.0)
        .then(|| Some((tokens.ln(), (tokens / decode * 1_000.0 / otps.token_weighted?).ln())))?
}

/// `ln` of how much better "a few requests are slow" explains the drop of a stretch than "the host is".
pub(crate) fn for_a_slow_tail(history: &History, learned: &Learned, stretch: &Stretch, drop: f64) -> f64 {
    if learned.baseline(Estimator::TokenWeighted).is_none() {
        return 0.0;
    }
    let mut score = 0.0;
    for (contrast, usual, felt) in [
        (median_contrast as fn(&Point) -> Option<(f64, f64)>, &learned.median_contrast, FELT_BY_THE_MEDIAN),
        (tail_contrast, &learned.tail_contrast, FELT_BY_THE_95TH),
    ] {
        let Some(usual) = usual else { continue };
        let (mut sum, mut samples) = (0.0, 0.0);
        for fresh in &stretch.periods {
            let Some((x, y)) = history.get(fresh.period).and_then(contrast) else { continue };
            sum += fresh.samples * (y - usual.expected(x));
            samples += fresh.samples;
        }
        if samples <= 0.0 {
            continue;
        }
        // Of a slow host the difference is zero; of a slow tail it is this.
        let in_a_tail = (felt - 1.0) * drop;
        let variance = usual.noise().sigma(samples).powi(2);
        score += in_a_tail * (sum / samples - in_a_tail / 2.0) / variance;
    }
    score
}
