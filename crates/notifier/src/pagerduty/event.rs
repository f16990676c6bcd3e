//! The body of an event. Source: PagerDuty developer documentation, Events API v2.

use domain::{NoticeKind, PagerDutyPlan};
use serde::Serialize;

use crate::cut;
use crate::figures::otps;
use crate::notice::{Notice, SeriesNotice};

/// The longest summary that is taken.
const SUMMARY_CHARACTERS: usize = 1_024;
/// The longest value of any other field here.
const FIELD_CHARACTERS: usize = 1_024;
/// The longest body that is taken is 512 KB; a kilobyte is left for the routing key.
const BODY_BYTES: usize = 511 * 1_024;
/// More series are counted, not listed: PagerDuty shows a list as a table.
const SERIES: usize = 50;

/// A trigger, which opens an incident or adds to the one with its key, or the resolve that closes it.
pub(crate) fn event(notice: &Notice, plan: &PagerDutyPlan) -> String {
    let field = |text: &str| cut::in_the_middle(text, FIELD_CHARACTERS, "…");
    let first = notice.series.first();
    let group = notice.group.as_ref().map(|group| field(group.as_str())).unwrap_or_default();
    let (source, component) = match first {
        Some(SeriesNotice { named, .. }) if !notice.of_group => {
            let series = format!("{}/{}/{}", named.account, named.region, named.model);
            (field(&series), field(&named.model))
        }
        _ => (group.clone(), group.clone()),
    };
    let region = notice.region().map(field);
    let summary = cut::at_word(&notice.summary, SUMMARY_CHARACTERS);
    let (since, until) = (notice.since.to_string(), notice.until.map(|until| until.to_string()));
    let timestamp = notice.time.to_string();
    let with_unit = |value: f64| format!("{} tok/s", otps(value));
    cut::to_fit(BODY_BYTES, &notice.text, |text| {
        let event = Event {
            event_action: if notice.kind == NoticeKind::Resolve { "resolve" } else { "trigger" },
            dedup_key: notice.key.as_str(),
            payload: Payload {
                summary: &summary,
                source: &source,
                severity: plan.severity.as_str(),
                timestamp: &timestamp,
                component: &component,
                group: region.as_deref().unwrap_or(&group),
                class: notice.cause,
                custom_details: Details {
                    text,
                    test: notice.test,
                    account: first.map(|first| first.named.account.as_str()).filter(|_| !notice.of_group),
                    region: region.as_deref(),
                    model: notice.model(),
                    owner: first.and_then(|first| first.owner.as_deref()).filter(|_| !notice.of_group),
                    ratio: first.and_then(|first| first.ratio).filter(|_| !notice.of_group),
                    otps: first.and_then(|first| first.otps).map(with_unit).filter(|_| !notice.of_group),
                    baseline: first
                        .and_then(|first| first.baseline)
                        .map(with_unit)
                        .filter(|_| !notice.of_group),
                    since: &since,
                    until: until.as_deref(),
                    members: notice.series.get(..SERIES).unwrap_or(&notice.series),
                    members_left_out: notice.series.len().checked_sub(SERIES).filter(|more| *more > 0),
                },
            },
            links: notice.link.iter().map(|href| Link { href, text: "Chart and figures" }).collect(),
            client: "otpsd",
            client_url: notice.link.as_deref(),
        };
        serde_json::to_string(&event).expect("texts can always be written")
    })
}

/// An event without its routing key.
#[derive(Serialize)]
struct Event<'a> {
    event_action: &'static str,
    dedup_key: &'a str,
    payload: Payload<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link<'a>>,
    client: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_url: Option<&'a str>,
}

#[derive(Serialize)]
struct Payload<'a> {
    summary: &'a str,
    source: &'a str,
    severity: &'static str,
    timestamp: &'a str,
    component: &'a str,
    group: &'a str,
    class: &'static str,
    custom_details: Details<'a>,
}

/// A table in PagerDuty. What is not known, or not the same for all series, is left out.
#[derive(Serialize)]
struct Details<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    otps: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    since: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'a str>,
    members: &'a [SeriesNotice],
    #[serde(skip_serializing_if = "Option::is_none")]
    members_left_out: Option<usize>,
}

#[derive(Serialize)]
struct Link<'a> {
    href: &'a str,
    text: &'static str,
}
