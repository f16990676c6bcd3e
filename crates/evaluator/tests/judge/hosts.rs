//! Whatever a host and its requests are like: an even speed says nothing, half of it pages once and resolves.

use domain::{Metric, Period, Reading, Row, Statistics};
use evaluator::{Engine, Input, Settings};
use proptest::prelude::*;

use crate::world::{T0, series, told};

/// A fleet of requests that all have the same length, decoded at speeds that spread by `spread` around the host's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Host {
    pub(crate) speed: f64,
    pub(crate) tokens: f64,
    pub(crate) spread: f64,
    pub(crate) requests: f64,
}

/// Uniform in -1..1, by a multiplicative hash.
pub(crate) fn hashed(k: u64) -> f64 {
    let h = k.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

impl Host {
    /// What a period of it holds, `share` of its usual speed; the mean of `requests` decode times strays as means do.
    pub(crate) fn reading(self, k: u64, share: f64) -> Reading {
        let stray = |which: u64| 1.7 * self.spread / self.requests.sqrt() * hashed(3 * k + which);
        let decode = |which| self.tokens / (self.speed * share) * 1_000.0 * stray(which).exp();
        let ttft = 700.0;
        let of = |p50: f64, p95: f64, mean: f64| Statistics {
            p50: Some(p50),
            p95: Some(p95),
            sum: Some(mean * self.requests),
            sample_count: Some(self.requests),
        };
        let mut reading = Reading::default();
        let wide = (1.645 * self.spread).exp();
        *reading.of_mut(Metric::InvocationLatency) =
            of(ttft + decode(0), ttft + decode(1) * wide, ttft + decode(2));
        *reading.of_mut(Metric::TimeToFirstToken) = of(ttft, ttft, ttft);
        *reading.of_mut(Metric::OutputTokenCount) = of(self.tokens, self.tokens, self.tokens);
        reading
    }
}

fn story(host: Host, slow: std::ops::Range<i64>, until: i64, share: f64) -> Vec<String> {
    let rows: Vec<Row> = (-6 * 288..until)
        .map(|k| {
            let share = if slow.contains(&k) { share } else { 1.0 };
            let reading = host.reading((k + 10_000) as u64, share);
            Row { series: series(), period: Period::from_index(T0 + k), reading }
        })
        .collect();
    let through = rows[rows.len() - 1].period;
    let mut engine = Engine::new(Settings::default());
    engine.step(through.end(), Input::Readings(&rows));
    told(&engine.step(through.end(), Input::Advance { series: &[series()], through }))
}

fn host() -> impl Strategy<Value = Host> {
    (15.0_f64..400.0, 2.0_f64..8_000.0, 0.05_f64..0.5, 2.0_f64..1_000.0).prop_map(
        |(speed, tokens, spread, requests)| Host {
            speed,
            tokens: tokens.round(),
            spread,
            requests: requests.round(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_even_speed_says_nothing(host in host()) {
        prop_assert!(story(host, 0..0, 288, 1.0).is_empty());
    }

    #[test]
    fn half_the_speed_pages_once_and_resolves(host in host()) {
        let told = story(host, 0..48, 144, 0.5);
        prop_assert_eq!(told.len(), 2, "{:?}", told);
        // Sixty requests, and three periods.
        let paged: i64 = told[0].trim_start_matches("page ").parse().unwrap();
        let fewest = (60.0 / host.requests).ceil() as i64;
        prop_assert!((2..=fewest.max(3) + 6).contains(&paged), "{:?}", told);
        prop_assert!(told[1].starts_with("resolve "), "{:?}", told);
    }
}
