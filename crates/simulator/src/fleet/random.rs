//! Fleets at random, wide enough that nothing can be tuned to one of them.

use domain::{PERIODS_PER_DAY, Period, Series};
use rand::RngExt;

use super::schedule::schedule;
use super::seed::{Generator, Purpose, Root};
use super::{Decode, FirstToken, Fleet, ModelSpec, PromptCache, RequestClass, Rhythm, Tokens};

/// What a random fleet is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetOptions {
    /// How many models.
    pub models: usize,
    /// How many days.
    pub days: i64,
    /// Days at the start without events, in which a baseline can be learned.
    pub learn_days: i64,
    /// No events at all: whatever pages is a false page.
    pub calm: bool,
    /// The first period.
    pub origin: Period,
    /// The account of all series.
    pub account: String,
    /// Their Region.
    pub region: String,
}

impl Default for FleetOptions {
    /// 24 models over 35 days from 2026-10-01 on, of which the first 14 are without events.
    fn default() -> Self {
        Self {
            models: 24,
            days: 35,
            learn_days: 14,
            calm: false,
            origin: Period::first_of_day(20_727),
            account: "111122223333".to_owned(),
            region: "us-east-1".to_owned(),
        }
    }
}

impl Fleet {
    /// A fleet at random: hosts of 15 to 400 tokens a second, 2 to 1,000 requests a period, one to five classes of
    /// requests, with and without a rhythm, and events as [`crate::labels::of`] labels them.
    #[must_use]
    pub fn random(seed: u64, options: &FleetOptions) -> Self {
        let horizon = options.days * PERIODS_PER_DAY;
        let eventful = options.origin + options.learn_days * PERIODS_PER_DAY;
        let mut specs = Vec::new();
        let mut events = Vec::new();
        for place in 0..options.models {
            let series = Series::new(&options.account, &options.region, &format!("sim.host-{place:03}-v1:0"));
            let mut numbers = Root::of(seed, &series).generator(Purpose::Design, 0);
            let spec = design(&mut numbers, series);
            if !options.calm {
                events.extend(schedule(&mut numbers, &spec, eventful, options.origin + horizon));
            }
            specs.push(spec);
        }
        Self::new(seed, options.origin, horizon, specs, events)
    }
}

/// A model at random.
fn design(numbers: &mut Generator, series: Series) -> ModelSpec {
    let prefill_ms = log_uniform(numbers, 0.02, 0.25);
    ModelSpec {
        series,
        classes: classes(numbers),
        mix_wander: numbers.random_range(0.0..0.6),
        rhythm: rhythm(numbers),
        first_token: FirstToken {
            base_ms: numbers.random_range(150.0..700.0),
            prefill_ms,
            cached_ms: prefill_ms / 15.0,
            queue_ms: numbers.random_range(0.0..150.0),
            spread: numbers.random_range(0.2..0.5),
            tail_share: numbers.random_range(0.0..0.03),
            tail_alpha: numbers.random_range(1.6..2.5),
        },
        decode: Decode {
            tokens_per_second: log_uniform(numbers, 15.0, 400.0),
            spread: numbers.random_range(0.05..0.5),
            diurnal: numbers.random_range(0.0..0.25),
            load_exponent: numbers.random_range(0.0..0.08),
            drift: numbers.random_range(0.005..0.05),
            day_drift: numbers.random_range(0.0..0.05),
            overhead_ms: numbers.random_range(2.0..20.0),
        },
        cache: numbers.random_bool(0.4).then(|| PromptCache {
            prefix_share: numbers.random_range(0.4..0.9),
            hit_share: numbers.random_range(0.85..0.98),
            writes: numbers.random_bool(0.5),
        }),
        streaming_share: if numbers.random_bool(0.3) { numbers.random_range(0.9..1.0) } else { 1.0 },
        buffered_share: if numbers.random_bool(0.3) { numbers.random_range(0.0..0.005) } else { 0.0 },
        throttle_share: if numbers.random_bool(0.5) { numbers.random_range(0.0..0.01) } else { 0.0 },
        server_error_share: if numbers.random_bool(0.5) { numbers.random_range(0.0..0.002) } else { 0.0 },
    }
}

/// One to five classes. A sixth of the models answers in a few tokens, a sixth in thousands.
fn classes(numbers: &mut Generator) -> Vec<RequestClass> {
    let (shortest, longest) = match numbers.random_range(0..6) {
        0 => (2.0, 20.0),
        1 => (1_500.0, 6_000.0),
        _ => (20.0, 1_500.0),
    };
    (0..numbers.random_range(1..=5))
        .map(|_| RequestClass {
            weight: numbers.random_range(0.15..1.0),
            output: Tokens {
                median: log_uniform(numbers, shortest, longest),
                sigma: numbers.random_range(0.1..1.2),
            },
            input: Tokens {
                median: log_uniform(numbers, 200.0, 15_000.0),
                sigma: numbers.random_range(0.2..1.2),
            },
        })
        .collect()
}

/// A fifth of the models closes at night, a fifth at the weekend.
fn rhythm(numbers: &mut Generator) -> Rhythm {
    let weekend = match numbers.random_range(0..5) {
        0 => 0.0,
        1 | 2 => numbers.random_range(0.2..1.0),
        _ => 1.0,
    };
    let open =
        numbers.random_bool(0.2).then(|| (numbers.random_range(5..=9_u8), numbers.random_range(17..=22_u8)));
    Rhythm {
        requests: log_uniform(numbers, 2.0, 1_000.0),
        daily: numbers.random_range(0.0..0.8),
        peak_hour: numbers.random_range(10.0..20.0),
        weekend,
        open,
        noise: numbers.random_range(0.05..0.35),
    }
}

/// Between two bounds, each factor as likely as the next.
pub(crate) fn log_uniform(numbers: &mut Generator, from: f64, to: f64) -> f64 {
    from * (numbers.random_range(0.0..1.0) * (to / from).ln()).exp()
}
