//! PagerDuty: the Events API v2. Source: PagerDuty's developer documentation, "Events API v2".

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::fault::{Refusal, Refused};
use super::reply::Answer;

mod alert;
mod book;
mod event;

pub use alert::{PagerDutyAlert, PagerDutyStatus};
pub use book::PagerDutyIncident;

use book::Book;
use event::Event;

/// A limit of events a minute looks back this far.
const LIMIT_WINDOW: SignedDuration = SignedDuration::from_secs(60);
/// What a sender is told to wait when it sends too many, in seconds.
const RETRY_AFTER: u64 = 30;

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
    strict_routing_keys: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    events_a_minute: Option<usize>,
    book: Book,
    keys_made: u64,
    /// By routing key, when the events of the last minute came.
    recent: BTreeMap<String, VecDeque<Timestamp>>,
}

impl PagerDuty {
    pub(crate) fn new(rules: PagerDutyRules) -> Self {
        let PagerDutyRules { strict_routing_keys, events_a_minute } = rules;
        Self { strict_routing_keys, state: Mutex::new(State { events_a_minute, ..State::default() }) }
    }

    /// Oldest first.
    pub(crate) fn alerts(&self) -> Vec<PagerDutyAlert> {
        self.lock().book.alerts()
    }

    /// By routing key and deduplication key.
    pub(crate) fn incidents(&self) -> Vec<PagerDutyIncident> {
        self.lock().book.incidents()
    }

    /// From now on a routing key may send so many events a minute, or any number.
    pub(crate) fn limit(&self, events_a_minute: Option<usize>) {
        self.lock().events_a_minute = events_a_minute;
    }

    /// Acknowledges or resolves an alert as a responder would. False if none is open.
    pub(crate) fn move_by_hand(
        &self,
        routing_key: &str,
        dedup_key: &str,
        status: PagerDutyStatus,
        now: Timestamp,
    ) -> bool {
        self.lock().book.move_by_hand(routing_key, dedup_key, status, now)
    }

    /// The routing key of a body, if it has one; for counters and faults.
    pub(crate) fn routing_key(body: &[u8]) -> Option<String> {
        let value: Value = serde_json::from_slice(body).ok()?;
        Some(value.get("routing_key")?.as_str()?.to_owned())
    }

    /// Takes an event.
    pub(crate) fn enqueue(&self, body: &[u8], now: Timestamp) -> Answer {
        let event = match Event::read(body, self.strict_routing_keys) {
            Ok(event) => event,
            Err(answer) => return answer,
        };
        let mut state = self.lock();
        if !state.admits(&event.routing_key, now) {
            return too_many(Some(RETRY_AFTER));
        }
        let dedup_key = match &event.dedup_key {
            Some(key) => key.clone(),
            None => {
                state.keys_made += 1;
                format!("{:032x}", state.keys_made)
            }
        };
        state.book.take(&event, &dedup_key, now);
        Answer::new(202, json!({"status": "success", "message": "Event processed", "dedup_key": dedup_key}))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn admits(&mut self, routing_key: &str, now: Timestamp) -> bool {
        let recent = self.recent.entry(routing_key.to_owned()).or_default();
        while recent.front().is_some_and(|at| now.duration_since(*at) >= LIMIT_WINDOW) {
            recent.pop_front();
        }
        let Some(limit) = self.events_a_minute else { return true };
        let admits = recent.len() < limit;
        if admits {
            recent.push_back(now);
        }
        admits
    }
}

/// What a fault makes of any event.
pub(crate) fn refused(refused: Refused) -> Answer {
    match refused {
        Refused::Throttled(retry_after) => too_many(retry_after),
        Refused::By(Refusal::Internal) => failed(500),
        Refused::By(Refusal::Unavailable) => failed(503),
        Refused::By(_) => invalid(400, &["Invalid routing key".to_owned()]),
    }
}

/// Too many events; none was taken.
fn too_many(retry_after: Option<u64>) -> Answer {
    let body = json!({
        "status": "throttle exceeded",
        "message": "Requests for this service are arriving too quickly. Please retry later.",
        "errors": ["Event API throttle exceeded"],
    });
    Answer { status: 429, retry_after, body }
}

/// The event is wrong, and would be wrong again.
fn invalid(status: u16, errors: &[String]) -> Answer {
    let body = json!({"status": "invalid event", "message": "Event object is invalid", "errors": errors});
    Answer::new(status, body)
}

/// PagerDuty failed on its side.
fn failed(status: u16) -> Answer {
    Answer::new(status, json!({"status": "error", "message": "Internal Server Error"}))
}

#[cfg(test)]
mod tests;
