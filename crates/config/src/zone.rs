//! Zones of the IANA time zone database, such as `America/New_York`.

use jiff::tz::{self, TimeZone};

use crate::hint;
use crate::quote::quoted;
use crate::table::Fault;

/// The names that are offered for a misspelt one.
const MAX_OFFERED: usize = 3;
const FORM: &str = "a zone is a place, such as \"America/New_York\", or \"UTC\"";

/// The zone of that name.
pub(crate) fn zone(text: &str) -> Result<TimeZone, Fault> {
    match TimeZone::get(text) {
        Ok(zone) if !zone.is_unknown() => Ok(zone),
        _ => {
            let fault = Fault::new(format!("is no time zone: {}", quoted(text)));
            let near = nearest(text);
            let names: Vec<_> = near.iter().map(String::as_str).collect();
            Err(match names[..] {
                [] if text.contains(|c: char| c.is_ascii_digit()) => {
                    fault.hint(format!("an offset knows no summer time: {FORM}"))
                }
                [] => fault.hint(FORM),
                [only] => fault.hint(format!("did you mean \"{only}\"?")),
                _ => fault.hint(format!("did you mean {}?", hint::listed(&names, "or"))),
            })
        }
    }
}

/// Those that a misspelt name most likely stands for: it may lack its continent.
fn nearest(text: &str) -> Vec<String> {
    let wanted = text.trim().to_lowercase().replace(' ', "_");
    let limit = (wanted.len() / 4).max(1);
    let mut near: Vec<(usize, String)> = tz::db()
        .available()
        .filter_map(|name| {
            let whole = name.as_str().to_lowercase();
            let place = whole.rsplit('/').next().unwrap_or(&whole);
            let distance =
                strsim::damerau_levenshtein(&wanted, &whole).min(strsim::damerau_levenshtein(&wanted, place));
            (distance <= limit && wanted.len() > 2).then(|| (distance, name.as_str().to_owned()))
        })
        .collect();
    near.sort();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.into_iter()
        .filter(|(distance, _)| *distance == best)
        .map(|(_, name)| name)
        .take(MAX_OFFERED)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_those_of_the_database_in_the_binary() {
        for name in ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC"] {
            assert_eq!(zone(name).unwrap().iana_name(), Some(name));
        }
        for (name, hint) in [
            ("America/NewYork", "did you mean \"America/New_York\"?"),
            ("New York", "did you mean \"America/New_York\"?"),
            ("Berlin", "did you mean \"Europe/Berlin\"?"),
            ("Europe/Berln", "did you mean \"Europe/Berlin\"?"),
            (
                "+02:00",
                "an offset knows no summer time: a zone is a place, such as \"America/New_York\", or \"UTC\"",
            ),
            ("Etc/Unknown", FORM),
            ("local", FORM),
            ("", FORM),
        ] {
            assert_eq!(zone(name).unwrap_err().hint.as_deref(), Some(hint), "{name}");
        }
    }
}
