//! What happened, in a line.

use domain::{Cause, Terms, Ticket};

use crate::figures::{change, count, known, otps, quotient, ratio, seconds, share};

/// OTPS within this share of the reference is called steady.
const STEADY: f64 = 0.05;

/// While the ticket stands.
pub(super) fn standing(ticket: &Ticket) -> String {
    let (usual, now) = (&ticket.usual, &ticket.now);
    match ticket.cause {
        Cause::PromptGrowth => {
            let prompts = change(usual.input_tokens, now.input_tokens).map(|grew| format!(" {grew}"));
            format!(
                "{}: prompts grew{}, {}",
                first_token(ticket),
                prompts.unwrap_or_default(),
                speed(usual, now)
            )
        }
        Cause::CacheRegression => {
            format!("{}: the prompt cache serves {}", first_token(ticket), cache(usual, now))
        }
        Cause::Queueing => {
            format!("{}, the prompt does not explain it, {}", first_token(ticket), speed(usual, now))
        }
        Cause::LongerResponses => {
            format!("Responses are longer: {}, {}", responses(usual, now), speed(usual, now))
        }
        Cause::SlowTail => format!("Slow tail: token-weighted OTPS {}", tail(usual, now)),
        Cause::StreamingMix => match (known(usual.samples), known(now.samples)) {
            (Some(_), Some(_)) => format!(
                "Streaming share changed: {} -> {}",
                share(usual.streaming_share),
                share(now.streaming_share)
            ),
            _ => "Streaming share changed".to_owned(),
        },
        Cause::DecodeErosion => format!("OTPS fell slowly: {}", decode(usual, now)),
        Cause::LevelShift => format!("Slow for days: {}; is it the new normal?", decode(usual, now)),
        Cause::NoData
        | Cause::SourceFailing
        | Cause::ModelMissing
        | Cause::SeriesLimit
        | Cause::CostLimit => match known(usual.samples) {
            Some(requests) => format!(
                "No data, where the same hours of past weeks had {} requests in 5 minutes",
                count(requests)
            ),
            None => "No data, where the same hours of past weeks had it".to_owned(),
        },
        Cause::LowConfidence => "Most periods cannot be judged".to_owned(),
    }
}

/// Once it is closed.
pub(super) fn closed(ticket: &Ticket) -> String {
    let (usual, now) = (&ticket.usual, &ticket.now);
    match ticket.cause {
        Cause::PromptGrowth | Cause::CacheRegression | Cause::Queueing => {
            match (known(usual.ttft_ms), known(now.ttft_ms)) {
                (Some(then), Some(now)) => {
                    format!("first token {}, reference {}", seconds(now), seconds(then))
                }
                _ => "first token is near its reference again".to_owned(),
            }
        }
        Cause::LongerResponses => match (known(usual.output_tokens), known(now.output_tokens)) {
            (Some(then), Some(now)) => {
                format!("responses of {} tokens, reference {}", count(now), count(then))
            }
            _ => "responses are near their reference again".to_owned(),
        },
        Cause::SlowTail => "the slow tail is gone".to_owned(),
        Cause::StreamingMix => "the streaming share is settled again".to_owned(),
        Cause::DecodeErosion => format!("OTPS is near its reference again, {}", decode(usual, now)),
        Cause::LevelShift => "the slow level has ended".to_owned(),
        Cause::NoData
        | Cause::SourceFailing
        | Cause::ModelMissing
        | Cause::SeriesLimit
        | Cause::CostLimit => "data is there again".to_owned(),
        Cause::LowConfidence => "periods can be judged again".to_owned(),
    }
}

/// `OTPS steady`, or by how much it moved.
pub(super) fn speed(usual: &Terms, now: &Terms) -> String {
    let pair = [(usual.otps_p50, now.otps_p50), (usual.otps_token_weighted, now.otps_token_weighted)]
        .into_iter()
        .find(|(usual, now)| quotient(*now, *usual).is_some());
    let Some((usual, now)) = pair else {
        return "OTPS not known".to_owned();
    };
    match (quotient(now, usual), change(usual, now)) {
        (Some(ratio), Some(change)) if (ratio - 1.0).abs() > STEADY => format!("OTPS {change}"),
        _ => "OTPS steady".to_owned(),
    }
}

fn first_token(ticket: &Ticket) -> String {
    match change(known(ticket.usual.ttft_ms), known(ticket.now.ttft_ms)) {
        Some(change) => format!("First token {change}"),
        None => "First token comes later".to_owned(),
    }
}

fn cache(usual: &Terms, now: &Terms) -> String {
    match (usual.cache_read_share, now.cache_read_share) {
        (Some(then), Some(now)) => format!("{} of the prompt, {} before", share(now), share(then)),
        _ => "less of the prompt".to_owned(),
    }
}

fn responses(usual: &Terms, now: &Terms) -> String {
    let (then, now) = (known(usual.output_tokens), known(now.output_tokens));
    match (then, now, change(then, now)) {
        (Some(then), Some(now), Some(change)) => {
            format!("{} -> {} tokens ({change})", count(then), count(now))
        }
        _ => "by an unknown number of tokens".to_owned(),
    }
}

fn tail(usual: &Terms, now: &Terms) -> String {
    let of_usual = |now, usual| {
        quotient(now, usual)
            .map_or_else(|| "not known".to_owned(), |share| format!("{} of usual", ratio(share, None)))
    };
    format!(
        "{}, p50 {}",
        of_usual(now.otps_token_weighted, usual.otps_token_weighted),
        of_usual(now.otps_p50, usual.otps_p50)
    )
}

/// The p50 figures, or the token-weighted ones where there are no others.
fn decode(usual: &Terms, now: &Terms) -> String {
    for (usual, now, name) in [
        (usual.otps_p50, now.otps_p50, ""),
        (usual.otps_token_weighted, now.otps_token_weighted, " token-weighted"),
    ] {
        if let (Some(usual), Some(now), Some(share)) = (usual, now, quotient(now, usual)) {
            return format!("{} of {} tok/s{name} ({})", otps(now), otps(usual), ratio(share, None));
        }
    }
    "by how much is not known".to_owned()
}
