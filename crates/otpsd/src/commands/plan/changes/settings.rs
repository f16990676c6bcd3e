//! Everything else, key by key, as it is written or as the defaults have it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use config::{File, Origins, ProcessEnvironment, Purpose, REFERENCE};

use super::super::picture::Picture;
use super::super::words::{matcher, window};
use super::fleet::sources;
use super::{Change, or_nothing};
use crate::figures::counted;
use crate::markdown::code;

pub(super) fn changes(old: &Picture<'_>, new: &Picture<'_>) -> Vec<Change> {
    let mut all = of_sources(old, new);
    all.extend(of_tables(old, new));
    all
}

/// Keys of sources that both have: what holds, whether the source has it itself or shares it.
fn of_sources(old: &Picture<'_>, new: &Picture<'_>) -> Vec<Change> {
    let mut groups: BTreeMap<(String, Held, Held), Vec<&str>> = BTreeMap::new();
    for source in sources(new.plan) {
        if !sources(old.plan).any(|former| former.name == source.name) {
            continue;
        }
        let tables = [format!("source.cloudwatch.{}", source.name), "default.cloudwatch".to_owned()];
        let mut keys = BTreeSet::new();
        for origins in [old.origins, new.origins] {
            keys.extend(tables.iter().flat_map(|table| origins.keys(table)).filter(|key| *key != "regions"));
        }
        for key in keys {
            let (was, is) = (held(old.origins, &tables, key), held(new.origins, &tables, key));
            if was.value != is.value {
                groups.entry((key.to_owned(), was, is)).or_default().push(&source.name);
            }
        }
    }
    let change = |((key, was, is), names): ((String, Held, Held), Vec<&str>)| {
        let whose = if names.len() == 1 { "source" } else { "sources" };
        setting(
            (format!("source {}", names.join(", ")), key.clone()),
            format!("{} of {whose} {}", code(&key), names.join(", ")),
            was,
            is,
        )
    };
    groups.into_iter().map(change).collect()
}

fn of_tables(old: &Picture<'_>, new: &Picture<'_>) -> Vec<Change> {
    let elsewhere = ["source.", "default.", "override.", "route."];
    let tables: BTreeSet<&str> = old
        .origins
        .tables()
        .chain(new.origins.tables())
        .filter(|table| !elsewhere.iter().any(|start| table.starts_with(start)))
        .collect();
    let mut all = Vec::new();
    for table in tables {
        let is_named =
            ["channel.", "maintenance.", "heartbeat."].iter().any(|start| table.starts_with(start));
        let place = |origins: &Origins| origins.table(table).map(ToString::to_string).into_iter().collect();
        let kind = match (old.origins.table(table), new.origins.table(table)) {
            (None, Some(_)) if is_named => Some(("added", new)),
            (Some(_), None) if is_named => Some(("removed", old)),
            _ => None,
        };
        if let Some((what, picture)) = kind {
            all.push(Change {
                kind: if what == "added" { "table_added" } else { "table_removed" },
                what: table.to_owned(),
                words: format!("{} {what}{}", code(&format!("[{table}]")), described(picture, table)),
                places: place(new.origins),
                former_places: place(old.origins),
                ..Change::default()
            });
            continue;
        }
        let keys: BTreeSet<&str> = old.origins.keys(table).chain(new.origins.keys(table)).collect();
        for key in keys.into_iter().filter(|key| table != "alarm" || *key == "group-by") {
            let own = [table.to_owned()];
            let (was, is) = (held(old.origins, &own, key), held(new.origins, &own, key));
            if was.value != is.value {
                let words = format!("{} in {}", code(key), code(&format!("[{table}]")));
                all.push(setting((table.to_owned(), key.to_owned()), words, was, is));
            }
        }
    }
    all
}

fn setting((table, key): (String, String), whose: String, was: Held, is: Held) -> Change {
    Change {
        kind: "setting",
        what: format!("{table} {key}"),
        words: format!("{whose}: {} → {}", or_nothing(was.value.as_deref()), or_nothing(is.value.as_deref())),
        before: was.value,
        after: is.value,
        places: vec![is.whence],
        former_places: vec![was.whence],
        series: Vec::new(),
    }
}

/// What a table with a name of its own is about, where that can be said in a few words.
fn described(picture: &Picture<'_>, table: &str) -> String {
    let Some(name) = table.strip_prefix("maintenance.") else { return String::new() };
    let Some(one) = picture.plan.maintenance.iter().find(|one| one.name == name) else {
        return String::new();
    };
    let is_about = |series: &&domain::Series| one.is_about_series(series, &picture.plan.labels_of(series));
    let count = picture.series().filter(is_about).count();
    let about = matcher(&one.matcher);
    let about = if about.is_empty() { "everything".to_owned() } else { about };
    let known = if picture.series().next().is_some() {
        format!(": {}", counted(count, "series"))
    } else {
        String::new()
    };
    format!(", {} for {about}{known}", window(&one.window))
}

/// A value that holds, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    value: Option<String>,
    whence: String,
}

/// What holds for a key: what the first of the tables has that has it, or the default of the reference.
fn held(origins: &Origins, tables: &[String], key: &str) -> Held {
    for table in tables {
        if let (Some(value), Some(origin)) = (origins.value(table, key), origins.of(table, key)) {
            return Held { value: Some(value.to_owned()), whence: origin.to_string() };
        }
    }
    let value = tables.first().and_then(|table| default(table, key)).map(str::to_owned);
    Held { value, whence: "default".to_owned() }
}

/// The default of a key, as the reference has it. A key that must be written has none, but then it is.
pub(super) fn default(table: &str, key: &str) -> Option<&'static str> {
    static REFERENCE_ORIGINS: OnceLock<Origins> = OnceLock::new();
    let origins = REFERENCE_ORIGINS.get_or_init(|| {
        let file = File { path: PathBuf::from("otpsd.toml"), text: REFERENCE.to_owned() };
        config::read(&[file], Purpose::Backtest, &ProcessEnvironment).origins
    });
    // A table with a name of its own has the defaults of the one of its kind that the reference shows.
    let kind = match table.rsplit_once('.') {
        Some((kind, _)) if kind.contains('.') => {
            origins.tables().find(|other| other.rsplit_once('.').is_some_and(|(own, _)| own == kind))?
        }
        _ => table,
    };
    origins.value(kind, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_has_the_defaults() {
        assert_eq!(default("baseline", "history"), Some("\"14d\""));
        assert_eq!(default("source.cloudwatch.other", "settle-delay"), Some("\"2m\""));
        assert_eq!(default("channel.pagerduty.daytime", "severity"), Some("\"critical\""));
        assert_eq!(default("maintenance.load-test", "comment"), None);
        assert_eq!(default("alarm", "group-by"), Some("\"region\""));
    }
}
