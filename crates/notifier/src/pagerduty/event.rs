//! The body of an event. Source: PagerDuty developer documentation, Events API v2.

use domain::{Page, PagerDutyPlan, Resolve, Series, Slot};
use serde::Serialize;

use crate::context::Context;
use crate::cut;
use crate::deciding::newest_breach;
use crate::figures::{otps, ratio};
use crate::text;

/// The longest summary that is taken.
const SUMMARY_CHARACTERS: usize = 1_024;
/// The longest value of any other field here.
const FIELD_CHARACTERS: usize = 1_024;
/// The longest body that is taken is 512 KB; a kilobyte is left for the routing key.
const BODY_BYTES: usize = 511 * 1_024;

/// A trigger: it opens an incident, or adds to the one with its key.
pub(crate) fn page(page: &Page, plan: &PagerDutyPlan, context: &Context<'_>) -> String {
    let slot = newest_breach(page.evidence());
    let said = Said {
        action: "trigger",
        key: page.incident().key.as_str(),
        series: page.drop().series(),
        summary: text::page::of_series(page, context.rule()),
        text: text::page::text(page, context),
        time: page.incident().opened.end().to_string(),
        slot,
        since: page.incident().onset.start().to_string(),
        until: None,
    };
    said.body(plan, context)
}

/// A resolve: it closes the incident with its key.
pub(crate) fn resolve(resolve: &Resolve, plan: &PagerDutyPlan, context: &Context<'_>) -> String {
    let said = Said {
        action: "resolve",
        key: resolve.incident.key.as_str(),
        series: &resolve.incident.series,
        summary: text::resolve::of_series(resolve),
        text: text::resolve::text(resolve, context),
        time: resolve.resolved.end().to_string(),
        slot: resolve.slots.iter().rev().find(|slot| slot.value().is_some()),
        since: resolve.incident.onset.start().to_string(),
        until: Some(resolve.recovered.start().to_string()),
    };
    said.body(plan, context)
}

struct Said<'a> {
    action: &'static str,
    key: &'a str,
    series: &'a Series,
    summary: String,
    text: String,
    time: String,
    slot: Option<&'a Slot>,
    since: String,
    until: Option<String>,
}

impl Said<'_> {
    fn body(&self, plan: &PagerDutyPlan, context: &Context<'_>) -> String {
        let field = |text: &str| cut::in_the_middle(text, FIELD_CHARACTERS, "…");
        let (source, model) = (field(&self.series.to_string()), field(self.series.model()));
        let (account, region) = (field(self.series.account()), field(self.series.region()));
        let summary = cut::at_word(&self.summary, SUMMARY_CHARACTERS);
        let link = context.link();
        let with_unit = |value: f64| format!("{} tok/s", otps(value));
        cut::to_fit(BODY_BYTES, &self.text, |text| {
            let event = Event {
                event_action: self.action,
                dedup_key: self.key,
                payload: Payload {
                    summary: &summary,
                    source: &source,
                    severity: plan.severity.as_str(),
                    timestamp: &self.time,
                    component: &model,
                    group: &region,
                    class: "otps_drop",
                    custom_details: Details {
                        text,
                        account: &account,
                        region: &region,
                        model: &model,
                        ratio: self.slot.and_then(Slot::ratio).map(ratio),
                        otps: self.slot.and_then(Slot::value).map(with_unit),
                        baseline: self.slot.and_then(|slot| slot.baseline).map(with_unit),
                        otps_p50: self.slot.and_then(|slot| slot.otps?.p50).map(with_unit),
                        estimator: self.slot.map(|slot| slot.estimator.as_str()),
                        since: &self.since,
                        until: self.until.as_deref(),
                    },
                },
                links: link.iter().map(|href| Link { href, text: "Chart and figures" }).collect(),
                client: "otpsd",
                client_url: link.as_deref(),
            };
            serde_json::to_string(&event).expect("texts can always be written")
        })
    }
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

/// A table in PagerDuty. What is not known is left out.
#[derive(Serialize)]
struct Details<'a> {
    text: &'a str,
    account: &'a str,
    region: &'a str,
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    otps: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    otps_p50: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimator: Option<&'static str>,
    since: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'a str>,
}

#[derive(Serialize)]
struct Link<'a> {
    href: &'a str,
    text: &'static str,
}
