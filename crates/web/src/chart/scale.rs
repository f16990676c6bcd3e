//! The vertical scale: from zero, so that a drop looks as deep as it is, to a round number above the highest value.

/// Multiples of a power of ten that halve to something short.
const ROUND: [f64; 9] = [1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0];

/// From zero to `top`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// The value at the upper edge, above zero.
    pub(crate) top: f64,
}

impl Scale {
    /// The scale on which all of `values` have room. What is not a finite number above zero counts for nothing.
    pub(crate) fn over(values: impl Iterator<Item = f64>) -> Self {
        let highest = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        if highest <= 0.0 {
            return Self { top: 1.0 };
        }
        let power = 10_f64.powf(highest.log10().floor());
        let round = ROUND.into_iter().find(|round| round * power >= highest).unwrap_or(10.0);
        Self { top: round * power }
    }

    /// Where `value` stands between the lower (0) and the upper edge (1).
    pub(crate) fn share(self, value: f64) -> f64 {
        if value.is_finite() { (value / self.top).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// A number of the scale without needless zeros.
pub(crate) fn tick(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_round_and_not_below_the_highest_value() {
        for (highest, top) in
            [(61.3, 80.0), (60.0, 60.0), (118.0, 120.0), (0.087, 0.1), (2.1, 3.0), (95.0, 100.0)]
        {
            let scale = Scale::over([highest, 1e-9].into_iter());
            assert!((scale.top - top).abs() < 1e-9, "{highest}: {}", scale.top);
        }
        assert_eq!(Scale::over([f64::NAN, f64::INFINITY, -3.0].into_iter()).top, 1.0);
        assert_eq!(Scale::over(std::iter::empty()).top, 1.0);
    }

    #[test]
    fn a_share_stays_inside() {
        let scale = Scale { top: 80.0 };
        assert_eq!([40.0, -1.0, 99.0, f64::NAN].map(|value| scale.share(value)), [0.5, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([60.0, 1.5, 0.05, 120.0].map(tick), ["60", "1.5", "0.05", "120"]);
    }
}
