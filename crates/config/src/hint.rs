//! What to tell somebody who wrote something that there is not.

use crate::schema::{
    CHANNEL_KINDS, HEARTBEAT_KINDS, ROUTE_KINDS, SECTIONS, SOURCE_KINDS, Section, TOP, WELL_KNOWN_LABELS,
};

/// The hint for a key that a table does not know.
pub(crate) fn for_key(key: &str, section: &Section) -> String {
    if let Some(note) = foreign(key) {
        return note.to_owned();
    }
    if let Some(near) = section.near(key) {
        return format!("did you mean `{near}`?");
    }
    if key == "causes" && section.keys.contains(&"channels") {
        return "the only cause of a page is `otps_drop`: leave it out".to_owned();
    }
    if WELL_KNOWN_LABELS.contains(&key) && section.keys.contains(&"labels") {
        return format!("write `labels = {{ {key} = \"…\" }}`");
    }
    match home(key) {
        Some(home) => home,
        None if section.keys.is_empty() => format!("`{}` has no keys", section.title),
        None => format!("the keys of `{}` are {}", section.title, listed(section.keys, "and")),
    }
}

/// The hint for something outside of any table that is none of [`TOP`].
pub(crate) fn for_top(key: &str) -> String {
    if let Some(note) = foreign(key) {
        return note.to_owned();
    }
    if let Some(near) = nearest(key, TOP.into_iter()) {
        return format!("did you mean `{near}`?");
    }
    for (table, kinds) in [
        ("source", &SOURCE_KINDS[..]),
        ("channel", &CHANNEL_KINDS[..]),
        ("route", &ROUTE_KINDS[..]),
        ("heartbeat", &HEARTBEAT_KINDS[..]),
    ] {
        if kinds.contains(&key) {
            return format!("did you mean `{table}.{key}`?");
        }
    }
    home(key).unwrap_or_else(|| format!("the tables are {}", listed(&TOP, "and")))
}

/// The hint for a kind of source, channel or route that there is not.
pub(crate) fn for_kind(kind: &str, kinds: &[&str]) -> String {
    match (nearest(kind, kinds.iter().copied()), kinds) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, [only]) => format!("the only kind is `{only}`"),
        (None, _) => format!("the kinds are {}", listed(kinds, "and")),
    }
}

/// What to tell somebody who writes the word of another alarm.
fn foreign(key: &str) -> Option<&'static str> {
    match key {
        "period" => Some("a period is five minutes: the rule, and all that is learned, is defined on it"),
        "threshold" => Some("did you mean `page-below`, a share of the baseline?"),
        _ => None,
    }
}

/// The key of a table for a word that other programs, or other tables, have for it.
pub(crate) fn synonym(key: &str, section: &Section) -> Option<&'static str> {
    let is_route = section.keys.contains(&"channels");
    let own = match key {
        "to" | "receiver" | "receivers" if is_route => "channels",
        "url" => "endpoint-url",
        "model" | "models" | "account" | "accounts" | "region" | "regions" | "source" => "match",
        "start" | "begin" | "since" => "from",
        "end" | "until" => "to",
        "tz" | "timezone" | "time-zone" => "zone",
        _ => return None,
    };
    section.keys.contains(&own).then_some(own)
}

/// Where a key belongs, if it is, or nearly is, one of another table.
fn home(key: &str) -> Option<String> {
    let titles: Vec<_> = SECTIONS
        .iter()
        .filter(|other| other.keys.contains(&key) && !other.borrows(key))
        .map(|other| other.title)
        .collect();
    match titles[..] {
        [] => SECTIONS.iter().find_map(|other| {
            let near = nearest(key, other.keys.iter().copied())?;
            Some(format!("did you mean `{near}` of `{}`?", other.title))
        }),
        [_, _, _, _, ..] => Some(format!("`{key}` belongs to other tables, such as `{}`", titles[0])),
        _ => Some(format!("`{key}` belongs to {}", listed(&titles, "and"))),
    }
}

/// The candidate that a misspelt word most likely stands for.
pub(crate) fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str> + Clone) -> Option<&'c str> {
    let word = word.to_lowercase().replace(['_', ' '], "-");
    let distance = |candidate: &&str| strsim::damerau_levenshtein(&word, candidate);
    let near =
        candidates.clone().min_by_key(distance).filter(|best| distance(best) <= (word.len() / 3).max(1));
    near.or_else(|| {
        let whole = |candidate: &&str| candidate.split(['-', '.']).any(|part| part == word);
        let mut containing = candidates.filter(whole);
        containing.next().filter(|_| containing.next().is_none())
    })
}

/// Words as a list in prose: `` `a`, `b` and `c` ``.
pub(crate) fn listed(words: &[&str], last_by: &str) -> String {
    match words {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [first @ .., last] => format!("`{}` {last_by} `{last}`", first.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{
        ALARM, BASELINE, CLOUDWATCH, HOURS, LOG, OVERRIDE, PAGE_ROUTE, PAGERDUTY, SNS, TICKET, TICKET_ROUTE,
    };

    #[test]
    fn a_key_is_sought_here_then_elsewhere() {
        for (key, section, hint) in [
            ("page-belw", &ALARM, "did you mean `page-below`?"),
            ("page_below", &ALARM, "did you mean `page-below`?"),
            ("Mode", &ALARM, "did you mean `mode`?"),
            ("url", &CLOUDWATCH, "did you mean `endpoint-url`?"),
            ("topic", &SNS, "did you mean `topic-arn`?"),
            ("page-below", &BASELINE, "`page-below` belongs to `[alarm]`"),
            ("group-by", &OVERRIDE, "`group-by` belongs to `[alarm]`"),
            ("models", &OVERRIDE, "did you mean `match`?"),
            ("listen", &PAGERDUTY, "`listen` belongs to `[daemon]`"),
            ("profile", &PAGERDUTY, "`profile` belongs to other tables, such as `[source.cloudwatch.NAME]`"),
            (
                "models",
                &HOURS,
                "`models` belongs to `[maintenance.NAME]`, `[[route.page]]` and `[[route.ticket]]`",
            ),
            ("page-bellow", &BASELINE, "did you mean `page-below` of `[alarm]`?"),
            ("threshold", &ALARM, "did you mean `page-below`, a share of the baseline?"),
            ("tier", &PAGE_ROUTE, "write `labels = { tier = \"…\" }`"),
            ("to", &TICKET_ROUTE, "did you mean `channels`?"),
            ("until", &HOURS, "did you mean `to`?"),
            ("causes", &PAGE_ROUTE, "the only cause of a page is `otps_drop`: leave it out"),
            ("color", &TICKET, "the keys of `[ticket]` are `growth`, `erosion`, `days` and `days-to-ticket`"),
            ("color", &LOG, "`[channel.log.NAME]` has no keys"),
        ] {
            assert_eq!(for_key(key, section), hint, "{key}");
        }
    }

    #[test]
    fn a_table_is_sought_at_the_top() {
        for (key, hint) in [
            ("alrm", "did you mean `alarm`?"),
            ("sources", "did you mean `source`?"),
            ("cloudwatch", "did you mean `source.cloudwatch`?"),
            ("pagerduty", "did you mean `channel.pagerduty`?"),
            ("jira", "did you mean `channel.jira`?"),
            ("overrides", "did you mean `override`?"),
            ("page-below", "`page-below` belongs to `[alarm]`"),
        ] {
            assert_eq!(for_top(key), hint);
        }
    }
}
