//! PagerDuty: the Events API v2. Source: PagerDuty's developer documentation, "Events API v2".

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use super::clock;

mod event;

use event::{Action, Event};

/// Alerts that are kept; the oldest are forgotten.
const ALERTS_KEPT_MAX: usize = 10_000;
/// Triggers that are kept of an alert; the newest are forgotten.
const TRIGGERS_KEPT_MAX: usize = 1_000;
/// A limit of events a minute looks back this far.
const LIMIT_WINDOW: SignedDuration = SignedDuration::from_secs(60);
/// What a sender is told to wait when it sends too many, in seconds.
const RETRY_AFTER: u64 = 30;

/// An alert, which events with the same routing key and deduplication key share while it is open.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PagerDutyAlert {
    /// Of the service.
    pub routing_key: String,
    /// As the sender gave it, or made up for it.
    pub dedup_key: String,
    /// Where it stands.
    pub status: PagerDutyStatus,
    /// When the first trigger arrived, by the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub opened: Timestamp,
    /// When it was resolved.
    #[serde(serialize_with = "clock::as_text_if_any")]
    pub resolved: Option<Timestamp>,
    /// The triggers, each as it was posted.
    pub triggers: Vec<Value>,
}

/// Where an alert stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PagerDutyStatus {
    /// Somebody is being called.
    Triggered,
    /// Somebody is at it; more triggers call nobody.
    Acknowledged,
    /// It is over. A trigger with the same key opens another.
    Resolved,
}

/// How events are answered, beyond the fixed rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PagerDutyRules {
    /// Whether a routing key must have its 32 characters.
    pub(crate) strict_routing_keys: bool,
    /// How many events a minute a routing key may send.
    pub(crate) events_a_minute: Option<usize>,
}

/// The service.
#[derive(Debug, Default)]
pub(crate) struct PagerDuty {
    rules: PagerDutyRules,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    alerts: VecDeque<PagerDutyAlert>,
    keys_made: u64,
    /// By routing key, when the events of the last minute came.
    recent: BTreeMap<String, VecDeque<Timestamp>>,
}

/// An answer: status, seconds to wait if any, JSON body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Value,
}

impl Answer {
    /// Too many events; none was taken.
    pub(crate) fn too_many(retry_after: Option<u64>) -> Self {
        let body = json!({
            "status": "throttle exceeded",
            "message": "Requests for this service are arriving too quickly. Please retry later.",
            "errors": ["Event API throttle exceeded"],
        });
        Self { status: 429, retry_after, body }
    }

    /// The event is wrong, and would be wrong again.
    pub(crate) fn invalid(status: u16, errors: &[String]) -> Self {
        let body = json!({"status": "invalid event", "message": "Event object is invalid", "errors": errors});
        Self { status, retry_after: None, body }
    }

    /// PagerDuty failed on its side.
    pub(crate) fn failed(status: u16) -> Self {
        Self {
            status,
            retry_after: None,
            body: json!({"status": "error", "message": "Internal Server Error"}),
        }
    }
}

impl PagerDuty {
    pub(crate) fn new(rules: PagerDutyRules) -> Self {
        Self { rules, state: Mutex::default() }
    }

    /// Oldest first.
    pub(crate) fn alerts(&self) -> Vec<PagerDutyAlert> {
        self.lock().alerts.iter().cloned().collect()
    }

    /// The routing key of a body, if it has one; for counters and faults.
    pub(crate) fn routing_key(body: &[u8]) -> Option<String> {
        let value: Value = serde_json::from_slice(body).ok()?;
        Some(value.get("routing_key")?.as_str()?.to_owned())
    }

    /// Takes an event.
    pub(crate) fn enqueue(&self, body: &[u8], now: Timestamp) -> Answer {
        let event = match Event::read(body, self.rules.strict_routing_keys) {
            Ok(event) => event,
            Err(answer) => return answer,
        };
        let mut state = self.lock();
        if let Some(limit) = self.rules.events_a_minute
            && !state.admits(&event.routing_key, limit, now)
        {
            return Answer::too_many(Some(RETRY_AFTER));
        }
        let dedup_key = match &event.dedup_key {
            Some(key) => key.clone(),
            None => {
                state.keys_made += 1;
                format!("{:032x}", state.keys_made)
            }
        };
        state.apply(&event, &dedup_key, now);
        let body = json!({"status": "success", "message": "Event processed", "dedup_key": dedup_key});
        Answer { status: 202, retry_after: None, body }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn admits(&mut self, routing_key: &str, limit: usize, now: Timestamp) -> bool {
        let recent = self.recent.entry(routing_key.to_owned()).or_default();
        while recent.front().is_some_and(|at| now.duration_since(*at) >= LIMIT_WINDOW) {
            recent.pop_front();
        }
        let admits = recent.len() < limit;
        if admits {
            recent.push_back(now);
        }
        admits
    }

    fn apply(&mut self, event: &Event, dedup_key: &str, now: Timestamp) {
        let open = self.alerts.iter_mut().find(|alert| {
            alert.status != PagerDutyStatus::Resolved
                && alert.routing_key == event.routing_key
                && alert.dedup_key == dedup_key
        });
        match (event.action, open) {
            (Action::Trigger, Some(alert)) => {
                if alert.triggers.len() < TRIGGERS_KEPT_MAX {
                    alert.triggers.push(event.posted.clone());
                }
            }
            (Action::Trigger, None) => {
                if self.alerts.len() == ALERTS_KEPT_MAX {
                    self.alerts.pop_front();
                }
                self.alerts.push_back(PagerDutyAlert {
                    routing_key: event.routing_key.clone(),
                    dedup_key: dedup_key.to_owned(),
                    status: PagerDutyStatus::Triggered,
                    opened: now,
                    resolved: None,
                    triggers: vec![event.posted.clone()],
                });
            }
            (Action::Acknowledge, Some(alert)) => alert.status = PagerDutyStatus::Acknowledged,
            (Action::Resolve, Some(alert)) => {
                alert.status = PagerDutyStatus::Resolved;
                alert.resolved = Some(now);
            }
            // Without an open alert they are dropped.
            (Action::Acknowledge | Action::Resolve, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(action: &str, routing_key: &str, dedup_key: Option<&str>) -> Vec<u8> {
        let mut event = json!({
            "routing_key": routing_key,
            "event_action": action,
            "payload": {"summary": "slow", "source": "otpsd", "severity": "critical"},
        });
        if let Some(key) = dedup_key {
            event["dedup_key"] = Value::from(key);
        }
        event.to_string().into_bytes()
    }

    fn post(service: &PagerDuty, action: &str, dedup_key: Option<&str>) -> Answer {
        service.enqueue(&event(action, "key-a", dedup_key), Timestamp::UNIX_EPOCH)
    }

    fn states(service: &PagerDuty) -> Vec<(PagerDutyStatus, usize)> {
        service.alerts().iter().map(|alert| (alert.status, alert.triggers.len())).collect()
    }

    #[test]
    fn triggers_share_the_open_alert_and_open_another_after_the_resolve() {
        let service = PagerDuty::default();
        assert_eq!(post(&service, "trigger", Some("k")).body["dedup_key"], "k");
        post(&service, "trigger", Some("k"));
        assert_eq!(states(&service), [(PagerDutyStatus::Triggered, 2)]);
        post(&service, "acknowledge", Some("k"));
        post(&service, "trigger", Some("k"));
        assert_eq!(states(&service), [(PagerDutyStatus::Acknowledged, 3)]);
        post(&service, "resolve", Some("k"));
        post(&service, "trigger", Some("k"));
        assert_eq!(states(&service), [(PagerDutyStatus::Resolved, 3), (PagerDutyStatus::Triggered, 1)]);
    }

    #[test]
    fn a_resolve_with_another_routing_key_is_dropped() {
        let service = PagerDuty::default();
        post(&service, "trigger", Some("k"));
        let answer = service.enqueue(&event("resolve", "key-b", Some("k")), Timestamp::UNIX_EPOCH);
        assert_eq!(answer.status, 202, "it is accepted all the same");
        assert_eq!(post(&service, "resolve", Some("other")).status, 202);
        assert_eq!(states(&service), [(PagerDutyStatus::Triggered, 1)]);
    }

    #[test]
    fn triggers_without_a_key_are_alerts_of_their_own() {
        let service = PagerDuty::default();
        let first = post(&service, "trigger", None).body["dedup_key"].clone();
        let second = post(&service, "trigger", None).body["dedup_key"].clone();
        assert_ne!(first, second);
        assert_eq!(states(&service).len(), 2);
    }

    #[test]
    fn a_limit_looks_back_over_a_minute() {
        let rules = PagerDutyRules { events_a_minute: Some(2), ..PagerDutyRules::default() };
        let service = PagerDuty::new(rules);
        let at = |second: i64| {
            let now = Timestamp::from_second(second).unwrap();
            service.enqueue(&event("trigger", "key-a", None), now).status
        };
        assert_eq!([at(0), at(30), at(59), at(60), at(61)], [202, 202, 429, 202, 429]);
        assert_eq!(service.alerts().len(), 3, "what is limited is not taken");
    }
}
