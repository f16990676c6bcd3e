//! What survives a crash.

use std::fmt;

use jiff::Timestamp;

use crate::{Act, Incident, IncidentRecord, Key, Message, Period, Row, Series, SeriesState, SourceState};

/// Everything that one step changed, written in one transaction or not at all.
#[derive(Debug, Clone, Default)]
pub struct Commit {
    /// Readings to be laid over what is there ([`crate::Reading::merge`]).
    pub rows: Vec<Row>,
    /// New states, each replacing the one before.
    pub states: Vec<SeriesState>,
    /// Incidents that opened or resolved, by key.
    pub incidents: Vec<IncidentRecord>,
    /// Messages that are owed from now on. One whose id is known already is left as it is.
    pub outbox: Vec<Message>,
    /// Diagnosis metrics of these series have been read up to the period.
    pub diagnosed: Vec<(Series, Period)>,
    /// New states of sources, each replacing the one before. One that is empty is forgotten.
    pub sources: Vec<SourceState>,
}

impl Commit {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.states.is_empty()
            && self.incidents.is_empty()
            && self.outbox.is_empty()
            && self.diagnosed.is_empty()
            && self.sources.is_empty()
    }
}

/// What a restart begins with.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The states, by series.
    pub states: Vec<SeriesState>,
    /// Up to where diagnosis metrics have been read, by series.
    pub diagnosed: Vec<(Series, Period)>,
    /// The states of sources, by name.
    pub sources: Vec<SourceState>,
}

/// Where an owed message stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwedState {
    /// To be sent at or after this time.
    Due(Timestamp),
    /// Taken by the receiver.
    Delivered(Timestamp),
    /// Refused for good.
    Refused(Timestamp),
}

/// A message in the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// The message.
    pub message: Message,
    /// How often it was tried.
    pub attempts: u32,
    /// Where it stands.
    pub state: OwedState,
    /// What the last failed attempt said.
    pub last_error: Option<String>,
}

/// What came of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The message, by its id.
    pub id: String,
    /// Where it stands now.
    pub state: OwedState,
    /// What went wrong.
    pub error: Option<String>,
}

/// The daemon's memory. Every backend passes the same contract test.
pub trait Ledger: Send + Sync {
    /// What a restart begins with.
    fn load(&self) -> Act<'_, Result<Loaded, LedgerError>>;

    /// Readings of one series from `from` on, in order of time.
    fn history<'a>(&'a self, series: &'a Series, from: Period) -> Act<'a, Result<Vec<Row>, LedgerError>>;

    /// Writes all of it in one transaction, or none. Once it returns, a crash loses nothing of it.
    fn commit(&self, commit: Commit) -> Act<'_, Result<(), LedgerError>>;

    /// Messages to be sent at `now`, oldest first, at most `limit`. Of the messages of one key to one channel only the
    /// oldest that is still due appears, so that a resolve cannot overtake its page.
    fn due(&self, now: Timestamp, limit: usize) -> Act<'_, Result<Vec<Owed>, LedgerError>>;

    /// When the next message becomes due, if any is.
    fn next_due(&self) -> Act<'_, Result<Option<Timestamp>, LedgerError>>;

    /// Writes down what came of attempts.
    fn record(&self, outcomes: Vec<Outcome>) -> Act<'_, Result<(), LedgerError>>;

    /// The channels that were owed the page of this incident: its resolve goes to exactly these.
    fn recipients<'a>(&'a self, key: &'a Key) -> Act<'a, Result<Vec<String>, LedgerError>>;

    /// The newest messages in any state, newest first, at most `limit`.
    fn messages(&self, limit: usize) -> Act<'_, Result<Vec<Owed>, LedgerError>>;

    /// The newest incidents, newest first, at most `limit`.
    fn incidents(&self, limit: usize) -> Act<'_, Result<Vec<IncidentRecord>, LedgerError>>;

    /// Forgets readings before `horizon`.
    fn forget_readings(&self, horizon: Period) -> Act<'_, Result<(), LedgerError>>;
}

/// Why the ledger could not do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError {
    /// What was tried, on what, and what came back, in lower case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LedgerError {}

impl IncidentRecord {
    /// The record of an incident that has just opened.
    #[must_use]
    pub fn opened(incident: Incident, summary: String, at: Timestamp) -> Self {
        Self { incident, summary, resolved: None, at }
    }
}
