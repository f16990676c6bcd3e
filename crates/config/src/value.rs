//! Reading plain values: numbers, words, choices.

use std::ops::RangeInclusive;

use toml::de::DeValue;

use crate::hint;
use crate::quote::{quoted, typed};
use crate::table::Fault;

/// A whole number in a range.
pub(crate) fn integer<T>(range: RangeInclusive<T>) -> impl Fn(&DeValue<'_>) -> Result<T, Fault>
where
    T: Copy + Into<i64> + TryFrom<i64>,
{
    move |value| {
        let (least, most) = ((*range.start()).into(), (*range.end()).into());
        let number = any_integer(value)?;
        let fitting = Some(number).filter(|number| (least..=most).contains(number));
        fitting
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| Fault::new(format!("must be between {least} and {most}, not {number}")))
    }
}

/// A whole number, whatever it is; for those that only mean something together with another.
pub(crate) fn any_integer(value: &DeValue<'_>) -> Result<i64, Fault> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_err(|_| Fault::new(format!("is too large: {}", quoted(integer.as_str())))),
        DeValue::Float(float) => {
            let fault = Fault::new(format!("must be an integer, not {}", float.as_str()));
            Err(match float.as_str().split_once('.') {
                Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => {
                    fault.hint(format!("write it without a fraction: {whole}"))
                }
                _ => fault,
            })
        }
        other => Err(wrong_type("an integer", other)),
    }
}

/// A number, with the text that wrote it.
pub(crate) fn number(value: &DeValue<'_>) -> Result<(f64, String), Fault> {
    match value {
        DeValue::Float(float) => match float.as_str().parse() {
            Ok(number) => Ok((number, float.as_str().to_owned())),
            Err(_) => Err(Fault::new(format!("is not a number: {}", quoted(float.as_str())))),
        },
        DeValue::Integer(_) => {
            let number = any_integer(value)?;
            // Nothing that is configured comes near the integers that a double cannot hold.
            Ok((number as f64, number.to_string()))
        }
        other => Err(wrong_type("a number", other)),
    }
}

/// A share of something that `range` describes in words, such as "above 0 and below 1". Who writes a percentage is told
/// the share, when that one would be right.
pub(crate) fn share(range: &str, fits: impl Fn(f64) -> bool) -> impl Fn(&DeValue<'_>) -> Result<f64, Fault> {
    move |value| {
        let (number, text) = number(value)?;
        if fits(number) {
            return Ok(number);
        }
        let fault = Fault::new(format!("must be {range}, not {text}"));
        let share = number / 100.0;
        Err(if number > 2.0 && fits(share) {
            fault.hint(format!("it is a share, not a percentage: did you mean {share}?"))
        } else {
            fault
        })
    }
}

/// `true` or `false`.
pub(crate) fn boolean(value: &DeValue<'_>) -> Result<bool, Fault> {
    value.as_bool().ok_or_else(|| {
        let fault = wrong_type("true or false", value);
        match value.as_str().map(str::to_lowercase).as_deref() {
            Some("yes" | "on") => fault.hint("write true"),
            Some("no" | "off") => fault.hint("write false"),
            _ => fault,
        }
    })
}

/// A string that `read` understands.
pub(crate) fn text<T>(read: impl Fn(&str) -> Result<T, Fault>) -> impl Fn(&DeValue<'_>) -> Result<T, Fault> {
    move |value| match value {
        DeValue::String(text) => read(text),
        other => Err(wrong_type("a string", other)),
    }
}

/// A string that is not empty.
pub(crate) fn word(text: &str) -> Result<String, Fault> {
    if text.trim().is_empty() { Err(Fault::new("is empty")) } else { Ok(text.to_owned()) }
}

/// One of a few words.
pub(crate) fn choice<T: Copy>(choices: &[(&'static str, T)]) -> impl Fn(&DeValue<'_>) -> Result<T, Fault> {
    text(move |text| {
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            let fault = Fault::new(format!("must be {}, not {}", hint::listed(&names, "or"), quoted(text)));
            match hint::nearest(text, names.iter().copied()) {
                Some(near) => fault.hint(format!("did you mean \"{near}\"?")),
                None => fault,
            }
        })
    })
}

/// A glob of models, or of what else `of` names: `*` and `?` are all that there is.
pub(crate) fn glob(of: &str) -> impl Fn(&str) -> Result<String, Fault> {
    move |text| {
        if text.is_empty() {
            return Err(Fault::new(format!("has an empty pattern, which no {of} fits"))
                .hint(format!("`*` stands for all {of}s")));
        }
        match text.chars().find(|c| matches!(c, '[' | ']' | '{' | '}' | '\\' | '^' | '$' | '|' | '(' | ')')) {
            Some(odd) => {
                Err(Fault::new(format!("has a pattern with `{odd}`, which no {of} fits: {}", quoted(text)))
                    .hint("a pattern knows `*` for any text and `?` for one character"))
            }
            None => Ok(text.to_owned()),
        }
    }
}

/// "must be …, not …", with the hint that quotes are missing or too many.
pub(crate) fn wrong_type(wanted: &str, value: &DeValue<'_>) -> Fault {
    let fault = Fault::new(format!("must be {wanted}, not {}", typed(value)));
    match value {
        DeValue::String(text) if wanted != "a string" => {
            let bare = text.trim();
            if bare.parse::<f64>().is_ok() || matches!(bare, "true" | "false") {
                fault.hint(format!("write it without quotes: {bare}"))
            } else {
                fault
            }
        }
        DeValue::Integer(integer) if wanted == "a string" => {
            fault.hint(format!("write it in quotes: \"{}\"", integer.as_str()))
        }
        _ => fault,
    }
}
