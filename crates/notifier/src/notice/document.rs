//! The daemon's own JSON: what a `webhook` gets, and an `sns` topic with `format = "json"`.
//!
//! It is a promise: see `docs/reference/messages.md`.

use domain::{SourceClosed, SourceTicket, Terms};
use serde::Serialize;

use super::series::hundredths;
use super::{Notice, SeriesNotice};
use crate::cut;

/// The version that readers may rely on: a field is never removed or given another meaning without a higher one.
const VERSION: u8 = 1;
/// More series are counted, not listed.
const SERIES: usize = 200;

#[derive(Serialize)]
struct Document<'a> {
    version: u8,
    kind: &'static str,
    action: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test: bool,
    key: &'a str,
    cause: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    summary: &'a str,
    time: String,
    since: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    members: &'a [SeriesNotice],
    #[serde(skip_serializing_if = "is_zero")]
    members_left_out: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<Accepted<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    text: &'a str,
}

#[derive(Serialize)]
struct Source<'a> {
    name: String,
    act: &'static str,
    failure: &'static str,
    regions: &'a [String],
    series: usize,
    incidents: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<&'static str>,
}

#[derive(Serialize)]
struct Accepted<'a> {
    who: &'a str,
    why: &'a str,
}

/// The terms of latency. What was not measured is left out.
#[derive(Serialize)]
struct Figures {
    #[serde(skip_serializing_if = "Option::is_none")]
    otps_p50: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    otps_token_weighted: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttft_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_read_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    streaming_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    throttle_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_error_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quota_tokens_per_minute: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reserved_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flex_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<f64>,
}

/// With as much of the text, and as many series, as fit.
pub(super) fn json(notice: &Notice, limit: usize) -> String {
    let render = |series: usize, text: &str| {
        serde_json::to_string(&document(notice, series, text))
            .expect("texts and numbers can always be written")
    };
    let mut series = notice.series.len().min(SERIES);
    // The text lists the first of them anyway.
    while series > 1 && render(series, "").len() > limit / 2 {
        series /= 2;
    }
    cut::to_fit(limit, &notice.text, |text| render(series, text))
}

fn document<'a>(notice: &'a Notice, series: usize, text: &'a str) -> Document<'a> {
    Document {
        version: VERSION,
        kind: notice.kind(),
        action: notice.action(),
        test: notice.test,
        key: notice.key.as_str(),
        cause: notice.cause,
        group: notice.group.as_ref().map(domain::Group::as_str),
        summary: &notice.summary,
        time: notice.time.to_string(),
        since: notice.since.to_string(),
        until: notice.until.map(|until| until.to_string()),
        members: notice.series.get(..series).unwrap_or(&notice.series),
        members_left_out: notice.series.len().saturating_sub(series),
        source: notice.source.as_ref().map(source),
        reference: notice.terms.map(|(usual, _)| figures(&usual)),
        now: notice.terms.map(|(_, now)| figures(&now)),
        accepted: notice
            .accepted
            .as_ref()
            .map(|accepted| Accepted { who: &accepted.who, why: &accepted.why }),
        link: notice.link.as_deref(),
        text,
    }
}

fn source(ticket: &SourceTicket) -> Source<'_> {
    Source {
        name: cut::in_the_middle(&ticket.source, 256, "…"),
        act: ticket.act.as_str(),
        failure: ticket.failure.as_str(),
        regions: &ticket.regions,
        series: ticket.series,
        incidents: ticket.incidents,
        closed: ticket.closed.map(|closed| match closed {
            SourceClosed::Recovered => "recovered",
            SourceClosed::FailsOtherwise => "fails_otherwise",
            SourceClosed::NotConfigured => "not_configured",
        }),
    }
}

fn figures(terms: &Terms) -> Figures {
    use crate::figures::known;
    let seen = known(terms.samples);
    Figures {
        otps_p50: terms.otps_p50.map(hundredths),
        otps_token_weighted: terms.otps_token_weighted.map(hundredths),
        latency_ms: known(terms.latency_ms).map(hundredths),
        ttft_ms: known(terms.ttft_ms).map(hundredths),
        output_tokens: known(terms.output_tokens).map(hundredths),
        input_tokens: terms.input_tokens.map(hundredths),
        cache_read_share: terms.cache_read_share.map(share),
        streaming_share: seen.map(|_| share(terms.streaming_share)),
        throttle_share: terms.throttle_share.map(share),
        server_error_share: terms.server_error_share.map(share),
        quota_tokens_per_minute: terms.quota_tokens.map(f64::round),
        priority_share: terms.tiers.map(|tiers| share(tiers.priority)),
        reserved_share: terms.tiers.map(|tiers| share(tiers.reserved)),
        flex_share: terms.tiers.map(|tiers| share(tiers.flex)),
        samples: seen.map(hundredths),
    }
}

fn share(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(value: &usize) -> bool {
    *value == 0
}
