//! Medians, and the spread that they imply.

/// What the median absolute deviation of normal values must be multiplied with to be their standard deviation.
const MAD_TO_SIGMA: f64 = 1.482_6;

/// The median of finite values: the mean of the middle two of an even count, `None` of nothing. Reorders `values`.
#[must_use]
pub fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if odd {
        return Some(upper);
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(f64::midpoint(lower, upper))
}

/// The weighted median of finite values: the first value, in order, at which half of the weight is reached; `None` of
/// nothing. Reorders `values`, which are pairs of value and weight above zero.
#[must_use]
pub fn weighted_median(values: &mut [(f64, f64)]) -> Option<f64> {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let half = values.iter().map(|value| value.1).sum::<f64>() / 2.0;
    let mut before = 0.0;
    for (index, &(value, weight)) in values.iter().enumerate() {
        before += weight;
        // Exactly half on either side: the middle of the two, as for the plain median.
        if before == half
            && let Some(&(next, _)) = values.get(index + 1)
        {
            return Some(f64::midpoint(value, next));
        }
        if before >= half {
            return Some(value);
        }
    }
    None
}

/// The standard deviation around `centre` that the median absolute deviation implies: one value in two may be anything.
/// Reorders and overwrites `values`.
#[must_use]
pub fn spread(values: &mut [f64], centre: f64) -> Option<f64> {
    for value in values.iter_mut() {
        *value = (*value - centre).abs();
    }
    median(values).map(|deviation| deviation * MAD_TO_SIGMA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&mut [1.0, 1.0, 1.0, 300_000.0]), Some(1.0));
    }

    #[test]
    fn weights_count_like_repeats() {
        assert_eq!(weighted_median(&mut []), None);
        assert_eq!(weighted_median(&mut [(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)]), Some(2.0));
        assert_eq!(weighted_median(&mut [(4.0, 1.0), (1.0, 1.0), (3.0, 1.0), (2.0, 1.0)]), Some(2.5));
        // 1 1 1 1 1 9 9
        assert_eq!(weighted_median(&mut [(9.0, 2.0), (1.0, 5.0)]), Some(1.0));
    }

    #[test]
    fn half_of_the_values_may_be_anything() {
        let sigma = spread(&mut [-1.0, 1.0, -1.0, 1.0, 1e9], 0.0).unwrap();
        assert!((sigma - 1.4826).abs() < 1e-12);
    }
}
