//! What is otherwise for a series, with its line, and how to put it back.

use std::collections::BTreeSet;

use config::{Effective, effective, effective_labels};
use domain::{Plan, Series};

use super::super::hindsight::Line;
use super::super::two::{Side, Two};
use super::parts::Part;
use crate::commands::plan::{Kind, Told, whence};
use crate::markdown::code;

/// One thing that is otherwise.
pub(super) struct Difference {
    pub(super) line: Line,
    /// What of a plan it is: several parts where one follows from the other.
    parts: Vec<Part>,
}

impl Difference {
    /// Copies it from one plan to another. Both are of one series alone.
    pub(super) fn copy(&self, from: &Plan, into: &mut Plan) {
        for part in &self.parts {
            part.copy(from, into);
        }
        into.rule = into.rule.clone().fitted();
    }
}

/// Everything that bears on the pages of a series and is otherwise for it: what it is judged by comes first.
pub(super) fn differences(two: &Two<'_>, series: &Series) -> Vec<Difference> {
    let mut all = of_rule(two, series);
    all.extend(of_learning(two));
    all.extend(of_windows(two, series));
    all.extend(of_telling(two, series));
    all
}

/// Keys that are one part of a rule.
const METHOD: [&str; 3] = ["method", "anomaly-deviations", "anomaly-below"];

fn of_rule(two: &Two<'_>, series: &Series) -> Vec<Difference> {
    let (old, new) = (rule(&two.old, series), rule(&two.new, series));
    let (mut all, mut follow): (Vec<(&str, Difference)>, Vec<_>) = (Vec::new(), Vec::new());
    for key in keys(&old, &new) {
        let (was, is) = (find(&old, key), find(&new, key));
        if was.map(|one| &one.value) == is.map(|one| &one.value) {
            continue;
        }
        // What only follows from another key goes with that one.
        let bound = [is, was].into_iter().flatten().find_map(|one| one.clamp.as_ref());
        if let Some(bound) = bound.filter(|_| written(was) == written(is)) {
            follow.push((bound.bound, key));
            continue;
        }
        if METHOD[1..].contains(&key) && all.iter().any(|(first, _)| *first == METHOD[0]) {
            continue;
        }
        let line = of_key(two, series, key, was, is);
        all.push((key, Difference { line, parts: vec![Part::Rule(key.to_owned())] }));
    }
    for (bound, key) in follow {
        if let Some((_, one)) = all.iter_mut().find(|(key, _)| *key == bound) {
            one.parts.push(Part::Rule(key.to_owned()));
        }
    }
    all.into_iter().map(|(_, one)| one).collect()
}

/// The keys of both, in the order of the reference.
fn keys<'e>(old: &'e [Effective], new: &'e [Effective]) -> Vec<&'e str> {
    let mut keys: Vec<&str> = new.iter().map(|one| one.key.as_str()).collect();
    let gone: Vec<&str> = old.iter().map(|one| one.key.as_str()).filter(|key| !keys.contains(key)).collect();
    keys.extend(gone);
    keys
}

fn find<'e>(all: &'e [Effective], key: &str) -> Option<&'e Effective> {
    all.iter().find(|one| one.key == key)
}

fn rule(side: &Side<'_>, series: &Series) -> Vec<Effective> {
    effective(side.plan, side.origins, series)
}

/// What was written, whatever became of it.
fn written(one: Option<&Effective>) -> Option<&str> {
    one.map(|one| one.clamp.as_ref().map_or(one.value.as_str(), |clamp| clamp.written.as_str()))
}

fn of_key(
    two: &Two<'_>,
    series: &Series,
    key: &str,
    was: Option<&Effective>,
    is: Option<&Effective>,
) -> Line {
    let value = |one: Option<&Effective>| one.map_or_else(|| "not set".to_owned(), |one| one.value.clone());
    let mut words = format!("{} {} → {}", code(key), value(was), value(is));
    let mut at = is.map(whence);
    let by = |one: Option<&Effective>| one.and_then(|one| one.by.clone());
    // An override that is about others now has another line to blame: that of its match.
    if let Some(name) = by(was).filter(|name| by(is).as_ref() != Some(name))
        && let Some(place) = matching(&two.new, &two.old, &name, series)
    {
        words.push_str(&format!(", since {} is not about it any more", code(&format!("[override.{name}]"))));
        at = Some(place);
    }
    if let Some(name) = by(is).filter(|name| by(was).as_ref() != Some(name))
        && let Some(place) = matching(&two.old, &two.new, &name, series)
            .and_then(|_| place_of_match(&two.new, &two.old, &name))
    {
        words.push_str(&format!(", since {} is about it now ({place})", code(&format!("[override.{name}]"))));
    }
    Line { words, at, was: was.map(whence) }
}

/// Where an override of one side that is not about a series is written to be about others than on the other side.
fn matching(side: &Side<'_>, other: &Side<'_>, name: &str, series: &Series) -> Option<String> {
    let one = side.plan.overrides.iter().find(|one| one.name == name)?;
    if one.is_about(series) {
        return None;
    }
    place_of_match(side, other, name)
        .or_else(|| side.origins.table(&format!("override.{name}")).map(ToString::to_string))
}

fn place_of_match(side: &Side<'_>, other: &Side<'_>, name: &str) -> Option<String> {
    let table = format!("override.{name}");
    let differs = |key: &&str| {
        key.starts_with("match.") && side.origins.value(&table, key) != other.origins.value(&table, key)
    };
    let places: Vec<String> = side
        .origins
        .keys(&table)
        .filter(differs)
        .filter_map(|key| side.origins.of(&table, key))
        .map(ToString::to_string)
        .collect();
    (!places.is_empty()).then(|| places.join(", "))
}

/// A key of a table as both have it.
fn setting(two: &Two<'_>, table: &str, key: &str) -> Line {
    let value = |side: &Side<'_>| {
        side.origins.value(table, key).map_or_else(|| "its default".to_owned(), str::to_owned)
    };
    let place = |side: &Side<'_>| {
        Some(side.origins.of(table, key).map_or_else(|| "default".to_owned(), ToString::to_string))
    };
    let table = code(&format!("[{table}]"));
    Line {
        words: format!("{} in {table} {} → {}", code(key), value(&two.old), value(&two.new)),
        at: place(&two.new),
        was: place(&two.old),
    }
}

fn of_learning(two: &Two<'_>) -> Vec<Difference> {
    let (old, new) = (&two.old.plan.learning, &two.new.plan.learning);
    let keys = [
        ("history", old.history_days != new.history_days),
        ("min-history", old.min_days != new.min_days),
        ("min-datapoints", old.min_datapoints != new.min_datapoints),
        ("seasonal", old.seasonal != new.seasonal),
        ("never-train", old.never_train != new.never_train),
    ];
    let differing = keys.into_iter().filter(|(_, differs)| *differs);
    differing
        .map(|(key, _)| Difference { line: setting(two, "baseline", key), parts: vec![Part::Learning(key)] })
        .collect()
}

fn of_windows(two: &Two<'_>, series: &Series) -> Vec<Difference> {
    let all = two.old.plan.maintenance.iter().chain(&two.new.plan.maintenance);
    let names: BTreeSet<&str> = all.map(|one| one.name.as_str()).collect();
    let mut differing = Vec::new();
    for name in names {
        let find = |side: &Side<'_>| {
            let labels = side.plan.labels_of(series);
            let named = side.plan.maintenance.iter().find(|one| one.name == name);
            named.filter(|one| one.is_about_series(series, &labels)).map(|one| one.window.clone())
        };
        let (was, is) = (find(&two.old), find(&two.new));
        if was == is {
            continue;
        }
        let table = format!("maintenance.{name}");
        let there = |side: &Side<'_>| side.plan.maintenance.iter().any(|one| one.name == name);
        let what = match (was, is) {
            (None, Some(_)) if there(&two.old) => "is about it now",
            (Some(_), None) if there(&two.new) => "is not about it any more",
            (None, _) => "added",
            (_, None) => "removed",
            _ => "is at other times",
        };
        let place = |side: &Side<'_>| side.origins.table(&table).map(ToString::to_string);
        let words = format!("{} {what}", code(&format!("[{table}]")));
        let line = Line { words, at: place(&two.new), was: place(&two.old) };
        differing.push(Difference { line, parts: vec![Part::Window(name.to_owned())] });
    }
    differing
}

fn of_telling(two: &Two<'_>, series: &Series) -> Vec<Difference> {
    let mut all = Vec::new();
    let labels = |side: &Side<'_>| effective_labels(side.plan, side.origins, series);
    let (was, is) = (labels(&two.old), labels(&two.new));
    let values =
        |all: &[Effective]| all.iter().map(|one| (one.key.clone(), one.value.clone())).collect::<Vec<_>>();
    if values(&was) != values(&is) {
        let shown = |all: &[Effective], others: &[Effective]| {
            let own =
                all.iter().filter(|one| !values(others).contains(&(one.key.clone(), one.value.clone())));
            let (words, places): (Vec<String>, Vec<String>) =
                own.map(|one| (code(&format!("{} = {}", one.key, one.value)), whence(one))).unzip();
            let words = if words.is_empty() { "none".to_owned() } else { words.join(", ") };
            (words, (!places.is_empty()).then(|| places.join(", ")))
        };
        let ((before, was), (after, at)) = (shown(&was, &is), shown(&is, &was));
        let line = Line { words: format!("labels {before} → {after}"), at, was };
        all.push(Difference { line, parts: vec![Part::Labels] });
    }
    let told = |side: &Side<'_>| Told::of_routes(side.plan, side.origins, series, Kind::Page);
    let (was, is) = (told(&two.old), told(&two.new));
    if was.without_places() != is.without_places() {
        let place = |told: &Told| Some(told.origins().join(", ")).filter(|places| !places.is_empty());
        let line = Line {
            words: format!("its pages go to {} instead of {}", is.words(), was.words()),
            at: place(&is),
            was: place(&was),
        };
        all.push(Difference { line, parts: vec![Part::Routes] });
    }
    if two.old.plan.group_by != two.new.plan.group_by {
        all.push(Difference { line: setting(two, "alarm", "group-by"), parts: vec![Part::GroupBy] });
    }
    all
}
