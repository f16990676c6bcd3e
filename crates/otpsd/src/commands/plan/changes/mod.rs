//! What is otherwise than with another configuration, for the same series.
//!
//! # Layout
//!
//! - `fleet`: sources, Regions and series that come and go.
//! - `rules`: what series are judged by, and their labels.
//! - `telling`: who is told.
//! - `settings`: everything else, key by key.

mod fleet;
mod rules;
mod settings;
mod telling;

use domain::Series;

use super::cost::Total;
use super::picture::Picture;

/// One thing that is otherwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Change {
    /// As JSON writes it.
    pub(crate) kind: &'static str,
    /// What it is about: a key, a table, a source.
    pub(crate) what: String,
    /// What was and what is, as it is written, or in words; `None` for what was not, or is not any more.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// The whole in words.
    pub(crate) words: String,
    /// Where that is written: as it is, and as it was.
    pub(crate) places: Vec<String>,
    pub(crate) former_places: Vec<String>,
    /// Whom it concerns, in their order.
    pub(crate) series: Vec<Series>,
}

/// Everything that is otherwise.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Series that are watched now, and were not.
    pub(crate) added: Vec<Series>,
    /// Series that are not watched any more.
    pub(crate) removed: Vec<Series>,
    /// Who is not watched any more comes first, then what is judged otherwise, who is new, who is told, and the rest.
    pub(crate) all: Vec<Change>,
    pub(crate) before: Total,
    pub(crate) after: Total,
}

impl Changes {
    pub(crate) fn between(old: &Picture<'_>, new: &Picture<'_>, is_known: bool) -> Self {
        let common: Vec<&Series> = both(old, new);
        let minus = |one: &Picture<'_>, other: &Picture<'_>| -> Vec<Series> {
            one.series().filter(|series| !other.watches(series)).cloned().collect()
        };
        let (added, removed) = (minus(new, old), minus(old, new));
        let mut all = rules::changes(old, new, &common, is_known);
        all.extend(fleet::changes(old, new, &added, &removed, is_known));
        all.extend(telling::changes(old, new, &common, is_known));
        all.extend(settings::changes(old, new));
        // Whoever is not watched any more can be told of by nobody.
        all.sort_by_key(|change| {
            !["source_removed", "region_removed", "series_removed"].contains(&change.kind)
        });
        Self { added, removed, all, before: old.total(), after: new.total() }
    }
    /// Whether anything costs something, before or now.
    pub(crate) fn is_priced(&self) -> bool {
        self.before.series + self.after.series > 0
    }

    /// The difference in US dollars a month.
    pub(crate) fn usd(&self) -> f64 {
        self.after.month.usd() - self.before.month.usd()
    }

    /// Series that are judged otherwise, and whose people are others.
    pub(crate) fn concerned(&self, kind: &str) -> usize {
        let mut series: Vec<_> =
            self.all.iter().filter(|change| change.kind == kind).flat_map(|change| &change.series).collect();
        series.sort();
        series.dedup();
        series.len()
    }
}

fn both<'f>(old: &Picture<'f>, new: &Picture<'f>) -> Vec<&'f Series> {
    new.series().filter(|series| old.watches(series)).collect()
}

/// What one way of writing has, or that there is none.
fn or_nothing(value: Option<&str>) -> String {
    value.map_or_else(|| "not set".to_owned(), crate::markdown::code)
}
