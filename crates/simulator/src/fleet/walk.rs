//! Slow processes: what wanders without a cause.

use rand::RngExt;
use rand_distr::StandardNormal;

use super::seed::Generator;

/// A first-order autoregressive process of `len` periods with standard deviation `sigma`, which forgets with a time
/// constant of `memory` periods. It starts anywhere in its range, so that the first day is like any other.
pub(crate) fn walk(mut numbers: Generator, len: usize, sigma: f64, memory: f64) -> Vec<f32> {
    if sigma <= 0.0 {
        return vec![0.0; len];
    }
    let keep = (-1.0 / memory).exp();
    let fresh = sigma * (1.0 - keep * keep).sqrt();
    let mut value = sigma * numbers.sample::<f64, _>(StandardNormal);
    (0..len)
        .map(|_| {
            let now = value;
            value = keep * value + fresh * numbers.sample::<f64, _>(StandardNormal);
            now as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::seed::{Purpose, Root};
    use domain::Series;

    #[test]
    fn it_has_the_spread_and_the_memory_that_were_asked_for() {
        let root = Root::of(7, &Series::new("", "us-east-1", "m"));
        let values = walk(root.generator(Purpose::Drift, 0), 200_000, 0.1, 48.0);
        let mean = |of: &dyn Fn(usize) -> f64, n: usize| (0..n).map(of).sum::<f64>() / n as f64;
        let at = |k: usize| f64::from(values[k]);
        let variance = mean(&|k| at(k) * at(k), values.len());
        assert!((variance.sqrt() - 0.1).abs() < 0.01, "{}", variance.sqrt());
        let after = mean(&|k| at(k) * at(k + 48), values.len() - 48) / variance;
        assert!((after - (-1.0_f64).exp()).abs() < 0.1, "{after}");
    }

    #[test]
    fn without_a_spread_it_stands_still() {
        let root = Root::of(7, &Series::new("", "us-east-1", "m"));
        assert_eq!(walk(root.generator(Purpose::Drift, 0), 3, 0.0, 48.0), [0.0; 3]);
    }
}
