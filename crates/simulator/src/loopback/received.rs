//! What the services got.

use super::{
    CallRecord, CallTotals, JiraIssue, Loopback, OpsItem, PagerDutyAlert, PagerDutyIncident, PutDatum,
    SnsMessage, WebhookRequest,
};

impl Loopback {
    /// What SNS took, oldest first.
    #[must_use]
    pub fn sns_messages(&self) -> Vec<SnsMessage> {
        self.server.sns.messages()
    }

    /// What FIFO topics of SNS accepted and did not deliver again, oldest first.
    #[must_use]
    pub fn sns_repeats(&self) -> Vec<SnsMessage> {
        self.server.sns.repeats()
    }

    /// PagerDuty's alerts, oldest first.
    #[must_use]
    pub fn pagerduty_alerts(&self) -> Vec<PagerDutyAlert> {
        self.server.pagerduty.alerts()
    }

    /// What PagerDuty took for each routing key and deduplication key.
    #[must_use]
    pub fn pagerduty_incidents(&self) -> Vec<PagerDutyIncident> {
        self.server.pagerduty.incidents()
    }

    /// What the webhook got, oldest first; a request that came twice stands there twice.
    #[must_use]
    pub fn webhook_requests(&self) -> Vec<WebhookRequest> {
        self.server.webhook.requests()
    }

    /// Jira's issues as they are now, in the order they were created.
    #[must_use]
    pub fn jira_issues(&self) -> Vec<JiraIssue> {
        self.server.jira.issues()
    }

    /// OpsItems as they are now, in the order they were created.
    #[must_use]
    pub fn ops_items(&self) -> Vec<OpsItem> {
        self.server.opscenter.items()
    }

    /// What was published with `PutMetricData`, oldest first.
    #[must_use]
    pub fn put_data(&self) -> Vec<PutDatum> {
        self.server.cloudwatch.put_data()
    }

    /// Sums over all calls, by operation and Region.
    #[must_use]
    pub fn calls(&self) -> Vec<CallTotals> {
        self.server.calls.totals()
    }

    /// The last calls one by one, oldest first.
    #[must_use]
    pub fn recent_calls(&self) -> Vec<CallRecord> {
        self.server.calls.recent()
    }
}
