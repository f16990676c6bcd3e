//! Times: `"+1h15m"` after the start of a test, or `"2026-03-16T12:15:00Z"`.

use domain::{PERIOD_SECONDS, Period};
use jiff::{SignedDuration, Timestamp};
use toml::de::DeValue;

use crate::quote::quoted;
use crate::table::Fault;
use crate::value::wrong_type;

const FORM: &str = "write \"+1h15m\" after the start of the test, or a time such as \"2026-03-16T12:15:00Z\"";
const UNITS: [(char, i64); 3] = [('d', 86_400), ('h', 3_600), ('m', 60)];
/// More than any test lasts.
const MOST_SECONDS: i64 = 400 * 86_400;

/// A time at which a period begins, so that another one ends there.
pub(super) fn boundary(start: Option<Period>) -> impl Fn(&DeValue<'_>) -> Result<Period, Fault> {
    move |value| {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Datetime(time) => time.to_string(),
            other => {
                return Err(wrong_type("a string", other).hint(if start.is_some() { FORM } else { START }));
            }
        };
        match (text.strip_prefix('+'), start) {
            (Some(after), Some(start)) => relative(after, &text).and_then(|seconds| {
                Period::starting(start.start() + SignedDuration::from_secs(seconds)).ok_or_else(|| {
                    odd(&text, &format!("+{}", shown(seconds - seconds.rem_euclid(PERIOD_SECONDS))))
                })
            }),
            _ => absolute(&text, start.is_some()),
        }
    }
}

const START: &str = "write a time such as \"2026-03-16T12:00:00Z\"";

fn absolute(text: &str, is_in_a_test: bool) -> Result<Period, Fault> {
    let time: Timestamp = text.parse().map_err(|_| {
        let fault = Fault::new(format!("is no time: {}", quoted(text)));
        fault.hint(if text.contains(':') && text.parse::<jiff::civil::DateTime>().is_ok() {
            format!("a time needs its zone, such as \"{text}Z\"")
        } else if is_in_a_test {
            FORM.to_owned()
        } else {
            START.to_owned()
        })
    })?;
    // Far from both ends of what can be a time, so that no test runs into one.
    if !(0..=32_503_680_000).contains(&time.as_second()) {
        return Err(Fault::new(format!("is too far away: {}", quoted(text))));
    }
    Period::starting(time).ok_or_else(|| odd(text, &Period::containing(time).to_string()))
}

/// Seconds, of days, hours and minutes.
fn relative(after: &str, text: &str) -> Result<i64, Fault> {
    let fault = || Fault::new(format!("is no time: {}", quoted(text)));
    let mut rest = after;
    let mut seconds = 0_i64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let unit = rest[digits..].chars().next();
        let unit = UNITS.into_iter().find(|(name, _)| Some(*name) == unit);
        let number = rest[..digits].parse::<i64>().ok();
        let (Some(number), Some((_, unit))) = (number, unit) else {
            return Err(fault().hint(match (number, &rest[digits..]) {
                (Some(_), "") => format!("it lacks its unit: did you mean \"{text}m\"?"),
                _ => FORM.to_owned(),
            }));
        };
        seconds = number.checked_mul(unit).and_then(|more| seconds.checked_add(more)).unwrap_or(i64::MAX);
        if seconds > MOST_SECONDS {
            return Err(fault().hint("no test lasts that long"));
        }
        rest = &rest[digits + 1..];
    }
    if after.is_empty() { Err(fault().hint(FORM)) } else { Ok(seconds) }
}

fn odd(text: &str, before: &str) -> Fault {
    Fault::new(format!("is not on five minutes of the clock: {}", quoted(text)))
        .hint(format!("a period begins and ends there; the last one before it is \"{before}\""))
}

/// How long after the start, as a file would write it.
fn shown(seconds: i64) -> String {
    let mut rest = seconds;
    let mut text = String::new();
    for (unit, length) in UNITS {
        if rest >= length {
            text.push_str(&format!("{}{unit}", rest / length));
            rest %= length;
        }
    }
    if text.is_empty() { "0m".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Result<String, String> {
        let start = Period::containing("2026-03-16T12:00:00Z".parse().unwrap());
        let value = DeValue::String(text.into());
        boundary(Some(start))(&value).map(|period| period.to_string()).map_err(|fault| fault.predicate)
    }

    #[test]
    fn times_are_absolute_or_after_the_start() {
        for (text, time) in [
            ("+0m", "2026-03-16T12:00:00Z"),
            ("+75m", "2026-03-16T13:15:00Z"),
            ("+1h15m", "2026-03-16T13:15:00Z"),
            ("+2d", "2026-03-18T12:00:00Z"),
            ("+1d12h5m", "2026-03-18T00:05:00Z"),
            ("2026-03-16T12:15:00Z", "2026-03-16T12:15:00Z"),
            ("2026-03-16T08:15-04:00", "2026-03-16T12:15:00Z"),
        ] {
            assert_eq!(at(text), Ok(time.to_owned()), "{text}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for text in
            ["", "+", "15m", "+15", "+m", "-5m", "+5s", "+1w", "noon", "2026-03-16T12:15:00", "+999999d"]
        {
            assert_eq!(at(text), Err(format!("is no time: `{text}`")), "{text}");
        }
        for text in ["+12m", "2026-03-16T12:12:00Z"] {
            assert_eq!(at(text), Err(format!("is not on five minutes of the clock: `{text}`")));
        }
        let late = boundary(Some(Period::from_index(0)))(&DeValue::String("+1d1h12m".into()));
        assert!(late.unwrap_err().hint.is_some_and(|hint| hint.ends_with("is \"+1d1h10m\"")));
        assert_eq!(at("9999-01-01T00:00:00Z"), Err("is too far away: `9999-01-01T00:00:00Z`".to_owned()));
    }
}
