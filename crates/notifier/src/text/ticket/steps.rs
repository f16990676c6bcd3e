//! What to do, in the order in which it helps.

use domain::{Cause, Ticket};

use crate::cut;
use crate::figures::{count, share};
use crate::moments::day;

/// Bedrock's own number starts later than the user's wait.
const BEFORE_FIRST_TOKEN: &str = "Look at your retrieval and at the network apart from this: Bedrock counts from when it \
                                  receives the request, so users wait longer than this number. Reuse connections, and \
                                  call a Region that is near.";

/// The steps of a ticket that stands.
pub(super) fn steps(ticket: &Ticket) -> Vec<String> {
    let opened = day(ticket.opened.end());
    let steps: Vec<&str> = match ticket.cause {
        Cause::PromptGrowth => vec![
            "Audit what accumulated in the prompt (retrieved chunks, few-shot examples, instruction bloat) before you \
             touch quotas or Regions.",
            "Trim: a system prompt that grew, retrieved context that the answer never uses. An input token that is \
             gone is not read.",
            "Cache the prefix: the stable part of the prompt first, the varying part last.",
            "Only then look at quotas, Regions, or latency-optimized inference where the model has it; see in the \
             response what was really served.",
            BEFORE_FIRST_TOKEN,
        ],
        Cause::CacheRegression => vec![
            "Find what changed in the first part of the prompt. The cache serves only an unchanged prefix: a date, an \
             id or another order at its start is enough to lose it.",
            "Put the stable part first and the varying part last, and see that cache points are still set.",
            "Compare the time between calls with the lifetime of a cache entry: sparse calls find it gone.",
            "Only then look at quotas and Regions.",
        ],
        Cause::Queueing => vec![
            "Look at quota headroom: InvocationThrottles, and tokens a minute against the quota.",
            "Look at concurrency: a burst of parallel calls waits for itself. Spread it, and back off on throttles.",
            "Cache the stable prefix of the prompt, so that less is read before the first token.",
            "Compare with another Region or model. A cross-Region profile may already do so for you.",
            BEFORE_FIRST_TOKEN,
        ],
        Cause::LongerResponses => vec![
            "Find what made responses longer: a prompt that changed, or a model update.",
            "Decide whether the longer responses are wanted. If they are, review their cost and stream them.",
            "If not: cap the output, ask for brevity, and lower the temperature; high ones make responses longer and \
             more varied.",
        ],
        Cause::SlowTail => vec![
            "Look at the p95 beside the p50 on the chart: since when do they part?",
            "Find what the slow requests have in common: one caller, one prompt, one kind of response.",
            "If they have nothing in common, tell AWS Support: some hosts may be slow.",
        ],
        Cause::StreamingMix => vec![
            "Find the caller that turned streaming on or off.",
            "If it is meant to be so, wait: the new share is learned.",
            "If users wait for these responses, stream them.",
        ],
        Cause::DecodeErosion => vec![
            "Compare responses with those of the reference days: did the kind of work change?",
            "Ask AWS Support whether the model, its hosts or the service tier changed.",
            "Compare with another Region, a newer model, or latency-optimized inference where the model has it.",
        ],
        Cause::LevelShift => vec![
            "Ask AWS Support whether the slower level is meant to last.",
            "Decide whether callers can live with it. If not, move them to another Region or model.",
            "Cap the output length meanwhile: a token that is not written is not waited for.",
        ],
        Cause::NoData
        | Cause::SourceFailing
        | Cause::ModelMissing
        | Cause::SeriesLimit
        | Cause::CostLimit => vec![
            "Ask the callers whether they have stopped, and whether they meant to.",
            "Look for the same traffic under another model, inference profile or Region, or behind an endpoint whose \
             metrics are not in AWS/Bedrock.",
            "If it is gone for good, add the model to `ignore` of its source.",
        ],
        Cause::LowConfidence => vec![
            "See on the status page which reason the periods are missing for.",
            "If requests are too few, let a period look back further (`widest-window`), or ask for fewer of them \
             (`min-samples`) and accept more noise.",
            "Set an absolute floor (`page-below-otps`): it needs no baseline.",
        ],
    };
    let mut steps: Vec<String> = steps.into_iter().map(str::to_owned).collect();
    if let (Cause::PromptGrowth | Cause::LongerResponses, Some(first)) = (ticket.cause, steps.first_mut()) {
        first.push_str(&format!(" What was released before {opened}?"));
    }
    if ticket.cause == Cause::LevelShift {
        let series = cut::one_line(&ticket.series.to_string());
        steps.push(format!("If it is the new normal, say so: otpsd baseline accept {series} --why \"...\""));
    }
    if let (Cause::Queueing, Some(first)) = (ticket.cause, steps.first_mut()) {
        if let Some(throttles) = ticket.now.throttle_share {
            first.push_str(&format!(" Throttled now: {} of requests.", share(throttles)));
        }
        if let Some(tokens) = ticket.now.quota_tokens {
            first.push_str(&format!(
                " Used now: about {} tokens a minute, by CloudWatch's estimate.",
                count(tokens)
            ));
        }
    }
    steps
}
