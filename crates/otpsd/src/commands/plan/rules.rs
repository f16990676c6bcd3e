//! What series are judged by, with those that are judged alike together.

use std::collections::BTreeMap;

use config::{Effective, Origins};
use domain::{Plan, Series};

/// What some series are judged by, and the labels that they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judged {
    /// Every key of the rule that has a value.
    pub(crate) rule: Vec<Effective>,
    pub(crate) labels: Vec<Effective>,
}

impl Judged {
    pub(crate) fn of(plan: &Plan, origins: &Origins, series: &Series) -> Self {
        Self {
            rule: config::effective(plan, origins, series),
            labels: config::effective_labels(plan, origins, series),
        }
    }

    /// What is not as the defaults have it: written somewhere, or made to fit what is.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Effective> {
        self.rule.iter().filter(|one| one.origin.is_some() || one.clamp.is_some())
    }
}

/// Series that are judged alike.
#[derive(Debug)]
pub(crate) struct Alike {
    pub(crate) judged: Judged,
    /// In their order, at least one.
    pub(crate) series: Vec<Series>,
}

/// The series by what they are judged by: the largest group first, and of two that are as large the one with the first series.
pub(crate) fn alike<'s>(
    plan: &Plan,
    origins: &Origins,
    series: impl Iterator<Item = &'s Series>,
) -> Vec<Alike> {
    let mut groups: BTreeMap<String, Alike> = BTreeMap::new();
    for one in series {
        let judged = Judged::of(plan, origins, one);
        // Two that are equal read the same.
        let group = groups.entry(format!("{judged:?}"));
        group.or_insert_with(|| Alike { judged, series: Vec::new() }).series.push(one.clone());
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by(|one, other| {
        other.series.len().cmp(&one.series.len()).then_with(|| one.series.cmp(&other.series))
    });
    groups
}

/// Where a value comes from: its line and the override that sets it, or the default.
pub(crate) fn whence(one: &Effective) -> String {
    let origin = one.origin.as_ref().map_or_else(|| "default".to_owned(), ToString::to_string);
    let by = one.by.as_ref().map(|name| format!(", [override.{name}]")).unwrap_or_default();
    let clamp = one.clamp.as_ref().map(|clamp| format!("; {clamp}")).unwrap_or_default();
    format!("{origin}{by}{clamp}")
}
