//! A page about one series.

use domain::{Estimator, Page, Rule, Slot, Verdict};

use super::super::{around, fell_back, findings, heading, identity, slots, sureness};
use super::{judged, learned_from, line, meaning, since};
use crate::context::Context;
use crate::deciding::newest_breach;
use crate::figures::{otps, percent_slower, ratio};
use crate::sheet::Sheet;

/// `us-east-1 example.large-v1:0 decodes 34 % slower: 41.0 of 62.0 tok/s (0.66)`
pub(super) fn summary(page: &Page, rule: &Rule) -> String {
    let place = heading::place(page.drop().series());
    let Some(slot) = newest_breach(page.evidence()) else {
        return format!("{place} decodes more slowly than usual");
    };
    format!("{place} {}", fell(slot, page.evidence().line, rule))
}

/// Everything between the first line and the steps.
pub(super) fn body(sheet: &mut Sheet, page: &Page, context: &Context<'_>) {
    let (evidence, series) = (page.evidence(), page.drop().series());
    sheet.paragraph(&meaning(evidence, &evidence.findings, context));
    sheet.paragraph(&when(page, context));
    if let Some(whose) = learned_from(evidence) {
        sheet.paragraph(&whose);
    }
    sheet.gap();
    heading::series(sheet, series, context);
    sheet.gap();
    let rule = context.rule_of(series);
    slots::judged(sheet, &evidence.slots, evidence.line, &rule);
    identity::identity(sheet, "usual", &evidence.usual, &evidence.now);
    if let Some(slot) = newest_breach(evidence) {
        sureness::sureness(sheet, evidence, slot, &rule);
    }
    findings::all(sheet, &evidence.findings);
    fell_back::told(sheet, context);
    sheet.gap();
    around::unseen(sheet, series.region(), context.surroundings, context.now);
    around::elsewhere(sheet, context.surroundings);
}

/// `decodes 34 % slower: 41.0 of 62.0 tok/s (0.66)`
fn fell(slot: &Slot, line: Option<f64>, rule: &Rule) -> String {
    let value = slot.value().map_or_else(|| "an unknown number of".to_owned(), otps);
    let unit = match slot.estimator {
        Estimator::P50 => "tok/s",
        Estimator::TokenWeighted => "tok/s token-weighted",
    };
    match (line, slot.baseline, slot.ratio()) {
        (Some(_), Some(baseline), Some(share)) => format!(
            "decodes {} % slower: {value} of {} {unit} ({})",
            percent_slower(share, line),
            otps(baseline),
            ratio(share, line)
        ),
        (_, _, share) => {
            let floor = rule.page_below_otps.map(|floor| format!(" of {}", otps(floor))).unwrap_or_default();
            let share = share.map_or_else(
                || "no baseline yet".to_owned(),
                |share| format!("{} of its baseline", ratio(share, line)),
            );
            format!("decodes at {value} {unit}, below the floor{floor} ({share})")
        }
    }
}

fn when(page: &Page, context: &Context<'_>) -> String {
    let (evidence, incident) = (page.evidence(), page.incident());
    let onset = incident.onset.start();
    let breaching = evidence.slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).count();
    let (enough, of) = evidence.m_of_n;
    format!(
        "{} {} in {breaching} of the last {of} periods, {enough} are enough. {}",
        since(onset),
        line(evidence, &context.rule_of(page.drop().series()), "its"),
        judged(incident.opened.end(), onset, context.now),
    )
}
