//! What series are judged by, and their labels.

use std::collections::{BTreeMap, BTreeSet};

use config::{Effective, Origin};
use domain::Series;

use super::super::picture::Picture;
use super::super::rules::{Judged, whence};
use super::settings::default;
use super::{Change, or_nothing};
use crate::figures::counted;
use crate::markdown::code;

/// A value of a key for a series: what it is, where it comes from in words, and its line.
type Value = (String, String, Option<Origin>);
/// What is otherwise in the same way: whether it is a label, the place of the key among its like, the key, what was and what is.
type Alike = (bool, usize, String, Option<Value>, Option<Value>);

pub(super) fn changes(
    old: &Picture<'_>,
    new: &Picture<'_>,
    common: &[&Series],
    is_known: bool,
) -> Vec<Change> {
    let mut groups: BTreeMap<Alike, Vec<Series>> = BTreeMap::new();
    for series in common {
        let before = Judged::of(old.plan, old.origins, series);
        let after = Judged::of(new.plan, new.origins, series);
        for (is_label, before, after) in
            [(false, &before.rule, &after.rule), (true, &before.labels, &after.labels)]
        {
            for (place, key) in keys(before, after).into_iter().enumerate() {
                let (before, after) = (value(before, key), value(after, key));
                if before.as_ref().map(|one| &one.0) != after.as_ref().map(|one| &one.0) {
                    let group = (is_label, place, key.to_owned(), before, after);
                    groups.entry(group).or_default().push((*series).clone());
                }
            }
        }
    }
    let mut all: Vec<Change> = Vec::new();
    let mut explained: BTreeSet<Origin> = BTreeSet::new();
    for ((is_label, _, key, before, after), series) in groups {
        explained.extend([&before, &after].into_iter().flatten().filter_map(|value| value.2.clone()));
        let of = |value: &Option<Value>| value.as_ref().map(|(value, ..)| value.clone());
        let (old_value, new_value) = (of(&before), of(&after));
        let words = format!(
            "{} {} → {} for {}",
            code(&key),
            or_nothing(old_value.as_deref()),
            or_nothing(new_value.as_deref()),
            counted(series.len(), "series")
        );
        all.push(Change {
            kind: if is_label { "label" } else { "rule" },
            what: key,
            before: old_value,
            after: new_value,
            words,
            places: after.into_iter().map(|value| value.1).collect(),
            former_places: before.into_iter().map(|value| value.1).collect(),
            series,
        });
    }
    all.extend(written(old, new, &explained, is_known));
    all
}

/// The keys of both, in the order of the reference.
fn keys<'e>(before: &'e [Effective], after: &'e [Effective]) -> Vec<&'e str> {
    let mut keys: Vec<&str> = after.iter().map(|one| one.key.as_str()).collect();
    let gone = before.iter().map(|one| one.key.as_str());
    let gone: Vec<_> = gone.filter(|key| !keys.contains(key)).collect();
    keys.extend(gone);
    keys
}

fn value(all: &[Effective], key: &str) -> Option<Value> {
    let one = all.iter().find(|one| one.key == key)?;
    Some((one.value.clone(), whence(one), one.origin.clone()))
}

/// What is written otherwise, and judges no series that is known otherwise.
fn written(
    old: &Picture<'_>,
    new: &Picture<'_>,
    explained: &BTreeSet<Origin>,
    is_known: bool,
) -> Vec<Change> {
    let is_of_rules = |table: &&str| *table == "alarm" || table.starts_with("override.");
    let tables: BTreeSet<&str> =
        old.origins.tables().chain(new.origins.tables()).filter(is_of_rules).collect();
    let note = if is_known { "; no series that is known is judged otherwise" } else { "" };
    let mut all = Vec::new();
    for table in tables {
        let (before, after) = (old.origins, new.origins);
        let keys: BTreeSet<&str> =
            before.keys(table).chain(after.keys(table)).filter(|key| *key != "group-by").collect();
        let is_told = |key: &str| {
            [before, after]
                .iter()
                .any(|origins| origins.of(table, key).is_some_and(|at| explained.contains(at)))
        };
        let is_any_told = keys.iter().any(|key| is_told(key));
        let title = format!("[{table}]");
        let place = |at: Option<&Origin>| at.map(ToString::to_string).into_iter().collect::<Vec<_>>();
        let held = |at: Option<&Origin>| match at {
            None if table == "alarm" => vec!["default".to_owned()],
            at => place(at),
        };
        let whole = match (before.table(table), after.table(table)) {
            (None, Some(_)) if table != "alarm" => Some(("override_added", "added")),
            (Some(_), None) if table != "alarm" => Some(("override_removed", "removed")),
            _ => None,
        };
        if let Some((kind, what)) = whole {
            if !is_any_told {
                all.push(Change {
                    kind,
                    what: table.to_owned(),
                    words: format!("{} {what}{note}", code(&title)),
                    places: place(after.table(table)),
                    former_places: place(before.table(table)),
                    ..Change::default()
                });
            }
            continue;
        }
        for key in keys {
            // What an override does not write, it leaves to others.
            let default = if table == "alarm" { default(table, key) } else { None };
            let (was, is) = (before.value(table, key).or(default), after.value(table, key).or(default));
            let is_of_match = key.starts_with("match.");
            if was == is || is_told(key) || (is_of_match && is_any_told) {
                continue;
            }
            all.push(Change {
                kind: "setting",
                what: format!("{table} {key}"),
                before: was.map(str::to_owned),
                after: is.map(str::to_owned),
                words: format!(
                    "{} in {}: {} → {}{note}",
                    code(key),
                    code(&title),
                    or_nothing(was),
                    or_nothing(is)
                ),
                places: held(after.of(table, key)),
                former_places: held(before.of(table, key)),
                ..Change::default()
            });
        }
    }
    all
}
