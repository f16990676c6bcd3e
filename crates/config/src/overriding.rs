//! `[override.NAME]`: labels of the series that match it.

use domain::{Labelling, Matcher};

use crate::labels::{self, Label};
use crate::matching;
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::schema;
use crate::table::Table;
use crate::tree::Named;
use crate::value::glob;

const MATCH: &str = "{ model = \"*claude*\" }";

/// An override that was read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) labels: Vec<Label>,
    pub(crate) plan: Labelling,
}

/// Reads all of them, in the order of the files; `None` when one cannot be used.
pub(crate) fn read(report: &mut Report<'_>, overrides: &[Named<'_>]) -> Option<Vec<Read>> {
    let mut ordered: Vec<_> = overrides.iter().collect();
    ordered.sort_by_key(|one| one.node.key_at);
    let read: Vec<_> = ordered.into_iter().map(|one| self::one(report, one)).collect();
    set_once(report, &read.iter().flatten().collect::<Vec<_>>());
    read.into_iter().collect()
}

fn one(report: &mut Report<'_>, one: &Named<'_>) -> Option<Read> {
    let mut table = one.open(report, &schema::OVERRIDE);
    let labels = labels::given(&mut table);
    let matcher = matcher(&mut table);
    if labels.as_ref().is_some_and(Vec::is_empty) {
        match table.get("labels") {
            Some(node) => {
                let draft = table.report.error(node.at, "`labels` must hold at least one label");
                draft.hint("write `labels = { owner = \"team-a\" }`");
            }
            None => table.lacks("labels", "{ owner = \"team-a\" }"),
        }
        return None;
    }
    let labels = labels?;
    let plan = Labelling {
        name: one.name.to_owned(),
        matcher: matcher?,
        labels: labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect(),
    };
    Some(Read { labels, plan })
}

fn matcher(table: &mut Table<'_, '_, '_>) -> Option<Matcher> {
    let Some(node) = table.get("match") else {
        table.lacks("match", MATCH);
        return None;
    };
    let mut inner = Table::open(table.report, &schema::MATCH, "match", &[node]);
    if !inner.is_table() {
        return None;
    }
    let models = inner.one_or_more("model", "\"*claude*\"", glob("model"));
    let accounts = inner.one_or_more("account", "\"111122223333\"", matching::account);
    let regions = inner.one_or_more("region", "\"us-east-1\"", glob("Region"));
    if [&models.at, &accounts.at, &regions.at].into_iter().all(Option::is_none) {
        if !inner.is_misspelt() {
            let draft = table.report.error(node.at, "`match` must hold at least one of its keys");
            draft.hint(format!("write `match = {MATCH}`, with \"*\" for everything"));
        }
        return None;
    }
    let plain = |list: Option<Vec<(String, At)>>| -> Vec<String> {
        let mut globs: Vec<_> = list.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect();
        globs.sort();
        globs.dedup();
        globs
    };
    Some(Matcher {
        models: plain(models.value?),
        accounts: plain(accounts.value?),
        regions: plain(regions.value?),
        ..Matcher::default()
    })
}

/// Of two overrides that match the same, each label is set by one: nobody could tell which value was meant.
fn set_once(report: &mut Report<'_>, all: &[&Read]) {
    for (index, later) in all.iter().enumerate() {
        for label in &later.labels {
            let same = all.iter().take(index).filter(|first| first.plan.matcher == later.plan.matcher);
            let mut first = same.flat_map(|first| &first.labels).filter(|first| first.key == label.key);
            if let Some(first) = first.next() {
                let message = format!("the label {} is set twice for the same `match`", quoted(&label.key));
                report.error(label.key_at, message).see(first.key_at, "it is set here already");
            }
        }
    }
}
