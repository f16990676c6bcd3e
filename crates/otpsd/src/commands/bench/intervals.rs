//! How far a figure may be off, given how little was counted: intervals of 95 %.

/// Two-sided 95 % of a standard normal value.
const Z: f64 = 1.96;

/// A figure and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A share of things counted, with Wilson's score interval; `None` of nothing.
pub(super) fn share(some: u32, all: u32) -> Option<Estimate> {
    if all == 0 {
        return None;
    }
    let n = f64::from(all);
    let value = f64::from(some) / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (value + Z * Z / (2.0 * n)) / scale;
    let half = Z * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    Some(Estimate { value, low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

/// Things counted per unit of time, with Byar's interval for a Poisson count; `None` where no time passed.
pub(super) fn rate(count: u32, time: f64) -> Option<Estimate> {
    if time <= 0.0 {
        return None;
    }
    let k = f64::from(count);
    let low = if count == 0 { 0.0 } else { k * (1.0 - 1.0 / (9.0 * k) - Z / (3.0 * k.sqrt())).powi(3) };
    let next = k + 1.0;
    let high = next * (1.0 - 1.0 / (9.0 * next) + Z / (3.0 * next.sqrt())).powi(3);
    Some(Estimate { value: k / time, low: low / time, high: high / time })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(estimate: Option<Estimate>, value: f64, low: f64, high: f64) {
        let one = estimate.unwrap();
        for (got, expected) in [(one.value, value), (one.low, low), (one.high, high)] {
            assert!((got - expected).abs() < 5e-4, "{one:?}");
        }
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        near(share(81, 263), 0.3080, 0.2553, 0.3662);
        near(share(15, 148), 0.1014, 0.0624, 0.1605);
        near(share(0, 20), 0.0, 0.0, 0.1611);
        near(share(1, 29), 0.0345, 0.0061, 0.1718);
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn rates_have_nearly_the_exact_interval_of_poisson() {
        // The exact intervals are (0, 3.689), (0.2422, 7.225) and (4.795, 18.39).
        near(rate(0, 1.0), 0.0, 0.0, 3.668);
        let two = rate(2, 1.0).unwrap();
        assert!((two.low - 0.242).abs() < 0.03 && (two.high - 7.225).abs() < 0.03, "{two:?}");
        let ten = rate(10, 2.0).unwrap();
        assert!((ten.value - 5.0).abs() < 1e-12);
        assert!((ten.low - 4.795 / 2.0).abs() < 0.01 && (ten.high - 18.39 / 2.0).abs() < 0.01, "{ten:?}");
        assert_eq!(rate(3, 0.0), None);
    }
}
