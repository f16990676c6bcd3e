//! What to do now, in the order in which it helps.

use domain::{Check, Page, Subject};

use super::super::{around, fell_back, findings, heading};
use crate::context::Context;
use crate::figures::ratio;
use crate::moments::clock;

/// The steps of a page about these series.
pub(super) fn steps(pages: &[&Page], context: &Context<'_>) -> Vec<String> {
    let checked: Vec<domain::Finding> =
        findings::across(pages).into_iter().map(|across| across.finding).collect();
    let mut steps: Vec<String> =
        heading::runbook(pages.iter().map(|page| page.drop().series()), context).into_iter().collect();
    if fell_back::any(context) {
        steps.push(fell_back::STEP.to_owned());
    }
    steps.push(elsewhere(context));
    steps.push(
        "Escalate to AWS Support with this text: account, Region, model, times and figures are in it."
            .to_owned(),
    );
    steps.push(release(pages, &checked));
    if findings::check(&checked, Subject::ServiceTier) == Check::Moved {
        steps.push(
            "Another share of requests was served by the priority tier, which is up to 25 % faster: look at who asks for which tier. \
             The tier that served a request is in its response and in CloudTrail."
                .to_owned(),
        );
    }
    if findings::check(&checked, Subject::Throttles) == Check::Moved {
        steps.push("Throttles rose as well: back off, spread bursts, and look at quota headroom.".to_owned());
    }
    steps.push(
        "If it lasts, cap the output length or take a faster model: a token that is not written is not waited for."
            .to_owned(),
    );
    steps
}

/// Where to move to.
fn elsewhere(context: &Context<'_>) -> String {
    const SAME_HOSTS: &str = "A cross-Region profile (us., eu., global.) may still reach the same hosts: look at its OTPS \
                              again after 10 minutes.";
    match around::healthiest(context.surroundings) {
        Some(region) => format!(
            "Move interactive callers to {}: {} series are judged there, none is slow, the lowest is at {}. {SAME_HOSTS}",
            heading::region(&region.region),
            region.series,
            ratio(region.worst, None)
        ),
        None => format!(
            "Move interactive callers to another Region or model that you have ready; no Region that is \
             judged here is known to be well. {SAME_HOSTS}"
        ),
    }
}

/// Whether to look at one's own changes.
fn release(pages: &[&Page], checked: &[domain::Finding]) -> String {
    let onset = pages.iter().map(|page| page.incident().onset).min().map(|onset| clock(onset.start()));
    let onset = onset.unwrap_or_else(|| "then".to_owned());
    let ours =
        [Subject::PromptLength, Subject::ResponseLength].map(|subject| findings::check(checked, subject));
    if ours.contains(&Check::Moved) {
        format!("Look at what you released around {onset}: prompts or responses moved too.")
    } else if ours.contains(&Check::NotChecked) {
        format!(
            "Look at what you released around {onset}: not all of prompts and responses was checked, so your own side \
             is not ruled out."
        )
    } else {
        "Leave prompts and deploys alone: neither prompts nor responses moved.".to_owned()
    }
}
