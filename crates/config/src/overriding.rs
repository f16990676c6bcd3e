//! `[override.NAME]`: labels of the series that match it, and what they are judged by instead.
//!
//! # Layout
//!
//! - `whose`: which series it is about.
//! - `sibling`: the model that a new one learns from.
//! - `twice`: two overrides that set one thing.

mod sibling;
mod twice;
mod whose;

use domain::{Labelling, Matcher, Mode, Override, Rule, RulePatch};

use crate::labels::{self, Label};
use crate::reach::Reach;
use crate::report::{At, Report};
use crate::table::{Node, Table};
use crate::tree::Named;
use crate::{alarm, schema, source};

pub(crate) use twice::is_one_part;

/// What overrides say together.
#[derive(Debug)]
pub(crate) struct Read {
    /// All labels that they give.
    pub(crate) labels: Vec<Label>,
    pub(crate) labellings: Vec<Labelling>,
    pub(crate) overrides: Vec<Override>,
    /// Whether one of them pages where `[alarm]` may only observe.
    pub(crate) pages: bool,
}

/// What overrides are read against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'s, 'd> {
    /// The sources that there are; `None` when that is not known.
    pub(crate) sources: Option<&'s [source::Known<'s>]>,
    /// What they reach; `None` when that is not known, or does not matter.
    pub(crate) reach: Option<Reach<'s>>,
    /// `[alarm]`, as it is written and as it was read.
    pub(crate) alarm: &'s [Node<'d>],
    pub(crate) rule: Option<&'s Rule>,
}

/// An override that was read, but for its rule, which depends on the others.
#[derive(Debug)]
struct One<'d> {
    named: Named<'d>,
    matcher: Matcher,
    source: Option<String>,
    labels: Vec<Label>,
    learn_from: Option<String>,
    /// The keys that it has and that only one override may set for a series, and where.
    keys: Vec<(&'static str, At)>,
}

/// Reads all of them, in the order of the files; `None` when one cannot be used.
pub(crate) fn read<'d>(
    report: &mut Report<'_>,
    overrides: &[Named<'d>],
    surroundings: &Surroundings<'_, 'd>,
) -> Option<Read> {
    let mut ordered: Vec<_> = overrides.to_vec();
    ordered.sort_by_key(|one| one.node.key_at);
    let read: Vec<_> = ordered.into_iter().map(|one| self::one(report, one, surroundings)).collect();
    let all: Vec<&One<'_>> = read.iter().flatten().collect();
    twice::labels_once(report, &all);
    twice::keys_once(report, &all);
    let patches: Vec<_> = all.iter().map(|one| patch(report, one, &all, surroundings)).collect();
    if read.iter().any(Option::is_none) || surroundings.rule.is_none() {
        return None;
    }
    let mut found = Read { labels: Vec::new(), labellings: Vec::new(), overrides: Vec::new(), pages: false };
    for (one, patch) in read.into_iter().flatten().zip(patches) {
        let name = one.named.name.to_owned();
        if !one.labels.is_empty() {
            found.labellings.push(Labelling {
                name: name.clone(),
                matcher: one.matcher.clone(),
                labels: one.labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect(),
            });
            found.labels.extend(one.labels);
        }
        if let Some(patch) = patch? {
            found.pages |= patch.mode == Some(Mode::Page);
            found.overrides.push(Override { name, matcher: one.matcher, source: one.source, patch });
        }
    }
    Some(found)
}

fn one<'d>(
    report: &mut Report<'_>,
    named: Named<'d>,
    surroundings: &Surroundings<'_, 'd>,
) -> Option<One<'d>> {
    let mut table = named.open(report, &schema::OVERRIDE);
    let labels = labels::given(&mut table);
    let whose = whose::read(&mut table, surroundings.sources, surroundings.reach);
    let learn_from =
        sibling::read(&mut table, whose.as_ref().map(|whose| &whose.matcher), surroundings.reach);
    let sets_once = schema::OVERRIDE.keys.iter().filter(|key| !["match", "labels"].contains(key));
    let keys: Vec<_> = sets_once.filter_map(|key| Some((*key, table.get(key)?.key_at))).collect();
    if labels.as_ref().is_some_and(Vec::is_empty) {
        if let Some(node) = table.get("labels") {
            let draft = table.report.error(node.at, "`labels` must hold at least one label");
            draft.hint("write `labels = { owner = \"team-a\" }`");
            return None;
        }
        if keys.is_empty() {
            // A key that it does not know may be what it was to set.
            let known = |key: &str| schema::OVERRIDE.keys.contains(&key);
            let entries = named.node.value.as_table();
            if entries.is_some_and(|entries| entries.keys().any(|key| !known(key.get_ref()))) {
                return None;
            }
            let message = format!("`{}` sets nothing", named.title());
            let draft = table.report.error(named.node.at, message);
            draft.hint("add `labels = { owner = \"team-a\" }`, or keys of `[alarm]`");
            return None;
        }
    }
    let (labels, whose, learn_from) = (labels?, whose?, learn_from?);
    Some(One { named, matcher: whose.matcher, source: whose.source, labels, learn_from, keys })
}

/// What it sets, read with what holds beside it: the keys of overrides that are surely about the same series, and of `[alarm]`.
/// So what does not go together is told, wherever its parts stand. `Some(None)` when it sets nothing but labels.
fn patch<'d>(
    report: &mut Report<'_>,
    one: &One<'d>,
    all: &[&One<'d>],
    surroundings: &Surroundings<'_, 'd>,
) -> Option<Option<RulePatch>> {
    if one.keys.is_empty() {
        return Some(None);
    }
    let wider = all
        .iter()
        .filter(|other| other.named.node.key_at != one.named.node.key_at && twice::is_covered(one, other))
        .map(|other| other.named.node);
    let beside = wider.chain(surroundings.alarm.iter().copied());
    let table = Table::open(report, &schema::OVERRIDE, one.named.title(), &[one.named.node]).over(beside);
    let patch = alarm::patch(table, surroundings.rule)?;
    Some(Some(RulePatch { learn_from: one.learn_from.clone(), ..patch }))
}
