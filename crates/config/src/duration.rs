//! Durations: a whole number and one unit, such as `"90s"`, `"5m"`, `"2h"` or `"14d"`.

use std::time::Duration;

use toml::de::DeValue;

use crate::quote::quoted;
use crate::table::Fault;
use crate::value::wrong_type;

const DAY: u64 = 86_400;
/// The units and their seconds, from the smallest.
const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', DAY)];
const FORM: &str = "write a whole number and a unit, such as \"90s\", \"5m\", \"2h\" or \"14d\"";

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// In seconds.
    pub(crate) least: u64,
    /// In seconds.
    pub(crate) most: u64,
    /// The unit that somebody most likely means who writes none.
    pub(crate) unit: char,
}

impl Bounds {
    /// A duration within the bounds.
    pub(crate) fn read(self, value: &DeValue<'_>) -> Result<Duration, Fault> {
        let seconds = self.seconds(value)?;
        if (self.least..=self.most).contains(&seconds) {
            return Ok(Duration::from_secs(seconds));
        }
        let range = match self.least {
            0 => format!("at most {}", shown(self.most)),
            least => format!("between {} and {}", shown(least), shown(self.most)),
        };
        Err(Fault::new(format!("must be {range}, not {}", shown(seconds))))
    }

    /// Seconds, whether they are within the bounds or not.
    pub(crate) fn seconds(self, value: &DeValue<'_>) -> Result<u64, Fault> {
        match value {
            DeValue::String(text) => self.parse(text),
            DeValue::Integer(integer) => Err(self.without_unit(integer.as_str())),
            other => Err(wrong_type("a string", other).hint(FORM)),
        }
    }

    fn parse(self, text: &str) -> Result<u64, Fault> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        if digits == text && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.without_unit(text));
        }
        let fault = || Fault::new(format!("is not a duration: {}", quoted(text)));
        let unit = UNITS.into_iter().find(|(name, _)| text[digits.len()..] == *name.encode_utf8(&mut [0; 4]));
        match (digits.parse::<u64>(), unit) {
            (Ok(number), Some((_, seconds))) if !digits.starts_with('+') => {
                number.checked_mul(seconds).ok_or_else(|| fault().hint("it is too long"))
            }
            _ => {
                Err(fault().hint(loosely(text).map_or_else(
                    || FORM.to_owned(),
                    |seconds| format!("did you mean \"{}\"?", shown(seconds)),
                )))
            }
        }
    }

    fn without_unit(self, digits: &str) -> Fault {
        let fault = Fault::new(format!("needs a unit: {}", quoted(digits)));
        let fits = |seconds: u64| {
            let total = digits.parse::<u64>().ok()?.checked_mul(seconds)?;
            (self.least..=self.most).contains(&total).then_some(total)
        };
        let likely = UNITS.into_iter().filter(|(name, _)| *name == self.unit).chain(UNITS);
        match likely.filter(|(_, seconds)| fits(*seconds).is_some()).map(|(name, _)| name).next() {
            Some(unit) => fault.hint(format!("did you mean \"{digits}{unit}\"?")),
            None => fault.hint(FORM),
        }
    }
}

/// What people write elsewhere: `"5 min"`, `"1h30m"`, `"2 days"`.
fn loosely(text: &str) -> Option<u64> {
    let span: jiff::Span = text.parse().ok()?;
    let duration = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?;
    u64::try_from(duration.as_secs()).ok().filter(|seconds| *seconds > 0 && duration.subsec_nanos() == 0)
}

/// Whole days within bounds.
pub(crate) fn days(least: u16, most: u16) -> impl Fn(&DeValue<'_>) -> Result<u16, Fault> {
    let bounds = Bounds { least: u64::from(least) * DAY, most: u64::from(most) * DAY, unit: 'd' };
    move |value| {
        let seconds = bounds.read(value)?.as_secs();
        let days = seconds / DAY;
        match u16::try_from(days) {
            Ok(days) if seconds.is_multiple_of(DAY) => Ok(days),
            _ => Err(Fault::new(format!("must be whole days, not {}", shown(seconds)))
                .hint(format!("did you mean \"{}d\"?", days + 1))),
        }
    }
}

/// Seconds in the largest unit that is whole.
pub(crate) fn shown(seconds: u64) -> String {
    let unit = UNITS.into_iter().rev().find(|(_, unit)| seconds > 0 && seconds.is_multiple_of(*unit));
    let (name, unit) = unit.unwrap_or(('s', 1));
    format!("{}{name}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP_TO_AN_HOUR: Bounds = Bounds { least: 0, most: 3_600, unit: 'm' };

    fn read(text: &str) -> Result<Duration, Fault> {
        UP_TO_AN_HOUR.read(&DeValue::String(text.into()))
    }

    #[test]
    fn a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("2m", 120), ("1h", 3_600), ("0s", 0), ("060m", 3_600)] {
            assert_eq!(read(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_says_what_may_be_meant() {
        for (text, predicate, hint) in [
            ("2", "needs a unit: `2`", Some("did you mean \"2m\"?")),
            ("120", "needs a unit: `120`", Some("did you mean \"120s\"?")),
            ("9999", "needs a unit: `9999`", Some(FORM)),
            ("5 min", "is not a duration: `5 min`", Some("did you mean \"5m\"?")),
            ("1h30m", "is not a duration: `1h30m`", Some("did you mean \"90m\"?")),
            ("2 days", "is not a duration: `2 days`", Some("did you mean \"2d\"?")),
            ("soon", "is not a duration: `soon`", Some(FORM)),
            ("-2m", "is not a duration: `-2m`", Some(FORM)),
            ("", "is not a duration: ``", Some(FORM)),
            ("2é", "is not a duration: `2é`", Some(FORM)),
            ("99999999999999999999 d", "is not a duration: `99999999999999999999 d`", Some(FORM)),
            ("999999999999999999d", "is not a duration: `999999999999999999d`", Some("it is too long")),
            ("2h", "must be at most 1h, not 2h", None),
            ("3601s", "must be at most 1h, not 3601s", None),
        ] {
            let fault = read(text).unwrap_err();
            assert_eq!((fault.predicate.as_str(), fault.hint.as_deref()), (predicate, hint), "{text}");
        }
    }

    #[test]
    fn days_are_whole() {
        let read = |text: &str| days(1, 63)(&DeValue::String(text.to_owned().into()));
        assert_eq!(read("14d"), Ok(14));
        assert_eq!(read("48h"), Ok(2));
        let fault = read("36h").unwrap_err();
        assert_eq!(fault.predicate, "must be whole days, not 36h");
        assert_eq!(fault.hint.as_deref(), Some("did you mean \"2d\"?"));
        assert_eq!(read("90d").unwrap_err().predicate, "must be between 1d and 63d, not 90d");
    }
}
