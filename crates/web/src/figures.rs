//! Numbers as people read them. What is not a finite number is a dash.

/// What stands where there is no number.
pub(crate) const NONE: &str = "–";

/// Only numbers that are some.
pub(crate) fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

fn text(value: Option<f64>, show: impl FnOnce(f64) -> String) -> String {
    finite(value).map_or_else(|| NONE.to_owned(), show)
}

/// Tokens per second: `61.3`.
pub(crate) fn speed(value: Option<f64>) -> String {
    text(value, |value| format!("{value:.1}"))
}

/// A ratio to the baseline: `0.64`. One below `line` is never rounded up to it, or a page would seem to be unfounded.
pub(crate) fn ratio(value: Option<f64>, line: f64) -> String {
    text(value, |value| {
        let rounded = (value * 100.0).round() / 100.0;
        let shown = if value < line && rounded >= line { (value * 100.0).floor() / 100.0 } else { rounded };
        format!("{shown:.2}")
    })
}

/// Milliseconds as seconds: `2.10`.
pub(crate) fn seconds(milliseconds: Option<f64>) -> String {
    text(milliseconds, |value| format!("{:.2}", value / 1_000.0))
}

/// A share as a percentage: `±4 %` without the sign.
pub(crate) fn percent(share: Option<f64>) -> String {
    text(share, |share| format!("{:.0} %", share * 100.0))
}

/// A whole number with commas: `1,240`.
pub(crate) fn count(value: f64) -> String {
    text(Some(value), |value| {
        let digits = format!("{:.0}", value.abs());
        let mut grouped = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_for_reading() {
        assert_eq!(speed(Some(61.34)), "61.3");
        assert_eq!(seconds(Some(25_025.6)), "25.03");
        assert_eq!(percent(Some(0.041)), "4 %");
        assert_eq!(["0", "999", "1,240", "1,234,567"], [0.0, 999.0, 1_240.0, 1_234_567.0].map(count));
        for nothing in [None, Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(speed(nothing), NONE);
            assert_eq!(ratio(nothing, 0.8), NONE);
        }
    }

    #[test]
    fn a_ratio_below_the_line_is_not_rounded_up_to_it() {
        assert_eq!(ratio(Some(0.7996), 0.80), "0.79");
        assert_eq!(ratio(Some(0.8), 0.80), "0.80");
        assert_eq!(ratio(Some(0.796), 0.80), "0.79");
        assert_eq!(ratio(Some(0.638), 0.80), "0.64");
    }
}
