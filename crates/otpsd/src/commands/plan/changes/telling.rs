//! Who is told.

use std::collections::BTreeMap;

use domain::Series;

use super::super::picture::Picture;
use super::super::telling::{Kind, Told};
use super::super::words;
use super::Change;
use crate::figures::counted;

pub(super) fn changes(
    old: &Picture<'_>,
    new: &Picture<'_>,
    common: &[&Series],
    is_known: bool,
) -> Vec<Change> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        let mut told = of_series(old, new, common, kind);
        if kind == Kind::Ticket {
            told.extend(of_sources(old, new));
        }
        if told.is_empty() {
            told.extend(routes(old, new, kind, is_known));
        }
        all.extend(told);
    }
    all
}

fn of_series(old: &Picture<'_>, new: &Picture<'_>, common: &[&Series], kind: Kind) -> Vec<Change> {
    let mut groups: BTreeMap<(Told, Told), Vec<Series>> = BTreeMap::new();
    for series in common {
        let before = Told::of(old.plan, old.origins, series, kind);
        let after = Told::of(new.plan, new.origins, series, kind);
        if before.without_places() != after.without_places() {
            groups.entry((before, after)).or_default().push((*series).clone());
        }
    }
    let change = |((before, after), series): ((Told, Told), Vec<Series>)| Change {
        kind: if kind == Kind::Page { "pages_told" } else { "tickets_told" },
        what: kind.as_str().to_owned(),
        words: format!(
            "{}s of {} go to {} instead of {}",
            kind.as_str(),
            counted(series.len(), "series"),
            after.words(),
            before.words()
        ),
        before: Some(before.words()),
        after: Some(after.words()),
        places: after.origins(),
        former_places: before.origins(),
        series,
    };
    groups.into_iter().map(change).collect()
}

/// Who is told that a source cannot be read, for those sources that both have.
fn of_sources(old: &Picture<'_>, new: &Picture<'_>) -> Vec<Change> {
    let mut groups: BTreeMap<(Told, Told), Vec<&str>> = BTreeMap::new();
    for (after, names) in &new.sources {
        for name in names {
            let before = old.sources.iter().find(|(_, names)| names.contains(name)).map(|(told, _)| told);
            if let Some(before) = before.filter(|before| before.without_places() != after.without_places()) {
                groups.entry((before.clone(), after.clone())).or_default().push(name);
            }
        }
    }
    let change = |((before, after), names): ((Told, Told), Vec<&str>)| Change {
        kind: "source_told",
        what: names.join(", "),
        words: format!(
            "that {} cannot be read goes to {} instead of {}",
            names.join(", "),
            after.words(),
            before.words()
        ),
        before: Some(before.words()),
        after: Some(after.words()),
        places: after.origins(),
        former_places: before.origins(),
        ..Change::default()
    };
    groups.into_iter().map(change).collect()
}

/// Routes that are otherwise though nobody who is known is told otherwise.
fn routes(old: &Picture<'_>, new: &Picture<'_>, kind: Kind, is_known: bool) -> Vec<Change> {
    let all_of = |picture: &Picture<'_>| -> Vec<(String, String)> {
        let place = |index: usize| {
            let table = format!("route.{}.{index}", kind.as_str());
            picture.origins.table(&table).map(ToString::to_string).unwrap_or_default()
        };
        let routes = kind.routes(picture.plan).iter().enumerate();
        routes.map(|(index, route)| (words::route(route), place(index))).collect()
    };
    let (before, after) = (all_of(old), all_of(new));
    let note = if is_known { "; no series that is known is told otherwise" } else { "" };
    let name = kind.as_str();
    let mut all = Vec::new();
    for (route, place) in minus(&after, &before) {
        all.push(Change {
            kind: "route_added",
            what: format!("route.{name}"),
            words: format!("a {name} route added: {route}{note}"),
            after: Some(route),
            places: vec![place],
            ..Change::default()
        });
    }
    for (route, place) in minus(&before, &after) {
        all.push(Change {
            kind: "route_removed",
            what: format!("route.{name}"),
            words: format!("a {name} route removed: {route}{note}"),
            before: Some(route),
            former_places: vec![place],
            ..Change::default()
        });
    }
    let texts = |all: &[(String, String)]| all.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>();
    if all.is_empty() && texts(&before) != texts(&after) {
        all.push(Change {
            kind: "routes_moved",
            what: format!("route.{name}"),
            words: format!("the {name} routes stand in another order{note}"),
            places: after.into_iter().map(|(_, place)| place).take(1).collect(),
            ..Change::default()
        });
    }
    all
}

/// Those that one list has more often than the other, in its order.
fn minus(one: &[(String, String)], other: &[(String, String)]) -> Vec<(String, String)> {
    let mut left: Vec<&str> = other.iter().map(|(text, _)| text.as_str()).collect();
    let mut more = Vec::new();
    for route in one {
        match left.iter().position(|other| *other == route.0) {
            Some(place) => {
                left.swap_remove(place);
            }
            None => more.push(route.clone()),
        }
    }
    more
}
