//! What a responder, or the administrator of a service, does by hand. All of it is also in `control`, over HTTP.

use std::sync::PoisonError;

use super::{JiraSettings, JiraStatus, Loopback, PagerDutyStatus, WebhookSecret};

impl Loopback {
    /// From now on only these tokens of web identities are good; none at all means that every one is.
    pub fn accept_tokens(&self, tokens: &[&str]) {
        let tokens = tokens.iter().map(|token| (*token).to_owned()).collect();
        *self.server.sts.tokens.lock().unwrap_or_else(PoisonError::into_inner) = tokens;
    }

    /// A responder acknowledges an alert of PagerDuty. False if none is open under these keys.
    pub fn acknowledge_alert(&self, routing_key: &str, dedup_key: &str) -> bool {
        let status = PagerDutyStatus::Acknowledged;
        self.server.pagerduty.move_by_hand(routing_key, dedup_key, status, self.server.now())
    }

    /// A responder resolves an alert of PagerDuty. False if none is open under these keys.
    pub fn resolve_alert(&self, routing_key: &str, dedup_key: &str) -> bool {
        let status = PagerDutyStatus::Resolved;
        self.server.pagerduty.move_by_hand(routing_key, dedup_key, status, self.server.now())
    }

    /// From now on a routing key may send PagerDuty so many events a minute, or any number.
    pub fn limit_events(&self, a_minute: Option<usize>) {
        self.server.pagerduty.limit(a_minute);
    }

    /// Somebody moves an issue of Jira; with a resolution, if it is done. False if there is no such issue.
    pub fn move_issue(&self, key: &str, status: JiraStatus, resolution: Option<&str>) -> bool {
        self.server.jira.move_by_hand(key, status, resolution, self.server.now())
    }

    /// How Jira behaves from now on.
    pub fn set_jira(&self, settings: JiraSettings) {
        self.server.jira.set(settings);
    }

    /// Somebody moves an OpsItem to `Open`, `InProgress`, `Resolved` or another status. False if there is no such OpsItem
    /// or status.
    pub fn move_ops_item(&self, id: &str, status: &str) -> bool {
        self.server.opscenter.move_by_hand(id, status, self.server.now())
    }

    /// From now on requests of the webhook have to be signed with this, or need not be signed.
    pub fn expect_signature(&self, secret: Option<WebhookSecret>) {
        self.server.webhook.expect(secret);
    }
}
