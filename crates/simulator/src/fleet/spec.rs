//! What a model and its callers are like when nothing happens.

use domain::Series;

/// A model, and who calls it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSpec {
    /// Who.
    pub series: Series,
    /// Kinds of requests; at least one, or nobody calls.
    pub classes: Vec<RequestClass>,
    /// How far the weights of the classes wander: standard deviation of their logarithms.
    pub mix_wander: f64,
    /// How many requests, and when.
    pub rhythm: Rhythm,
    /// How long the first token takes.
    pub first_token: FirstToken,
    /// How fast the others follow.
    pub decode: Decode,
    /// The prompt cache, if the callers use one. Without it, its metrics have no datapoints.
    pub cache: Option<PromptCache>,
    /// Share of requests that stream. The others count in everything but TimeToFirstToken.
    pub streaming_share: f64,
    /// Share of requests whose answer a gateway hands over at once: their first token comes with the last.
    pub buffered_share: f64,
    /// Throttled requests per request. They count in no other metric.
    pub throttle_share: f64,
    /// Requests that fail on the side of the host, per request. They count in no other metric.
    pub server_error_share: f64,
}

/// Requests that are like each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestClass {
    /// How frequent, against the other classes.
    pub weight: f64,
    /// Tokens that are produced.
    pub output: Tokens,
    /// Tokens of the whole prompt, with what the cache serves.
    pub input: Tokens,
}

/// A number of tokens: log-normal, rounded, at least one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tokens {
    /// Half of the requests have fewer.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
}

/// How many requests, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rhythm {
    /// Requests in a period, as the mean of a working day without closed hours.
    pub requests: f64,
    /// Amplitude of the day, 0 to 1: at the peak there are `1 + daily` times the mean.
    pub daily: f64,
    /// Hour of the peak, UTC.
    pub peak_hour: f64,
    /// What a Saturday or Sunday has of a working day: 0 is silence.
    pub weekend: f64,
    /// Hours in UTC, from and until, outside of which nobody calls; from above until goes over midnight.
    pub open: Option<(u8, u8)>,
    /// Load beyond the rhythm and chance: standard deviation of its logarithm, with a memory of three hours.
    pub noise: f64,
}

/// TimeToFirstToken: the sum of its terms, times a log-normal spread, and now and then a Pareto tail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstToken {
    /// Milliseconds that every request takes.
    pub base_ms: f64,
    /// Milliseconds for each input token that is read afresh.
    pub prefill_ms: f64,
    /// Milliseconds for each input token that the cache serves.
    pub cached_ms: f64,
    /// Milliseconds in a queue at the usual load; it grows with the load.
    pub queue_ms: f64,
    /// Standard deviation of the logarithm.
    pub spread: f64,
    /// Share of requests in the tail.
    pub tail_share: f64,
    /// Shape of the tail: the smaller, the heavier.
    pub tail_alpha: f64,
}

/// Decode speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decode {
    /// Tokens a second of the median request on a usual day.
    pub tokens_per_second: f64,
    /// From request to request: standard deviation of the logarithm.
    pub spread: f64,
    /// How much slower the host is at the hour of the peak than in the hour opposite, 0 to 1.
    pub diurnal: f64,
    /// The speed goes with the load to the power of minus this.
    pub load_exponent: f64,
    /// Drift within hours: standard deviation of the logarithm, with a memory of four hours.
    pub drift: f64,
    /// Drift from day to day: standard deviation of the logarithm, with a memory of two days.
    pub day_drift: f64,
    /// Milliseconds between the last token and the end of the call, exponential.
    pub overhead_ms: f64,
}

/// A prompt cache. The cached part of a prompt is never in InputTokenCount.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptCache {
    /// Share of a prompt that is marked for the cache, 0 to 1.
    pub prefix_share: f64,
    /// Share of requests that find it there, 0 to 1.
    pub hit_share: f64,
    /// What a miss does: the prefix is written to the cache (`CacheWriteInputTokens`), or is ordinary input.
    pub writes: bool,
}

impl ModelSpec {
    /// A model that keeps one speed around the clock: one class of requests, no rhythm, no drift, no cache, no failures.
    #[must_use]
    pub fn steady(series: Series, requests: f64, tokens_per_second: f64) -> Self {
        Self {
            series,
            classes: vec![RequestClass {
                weight: 1.0,
                output: Tokens { median: 300.0, sigma: 0.5 },
                input: Tokens { median: 2_000.0, sigma: 0.6 },
            }],
            mix_wander: 0.0,
            rhythm: Rhythm { requests, daily: 0.0, peak_hour: 15.0, weekend: 1.0, open: None, noise: 0.0 },
            first_token: FirstToken {
                base_ms: 300.0,
                prefill_ms: 0.12,
                cached_ms: 0.01,
                queue_ms: 40.0,
                spread: 0.35,
                tail_share: 0.015,
                tail_alpha: 1.8,
            },
            decode: Decode {
                tokens_per_second,
                spread: 0.15,
                diurnal: 0.0,
                load_exponent: 0.0,
                drift: 0.0,
                day_drift: 0.0,
                overhead_ms: 12.0,
            },
            cache: None,
            streaming_share: 1.0,
            buffered_share: 0.0,
            throttle_share: 0.0,
            server_error_share: 0.0,
        }
    }

    /// Shares of the classes when nothing wanders; they sum to one.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let weights: Vec<f64> = self.classes.iter().map(|class| class.weight.max(0.0)).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| if total > 0.0 { weight / total } else { 0.0 }).collect()
    }

    /// About what the first token of a median request takes when nothing happens, in milliseconds.
    pub(crate) fn usual_ttft_ms(&self) -> f64 {
        let prompt: f64 =
            self.shares().iter().zip(&self.classes).map(|(share, class)| share * class.input.median).sum();
        let served = self.cache.map_or(0.0, |cache| cache.prefix_share * cache.hit_share) * prompt;
        let first = &self.first_token;
        first.base_ms + first.queue_ms + first.prefill_ms * (prompt - served) + first.cached_ms * served
    }
}

impl Tokens {
    /// The mean, which lies above the median.
    pub(crate) fn mean(&self) -> f64 {
        self.median * (self.sigma * self.sigma / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_first_token_is_the_sum_of_its_terms() {
        let mut spec = ModelSpec::steady(Series::new("", "us-east-1", "m"), 100.0, 60.0);
        // 300 + 40 + 2,000 x 0.12
        assert!((spec.usual_ttft_ms() - 580.0).abs() < 1e-9);
        spec.cache = Some(PromptCache { prefix_share: 0.8, hit_share: 0.5, writes: true });
        // 800 of the 2,000 come from the cache: 300 + 40 + 1,200 x 0.12 + 800 x 0.01
        assert!((spec.usual_ttft_ms() - 492.0).abs() < 1e-9);
    }

    #[test]
    fn shares_sum_to_one() {
        let mut spec = ModelSpec::steady(Series::new("", "us-east-1", "m"), 100.0, 60.0);
        spec.classes.push(RequestClass { weight: 3.0, ..spec.classes[0] });
        assert_eq!(spec.shares(), [0.25, 0.75]);
    }
}
