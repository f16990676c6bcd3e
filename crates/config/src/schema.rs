//! The tables and keys that there are. What reads them stands in one file a table.

/// A table of settings.
#[derive(Debug)]
pub(crate) struct Section {
    /// Its header, as a file writes it.
    pub(crate) title: &'static str,
    /// Its keys, in the order of the reference.
    pub(crate) keys: &'static [&'static str],
}

pub(crate) static DAEMON: Section =
    Section { title: "[daemon]", keys: &["listen", "public-url", "state-dir", "log"] };

pub(crate) static ALARM: Section = Section {
    title: "[alarm]",
    keys: &[
        "mode",
        "page-below",
        "page-below-otps",
        "evaluation-periods",
        "datapoints-to-alarm",
        "estimator",
        "min-samples",
        "widest-window",
        "noise-sigmas",
        "recover-above",
        "recover-datapoints",
    ],
};

pub(crate) static BASELINE: Section = Section {
    title: "[baseline]",
    keys: &["history", "min-history", "min-datapoints", "backfill", "seasonal", "never-train"],
};

pub(crate) static TICKET: Section =
    Section { title: "[ticket]", keys: &["growth", "days", "days-to-ticket"] };

pub(crate) static CLOUDWATCH: Section = Section {
    title: "[source.cloudwatch.NAME]",
    keys: &[
        "regions",
        "profile",
        "account-id",
        "endpoint-url",
        "settle-delay",
        "reread-periods",
        "include",
        "ignore",
        "discover-every",
        "attempt-timeout",
    ],
};

pub(crate) static SNS: Section =
    Section { title: "[channel.sns.NAME]", keys: &["topic-arn", "profile", "endpoint-url"] };

pub(crate) static PAGERDUTY: Section =
    Section { title: "[channel.pagerduty.NAME]", keys: &["routing-key", "url", "severity"] };

pub(crate) static LOG: Section = Section { title: "[channel.log.NAME]", keys: &[] };

pub(crate) static PAGE_ROUTE: Section = Section { title: "[[route.page]]", keys: &["models", "channels"] };

pub(crate) static TICKET_ROUTE: Section =
    Section { title: "[[route.ticket]]", keys: &["models", "channels"] };

/// All of them, in the order of the reference.
pub(crate) static SECTIONS: [&Section; 10] =
    [&DAEMON, &ALARM, &BASELINE, &TICKET, &CLOUDWATCH, &SNS, &PAGERDUTY, &LOG, &PAGE_ROUTE, &TICKET_ROUTE];

/// What may stand outside of any table.
pub(crate) const TOP: [&str; 7] = ["daemon", "alarm", "baseline", "ticket", "source", "channel", "route"];
/// Kinds of `[source.KIND.NAME]`.
pub(crate) const SOURCE_KINDS: [&str; 1] = ["cloudwatch"];
/// Kinds of `[channel.KIND.NAME]`.
pub(crate) const CHANNEL_KINDS: [&str; 3] = ["sns", "pagerduty", "log"];
/// Kinds of `[[route.KIND]]`.
pub(crate) const ROUTE_KINDS: [&str; 2] = ["page", "ticket"];
/// Keys whose value is a secret.
pub(crate) const SECRETS: [&str; 1] = ["routing-key"];
/// Ways to name where a secret is.
pub(crate) const SECRET_FORMS: [&str; 2] = ["env", "file"];

/// Whether the value of a key may be shown to anybody. A key that nobody knows may be a misspelt secret.
pub(crate) fn may_be_quoted(key: &str) -> bool {
    let known = TOP.contains(&key)
        || SECRET_FORMS.contains(&key)
        || SECTIONS.iter().any(|section| section.keys.contains(&key));
    known && !SECRETS.contains(&key)
}

impl Section {
    /// The key of this table that a misspelt one most likely stands for.
    pub(crate) fn near(&self, key: &str) -> Option<&'static str> {
        nearest(key, self.keys.iter().copied())
    }
}

/// The hint for a key that a table does not know.
pub(crate) fn hint_for_key(key: &str, section: &Section) -> String {
    if let Some(note) = foreign(key) {
        return note.to_owned();
    }
    if let Some(near) = section.near(key) {
        return format!("did you mean `{near}`?");
    }
    match home(key) {
        Some(home) => home,
        None if section.keys.is_empty() => format!("`{}` has no keys", section.title),
        None => format!("the keys of `{}` are {}", section.title, listed(section.keys, "and")),
    }
}

/// The hint for something outside of any table that is none of [`TOP`].
pub(crate) fn hint_for_top(key: &str) -> String {
    if let Some(note) = foreign(key) {
        return note.to_owned();
    }
    if let Some(near) = nearest(key, TOP.into_iter()) {
        return format!("did you mean `{near}`?");
    }
    for (table, kinds) in
        [("source", &SOURCE_KINDS[..]), ("channel", &CHANNEL_KINDS[..]), ("route", &ROUTE_KINDS[..])]
    {
        if kinds.contains(&key) {
            return format!("did you mean `{table}.{key}`?");
        }
    }
    home(key).unwrap_or_else(|| format!("the tables are {}", listed(&TOP, "and")))
}

/// The hint for a kind of source, channel or route that there is not.
pub(crate) fn hint_for_kind(kind: &str, kinds: &[&str]) -> String {
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
        "treat-missing-data" => Some("missing data never opens and never resolves an incident"),
        _ => None,
    }
}

/// Where a key belongs, if it is, or nearly is, one of another table.
fn home(key: &str) -> Option<String> {
    let titles: Vec<_> =
        SECTIONS.iter().filter(|other| other.keys.contains(&key)).map(|other| other.title).collect();
    if !titles.is_empty() {
        return Some(format!("`{key}` belongs to {}", listed(&titles, "and")));
    }
    SECTIONS.iter().find_map(|other| {
        let near = nearest(key, other.keys.iter().copied())?;
        Some(format!("did you mean `{near}` of `{}`?", other.title))
    })
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

    #[test]
    fn a_key_is_sought_here_then_elsewhere() {
        for (key, section, hint) in [
            ("page-belw", &ALARM, "did you mean `page-below`?"),
            ("page_below", &ALARM, "did you mean `page-below`?"),
            ("Mode", &ALARM, "did you mean `mode`?"),
            ("url", &CLOUDWATCH, "did you mean `endpoint-url`?"),
            ("topic", &SNS, "did you mean `topic-arn`?"),
            ("page-below", &BASELINE, "`page-below` belongs to `[alarm]`"),
            (
                "profile",
                &PAGERDUTY,
                "`profile` belongs to `[source.cloudwatch.NAME]` and `[channel.sns.NAME]`",
            ),
            ("page-bellow", &BASELINE, "did you mean `page-below` of `[alarm]`?"),
            ("threshold", &ALARM, "did you mean `page-below`, a share of the baseline?"),
            ("color", &TICKET, "the keys of `[ticket]` are `growth`, `days` and `days-to-ticket`"),
            ("color", &LOG, "`[channel.log.NAME]` has no keys"),
        ] {
            assert_eq!(hint_for_key(key, section), hint, "{key}");
        }
    }

    #[test]
    fn a_table_is_sought_at_the_top() {
        for (key, hint) in [
            ("alrm", "did you mean `alarm`?"),
            ("sources", "did you mean `source`?"),
            ("cloudwatch", "did you mean `source.cloudwatch`?"),
            ("pagerduty", "did you mean `channel.pagerduty`?"),
            ("page-below", "`page-below` belongs to `[alarm]`"),
        ] {
            assert_eq!(hint_for_top(key), hint);
        }
    }

    /// The reference with the examples of its optional keys as keys.
    fn uncommented() -> String {
        let uncomment = |line: &'static str| match line.strip_prefix("# ") {
            Some(rest) if rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ')) => rest,
            _ => line,
        };
        crate::REFERENCE.lines().map(uncomment).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_reference_has_every_key_and_every_example_can_be_used() {
        let text = uncommented();
        let document = toml::de::DeTable::parse(&text).unwrap();
        for section in SECTIONS {
            let path = section.title.trim_matches(['[', ']']);
            let mut value = document.get_ref().get(path.split('.').next().unwrap()).unwrap().get_ref();
            for part in path.split('.').skip(1) {
                value = match part {
                    "NAME" => value.as_table().unwrap().values().next().unwrap().get_ref(),
                    part => value.as_table().unwrap().get(part).unwrap().get_ref(),
                };
            }
            let table = value.as_array().map_or(value, |tables| tables[0].get_ref()).as_table().unwrap();
            let mut there: Vec<_> = table.keys().map(|key| key.get_ref().to_string()).collect();
            let mut known = section.keys.to_vec();
            there.sort();
            known.sort();
            assert_eq!(there, known, "{}", section.title);
        }
        let file = crate::File { path: "otpsd.toml".into(), text };
        let outcome = crate::read(&[file], crate::Purpose::Backtest, &crate::ProcessEnvironment);
        assert_eq!(outcome.problems, []);
    }
}
