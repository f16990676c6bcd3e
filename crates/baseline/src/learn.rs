//! From samples to a baseline.

use domain::Period;

use crate::noise::Noise;
use crate::robust::median;
use crate::season::Season;

/// One datapoint of history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When.
    pub period: Period,
    /// `ln` of OTPS in tokens per second, finite.
    pub log_otps: f64,
    /// How many requests it is about.
    pub samples: f64,
}

/// What OTPS is expected to be, and the noise around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    level: f64,
    season: Season,
    noise: Noise,
}

impl Baseline {
    /// Learns from samples in order of time; `None` without any. A `seasonal` baseline follows the hour, another is one
    /// level for all hours.
    #[must_use]
    pub fn learn(samples: &[Sample], seasonal: bool) -> Option<Self> {
        let mut residuals: Vec<(Period, f64, f64)> =
            samples.iter().map(|s| (s.period, s.log_otps, s.samples)).collect();
        let level = median(&mut residuals.iter().map(|row| row.1).collect::<Vec<_>>())?;
        for row in &mut residuals {
            row.1 -= level;
        }
        let season = if seasonal { Season::learn(&residuals) } else { Season::flat() };
        for row in &mut residuals {
            row.1 -= season.offset(row.0);
        }
        Some(Self { level, season, noise: Noise::learn(&residuals) })
    }

    /// What OTPS is expected to be in a period, in tokens per second.
    #[must_use]
    pub fn expected(&self, period: Period) -> f64 {
        (self.level + self.season.offset(period)).exp()
    }

    /// The noise around it.
    #[must_use]
    pub fn noise(&self) -> Noise {
        self.noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn samples(values: impl Fn(i64) -> f64) -> Vec<Sample> {
        (0..4_032)
            .map(|k| Sample { period: Period::from_index(k), log_otps: values(k).ln(), samples: 200.0 })
            .collect()
    }

    #[test]
    fn a_constant_speed_is_its_own_baseline() {
        let baseline = Baseline::learn(&samples(|_| 100.0), true).unwrap();
        assert!((baseline.expected(Period::from_index(9_999)) - 100.0).abs() < 1e-9);
        assert_eq!(Baseline::learn(&[], true), None);
    }

    #[test]
    fn broken_datapoints_move_nothing() {
        // 24 of every 288 periods at 300,000 tokens a second: a mean would say 25,092.
        let baseline =
            Baseline::learn(&samples(|k| if k % 12 == 0 { 300_000.0 } else { 100.0 }), true).unwrap();
        for hour in 0..24 {
            let expected = baseline.expected(Period::from_index(hour * 12));
            assert!((95.0..105.0).contains(&expected), "{expected}");
        }
    }

    #[test]
    fn an_incident_of_half_a_day_in_the_history_moves_nothing() {
        let baseline =
            Baseline::learn(&samples(|k| if (2_000..2_144).contains(&k) { 60.0 } else { 100.0 }), true);
        let baseline = baseline.unwrap();
        for hour in 0..168 {
            let expected = baseline.expected(Period::from_index(4_032 + hour * 12));
            assert!((97.0..103.0).contains(&expected), "{hour}: {expected}");
        }
    }

    #[test]
    fn without_a_season_every_hour_is_the_median() {
        let rhythm = |k: i64| if k % 288 < 100 { 70.0 } else { 100.0 };
        let flat = Baseline::learn(&samples(rhythm), false).unwrap();
        assert!((flat.expected(Period::from_index(5)) - 100.0).abs() < 1e-9);
        let seasonal = Baseline::learn(&samples(rhythm), true).unwrap();
        assert!((seasonal.expected(Period::from_index(4_032 + 5)) - 70.0).abs() < 0.5);
    }

    proptest! {
        #[test]
        fn a_baseline_scales_with_its_history(factor in 0.1_f64..10.0, seed in 0_u64..1_000) {
            let value = |k: i64| 50.0 + ((k as u64).wrapping_mul(seed * 2 + 1) % 37) as f64;
            let one = Baseline::learn(&samples(value), true).unwrap();
            let other = Baseline::learn(&samples(|k| value(k) * factor), true).unwrap();
            for hour in [0, 7, 100] {
                let period = Period::from_index(hour * 12);
                let ratio = other.expected(period) / one.expected(period) / factor;
                prop_assert!((ratio - 1.0).abs() < 1e-6, "{}", ratio);
            }
            prop_assert!((one.noise().sigma(50.0) - other.noise().sigma(50.0)).abs() < 1e-6);
        }
    }
}
