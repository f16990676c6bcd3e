//! What a metrics service makes of the values of a period.

use domain::Statistics;

/// The four statistics of `values`, which are left in another order; nothing of nothing.
pub(crate) fn statistics(values: &mut [f64]) -> Statistics {
    if values.is_empty() {
        return Statistics::default();
    }
    Statistics {
        p50: percentile(values, 0.50),
        p95: percentile(values, 0.95),
        sum: Some(values.iter().sum()),
        sample_count: Some(values.len() as f64),
    }
}

/// The quantile `share`, 0 to 1, with linear interpolation between the two order statistics around it.
pub(crate) fn percentile(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = last as f64 * share.clamp(0.0, 1.0);
    let lower = place.floor();
    let (_, below, rest) = values.select_nth_unstable_by(lower as usize, f64::total_cmp);
    let above = rest.iter().copied().min_by(f64::total_cmp).unwrap_or(*below);
    Some(*below + (above - *below) * (place - lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_between_order_statistics() {
        // By hand: of 10, 20, 30, 40 the place of p50 is 1.5, that of p95 is 2.85.
        let mut values = [40.0, 10.0, 30.0, 20.0];
        assert_eq!(percentile(&mut values, 0.5), Some(25.0));
        assert!((percentile(&mut values, 0.95).unwrap() - 38.5).abs() < 1e-9);
        assert_eq!(percentile(&mut values, 0.0), Some(10.0));
        assert_eq!(percentile(&mut values, 1.0), Some(40.0));
        // Of 1, 2, 3 the place of p50 is 1, that of p95 is 1.9.
        let mut values = [3.0, 1.0, 2.0];
        assert_eq!(percentile(&mut values, 0.5), Some(2.0));
        assert!((percentile(&mut values, 0.95).unwrap() - 2.9).abs() < 1e-9);
        assert_eq!(percentile(&mut [7.0], 0.95), Some(7.0));
        assert_eq!(percentile(&mut [], 0.5), None);
    }

    #[test]
    fn nothing_has_no_statistics() {
        assert_eq!(statistics(&mut []), Statistics::default());
        let four = statistics(&mut [40.0, 10.0, 30.0, 20.0]);
        assert_eq!((four.p50, four.sum, four.sample_count), (Some(25.0), Some(100.0), Some(4.0)));
    }
}
