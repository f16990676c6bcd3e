//! Numbers as people read them: the same quantity looks the same in every message.

/// The value, if it is one that was measured: finite and above zero. [`domain::Terms`] of a series that nothing is
/// known of are zeros.
pub(crate) fn known(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}

/// `now / usual`, where both were measured.
pub(crate) fn quotient(now: Option<f64>, usual: Option<f64>) -> Option<f64> {
    Some(now.and_then(known)? / usual.and_then(known)?)
}

/// Tokens per second without the unit: `39.5`, `1,204.0`.
pub(crate) fn otps(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.split_once('.') {
        Some((whole, tenths)) => format!("{}.{tenths}", grouped(whole)),
        None => text,
    }
}

/// A ratio in hundredths. One strictly below `line` is never rounded up to it, or a page would seem to be unfounded.
pub(crate) fn ratio(value: f64, line: Option<f64>) -> String {
    format!("{:.2}", hundredths(value, line) / 100.0)
}

/// How much slower a ratio is, in whole percent, adding up to 100 with [`ratio`]: 0.64 is 36.
pub(crate) fn percent_slower(value: f64, line: Option<f64>) -> String {
    format!("{:.0}", 100.0 - hundredths(value, line))
}

fn hundredths(value: f64, line: Option<f64>) -> f64 {
    let rounded = (value * 100.0).round();
    match line {
        Some(line) if value < line && rounded >= line * 100.0 => (value * 100.0).floor(),
        _ => rounded,
    }
}

/// A share of 0 to 1 in percent: `98 %`, and `0.4 %` where tenths matter.
pub(crate) fn share(value: f64) -> String {
    let percent = value * 100.0;
    if percent.abs() < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// The relative change from `usual` to `now` in whole percent: `+41 %`, `-3 %`, `0 %`; nothing to compare with is
/// `None`.
pub(crate) fn change(usual: Option<f64>, now: Option<f64>) -> Option<String> {
    let percent = ((quotient(now, usual)? - 1.0) * 100.0).round();
    Some(if percent == 0.0 { "0 %".to_owned() } else { format!("{percent:+.0} %") })
}

/// A number of tokens or requests: `3,120`.
pub(crate) fn count(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

/// Milliseconds as seconds: `0.87 s`.
pub(crate) fn seconds(milliseconds: f64) -> String {
    format!("{:.2} s", milliseconds / 1000.0)
}

/// A difference of milliseconds as seconds: `+3.56 s`.
pub(crate) fn signed_seconds(milliseconds: f64) -> String {
    // Rounded first, since `-0.00` says that something moved.
    let hundredths = (milliseconds / 10.0).round();
    if hundredths == 0.0 { "0.00 s".to_owned() } else { format!("{:+.2} s", hundredths / 100.0) }
}

/// How many times something happens: `10`, `2.4`.
pub(crate) fn times(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { count(value) }
}

/// Digits with a comma before each group of three.
fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let mut out = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digit.is_ascii_digit() {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_rounded_but_never_up_to_the_line() {
        assert_eq!(ratio(0.7999, Some(0.8)), "0.79");
        assert_eq!(ratio(0.7951, Some(0.8)), "0.79");
        assert_eq!(ratio(0.7999, None), "0.80");
        assert_eq!(ratio(0.8, Some(0.8)), "0.80");
        assert_eq!(ratio(0.618, Some(0.8)), "0.62", "as the status page rounds");
        assert_eq!(ratio(0.57, Some(0.8)), "0.57");
        assert_eq!(ratio(1.0, None), "1.00");
    }

    #[test]
    fn a_percentage_adds_up_with_its_ratio() {
        for (value, percent) in [(41.0 / 62.0, "34"), (0.7999, "21"), (0.618, "38")] {
            let shown: f64 = ratio(value, Some(0.8)).parse().unwrap();
            assert_eq!(percent_slower(value, Some(0.8)), percent);
            assert_eq!(format!("{:.0}", 100.0 * (1.0 - shown)), percent);
        }
    }

    #[test]
    fn numbers_are_grouped_and_keep_their_sign() {
        assert_eq!(otps(39.46), "39.5");
        assert_eq!(otps(1_204.0), "1,204.0");
        assert_eq!(count(999.6), "1,000");
        assert_eq!(count(1_234_567.0), "1,234,567");
        assert_eq!(count(-1_234.0), "-1,234");
        assert_eq!(count(123.0), "123");
    }

    #[test]
    fn changes_and_shares_have_the_digits_that_matter() {
        assert_eq!(change(Some(812.0), Some(1_142.0)).as_deref(), Some("+41 %"));
        assert_eq!(change(Some(402.0), Some(403.0)).as_deref(), Some("0 %"));
        assert_eq!(change(Some(402.0), Some(401.0)).as_deref(), Some("0 %"));
        assert_eq!(change(Some(0.0), Some(5.0)), None);
        assert_eq!(change(Some(4.0), None), None);
        assert_eq!(share(0.98), "98 %");
        assert_eq!(share(0.004), "0.4 %");
        assert_eq!(share(0.0996), "10 %");
    }

    #[test]
    fn seconds_never_show_a_negative_zero() {
        assert_eq!(seconds(869.0), "0.87 s");
        assert_eq!(signed_seconds(3_556.0), "+3.56 s");
        assert_eq!(signed_seconds(-4.0), "0.00 s");
        assert_eq!(signed_seconds(-40.0), "-0.04 s");
    }

    #[test]
    fn what_was_not_measured_is_not_known() {
        assert_eq!(known(0.0), None);
        assert_eq!(known(f64::NAN), None);
        assert_eq!(quotient(Some(1.0), Some(f64::INFINITY)), None);
        assert_eq!(quotient(Some(1.0), Some(4.0)), Some(0.25));
    }
}
