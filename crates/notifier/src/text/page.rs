//! The text of a page.
//!
//! # Layout
//!
//! - `one`: about one series.
//! - `several`: about several series of a group.
//! - `steps`: what to do now.

mod one;
mod several;
mod steps;

use domain::{Check, Evidence, GroupPage, Page, Rule, Subject};
use jiff::Timestamp;

use super::{DO_NOW, fell_back, findings, heading};
use crate::context::Context;
use crate::cut;
use crate::figures::otps;
use crate::gathered::by_traffic;
use crate::moments::{clock_beside, day_and_clock};
use crate::sheet::Sheet;

/// A page that is told later than this after its verdict was held back by something.
const PROMPT_SECONDS: i64 = 15 * 60;

/// One line: Region, model and ratio within its first 150 characters.
///
/// `us-east-1 example.large-v1:0 decodes 34 % slower: 41.0 of 62.0 tok/s (0.66)`, or
/// `us-east-1 decodes 34 % slower (0.66): example.large-v1:0 and 2 more models, 4 of 22 judged series`
#[must_use]
pub fn summary(page: &GroupPage, context: &Context<'_>) -> String {
    context.marked(match &by_traffic(page)[..] {
        [] => format!("{} decodes more slowly than usual", heading::region(page.state.group.as_str())),
        [page] => of_series(page, &context.rule_of(page.drop().series())),
        pages => several::summary(&page.state.group, pages, context),
    })
}

/// One line about one incident, whatever page it belongs to.
#[must_use]
pub fn of_series(page: &Page, rule: &Rule) -> String {
    one::summary(page, rule)
}

/// The whole text.
#[must_use]
pub fn text(page: &GroupPage, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &summary(page, context), context);
    match &by_traffic(page)[..] {
        [] => {}
        [page] => one::body(&mut sheet, page, context),
        pages => several::body(&mut sheet, pages, context),
    }
    sheet.list(DO_NOW, &steps(page, context));
    if page.pages.iter().all(|each| each.drop().series().to_string() != page.state.group.as_str()) {
        sheet.gap();
        sheet.paragraph(&format!(
            "What else falls in {} while this is open joins it, and nobody is told again before all of it is back.",
            cut::one_line(page.state.group.as_str())
        ));
    }
    heading::footer(&mut sheet, link(page, context), &page.state.key);
    sheet.finish()
}

/// What to do now, in the order in which it helps.
pub(crate) fn steps(page: &GroupPage, context: &Context<'_>) -> Vec<String> {
    steps::steps(&by_traffic(page), context)
}

/// Where the chart is: of one series its own page.
pub(crate) fn link(page: &GroupPage, context: &Context<'_>) -> Option<String> {
    match &page.pages[..] {
        [page] => context.link_to(page.drop().series()),
        _ => context.link_to_page(&page.state.key),
    }
}

/// What it means that OTPS fell, in the light of what else moved.
fn meaning(evidence: &Evidence, checked: &[domain::Finding], context: &Context<'_>) -> String {
    let what = "The model host makes output tokens more slowly (OTPS, output tokens per second, fell).";
    let why = if evidence.line.is_none() {
        "An absolute floor decided (`page-below-otps`), not a learned baseline."
    } else if fell_back::any(context) {
        "Requests that are usually latency-optimized came here and are served with Standard latency, see below: look at that first."
    } else if findings::any_moved(checked) {
        "That is a change on the side of the service, unless what moved too, below, explains it."
    } else if findings::check(checked, Subject::ResponseLength) == Check::RuledOut {
        "That is a change on the side of the service: the responses did not change."
    } else {
        "That points to the side of the service, but whether the responses changed was not checked."
    };
    format!("{what} {why}")
}

/// Whose history it was judged by, where that is not its own.
fn learned_from(evidence: &Evidence) -> Option<String> {
    let model = cut::in_the_middle(&cut::one_line(evidence.learned_from.as_deref()?), 100, "…");
    Some(format!(
        "The model is new and has no history of its own yet: its baseline is that of {model} (`learn-from`)."
    ))
}

/// `Below 0.80 of its baseline`
fn line(evidence: &Evidence, rule: &Rule, whose: &str) -> String {
    match (evidence.line, rule.page_below_otps) {
        (Some(line), _) => format!("Below {line:.2} of {whose} baseline"),
        (None, Some(floor)) => format!("Below the floor of {} tok/s", otps(floor)),
        (None, None) => "Breaching".to_owned(),
    }
}

/// `Judged 06:17Z.`, or why it is told only now.
fn judged(decided: Timestamp, since: Timestamp, now: Timestamp) -> String {
    if now.as_second().saturating_sub(decided.as_second()) > PROMPT_SECONDS {
        format!(
            "Decided by the period until {}, with the figures below, and told only now, {}: it was muted, or could not be told.",
            clock_beside(decided, since),
            clock_beside(now, since)
        )
    } else {
        format!("Judged {}.", clock_beside(now, since))
    }
}

/// `Since Thu 3 Dec 05:55Z.`
fn since(onset: Timestamp) -> String {
    format!("Since {}.", day_and_clock(onset))
}
