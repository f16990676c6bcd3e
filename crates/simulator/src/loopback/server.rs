//! What all connections share.

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::caller::Keys;
use super::calls::Calls;
use super::clock::Clock;
use super::cloudwatch::CloudWatch;
use super::fault::Faults;
use super::jira::Jira;
use super::opscenter::OpsCenter;
use super::pagerduty::PagerDuty;
use super::sns::Sns;
use super::sts::Sts;
use super::webhook::Webhook;

pub(crate) struct Server {
    pub(crate) clock: Clock,
    pub(crate) keys: Keys,
    pub(crate) faults: Faults,
    pub(crate) calls: Calls,
    pub(crate) cloudwatch: CloudWatch,
    pub(crate) sns: Sns,
    pub(crate) sts: Sts,
    pub(crate) opscenter: OpsCenter,
    pub(crate) pagerduty: PagerDuty,
    pub(crate) jira: Jira,
    pub(crate) webhook: Webhook,
    pub(crate) stop: CancellationToken,
    pub(crate) activity: watch::Sender<u64>,
    pub(crate) requests: AtomicU64,
}

impl Server {
    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Tells those who wait that a call arrived or was answered.
    pub(crate) fn stirred(&self) {
        self.activity.send_modify(|count| *count += 1);
    }

    pub(crate) fn request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("00000000-0000-4000-8000-{number:012x}")
    }
}
