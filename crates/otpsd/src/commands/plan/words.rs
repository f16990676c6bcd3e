//! Numbers, hours and lists of series in words.

use domain::{Hours, Matcher, Route, Series, Window};
use jiff::civil::Weekday;

use crate::figures::{counted, thousands};

/// Names on a line; of more, the rest is counted.
const NAMED: usize = 6;
/// Lines of series.
const LINES: usize = 6;
const DAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "mon"),
    (Weekday::Tuesday, "tue"),
    (Weekday::Wednesday, "wed"),
    (Weekday::Thursday, "thu"),
    (Weekday::Friday, "fri"),
    (Weekday::Saturday, "sat"),
    (Weekday::Sunday, "sun"),
];

/// `1 series has`, `2 series have`.
pub(crate) fn series_that(count: usize, one: &str, more: &str) -> String {
    format!("{} {}", counted(count, "series"), if count == 1 { one } else { more })
}

/// Dollars and cents; what is less than a cent, with as many digits as it needs.
pub(crate) fn dollars(usd: f64) -> String {
    let amount = usd.abs();
    let sign = if usd < 0.0 { "−" } else { "" };
    if amount == 0.0 || amount >= 0.005 {
        format!("{sign}${amount:.2}")
    } else {
        format!("{sign}${amount:.4}")
    }
}

/// The same with a sign: `+$6.05`, `−$0.12`, `±$0.00`.
pub(crate) fn more_dollars(usd: f64) -> String {
    let sign = if usd.abs() < 0.005 {
        "±"
    } else if usd > 0.0 {
        "+"
    } else {
        "−"
    };
    format!("{sign}${:.2}", usd.abs())
}

/// `fri, sat 22:00–07:00 America/New_York`; every day has no name.
pub(crate) fn hours(hours: &Hours) -> String {
    let named: Vec<_> = DAYS.iter().filter(|(day, _)| hours.days.has(*day)).map(|(_, name)| *name).collect();
    let days = if named.len() == DAYS.len() { String::new() } else { format!("{} ", named.join(", ")) };
    let time = |time: jiff::civil::Time| format!("{:02}:{:02}", time.hour(), time.minute());
    let zone = hours.zone.iana_name().unwrap_or("UTC");
    format!("{days}{}–{} {zone}", time(hours.from), time(hours.until))
}

/// When a maintenance window is.
pub(crate) fn window(window: &Window) -> String {
    match window {
        Window::Weekly(weekly) => hours(weekly),
        Window::Once { from, until } => {
            let minute = |time: &jiff::Timestamp| {
                let text = time.to_string();
                text.strip_suffix(":00Z").unwrap_or(&text).replace('T', " ")
            };
            format!("once, {} to {} UTC", minute(from), minute(until))
        }
    }
}

/// What a matcher is about: `model *haiku*, tier = 2`; everything has no words.
pub(crate) fn matcher(matcher: &Matcher) -> String {
    let mut parts = Vec::new();
    for (what, globs) in [
        ("model", &matcher.models),
        ("account", &matcher.accounts),
        ("Region", &matcher.regions),
        ("cause", &matcher.causes),
    ] {
        if !globs.is_empty() {
            parts.push(format!("{what} {}", globs.join(" or ")));
        }
    }
    parts.extend(matcher.labels.iter().map(|(key, value)| format!("{key} = {value}")));
    parts.join(", ")
}

/// A route: what it takes, when, and who gets it.
pub(crate) fn route(route: &Route) -> String {
    let takes = matcher(&route.matcher);
    let takes = if takes.is_empty() { "everything".to_owned() } else { takes };
    let hours = route.hours.as_ref().map(|when| format!(", {}", hours(when))).unwrap_or_default();
    format!("{takes}{hours} → {}", route.channels.join(" + "))
}

/// Series by their names, in short: a line for each model with the places that have it, or for each place with its models, whichever
/// are fewer. Of many, the first are named and the others counted. Places are written by `text`, and names of models by `code`.
pub(crate) fn series(all: &[Series], [text, code]: [fn(&str) -> String; 2]) -> Vec<String> {
    let place = |one: &Series| match one.account() {
        domain::UNKNOWN_ACCOUNT => text(one.region()),
        account => text(&format!("{account}/{}", one.region())),
    };
    let model = |one: &Series| code(one.model());
    let (by_model, by_place) = (grouped(all, model, place), grouped(all, place, model));
    let groups = if by_model.len() < by_place.len() { by_model } else { by_place };
    let named = |names: &[String]| {
        let rest = names.len().saturating_sub(NAMED);
        let rest = if rest > 0 { format!(" and {} more", thousands(rest as u64)) } else { String::new() };
        format!("{}{rest}", names[..names.len().min(NAMED)].join(", "))
    };
    let lines = groups.iter().take(LINES).map(|(first, rest)| format!("{first}: {}", named(rest)));
    let left: usize = groups.iter().skip(LINES).map(|(_, rest)| rest.len()).sum();
    lines.chain((left > 0).then(|| format!("and {}", counted(left, "series")) + " more")).collect()
}

/// In the order in which they first come.
fn grouped(
    all: &[Series],
    first: impl Fn(&Series) -> String,
    second: impl Fn(&Series) -> String,
) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for one in all {
        let name = first(one);
        match groups.iter_mut().find(|(same, _)| *same == name) {
            Some((_, rest)) => rest.push(second(one)),
            None => groups.push((name, vec![second(one)])),
        }
    }
    groups
}

/// How names are written where nothing is markup: as they are.
pub(crate) const PLAIN: [fn(&str) -> String; 2] = [str::to_owned; 2];

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use domain::Weekdays;

    use super::*;
    use crate::markdown;

    #[test]
    fn numbers_are_read_by_people() {
        assert_eq!(series_that(1, "is", "are"), "1 series is");
        assert_eq!([0.0, 40.609, 0.0006, -1.5].map(dollars), ["$0.00", "$40.61", "$0.0006", "−$1.50"]);
        assert_eq!([6.051, -0.12, 0.001].map(more_dollars), ["+$6.05", "−$0.12", "±$0.00"]);
    }

    #[test]
    fn hours_name_their_days_unless_it_is_every_day() {
        let time = |hour| jiff::civil::Time::constant(hour, 0, 0, 0);
        let night = |days| Hours { days, from: time(22), until: time(7), zone: TimeZone::UTC };
        assert_eq!(hours(&night(Weekdays::ALL)), "22:00–07:00 UTC");
        let weekend = Weekdays::of(&[Weekday::Saturday, Weekday::Friday]);
        assert_eq!(hours(&night(weekend)), "fri, sat 22:00–07:00 UTC");
        let once = Window::Once {
            from: "2026-12-24T22:00:00Z".parse().unwrap(),
            until: "2026-12-25T02:30:00Z".parse().unwrap(),
        };
        assert_eq!(window(&once), "once, 2026-12-24 22:00 to 2026-12-25 02:30 UTC");
    }

    #[test]
    fn series_are_named_by_what_they_share() {
        let of = |region: &str, model: &str| Series::new("111122223333", region, model);
        let some = [of("eu-west-1", "a"), of("eu-west-1", "b"), of("us-east-1", "a")];
        assert_eq!(series(&some, PLAIN), ["111122223333/eu-west-1: a, b", "111122223333/us-east-1: a"]);
        let one = [of("eu-west-1", "a"), of("us-east-1", "a")];
        assert_eq!(
            series(&one, [markdown::text, markdown::code]),
            ["`a`: 111122223333/eu-west-1, 111122223333/us-east-1"]
        );
        let many: Vec<_> = (0..9).map(|n| Series::new("", "us-east-1", &n.to_string())).collect();
        assert_eq!(series(&many, PLAIN), ["us-east-1: 0, 1, 2, 3, 4, 5 and 3 more"]);
        let wide: Vec<_> =
            (0..81).map(|n| Series::new("", &format!("region-{}", n / 9), &(n % 9).to_string())).collect();
        let lines = series(&wide, PLAIN);
        assert_eq!((lines.len(), lines[6].as_str()), (7, "and 27 series more"));
    }
}
