//! An alert of PagerDuty.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::loopback::clock;

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

impl PagerDutyAlert {
    pub(super) fn is_open_under(&self, routing_key: &str, dedup_key: &str) -> bool {
        self.status != PagerDutyStatus::Resolved
            && self.routing_key == routing_key
            && self.dedup_key == dedup_key
    }

    /// Acknowledges or resolves it.
    pub(super) fn move_to(&mut self, status: PagerDutyStatus, now: Timestamp) {
        self.status = status;
        if status == PagerDutyStatus::Resolved {
            self.resolved = Some(now);
        }
    }
}
