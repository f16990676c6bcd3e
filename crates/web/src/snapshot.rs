//! What is known at one moment, as plain values. The app builds one after each poll; everything served is a rendering
//! of the newest.

mod told;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use domain::{
    AlarmState, AuditRecord, Cause, Failure, IncidentRecord, Key, Override, Owed, PageState, Period, Rule,
    Series, Silence, Slot, SourceAct, Thrift, Verdict,
};
use jiff::Timestamp;

pub use told::{
    ConfigurationFailure, MaintenanceStatus, OutboxStatus, OverrideConflict, StoreRebuilt, Untold,
    UntoldStatus,
};

/// Everything that is served, at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// When it was built, by the clock of the daemon.
    pub now: Timestamp,
    /// When the daemon started, by the same clock.
    pub started: Timestamp,
    /// The version of the daemon.
    pub version: String,
    /// Seconds between two looks of an open page, by the reader's clock; 0 turns it off.
    pub refresh_seconds: u32,
    /// The rule that every series is judged by, unless an override says otherwise.
    pub rule: Rule,
    /// What some series are judged by instead.
    pub overrides: Vec<Override>,
    /// Why the store cannot be written, when it cannot.
    pub store_failure: Option<StoreFailure>,
    /// When the engine last finished judging what a poll brought; `None` before the first time.
    pub last_evaluation: Option<Timestamp>,
    /// Every source in every Region that is configured.
    pub sources: Vec<SourceStatus>,
    /// Every series that is watched, in any order.
    pub series: Vec<SeriesStatus>,
    /// Open incidents and the newest of the resolved ones, newest first.
    pub incidents: Vec<IncidentRecord>,
    /// The pages that are open, one for each channel that got it, newest first.
    pub pages: Vec<PageState>,
    /// The open incidents that nobody was told of, newest first.
    pub untold: Vec<UntoldStatus>,
    /// The silences that hold, or will.
    pub silences: Vec<Silence>,
    /// The maintenance windows that are open.
    pub maintenance: Vec<MaintenanceStatus>,
    /// The open tickets about series, newest first.
    pub tickets: Vec<TicketStatus>,
    /// The open tickets about sources, newest first.
    pub source_tickets: Vec<SourceTicketStatus>,
    /// What of the sources is not watched as it should be, newest first.
    pub gaps: Vec<GapStatus>,
    /// What was asked of each source this month, and is left out of it, by name.
    pub spending: Vec<SpendingStatus>,
    /// What is owed.
    pub outbox: OutboxStatus,
    /// The newest messages in any state, newest first.
    pub messages: Vec<Owed>,
    /// What was done, by whom and why, newest first.
    pub audit: Vec<AuditRecord>,
    /// When the store was last found damaged and begun anew, as far as it is known.
    pub store_rebuilt: Option<StoreRebuilt>,
    /// What is wrong with the configuration that was read last, when it is not the one that holds.
    pub configuration_failure: Option<ConfigurationFailure>,
    /// Keys that two overrides set for series that are watched.
    pub override_conflicts: Vec<OverrideConflict>,
}

impl Snapshot {
    /// The rule of one series.
    #[must_use]
    pub fn rule_of(&self, series: &Series) -> Rule {
        Override::rule_of(&self.overrides, &self.rule, series)
    }

    /// What is known before the first poll: nothing. It is not ready, and says so.
    #[must_use]
    pub fn starting(now: Timestamp, version: &str, rule: Rule) -> Self {
        Self {
            now,
            started: now,
            version: version.to_owned(),
            refresh_seconds: 30,
            rule,
            overrides: Vec::new(),
            store_failure: None,
            last_evaluation: None,
            sources: Vec::new(),
            series: Vec::new(),
            incidents: Vec::new(),
            pages: Vec::new(),
            untold: Vec::new(),
            silences: Vec::new(),
            maintenance: Vec::new(),
            tickets: Vec::new(),
            source_tickets: Vec::new(),
            gaps: Vec::new(),
            spending: Vec::new(),
            outbox: OutboxStatus::default(),
            messages: Vec::new(),
            audit: Vec::new(),
            store_rebuilt: None,
            configuration_failure: None,
            override_conflicts: Vec::new(),
        }
    }

    /// How far the reading of history is over all places where it is read.
    #[must_use]
    pub fn history(&self) -> Option<ReadingHistory> {
        let reading = self.sources.iter().filter_map(|source| source.history);
        reading.reduce(|all, one| ReadingHistory { read: all.read + one.read, of: all.of + one.of })
    }

    /// How long ago the end of the oldest period was that is the newest judged one of a series of a source, in seconds beyond
    /// what it takes anyway: the period after it, and its settle delay.
    #[must_use]
    pub(crate) fn lag(&self, source: &SourceStatus, now: Timestamp) -> Option<f64> {
        let own = self
            .series
            .iter()
            .filter(|one| one.source == source.name && one.series.region() == source.region);
        let oldest = own.map(|one| one.judged_through).min()?;
        let due = (oldest + 1).end().saturating_add(source.settle_delay).unwrap_or(Timestamp::MAX);
        Some(now.duration_since(due).as_secs_f64().max(0.0))
    }

    /// The open incident of a series.
    pub(crate) fn incident_of(&self, series: &Series) -> Option<&IncidentRecord> {
        self.incidents.iter().find(|record| record.resolved.is_none() && record.incident.series == *series)
    }

    /// The open page that an incident is part of.
    pub(crate) fn page_of(&self, incident: &Key) -> Option<&PageState> {
        let mut open = self.pages.iter().filter(|page| page.closed.is_none());
        open.find(|page| page.members.iter().any(|member| member.incident == *incident))
    }

    /// Why nobody was told of the open incident of a series.
    pub(crate) fn untold_of(&self, series: &Series) -> Option<&Untold> {
        self.untold.iter().find(|untold| untold.series == *series).map(|untold| &untold.why)
    }

    /// The series of that id, which is `account/region/model`.
    pub(crate) fn series_by_id(&self, id: &str) -> Option<&SeriesStatus> {
        self.series.iter().find(|status| status.series.to_string() == id)
    }
}

/// Why the store cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFailure {
    /// Since when.
    pub since: Timestamp,
    /// What was tried, and what came back.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// One source in one Region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStatus {
    /// The name in the configuration.
    pub name: String,
    /// The Region.
    pub region: String,
    /// When a poll of it last succeeded.
    pub last_success: Option<Timestamp>,
    /// Why the last poll of it failed, if it did: nothing was read.
    pub failure: Option<SourceFailure>,
    /// What did not work though it could be read: some of its series, or finding new ones.
    pub limited: Option<SourceFailure>,
    /// How long after its end a period is read.
    pub settle_delay: Duration,
    /// How far the reading of history is, while it is read.
    pub history: Option<ReadingHistory>,
}

/// How far the reading of history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadingHistory {
    /// Series of which it has been read.
    pub read: usize,
    /// All series there are.
    pub of: usize,
}

impl fmt::Display for ReadingHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reading history: {} of {} series", self.read, self.of)
    }
}

/// Why a source cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFailure {
    /// By kind.
    pub failure: Failure,
    /// What was tried, on what, and what came back.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The first failed poll since the last good one.
    pub since: Timestamp,
}

/// One series.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesStatus {
    /// Which.
    pub series: Series,
    /// The name of the source that reads it; its Region is that of the series.
    pub source: String,
    /// The state of its alarm.
    pub state: AlarmState,
    /// The period whose verdict led to the state.
    pub since: Period,
    /// Everything up to and including this period has been judged.
    pub judged_through: Period,
    /// The newest period in which the source had anything; `None` when it never had.
    pub last_data: Option<Period>,
    /// The periods that the rule looks at, oldest first; the last one is the current one.
    pub slots: Vec<Slot>,
    /// The terms of latency in the newest period that has them.
    pub waits: Waits,
    /// What was used of the quota of tokens, in the newest period of which that was read.
    pub quota: Option<QuotaUse>,
    /// The model by whose history it is judged, while it has none of its own.
    pub learned_from: Option<String>,
    /// How far the history has come, while LEARNING.
    pub learning: Option<LearningProgress>,
    /// The last day for charts, oldest first; periods may be missing.
    pub history: Arc<VecDeque<HistoryPoint>>,
}

impl SeriesStatus {
    /// The newest period that was judged, with what its verdict rests on.
    #[must_use]
    pub fn current(&self) -> Option<&Slot> {
        self.slots.last()
    }
}

/// Waiting times of one period, in milliseconds. They are context: no wait ever pages.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Waits {
    /// p50 of InvocationLatency.
    pub latency_p50_ms: Option<f64>,
    /// p95 of InvocationLatency.
    pub latency_p95_ms: Option<f64>,
    /// p50 of TimeToFirstToken.
    pub ttft_p50_ms: Option<f64>,
    /// p95 of TimeToFirstToken.
    pub ttft_p95_ms: Option<f64>,
}

/// What was used of the quota of tokens a minute. CloudWatch does not say how large that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuotaUse {
    /// In which period.
    pub period: Period,
    /// Tokens a minute, about: EstimatedTPMQuotaUsage.
    pub tokens_per_minute: Option<f64>,
    /// Requests that were throttled in it.
    pub throttles: f64,
}

/// How much of the history that a baseline needs is there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearningProgress {
    /// Days of history.
    pub days: f64,
    /// Days that it takes.
    pub days_needed: u16,
    /// Valid datapoints.
    pub datapoints: u32,
    /// Valid datapoints that it takes.
    pub datapoints_needed: u32,
}

/// One period of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryPoint {
    /// Which period.
    pub period: Period,
    /// What it said, where that is still known.
    pub verdict: Option<Verdict>,
    /// p50 OTPS, in tokens per second.
    pub otps_p50: Option<f64>,
    /// OTPS of the deciding estimator, in tokens per second.
    pub value: Option<f64>,
    /// What the deciding estimator usually is at this hour, in tokens per second.
    pub baseline: Option<f64>,
    /// Waiting times.
    pub waits: Waits,
}

/// A ticket that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketStatus {
    /// Whose.
    pub series: Series,
    /// Why.
    pub cause: Cause,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// Its name to every receiver.
    pub key: Key,
    /// What it said in one line, where that is still known.
    pub summary: Option<String>,
}

/// A ticket about a source that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTicketStatus {
    /// Which source, by its name in the configuration.
    pub source: String,
    /// The Regions that it is about.
    pub regions: Vec<String>,
    /// What cannot be done.
    pub act: SourceAct,
    /// How it fails.
    pub failure: Failure,
    /// When it opened.
    pub opened: Timestamp,
    /// Its name to every receiver.
    pub key: Key,
    /// What it said in one line, where that is still known.
    pub summary: Option<String>,
}

/// What of a source is not watched as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapStatus {
    /// Which source, by its name in the configuration.
    pub source: String,
    /// Why there is a ticket.
    pub cause: Cause,
    /// Since when.
    pub since: Timestamp,
    /// The key of the ticket.
    pub key: Key,
    /// It in one line.
    pub summary: String,
}

/// What was asked of a source this month, and what of it is not asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SpendingStatus {
    /// Which source, by its name in the configuration.
    pub source: String,
    /// What was asked, in US dollars.
    pub spent_usd: f64,
    /// What may be asked in a month, in US dollars.
    pub limit_usd: Option<f64>,
    /// How it is read because of that.
    pub thrift: Thrift,
    /// Series that `max-series` leaves out.
    pub left_out: usize,
}

/// The OTPS below which a period breaches, in tokens per second: a share of the baseline, or the absolute floor of the
/// rule where that is higher or there is no baseline.
#[must_use]
pub fn threshold(rule: &Rule, baseline: Option<f64>) -> Option<f64> {
    let share = baseline.map(|baseline| baseline * rule.page_below);
    match (share, rule.page_below_otps) {
        (Some(share), Some(floor)) => Some(share.max(floor)),
        (share, floor) => share.or(floor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_higher_of_the_share_and_the_floor() {
        let share = Rule::default();
        let floor = Rule { page_below_otps: Some(25.0), ..Rule::default() };
        assert_eq!(threshold(&share, Some(60.0)), Some(48.0));
        assert_eq!(threshold(&share, None), None);
        assert_eq!(threshold(&floor, Some(60.0)), Some(48.0));
        assert_eq!(threshold(&floor, Some(30.0)), Some(25.0), "80 % would be 24");
        assert_eq!(threshold(&floor, None), Some(25.0), "while LEARNING");
    }
}
