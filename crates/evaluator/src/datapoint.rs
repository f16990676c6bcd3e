//! The first step of judgement: from a reading to a datapoint.

use domain::{Datapoint, MissingReason, Otps};

use crate::history::Point;

/// No host decodes this many tokens a second for one request; above it the inputs are about different requests, as
/// behind a gateway that hands over whole answers at once.
const FASTEST_OTPS: f64 = 5_000.0;
/// A median reply of one token has no decode time: its first token is its last.
const FEWEST_TOKENS: f64 = 2.0;

/// OTPS of one period by both estimators, or why there is none.
pub(crate) fn datapoint(point: Option<&Point>) -> Datapoint {
    let Some(point) = point.filter(|point| !point.is_empty()) else {
        return Datapoint::Missing(MissingReason::NoData);
    };
    let samples = match point.samples() {
        Some(samples) if samples > 0.0 => samples,
        Some(_) => return Datapoint::Missing(MissingReason::NoData),
        // Without latencies there is nothing; with them but without their number nobody knows what they are worth.
        None if point.latency_p50().is_none() && point.latency_sum().is_none() => {
            return Datapoint::Missing(MissingReason::NoData);
        }
        None => return Datapoint::Missing(MissingReason::IncompleteInputs),
    };
    let ttft = point.ttft_p50().or_else(|| point.ttft_sum());
    if ttft.is_none() || point.streamed() == Some(0.0) {
        return Datapoint::Missing(MissingReason::NoTimeToFirstToken);
    }
    let p50 = by_p50(point);
    let token_weighted = Sums::of(point).map_or(Err(MissingReason::IncompleteInputs), |sums| sums.otps());
    match (p50, token_weighted) {
        (Err(reason), Err(other)) => {
            // Both are missing the same inputs, or one says more than that.
            Datapoint::Missing(if reason == MissingReason::IncompleteInputs { other } else { reason })
        }
        (p50, token_weighted) => {
            Datapoint::Valid { otps: Otps { p50: p50.ok(), token_weighted: token_weighted.ok() }, samples }
        }
    }
}

/// OTPS of the medians of one period.
fn by_p50(point: &Point) -> Result<f64, MissingReason> {
    let (Some(latency), Some(ttft), Some(tokens)) =
        (point.latency_p50(), point.ttft_p50(), point.output_p50())
    else {
        return Err(MissingReason::IncompleteInputs);
    };
    if tokens < FEWEST_TOKENS {
        return Err(MissingReason::NoDecodeTime);
    }
    plausible(tokens, latency - ttft)
}

fn plausible(tokens: f64, decode_ms: f64) -> Result<f64, MissingReason> {
    if decode_ms <= 0.0 || tokens <= 0.0 {
        return Err(MissingReason::NoDecodeTime);
    }
    let otps = tokens / decode_ms * 1_000.0;
    if otps > FASTEST_OTPS { Err(MissingReason::Implausible) } else { Ok(otps) }
}

/// The sums of one period, or of several together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) tokens: f64,
    pub(crate) decode_ms: f64,
}

impl Sums {
    /// The sums of one period. Calls that do not stream have a latency and no time to first token: they are charged the
    /// mean of those that do, or their waiting would count as decoding.
    pub(crate) fn of(point: &Point) -> Option<Self> {
        let (samples, ttft) = (point.samples()?, point.ttft_sum()?);
        let streamed = point.streamed().unwrap_or(samples);
        if samples <= 0.0 || streamed <= 0.0 {
            return None;
        }
        let decode_ms = point.latency_sum()? - ttft * (samples / streamed);
        Some(Self { tokens: point.output_sum()?, decode_ms })
    }

    /// Adds another period.
    pub(crate) fn add(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.decode_ms += other.decode_ms;
    }

    /// Token-weighted OTPS.
    pub(crate) fn otps(&self) -> Result<f64, MissingReason> {
        plausible(self.tokens, self.decode_ms)
    }
}

#[cfg(test)]
mod tests {
    use domain::{Metric, Period, Reading, Statistics};

    use super::*;
    use crate::history::History;

    fn statistics(p50: f64, sum: Option<f64>, count: Option<f64>) -> Statistics {
        Statistics { p50: Some(p50), p95: None, sum, sample_count: count }
    }

    fn judge(latency: Statistics, ttft: Statistics, tokens: Statistics) -> Datapoint {
        let mut reading = Reading::default();
        *reading.of_mut(Metric::InvocationLatency) = latency;
        *reading.of_mut(Metric::TimeToFirstToken) = ttft;
        *reading.of_mut(Metric::OutputTokenCount) = tokens;
        let mut history = History::new();
        history.lay(Period::from_index(0), &reading);
        datapoint(history.get(Period::from_index(0)))
    }

    fn medians(latency: f64, ttft: f64, tokens: f64) -> Datapoint {
        judge(
            statistics(latency, None, Some(200.0)),
            statistics(ttft, None, Some(200.0)),
            statistics(tokens, None, None),
        )
    }

    #[test]
    fn the_p50_is_tokens_over_decode_time() {
        let otps = Otps { p50: Some(100.0), token_weighted: None };
        assert_eq!(medians(5_000.0, 1_000.0, 400.0), Datapoint::Valid { otps, samples: 200.0 });
    }

    #[test]
    fn the_least_and_the_most_that_is_believed() {
        // Two tokens in half a second, and 500 in a tenth.
        for (latency, tokens, otps) in [(1_500.0, 2.0, 4.0), (1_100.0, 500.0, 5_000.0)] {
            let otps = Otps { p50: Some(otps), token_weighted: None };
            assert_eq!(medians(latency, 1_000.0, tokens), Datapoint::Valid { otps, samples: 200.0 });
        }
        // Sums without a token are no speed of nothing.
        let full = |p50: f64| statistics(p50, Some(p50 * 200.0), Some(200.0));
        let got = judge(full(5_000.0), full(1_000.0), statistics(400.0, Some(0.0), Some(200.0)));
        let otps = Otps { p50: Some(100.0), token_weighted: None };
        assert_eq!(got, Datapoint::Valid { otps, samples: 200.0 });
    }

    #[test]
    fn what_cannot_be_computed_has_a_reason() {
        use MissingReason::{Implausible, IncompleteInputs, NoData, NoDecodeTime, NoTimeToFirstToken};
        let none = Statistics::default();
        let full = statistics(5_000.0, Some(1e6), Some(200.0));
        let cases = [
            (medians(1_200.0, 1_200.0, 40.0), NoDecodeTime),
            (medians(1_100.0, 1_300.0, 40.0), NoDecodeTime),
            (medians(1_001.0, 1_000.0, 300.0), Implausible),
            (medians(1_500.0, 1_000.0, 1.0), NoDecodeTime),
            (judge(full, none, full), NoTimeToFirstToken),
            (judge(full, full, none), IncompleteInputs),
            (judge(none, none, none), NoData),
            (judge(statistics(0.0, Some(0.0), Some(0.0)), none, none), NoData),
            (judge(statistics(5_000.0, None, None), full, full), IncompleteInputs),
            (judge(none, none, full), NoData),
        ];
        for (index, (got, reason)) in cases.into_iter().enumerate() {
            assert_eq!(got, Datapoint::Missing(reason), "case {index}");
        }
    }

    #[test]
    fn calls_that_do_not_stream_are_charged_the_mean_first_token() {
        // 100 calls of 5 s, of which 60 stream with 1 s to the first token; 400 tokens each. Every call decodes for 4 s,
        // so 100 tokens a second, whatever the share.
        let latency = statistics(5_000.0, Some(500_000.0), Some(100.0));
        let ttft = statistics(1_000.0, Some(60_000.0), Some(60.0));
        let tokens = statistics(400.0, Some(40_000.0), Some(100.0));
        let otps = Otps { p50: Some(100.0), token_weighted: Some(100.0) };
        assert_eq!(judge(latency, ttft, tokens), Datapoint::Valid { otps, samples: 100.0 });
    }
}
