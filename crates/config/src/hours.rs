//! Hours of a route: `{ from = "22:00", to = "07:00", zone = "America/New_York", days = ["fri"] }`.

use domain::{Hours, Weekdays};
use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;
use toml::de::DeValue;

use crate::quote::quoted;
use crate::report::At;
use crate::table::{Fault, Setting, Table};
use crate::value::text;
use crate::zone::zone;
use crate::{hint, schema};

const FORM: &str = "write hours and minutes, such as \"22:00\"";
/// A zone for hints.
const ZONE: &str = "\"America/New_York\"";
const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Monday),
    ("tue", Weekday::Tuesday),
    ("wed", Weekday::Wednesday),
    ("thu", Weekday::Thursday),
    ("fri", Weekday::Friday),
    ("sat", Weekday::Saturday),
    ("sun", Weekday::Sunday),
];

/// Reads `hours` of a table: `Some(None)` when they are not written.
pub(crate) fn read(table: &mut Table<'_, '_, '_>) -> Option<Option<Hours>> {
    let Some(node) = table.get("hours") else { return Some(None) };
    let mut hours = Table::open(table.report, &schema::HOURS, "hours", &[node]);
    if !hours.is_table() {
        return None;
    }
    let from = hours.required("from", "\"22:00\"", quoted_text(time));
    let until = hours.required("to", "\"07:00\"", quoted_text(time));
    weekly(&mut hours, from, until).map(Some)
}

/// The rest of hours that come again: their zone and days.
pub(crate) fn weekly(
    table: &mut Table<'_, '_, '_>,
    from: Setting<Time>,
    until: Setting<Time>,
) -> Option<Hours> {
    let zone = required_zone(table);
    let days = days(table);
    let (from_time, until_time) = (from.value?, until.value?);
    if from_time == until_time {
        if let Some(at) = until.at {
            let message = format!("`to` must differ from `from`, but both are {}", shown(until_time));
            let draft = table.report.error(at, message);
            draft.hint("hours that end before they begin run over midnight; all day is no hours at all");
            if let Some(from) = from.at {
                draft.see(from, "they begin here");
            }
        }
        return None;
    }
    Some(Hours { days: days?, from: from_time, until: until_time, zone: zone? })
}

/// The zone, which has no default: the machine's own is rarely what its reader thinks of.
pub(crate) fn required_zone(table: &mut Table<'_, '_, '_>) -> Option<TimeZone> {
    table.required("zone", ZONE, text(zone)).value
}

fn days(table: &mut Table<'_, '_, '_>) -> Option<Weekdays> {
    let example = "[\"sat\", \"sun\"]";
    let days: Setting<Option<Vec<(Weekday, At)>>> = table.list("days", example, day);
    match days.value? {
        None => Some(Weekdays::ALL),
        Some(named) if named.is_empty() => {
            if let Some(at) = days.at {
                let draft = table.report.error(at, "`days` must name at least one day");
                draft.hint("leave it out to have all of them");
            }
            None
        }
        Some(named) => Some(Weekdays::of(&named.into_iter().map(|(day, _)| day).collect::<Vec<_>>())),
    }
}

fn day(text: &str) -> Result<Weekday, Fault> {
    if let Some((_, day)) = DAYS.iter().find(|(name, _)| *name == text) {
        return Ok(*day);
    }
    let names = DAYS.map(|(name, _)| name);
    let fault = Fault::new(format!("has no day {}", quoted(text)));
    let short: String = text.to_lowercase().chars().take(3).collect();
    Err(match names.iter().find(|name| **name == short) {
        Some(near) => fault.hint(format!("did you mean \"{near}\"?")),
        None => fault.hint(format!("the days are {}", hint::listed(&names, "and"))),
    })
}

/// A time of the day, such as `"22:00"`.
pub(crate) fn time(text: &str) -> Result<Time, Fault> {
    let fault = || Fault::new(format!("is no time of the day: {}", quoted(text)));
    let digits = |text: &str, most: usize| {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i8>().ok().filter(|_| fits)
    };
    let parts = text.split_once(':').and_then(|(hour, minute)| Some((digits(hour, 2)?, digits(minute, 2)?)));
    let Some((hour, minute)) = parts else { return Err(fault().hint(FORM)) };
    match Time::new(hour, minute, 0, 0) {
        Ok(time) if shown(time) == text => Ok(time),
        Ok(time) => Err(fault().hint(format!("did you mean \"{}\"?", shown(time)))),
        Err(_) if (hour, minute) == (24, 0) => Err(fault().hint("the end of a day is \"00:00\"")),
        Err(_) => Err(fault().hint(FORM)),
    }
}

/// As a file writes it.
pub(crate) fn shown(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// Reads a string, and says of TOML's own times that they are no strings.
pub(crate) fn quoted_text<T>(
    read: impl Fn(&str) -> Result<T, Fault>,
) -> impl Fn(&DeValue<'_>) -> Result<T, Fault> {
    move |value| match value {
        DeValue::Datetime(_) => Err(Fault::new("must be a string, not a date or a time of TOML")
            .hint("write it in quotes, with hours and minutes only")),
        other => text(&read)(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_hours_and_minutes() {
        assert_eq!(time("22:00").map(shown).as_deref(), Ok("22:00"));
        assert_eq!(time("00:00").map(shown).as_deref(), Ok("00:00"));
        assert_eq!(time("07:05").map(shown).as_deref(), Ok("07:05"));
        for (text, hint) in [
            ("7:5", "did you mean \"07:05\"?"),
            ("7:00", "did you mean \"07:00\"?"),
            ("24:00", "the end of a day is \"00:00\""),
            ("25:00", FORM),
            ("22:60", FORM),
            ("22:00:00", FORM),
            ("22", FORM),
            ("10pm", FORM),
            ("-1:00", FORM),
            ("+1:00", FORM),
            ("", FORM),
        ] {
            assert_eq!(time(text).unwrap_err().hint.as_deref(), Some(hint), "{text}");
        }
    }

    #[test]
    fn a_day_is_three_letters() {
        assert_eq!(day("sat"), Ok(Weekday::Saturday));
        assert_eq!(day("Saturday").unwrap_err().hint.as_deref(), Some("did you mean \"sat\"?"));
        assert!(day("weekend").unwrap_err().hint.unwrap().starts_with("the days are `mon`"));
    }
}
