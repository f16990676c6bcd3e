//! The notation of values, that of the unit tests of Prometheus: `100x2015 70x5 _x3 98x10`.
//!
//! - `100` is one value, `100x11` is that and eleven more of it: twelve periods.
//! - `100+5x3` is 100 105 110 115, and `100-5x3` is 100 95 90 85: `n` steps make `n + 1` values.
//! - `_` is a period without a value, and `_x3` are three of them: not four, in Prometheus neither.

use std::ops::Range;

use super::values::{Values, step_by};
use crate::duration::shown;
use crate::quote::quoted;
use crate::table::Fault;

/// A year of periods.
const LONGEST: u32 = 366 * 288;
const FORM: &str = "write values as `100x11` (12 of them), `100-5x11` (12, each 5 less), `_` or `_x3` (none)";

/// What a value of a figure may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// In words.
    pub(super) range: &'static str,
    pub(super) fits: fn(f64) -> bool,
}

/// Why a text is none, and the bytes of it that are about that.
pub(super) type Mistake = (Range<usize>, Fault);

/// The values that a text writes.
pub(super) fn parse(text: &str, bounds: Bounds) -> Result<Values, Mistake> {
    let mut runs = Vec::new();
    let mut length = 0_u32;
    for (range, word) in words(text) {
        let run = run(word, bounds).map_err(|fault| (range.clone(), fault))?;
        length = length.saturating_add(run.0);
        if length > LONGEST {
            let fault = Fault::new("has more values than a year has periods");
            let hint = format!(
                "a test has at most {} of five minutes, {}",
                LONGEST,
                shown(u64::from(LONGEST) * 300)
            );
            return Err((range, fault.hint(hint)));
        }
        runs.push(run);
    }
    let fault = if runs.is_empty() { "has no value" } else { "has no value but missing ones" };
    Values::of(runs).ok_or_else(|| (0..text.len(), Fault::new(fault).hint(FORM)))
}

/// The words of a text and where they are.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        (start..start + word.len(), word)
    })
}

/// One word: in how many periods, and there the first value and the step.
fn run(word: &str, bounds: Bounds) -> Result<(u32, Option<(f64, f64)>), Fault> {
    // Another word with an x in it says nothing of how often.
    let is_value = |head: &str| head == "_" || head.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let (head, times) = match word.split_once('x').filter(|(head, _)| is_value(head)) {
        Some((head, times)) => (head, Some(count(times, word)?)),
        None => (word, None),
    };
    if head == "_" {
        return match times {
            Some(0) => Err(Fault::new(format!("has no period: {}", quoted(word)))),
            times => Ok((times.unwrap_or(1), None)),
        };
    }
    let sign = head.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-'));
    let (from, step) = match sign {
        Some((at, sign)) => {
            let step = number(&head[at + 1..], word)?;
            (number(&head[..at], word)?, if sign == '-' { -step } else { step })
        }
        None => (number(head, word)?, 0.0),
    };
    if sign.is_some() && times.is_none() {
        return Err(Fault::new(format!("does not say how often: {}", quoted(word)))
            .hint(format!("write `{word}x3` for three steps, which are four values")));
    }
    let steps = times.unwrap_or(0);
    for (value, which) in [(from, "first"), (step_by(from, step, steps), "last")] {
        if !(bounds.fits)(value) {
            let what = if steps == 0 {
                format!("not {value}")
            } else {
                format!("but the {which} of {} is {value}", quoted(word))
            };
            return Err(Fault::new(format!("must be {}, {what}", bounds.range)));
        }
    }
    Ok((steps.saturating_add(1), Some((from, step))))
}

fn count(text: &str, word: &str) -> Result<u32, Fault> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fault = || Fault::new(format!("does not say how often: {}", quoted(word)));
    if !is_whole {
        return Err(fault().hint("a whole number follows the `x`, such as `100x11`"));
    }
    text.parse().map_err(|_| fault().hint("that many periods are more than a year"))
}

/// A decimal number without an exponent. A minus is read so that its value can be refused for what it is.
fn number(text: &str, word: &str) -> Result<f64, Fault> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let fault = || {
        let fault = Fault::new(format!("has something that is no value: {}", quoted(word)));
        match word {
            "stale" => fault.hint("a period without a value is `_`"),
            _ if word.contains(',') => fault.hint("values are parted by blanks, and a fraction by a point"),
            _ if word.contains(['X', '*', '×']) => {
                fault.hint("how often is written with a small x, such as `100x11`")
            }
            _ => fault.hint(FORM),
        }
    };
    text.parse().ok().filter(|_| is_plain).ok_or_else(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOVE_ZERO: Bounds = Bounds { range: "above 0", fits: |value| value > 0.0 };

    /// The values in words, `_` where there is none.
    fn seen(text: &str) -> String {
        let values = parse(text, ABOVE_ZERO).unwrap();
        let one = |index: u32| match values.at(i64::from(index)) {
            value if value.is_published => value.is.to_string(),
            _ => "_".to_owned(),
        };
        (0..values.len()).map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_notation_of_prometheus() {
        for (text, values) in [
            ("100", "100"),
            ("100x0", "100"),
            ("100x3", "100 100 100 100"),
            ("100+5x3", "100 105 110 115"),
            ("100-5x3", "100 95 90 85"),
            ("1.5+0.25x2", "1.5 1.75 2"),
            ("_ 1", "_ 1"),
            ("1 _x3 2", "1 _ _ _ 2"),
            ("  100x1\n\t70x2  _ ", "100 100 70 70 70 _"),
        ] {
            assert_eq!(seen(text), values, "{text}");
        }
        assert_eq!(parse("100x2015 70x5 _x3 98x10", ABOVE_ZERO).unwrap().len(), 2016 + 6 + 3 + 11);
    }

    #[test]
    fn what_is_none_is_pointed_at() {
        for (text, range, predicate) in [
            ("100 fast 3", 4..8, "has something that is no value: `fast`"),
            ("sixty", 0..5, "has something that is no value: `sixty`"),
            ("100 1e3", 4..7, "has something that is no value: `1e3`"),
            ("inf", 0..3, "has something that is no value: `inf`"),
            ("100x", 0..4, "does not say how often: `100x`"),
            ("100x-1", 0..6, "does not say how often: `100x-1`"),
            ("100+5", 0..5, "does not say how often: `100+5`"),
            ("5 0", 2..3, "must be above 0, not 0"),
            ("-5", 0..2, "must be above 0, not -5"),
            ("100-50x2", 0..8, "must be above 0, but the last of `100-50x2` is 0"),
            ("1 _x0", 2..5, "has no period: `_x0`"),
            ("_x3", 0..3, "has no value but missing ones"),
            (" ", 0..1, "has no value"),
            ("1 1x105407", 2..10, "has more values than a year has periods"),
            ("1x99999999999", 0..13, "does not say how often: `1x99999999999`"),
        ] {
            let (at, fault) = parse(text, ABOVE_ZERO).unwrap_err();
            assert_eq!((at, fault.predicate.as_str()), (range, predicate), "{text}");
        }
    }
}
