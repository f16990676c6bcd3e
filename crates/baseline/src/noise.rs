//! How far a datapoint strays from what is expected.

use domain::Period;

use crate::robust::spread;

/// The variance of `ln(OTPS / expected)` as `lasting + sampling / samples`.
///
/// The lasting part (a host that drifts, a mix that wanders) stays from one period to the next and does not shrink
/// when more requests are looked at; the sampling part does. The two are told apart by how much of the spread two
/// neighbouring periods share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Variance that more requests do not reduce.
    pub lasting: f64,
    /// Variance of a single request's worth of evidence.
    pub sampling: f64,
}

/// Values at most this many periods apart are neighbours: as wide as the windows that low traffic needs.
const NEIGHBOURS: i64 = 5;
/// Below this standard deviation nothing is believed: the published statistics themselves are rounded.
pub(crate) const FLOOR: f64 = 0.005;

impl Noise {
    /// Learns from residuals with their sample counts, in order of time.
    pub(crate) fn learn(residuals: &[(Period, f64, f64)]) -> Self {
        let pairs = residuals.windows(2).filter(|pair| pair[1].0 - pair[0].0 <= NEIGHBOURS);
        let mut sums: Vec<f64> = pairs.clone().map(|pair| pair[0].1 + pair[1].1).collect();
        let mut differences: Vec<f64> = pairs.map(|pair| pair[0].1 - pair[1].1).collect();
        // cov(x, y) = (var(x + y) - var(x - y)) / 4, with robust variances.
        let lasting = match (spread(&mut sums, 0.0), spread(&mut differences, 0.0)) {
            (Some(sum), Some(difference)) => ((sum * sum - difference * difference) / 4.0).max(0.0),
            _ => 0.0,
        };
        // Each residual times the root of its count has the variance `lasting * n + sampling`; the median of the counts
        // stands for n.
        let mut scaled: Vec<f64> =
            residuals.iter().map(|&(_, residual, n)| residual * n.max(1.0).sqrt()).collect();
        let mut counts: Vec<f64> = residuals.iter().map(|&(_, _, n)| n.max(1.0)).collect();
        let typical = crate::robust::median(&mut counts).unwrap_or(1.0);
        let total = spread(&mut scaled, 0.0).unwrap_or(0.0).powi(2);
        Self { lasting, sampling: (total - lasting * typical).max(0.0) }
    }

    /// One standard deviation of what `samples` requests say about how fast they were decoded: the part that more requests
    /// would reduce.
    #[must_use]
    pub fn sampling_sigma(&self, samples: f64) -> f64 {
        (self.sampling / samples.max(1.0)).sqrt().max(FLOOR)
    }

    /// One standard deviation of `ln(OTPS / expected)` for a datapoint about `samples` requests.
    #[must_use]
    pub fn sigma(&self, samples: f64) -> f64 {
        (self.lasting + self.sampling / samples.max(1.0)).sqrt().max(FLOOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniform in -1..1, by a multiplicative hash.
    fn hashed(k: i64) -> f64 {
        let h = (k as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn learn(n: f64, residual: impl Fn(i64) -> f64) -> Noise {
        let rows: Vec<_> = (0..4_000).map(|k| (Period::from_index(k), residual(k), n)).collect();
        Noise::learn(&rows)
    }

    #[test]
    fn independent_noise_shrinks_with_the_samples() {
        // Uniform in -0.1..0.1 has a MAD of 0.05, so a robust sigma of 0.074; at 100 requests.
        let noise = learn(100.0, |k| 0.1 * hashed(k));
        assert!((noise.sigma(100.0) - 0.074).abs() < 0.004, "{noise:?}");
        assert!((noise.sigma(400.0) - 0.037).abs() < 0.008, "{noise:?}");
    }

    #[test]
    fn drift_does_not() {
        // One value for 48 periods in a row: four hours.
        let noise = learn(100.0, |k| 0.1 * hashed(k / 48));
        assert!((noise.sigma(100.0) - 0.074).abs() < 0.012, "{noise:?}");
        assert!(noise.sigma(10_000.0) > 0.06, "{noise:?}");
    }

    #[test]
    fn what_more_requests_would_reduce_is_a_part_of_it() {
        let noise = Noise { lasting: 0.01, sampling: 0.09 };
        for (samples, sampling, all) in [(9.0, 0.1, 0.02_f64.sqrt()), (36.0, 0.05, 0.0125_f64.sqrt())] {
            assert!((noise.sampling_sigma(samples) - sampling).abs() < 1e-12, "{samples}");
            assert!((noise.sigma(samples) - all).abs() < 1e-12, "{samples}");
        }
        // Less than one request is one.
        assert!((noise.sampling_sigma(0.1) - 0.3).abs() < 1e-12);
        assert!((noise.sampling_sigma(1e12) - FLOOR).abs() < 1e-12);
    }

    #[test]
    fn silence_and_constants_have_a_floor() {
        assert!((learn(100.0, |_| 0.0).sigma(1e9) - FLOOR).abs() < 1e-12);
        assert!((Noise::learn(&[]).sigma(0.0) - FLOOR).abs() < 1e-12);
    }
}
