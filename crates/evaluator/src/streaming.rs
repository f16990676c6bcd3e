//! Calls that do not stream have a latency and no time to first token.

use domain::Estimator;

use crate::history::Point;

/// The p50 of latency and the p50 of the first token are about different requests once this much of the usual streaming
/// share is gone.
const SHARE_LOST: f64 = 0.25;
/// Calls that do not stream are charged the mean first token of those that do. At ten requests that mean itself errs by half
/// (a first token in fifty takes many times the others), so that a charge of an eighth of the decode time moves OTPS by a
/// sixteenth: less than lies between the line of a page and that of a recovery.
const MOST_CHARGED: f64 = 0.125;

/// Share of the requests of a period that streamed.
pub(crate) fn share(point: &Point) -> Option<f64> {
    Some(point.streamed()? / point.samples()?)
}

/// Whether the streaming share left its usual level so far that the inputs are about different requests.
pub(crate) fn is_about_other_requests(point: &Point, usual: f64, estimator: Estimator) -> bool {
    let lost = share(point).is_some_and(|share| share < usual - SHARE_LOST);
    lost && match estimator {
        Estimator::P50 => true,
        Estimator::TokenWeighted => charged(point).is_none_or(|charged| charged > MOST_CHARGED),
    }
}

/// The charge for calls that do not stream, as a share of the decode time that is left.
fn charged(point: &Point) -> Option<f64> {
    let (samples, streamed, ttft) = (point.samples()?, point.streamed()?, point.ttft_sum()?);
    let mean = ttft / streamed;
    let decode = point.latency_sum()? - mean * samples;
    (decode > 0.0).then(|| mean * (samples - streamed) / decode)
}
