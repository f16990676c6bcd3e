//! What became of the events: alerts, and what was taken for each pair of keys.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;
use serde::Serialize;

use super::event::{Action, Event};
use super::{PagerDutyAlert, PagerDutyStatus};

/// Alerts that are kept; the oldest are forgotten.
const ALERTS_KEPT_MAX: usize = 10_000;
/// Triggers that are kept of an alert; the newest are forgotten.
const TRIGGERS_KEPT_MAX: usize = 1_000;

/// What was taken under one routing key and deduplication key, over all alerts there were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PagerDutyIncident {
    /// Of the service.
    pub routing_key: String,
    /// As the sender gave it, or made up for it.
    pub dedup_key: String,
    /// Whether an alert is open now.
    pub open: bool,
    /// Triggers.
    pub triggers: u64,
    /// Triggers that opened an alert: somebody was called so often.
    pub opens: u64,
    /// Acknowledges of an open alert.
    pub acknowledges: u64,
    /// Resolves that ended an alert.
    pub resolves: u64,
    /// Acknowledges and resolves that were accepted and dropped, because no alert was open.
    pub dropped: u64,
    /// How often a responder ended an alert by hand.
    pub resolved_by_hand: u64,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    alerts: VecDeque<PagerDutyAlert>,
    incidents: BTreeMap<(String, String), PagerDutyIncident>,
}

impl Book {
    pub(super) fn alerts(&self) -> Vec<PagerDutyAlert> {
        self.alerts.iter().cloned().collect()
    }

    pub(super) fn incidents(&self) -> Vec<PagerDutyIncident> {
        self.incidents.values().cloned().collect()
    }

    pub(super) fn take(&mut self, event: &Event, dedup_key: &str, now: Timestamp) {
        let routing_key = event.routing_key.as_str();
        let open = self.alerts.iter_mut().find(|alert| alert.is_open_under(routing_key, dedup_key));
        let key = (routing_key.to_owned(), dedup_key.to_owned());
        let incident = self.incidents.entry(key).or_insert_with(|| PagerDutyIncident {
            routing_key: routing_key.to_owned(),
            dedup_key: dedup_key.to_owned(),
            ..PagerDutyIncident::default()
        });
        match (event.action, open) {
            (Action::Trigger, Some(alert)) => {
                incident.triggers += 1;
                if alert.triggers.len() < TRIGGERS_KEPT_MAX {
                    alert.triggers.push(event.posted.clone());
                }
            }
            (Action::Trigger, None) => {
                incident.triggers += 1;
                incident.opens += 1;
                incident.open = true;
                if self.alerts.len() == ALERTS_KEPT_MAX {
                    self.alerts.pop_front();
                }
                self.alerts.push_back(PagerDutyAlert {
                    routing_key: routing_key.to_owned(),
                    dedup_key: dedup_key.to_owned(),
                    status: PagerDutyStatus::Triggered,
                    opened: now,
                    resolved: None,
                    triggers: vec![event.posted.clone()],
                });
            }
            (Action::Acknowledge, Some(alert)) => {
                incident.acknowledges += 1;
                alert.move_to(PagerDutyStatus::Acknowledged, now);
            }
            (Action::Resolve, Some(alert)) => {
                incident.resolves += 1;
                incident.open = false;
                alert.move_to(PagerDutyStatus::Resolved, now);
            }
            (Action::Acknowledge | Action::Resolve, None) => incident.dropped += 1,
        }
    }

    pub(super) fn move_by_hand(
        &mut self,
        routing_key: &str,
        dedup_key: &str,
        status: PagerDutyStatus,
        now: Timestamp,
    ) -> bool {
        let mut alerts = self.alerts.iter_mut();
        let Some(alert) = alerts.find(|alert| alert.is_open_under(routing_key, dedup_key)) else {
            return false;
        };
        alert.move_to(status, now);
        let key = (routing_key.to_owned(), dedup_key.to_owned());
        if let Some(incident) = self.incidents.get_mut(&key)
            && status == PagerDutyStatus::Resolved
        {
            incident.open = false;
            incident.resolved_by_hand += 1;
        }
        true
    }
}
