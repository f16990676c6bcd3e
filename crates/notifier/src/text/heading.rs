//! Who it is about, and where to look further.

use std::collections::BTreeSet;

use domain::{Key, Labels, Series, UNKNOWN_ACCOUNT};

use crate::context::Context;
use crate::cut;
use crate::sheet::Sheet;

/// With a model of this many characters, Region and ratio still stand in the first 150 of a summary.
const MODEL_CHARACTERS: usize = 80;
/// Longer than the name of any Region.
const REGION_CHARACTERS: usize = 24;
/// More of the value of a label is not shown.
const LABEL_CHARACTERS: usize = 200;
/// The label that says what to do.
const RUNBOOK: &str = "runbook";
/// Labels that come before all others.
const FIRST: [&str; 3] = ["alias", "owner", "tier"];

/// Region and model for a line. The model is whole, unless it is a long ARN.
pub(super) fn place(series: &Series) -> String {
    format!("{} {}", region(series.region()), model(series))
}

/// A Region for a line.
pub(super) fn region(region: &str) -> String {
    cut::in_the_middle(&cut::one_line(region), REGION_CHARACTERS, "…")
}

/// A model for a line.
pub(super) fn model(series: &Series) -> String {
    cut::in_the_middle(&cut::one_line(series.model()), MODEL_CHARACTERS, "…")
}

/// An account for a line.
pub(super) fn account(series: &Series) -> String {
    match series.account() {
        UNKNOWN_ACCOUNT => "not known".to_owned(),
        account => cut::one_line(account),
    }
}

/// The first lines of every text: what it says, and that a test is one.
pub(super) fn opening(sheet: &mut Sheet, summary: &str, context: &Context<'_>) {
    if context.test {
        sheet.line("This is a test of otpsd: nothing is slow.");
    }
    sheet.paragraph(summary);
    sheet.gap();
}

/// The series with nothing left out. The model has a line of its own, to be copied.
pub(super) fn series(sheet: &mut Sheet, series: &Series, context: &Context<'_>) {
    let labels = context.plan.labels_of(series);
    sheet.line(&format!("Model:   {}", cut::one_line(series.model())));
    sheet.line(&format!("Account: {}, Region {}", account(series), cut::one_line(series.region())));
    let named = FIRST.into_iter().filter_map(|name| Some((name, labels.get(name)?)));
    let others = labels.iter().map(|(name, value)| (name.as_str(), value));
    let others = others.filter(|(name, _)| !FIRST.contains(name) && *name != RUNBOOK);
    let shown: Vec<String> =
        named.chain(others).map(|(name, value)| format!("{} {}", value_of(name), value_of(value))).collect();
    if !shown.is_empty() {
        sheet.item("Labels:  ", &shown.join(", "));
    }
}

/// The different values of a label, in order.
pub(super) fn values<'a>(
    name: &str,
    series: impl IntoIterator<Item = &'a Series>,
    context: &Context<'_>,
) -> Vec<String> {
    let of = |labels: Labels| labels.get(name).map(|value| value_of(value));
    let all: BTreeSet<String> =
        series.into_iter().filter_map(|series| of(context.plan.labels_of(series))).collect();
    all.into_iter().collect()
}

/// The runbooks of the series, as a step.
pub(super) fn runbook<'a>(
    series: impl IntoIterator<Item = &'a Series>,
    context: &Context<'_>,
) -> Option<String> {
    match &values(RUNBOOK, series, context)[..] {
        [] => None,
        [one] => Some(format!("Follow the runbook: {one}")),
        [first, rest @ ..] => Some(format!("Follow the runbooks: {first} (and {} more)", rest.len())),
    }
}

/// The last lines of every text.
pub(super) fn footer(sheet: &mut Sheet, link: Option<String>, key: &Key) {
    sheet.gap();
    if let Some(link) = link {
        sheet.line(&format!("Chart and figures: {link}"));
    }
    sheet.line(&format!("Key: {key}"));
}

fn value_of(text: &str) -> String {
    cut::in_the_middle(&cut::one_line(text), LABEL_CHARACTERS, "…")
}
