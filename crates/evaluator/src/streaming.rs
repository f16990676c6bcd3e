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

#[cfg(test)]
mod tests {
    use domain::{Metric, Period, Reading, Statistics};

    use super::*;
    use crate::history::History;

    /// A hundred requests that took so many seconds together, of which so many stream with 1 s to the first token.
    fn lost(streamed: f64, latency: f64, usual: f64, estimator: Estimator) -> bool {
        let of = |sum: f64, count: f64| Statistics {
            p50: Some(sum * 1_000.0 / count),
            p95: None,
            sum: Some(sum * 1_000.0),
            sample_count: Some(count),
        };
        let mut reading = Reading::default();
        *reading.of_mut(Metric::InvocationLatency) = of(latency, 100.0);
        *reading.of_mut(Metric::TimeToFirstToken) = of(streamed, streamed);
        let mut history = History::new();
        history.lay(Period::from_index(0), &reading);
        is_about_other_requests(history.get(Period::from_index(0)).unwrap(), usual, estimator)
    }

    #[test]
    fn a_quarter_of_the_share_may_go() {
        assert!(!lost(75.0, 500.0, 1.0, Estimator::P50));
        assert!(lost(74.0, 500.0, 1.0, Estimator::P50));
        assert!(!lost(74.0, 500.0, 0.9, Estimator::P50), "of what is usual");
    }

    #[test]
    fn the_sums_may_be_charged_an_eighth() {
        // Fifty calls are charged 1 s each. Of 500 s the first tokens are 100 s: 50 of the other 400 are an eighth.
        assert!(!lost(50.0, 500.0, 1.0, Estimator::TokenWeighted));
        assert!(lost(50.0, 499.0, 1.0, Estimator::TokenWeighted));
        // Forty are charged: 40 of 320.
        assert!(!lost(60.0, 420.0, 1.0, Estimator::TokenWeighted));
        assert!(lost(60.0, 419.0, 1.0, Estimator::TokenWeighted));
        // Nothing is left to decode.
        assert!(
            lost(50.0, 100.0, 1.0, Estimator::TokenWeighted)
                && lost(50.0, 90.0, 1.0, Estimator::TokenWeighted)
        );
    }
}
