//! Where readings come from.

use std::fmt;

use crate::{Act, Metric, Period, Row, Series};

/// Which metrics a read asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricSet {
    /// [`Metric::DECODE`]: every period.
    Decode,
    /// [`Metric::DIAGNOSIS`]: hourly, and at once when something breaches.
    Diagnosis,
    /// [`Metric::ALL`]: the backfill.
    All,
    /// Only how many requests there were, to find out who is worth watching.
    Traffic,
}

impl MetricSet {
    /// The metrics of the set.
    #[must_use]
    pub const fn metrics(self) -> &'static [Metric] {
        match self {
            Self::Decode => &Metric::DECODE,
            Self::Diagnosis => &Metric::DIAGNOSIS,
            Self::All => &Metric::ALL,
            Self::Traffic => &[Metric::InvocationLatency],
        }
    }
}

/// What to read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRequest {
    /// Of whom.
    pub series: Vec<Series>,
    /// The first period.
    pub from: Period,
    /// The first period that is not read any more.
    pub until: Period,
    /// Which metrics.
    pub metrics: MetricSet,
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct ReadAnswer {
    /// The readings, in any order. A series and period without a row has no data.
    pub rows: Vec<Row>,
    /// Series whose answer is not whole; what was read of them is in `rows`, but absence means nothing.
    pub incomplete: Vec<Series>,
    /// What kept the rest from being read, where a call failed after others had succeeded.
    pub error: Option<SourceError>,
    /// Metrics that were asked for, as CloudWatch bills them.
    pub billed_metrics: u64,
    /// Calls that were made.
    pub calls: u64,
}

/// A place that readings come from.
pub trait Source: Send + Sync {
    /// The name in the configuration.
    fn name(&self) -> &str;

    /// The Region, for sources that have several.
    fn region(&self) -> &str;

    /// The account whose series the source has. Nothing is read under an account's name before this was answered.
    fn account(&self) -> Act<'_, Result<String, SourceError>>;

    /// The series that the source has now.
    fn discover(&self) -> Act<'_, Result<Vec<Series>, SourceError>>;

    /// Readings of closed periods. An error means that nothing was read.
    fn read<'a>(&'a self, request: &'a ReadRequest) -> Act<'a, Result<ReadAnswer, SourceError>>;
}

/// How a source fails. The names are part of the output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// There are no credentials, or they have expired.
    Credentials,
    /// The credentials are good, and not allowed.
    Denied,
    /// Too many requests.
    Throttled,
    /// No connection, or one that broke.
    Network,
    /// No answer in time.
    Timeout,
    /// The clocks differ too much for a signature.
    ClockSkew,
    /// The service failed on its side.
    Server,
    /// The answer cannot be understood.
    Malformed,
    /// Some series are answered only in part, time and again.
    Partial,
    /// It answers, and there is nothing that could be watched.
    Empty,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Credentials,
        Self::Denied,
        Self::Throttled,
        Self::Network,
        Self::Timeout,
        Self::ClockSkew,
        Self::Server,
        Self::Malformed,
        Self::Partial,
        Self::Empty,
    ];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credentials => "credentials",
            Self::Denied => "denied",
            Self::Throttled => "throttled",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::ClockSkew => "clock_skew",
            Self::Server => "server",
            Self::Malformed => "malformed",
            Self::Partial => "partial",
            Self::Empty => "empty",
        }
    }

    /// The failure of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.as_str() == name)
    }
}

/// Why a source could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// By kind.
    pub failure: Failure,
    /// What was tried, as IAM names it: `cloudwatch:GetMetricData`.
    pub action: Option<String>,
    /// What was tried, on what, and what came back, in lower case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SourceError {}
