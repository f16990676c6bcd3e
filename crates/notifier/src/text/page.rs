//! The text of a page.

use domain::{Check, Estimator, GroupPage, Page, Rule, Slot, Subject, Verdict};

use super::{findings, heading, identity, slots, sureness};
use crate::context::Context;
use crate::deciding::newest_breach;
use crate::figures::{otps, percent_slower, ratio};
use crate::moments::{clock, clock_beside, day_and_clock};
use crate::sheet::Sheet;

/// One line: Region, model and ratio within its first 150 characters.
///
/// `us-east-1 example.large-v1:0 decodes 34 % slower: 41.0 of 62.0 tok/s (0.66)`
#[must_use]
pub fn summary(page: &GroupPage, context: &Context<'_>) -> String {
    page.pages.first().map_or_else(String::new, |page| of_series(page, context.rule()))
}

/// The same of one series.
#[must_use]
pub fn of_series(page: &Page, rule: &Rule) -> String {
    let place = heading::place(page.drop().series());
    let Some(slot) = newest_breach(page.evidence()) else {
        return format!("{place} decodes more slowly than usual");
    };
    format!("{place} {}", fell(slot, page.evidence().line, rule))
}

/// The whole text.
#[must_use]
pub fn text(page: &Page, context: &Context<'_>) -> String {
    let evidence = page.evidence();
    let slot = newest_breach(evidence);
    let mut sheet = Sheet::default();
    sheet.paragraph(&of_series(page, context.rule()));
    sheet.gap();
    sheet.paragraph(&meaning(page));
    sheet.paragraph(&since(page, context));
    sheet.gap();
    heading::series(&mut sheet, page.drop().series());
    sheet.gap();
    slots::judged(&mut sheet, &evidence.slots, evidence.line, context.rule());
    identity::identity(&mut sheet, "usual", &evidence.usual, &evidence.now);
    if let Some(slot) = slot {
        sureness::sureness(&mut sheet, evidence, slot, context.rule());
    }
    findings::all(&mut sheet, &evidence.findings);
    sheet.list("Do now", &steps(page));
    heading::footer(&mut sheet, &page.incident().key, context);
    sheet.finish()
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
            percent_slower(share),
            otps(baseline),
            ratio(share)
        ),
        (_, _, share) => {
            let floor = rule.page_below_otps.map(|floor| format!(" of {}", otps(floor))).unwrap_or_default();
            let share = share.map_or_else(
                || "no baseline yet".to_owned(),
                |share| format!("{} of its baseline", ratio(share)),
            );
            format!("decodes at {value} {unit}, below the floor{floor} ({share})")
        }
    }
}

fn meaning(page: &Page) -> String {
    let evidence = page.evidence();
    let what = "The model host makes output tokens more slowly (OTPS, output tokens per second, fell).";
    let why = if evidence.line.is_none() {
        "An absolute floor decided (`page-below-otps`), not a learned baseline."
    } else if findings::any_moved(&evidence.findings) {
        "That is a change on the side of the service, unless what moved too, below, explains it."
    } else if findings::check(&evidence.findings, Subject::ResponseLength) == Check::RuledOut {
        "That is a change on the side of the service: the responses did not change."
    } else {
        "That points to the side of the service, but whether the responses changed was not checked."
    };
    format!("{what} {why}")
}

fn since(page: &Page, context: &Context<'_>) -> String {
    let (evidence, rule, incident) = (page.evidence(), context.rule(), page.incident());
    let line = match (evidence.line, rule.page_below_otps) {
        (Some(line), _) => format!("Below {line:.2} of its baseline"),
        (None, Some(floor)) => format!("Below the floor of {} tok/s", otps(floor)),
        (None, None) => "Breaching".to_owned(),
    };
    let breaching = evidence.slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).count();
    format!(
        "Since {}. {line} in {breaching} of the last {} periods, {} are enough. Judged {}.",
        day_and_clock(incident.onset.start()),
        rule.evaluation_periods,
        rule.datapoints_to_alarm,
        clock_beside(context.now, incident.onset.start()),
    )
}

fn steps(page: &Page) -> Vec<String> {
    let findings = &page.evidence().findings;
    let onset = clock(page.incident().onset.start());
    let ours =
        [Subject::PromptLength, Subject::ResponseLength].map(|subject| findings::check(findings, subject));
    let release = if ours.contains(&Check::Moved) {
        format!("Look at what you released around {onset}: prompts or responses moved too.")
    } else if ours.contains(&Check::NotChecked) {
        format!(
            "Look at what you released around {onset}: not all of prompts and responses was checked, so your own side \
             is not ruled out."
        )
    } else {
        "Leave prompts and deploys alone: neither prompts nor responses moved.".to_owned()
    };
    let mut steps = vec![
        format!(
            "Move interactive callers to another Region or model that you have ready. A cross-Region profile (us., \
             eu., global.) may still reach the same hosts: look at its OTPS again after 10 minutes."
        ),
        "Escalate to AWS Support with this text: account, Region, model, times and figures are in it."
            .to_owned(),
        release,
    ];
    if findings::check(findings, Subject::Throttles) == Check::Moved {
        steps.push("Throttles rose as well: back off, spread bursts, and look at quota headroom.".to_owned());
    }
    steps.push(
        "If it lasts, cap the output length or take a faster model: a token that is not written is not waited for."
            .to_owned(),
    );
    steps
}
