//! What it means, and when it ends.

use domain::{Cause, Terms, Ticket};

use super::headline::speed;
use crate::context::Context;
use crate::figures::{count, known, otps, seconds, share, signed_seconds};

/// A paragraph for somebody who has not seen this ticket before.
pub(super) fn meaning(ticket: &Ticket) -> String {
    let (usual, now) = (&ticket.usual, &ticket.now);
    match ticket.cause {
        Cause::PromptGrowth => format!(
            "{}{} The time goes into reading a longer prompt (prefill), not into decoding.{}",
            wait(usual, now),
            held(usual, now),
            per_token(usual, now)
        ),
        Cause::CacheRegression => format!(
            "{}{} The prompt cache serves less of the prompt than it did, so that more of it is read afresh.",
            wait(usual, now),
            held(usual, now)
        ),
        Cause::Queueing => format!(
            "{}{} The prompt does not explain it. What is left is waiting before generation starts, or something \
             that these metrics do not show.",
            wait(usual, now),
            held(usual, now)
        ),
        Cause::LongerResponses => format!(
            "Responses have more tokens.{} The end of a response comes later, and more tokens are paid for: a matter \
             of cost and experience, not an incident.",
            held(usual, now)
        ),
        Cause::SlowTail => "A minority of requests decodes slowly: token-weighted OTPS fell and the p50 did not, so \
                            the median user is not hit. The tail never pages."
            .to_owned(),
        Cause::StreamingMix => "TimeToFirstToken counts streaming requests only, latency and tokens count all. With \
                                another mix they are about different requests, and periods in which the mix moved \
                                are not judged."
            .to_owned(),
        Cause::DecodeErosion => "Output tokens come more slowly, a little every day. A page compares with the last \
                                 two weeks, which sank along; the oldest history that is kept did not."
            .to_owned(),
        Cause::LevelShift => "An incident has stood for days. Its periods do not train the baseline, so it stands \
                              until OTPS is back. Somebody should decide whether this is how it will stay."
            .to_owned(),
        Cause::NoData | Cause::SourceFailing | Cause::ModelMissing | Cause::SeriesLimit | Cause::CostLimit => "CloudWatch has nothing for this series. Either nobody calls the model, or the calls went \
                          elsewhere. It is not known to be healthy."
            .to_owned(),
        Cause::LowConfidence => "Most periods of this series said nothing, so that a slow host could go unnoticed."
            .to_owned(),
    }
}

/// When the ticket ends, as the evaluator decides it, with the figure that it takes.
pub(super) fn end(ticket: &Ticket, context: &Context<'_>) -> String {
    let (usual, rule) = (&ticket.usual, context.ticket_rule());
    let most = 1.0 + rule.growth / 2.0;
    let three_days = |what: &str, figure: Option<String>| match figure {
        Some(figure) => {
            format!("after 3 days in a row with {what} {figure}; the reference was frozen when it opened")
        }
        None => {
            format!("after 3 days in a row with {what} near the reference, which was frozen when it opened")
        }
    };
    let end = match ticket.cause {
        Cause::PromptGrowth | Cause::CacheRegression | Cause::Queueing => three_days(
            "time to first token",
            known(usual.ttft_ms).map(|ttft| format!("at most {}", seconds(ttft * most))),
        ),
        Cause::LongerResponses => three_days(
            "responses",
            known(usual.output_tokens).map(|tokens| format!("of at most {} tokens", count(tokens * most))),
        ),
        Cause::DecodeErosion => three_days(
            "OTPS",
            usual
                .otps_token_weighted
                .or(usual.otps_p50)
                .and_then(known)
                .map(|speed| format!("of at least {} tok/s", otps(speed * (1.0 - rule.erosion / 2.0)))),
        ),
        Cause::LevelShift => "once the incident is over: OTPS is back, or its level was accepted".to_owned(),
        Cause::SlowTail => "once the token-weighted OTPS of two hours is back".to_owned(),
        Cause::StreamingMix => "once the share of a whole day is near the reference".to_owned(),
        Cause::NoData
        | Cause::SourceFailing
        | Cause::ModelMissing
        | Cause::SeriesLimit
        | Cause::CostLimit => "once requests are seen again".to_owned(),
        Cause::LowConfidence => "after 3 days in a row on which most periods could be judged".to_owned(),
    };
    format!("Told again once a week while it stands. It closes by itself {end}.")
}

fn wait(usual: &Terms, now: &Terms) -> String {
    match (known(usual.ttft_ms), known(now.ttft_ms)) {
        (Some(then), Some(now)) => format!(
            "Users wait {} for the first token (p50), {} in the reference days.",
            seconds(now),
            seconds(then)
        ),
        _ => "Users wait longer for the first token; by how much is not known.".to_owned(),
    }
}

fn held(usual: &Terms, now: &Terms) -> &'static str {
    if speed(usual, now) == "OTPS steady" { " OTPS is steady, so the model host is not slower." } else { "" }
}

/// ` +0.33 s for +1,650 input tokens is 0.20 ms a token.`, and how much of the prompt is read afresh.
fn per_token(usual: &Terms, now: &Terms) -> String {
    let mut text = String::new();
    if let (Some(then), Some(tokens)) = (usual.input_tokens, now.input_tokens) {
        let (time, tokens) = (now.ttft_ms - usual.ttft_ms, tokens - then);
        if known(usual.ttft_ms).is_some() && time > 0.0 && tokens >= 1.0 {
            text.push_str(&format!(
                " {} for +{} input tokens is {:.2} ms a token.",
                signed_seconds(time),
                count(tokens),
                time / tokens
            ));
        }
    }
    if let Some(cached) = now.cache_read_share {
        text.push_str(&format!(" {} of the prompt is read afresh each time.", share(1.0 - cached)));
    }
    text
}
