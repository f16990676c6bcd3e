//! What the daemon counts of itself, in OpenMetrics. Every name stands in docs/reference/metrics.md.
//!
//! Counters and histograms are kept here and raised by the loops as they work. Everything that is a state is read from
//! the newest snapshot when somebody scrapes, so that a series that is gone leaves no value behind.

mod labels;
mod state;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use domain::{NoticeKind, ReadAnswer, SourceError};
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::watch;

use crate::Clock;
use crate::snapshot::Snapshot;
use labels::{Delivery, Outcome, Place, Poll, Quota};
pub use labels::{DeliveryOutcome, PollOutcome};
pub use state::SERIES_LIMIT;
use state::State;

/// The content type of OpenMetrics 1.0.
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The prefix of every name.
const PREFIX: &str = "otpsd";

/// The daemon's own metrics.
pub struct Metrics {
    registry: Registry,
    polls: Family<Poll, Counter>,
    poll_seconds: Family<Place, Histogram, Polling>,
    metrics_requested: Family<Place, Counter>,
    calls: Family<Place, Counter>,
    quota_share: Family<Quota, Gauge<f64, AtomicU64>>,
    throttled: Family<Quota, Counter>,
    quota_wait: Family<Quota, Counter<f64, AtomicU64>>,
    deliveries: Family<Delivery, Counter>,
    step_seconds: Histogram,
    commits: Family<Outcome, Counter>,
    commit_seconds: Histogram,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Metrics of which none has counted anything. States are read from `snapshots`, ages by `clock`.
    #[must_use]
    pub fn new(snapshots: watch::Receiver<Arc<Snapshot>>, clock: Clock) -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix(PREFIX),
            polls: Family::default(),
            poll_seconds: Family::new_with_constructor(Polling),
            metrics_requested: Family::default(),
            calls: Family::default(),
            quota_share: Family::default(),
            throttled: Family::default(),
            quota_wait: Family::default(),
            deliveries: Family::default(),
            step_seconds: Histogram::new(STEP_BUCKETS),
            commits: Family::default(),
            commit_seconds: Histogram::new(COMMIT_BUCKETS),
        };
        let registry = &mut metrics.registry;
        registry.register("polls", "Polls of a source that ended, by how they ended", metrics.polls.clone());
        registry.register_with_unit(
            "poll_duration",
            "How long a poll of a source took",
            Unit::Seconds,
            metrics.poll_seconds.clone(),
        );
        registry.register(
            "metrics_requested",
            "Metrics that were asked of a source, as CloudWatch bills them",
            metrics.metrics_requested.clone(),
        );
        registry.register("source_calls", "Calls that were made to a source", metrics.calls.clone());
        registry.register(
            "quota_share",
            "The part of its usual pace at which an account is asked in a Region: less than 1 after AWS throttled",
            metrics.quota_share.clone(),
        );
        registry.register(
            "throttled_attempts",
            "Attempts of calls of CloudWatch that AWS throttled, also those that were tried again at once",
            metrics.throttled.clone(),
        );
        registry.register_with_unit(
            "quota_wait",
            "How long calls of CloudWatch have waited for their turn",
            Unit::Seconds,
            metrics.quota_wait.clone(),
        );
        registry.register(
            "deliveries",
            "Attempts to deliver a message that ended, by how they ended",
            metrics.deliveries.clone(),
        );
        registry.register_with_unit(
            "step_duration",
            "How long the engine took to judge what a poll brought",
            Unit::Seconds,
            metrics.step_seconds.clone(),
        );
        registry.register(
            "commits",
            "Transactions of the store that ended, by how they ended",
            metrics.commits.clone(),
        );
        registry.register_with_unit(
            "commit_duration",
            "How long a transaction of the store took",
            Unit::Seconds,
            metrics.commit_seconds.clone(),
        );
        registry.register_collector(Box::new(State::new(snapshots, clock)));
        metrics
    }

    /// A poll of a source ended.
    pub fn poll_finished(&self, source: &str, region: &str, outcome: PollOutcome, took: Duration) {
        self.polls.get_or_create(&Poll::new(source, region, outcome)).inc();
        self.poll_seconds.get_or_create(&Place::new(source, region)).observe(took.as_secs_f64());
    }

    /// So many metrics were asked of a source, as CloudWatch bills them.
    pub fn metrics_requested(&self, source: &str, region: &str, count: u64) {
        self.metrics_requested.get_or_create(&Place::new(source, region)).inc_by(count);
    }

    /// So many calls were made to a source.
    pub fn calls(&self, source: &str, region: &str, count: u64) {
        self.calls.get_or_create(&Place::new(source, region)).inc_by(count);
    }

    /// An account is asked in a Region at this part of the usual pace; so many attempts more were throttled, and calls waited
    /// so much longer for their turn.
    pub fn quota(&self, account: &str, region: &str, share: f64, throttled: u64, waited: Duration) {
        let quota = Quota::new(account, region);
        self.quota_share.get_or_create(&quota).set(share);
        self.throttled.get_or_create(&quota).inc_by(throttled);
        self.quota_wait.get_or_create(&quota).inc_by(waited.as_secs_f64());
    }

    /// An attempt to deliver a message ended.
    pub fn delivered(&self, channel: &str, kind: NoticeKind, outcome: DeliveryOutcome) {
        self.deliveries.get_or_create(&Delivery::new(channel, kind, outcome)).inc();
    }

    /// The engine took so long to judge what a poll brought.
    pub fn step_seconds(&self, took: Duration) {
        self.step_seconds.observe(took.as_secs_f64());
    }

    /// A transaction of the store ended.
    pub fn committed(&self, succeeded: bool, took: Duration) {
        self.commits.get_or_create(&Outcome::new(succeeded)).inc();
        self.commit_seconds.observe(took.as_secs_f64());
    }

    /// All of it as OpenMetrics text.
    pub(crate) fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl PollOutcome {
    /// How the read of a poll ended.
    #[must_use]
    pub fn of(answer: &Result<ReadAnswer, SourceError>) -> Self {
        match answer {
            Ok(answer) if answer.incomplete.is_empty() => Self::Complete,
            Ok(_) => Self::Incomplete,
            Err(error) => Self::Failed(error.failure),
        }
    }
}

/// Seconds of an engine step: a few series take microseconds, a first replay of weeks takes seconds.
const STEP_BUCKETS: [f64; 8] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 10.0, 60.0];
/// Seconds of a transaction. Above 5 something is wrong with the disk.
const COMMIT_BUCKETS: [f64; 7] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 5.0];
/// Seconds of a poll: one call answers in a fraction of a second; with retries it must end within its period.
const POLL_BUCKETS: [f64; 9] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0];

/// Makes the histogram of a source.
#[derive(Debug, Clone)]
struct Polling;

impl MetricConstructor<Histogram> for Polling {
    fn new_metric(&self) -> Histogram {
        Histogram::new(POLL_BUCKETS)
    }
}
