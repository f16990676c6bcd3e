//! Every request of a period.

use domain::{Metric, PERIOD_SECONDS};
use rand::RngExt;
use rand_distr::{Distribution, Exp1, Pareto, Poisson, StandardNormal};

use super::model::Conditions;
use super::seed::Generator;
use super::spec::ModelSpec;

/// No answer is longer: what hosts allow at most.
const MOST_OUTPUT_TOKENS: f64 = 32_000.0;
/// No prompt is longer.
const MOST_INPUT_TOKENS: f64 = 200_000.0;
/// A gateway that buffers passes its first token on at most this long before the last, in milliseconds.
const BUFFERED_MS: f64 = 40.0;

/// What happened in one period.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Traffic {
    /// Requests that were answered, in no order.
    pub(crate) requests: Vec<Request>,
    /// Seconds in the period at which requests were throttled.
    pub(crate) throttled: Vec<u16>,
    /// Seconds in the period at which requests failed.
    pub(crate) failed: Vec<u16>,
    /// Whether the callers use a prompt cache.
    pub(crate) cached: bool,
}

/// One request that was answered. Small, since many are kept: four bytes carry a duration to a millionth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Request {
    /// When in the period, in seconds.
    pub(crate) second: u16,
    /// Whether it has a TimeToFirstToken.
    pub(crate) streamed: bool,
    /// Tokens of the answer.
    pub(crate) output: u32,
    /// Tokens of the prompt that were ordinary input.
    pub(crate) input: u32,
    /// Tokens of the prompt that the cache served.
    pub(crate) cache_read: u32,
    /// Tokens of the prompt that were written to the cache.
    pub(crate) cache_write: u32,
    /// Its own decode speed.
    pub(crate) tokens_per_second: f32,
    /// Milliseconds to the first token, whether it streamed or not.
    pub(crate) ttft_ms: f32,
    /// Milliseconds to the end.
    pub(crate) latency_ms: f32,
}

impl Traffic {
    /// The values that were published of `metric` with `seconds` of the period, in no order.
    pub(crate) fn values(&self, metric: Metric, seconds: &std::ops::Range<u16>, into: &mut Vec<f64>) {
        let whole = *seconds == (0..PERIOD_SECONDS as u16);
        let inside = |second: &u16| whole || seconds.contains(second);
        let requests = || self.requests.iter().filter(|request| inside(&request.second));
        match metric {
            Metric::InvocationLatency => into.extend(requests().map(|request| f64::from(request.latency_ms))),
            Metric::TimeToFirstToken => into.extend(
                requests().filter(|request| request.streamed).map(|request| f64::from(request.ttft_ms)),
            ),
            Metric::OutputTokenCount => into.extend(requests().map(|request| f64::from(request.output))),
            Metric::InputTokenCount => into.extend(requests().map(|request| f64::from(request.input))),
            Metric::CacheReadInputTokens if self.cached => {
                into.extend(requests().map(|request| f64::from(request.cache_read)));
            }
            Metric::CacheWriteInputTokens if self.cached => {
                into.extend(requests().map(|request| f64::from(request.cache_write)));
            }
            Metric::CacheReadInputTokens | Metric::CacheWriteInputTokens => {}
            Metric::InvocationThrottles => {
                into.extend(self.throttled.iter().filter(|second| inside(second)).map(|_| 1.0));
            }
            Metric::InvocationServerErrors => {
                into.extend(self.failed.iter().filter(|second| inside(second)).map(|_| 1.0));
            }
            // What the cache served takes nothing of the quota.
            Metric::EstimatedTpmQuotaUsage => into.extend(requests().map(|request| {
                f64::from(request.input) + f64::from(request.cache_write) + f64::from(request.output)
            })),
        }
    }
}

/// How many, when `expected` are. The first number of a period, so that it can be asked alone.
pub(crate) fn count(numbers: &mut Generator, expected: f64) -> usize {
    // Anything but a number above zero expects none.
    Poisson::new(expected).map_or(0, |poisson| poisson.sample(numbers) as usize)
}

/// Draws a period. What does not differ between two conditions is drawn alike: the same requests, under other ones.
pub(crate) fn draw(spec: &ModelSpec, conditions: &Conditions, mut numbers: Generator) -> Traffic {
    let expected = count(&mut numbers, conditions.requests);
    let dice = Dice::new(spec, conditions);
    let requests = (0..expected).map(|_| dice.request(&mut numbers)).collect();
    let mut seconds = |expected| {
        let count = count(&mut numbers, expected);
        (0..count).map(|_| numbers.random_range(0..PERIOD_SECONDS as u16)).collect()
    };
    Traffic {
        requests,
        throttled: seconds(conditions.throttled),
        failed: seconds(conditions.failed),
        cached: spec.cache.is_some(),
    }
}

/// Everything about the requests of a period that need not be worked out for each of them.
struct Dice<'a> {
    spec: &'a ModelSpec,
    conditions: &'a Conditions,
    classes: Vec<Class>,
    tail: Option<Pareto<f64>>,
}

/// A class of requests under the conditions of the period.
struct Class {
    /// Share of this class and those before it.
    up_to: f64,
    /// Logarithm of the median, and its standard deviation.
    output: (f64, f64),
    input: (f64, f64),
}

impl<'a> Dice<'a> {
    fn new(spec: &'a ModelSpec, conditions: &'a Conditions) -> Self {
        let mut up_to = 0.0;
        let classes = spec
            .classes
            .iter()
            .zip(&conditions.shares)
            .map(|(class, share)| {
                up_to += share;
                Class {
                    up_to,
                    output: ((class.output.median * conditions.answer).ln(), class.output.sigma),
                    input: ((class.input.median * conditions.prompt).ln(), class.input.sigma),
                }
            })
            .collect();
        Self { spec, conditions, classes, tail: Pareto::new(1.0, spec.first_token.tail_alpha).ok() }
    }

    fn request(&self, numbers: &mut Generator) -> Request {
        let (spec, now) = (self.spec, self.conditions);
        let kind: f64 = numbers.random();
        // Rounding may leave the last share a little below one.
        let class = self.classes.iter().find(|class| kind < class.up_to).or_else(|| self.classes.last());
        let (output, input) = class.map_or(((0.0, 0.0), (0.0, 0.0)), |class| (class.output, class.input));
        let mut tokens = |(median, sigma): (f64, f64), most: f64| {
            (median + sigma * normal(numbers)).exp().round().clamp(1.0, most)
        };
        let output = tokens(output, MOST_OUTPUT_TOKENS);
        let prompt = tokens(input, MOST_INPUT_TOKENS);

        let found: f64 = numbers.random();
        let (mut read, mut written) = (0.0, 0.0);
        if let Some(cache) = now.cache {
            let prefix = (prompt * cache.prefix_share).floor();
            if found < cache.hit_share {
                read = prefix;
            } else if cache.writes {
                written = prefix;
            }
        }
        let input = prompt - read - written;

        let first = &spec.first_token;
        let mut ttft = first.base_ms + now.queue_ms;
        ttft += first.prefill_ms * (input + written) + first.cached_ms * read;
        ttft *= (first.spread * normal(numbers)).exp();
        let tail: f64 = numbers.random();
        if let Some(pareto) = self.tail.filter(|_| tail < first.tail_share) {
            ttft *= pareto.sample(numbers);
        }

        let slow: f64 = numbers.random();
        let kept = if slow < now.slow.0 { 1.0 - now.slow.1 } else { 1.0 };
        let speed = now.tokens_per_second * (spec.decode.spread * normal(numbers)).exp() * kept;
        let overhead: f64 = Exp1.sample(numbers);
        let latency = ttft + (output - 1.0) / speed * 1_000.0 + spec.decode.overhead_ms * overhead;

        let (buffered, early): (f64, f64) = (numbers.random(), numbers.random());
        if buffered < spec.buffered_share {
            ttft = ttft.max(latency - BUFFERED_MS * early);
        }
        let streamed: f64 = numbers.random();
        Request {
            second: numbers.random_range(0..PERIOD_SECONDS as u16),
            streamed: streamed < now.streaming,
            output: output as u32,
            input: input as u32,
            cache_read: read as u32,
            cache_write: written as u32,
            tokens_per_second: speed as f32,
            ttft_ms: ttft as f32,
            latency_ms: latency as f32,
        }
    }
}

fn normal(numbers: &mut Generator) -> f64 {
    StandardNormal.sample(numbers)
}
