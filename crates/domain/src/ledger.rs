//! What survives a crash.

use std::fmt;

use jiff::Timestamp;

use crate::{
    Act, AuditRecord, Evidence, Incident, IncidentRecord, Key, Message, PageState, Period, Row, Series,
    SeriesState, Silence, SourceState,
};

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
    /// The ids of those of them that were handed to their channels before they could be written down, as [`Ledger::begin`] has it.
    pub begun: Vec<String>,
    /// Diagnosis metrics of these series have been read up to the period.
    pub diagnosed: Vec<(Series, Period)>,
    /// New states of sources, each replacing the one before. One that is empty is forgotten.
    pub sources: Vec<SourceState>,
    /// New states of pages, each replacing the one of the same key and channel.
    pub pages: Vec<PageState>,
    /// Tickets that were filed, each with all channels that were told of it, replacing what was known of its key. One without channels is
    /// forgotten.
    pub filed: Vec<Filed>,
    /// Silences, each replacing the one of the same id.
    pub silences: Vec<Silence>,
    /// What was done.
    pub audit: Vec<AuditRecord>,
}

/// The channels that were told of a ticket: whatever is said of it next goes to exactly these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The ticket.
    pub key: Key,
    /// The channels, as [`crate::ChannelPlan::name`] writes them.
    pub channels: Vec<String>,
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
            && self.pages.is_empty()
            && self.filed.is_empty()
            && self.silences.is_empty()
            && self.audit.is_empty()
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
    /// The records of incidents that are open, by key.
    pub incidents: Vec<IncidentRecord>,
    /// The pages that have not been forgotten, oldest first: those that are open, and those that are over, whose keys must not come
    /// again.
    pub pages: Vec<PageState>,
    /// The tickets that were filed and not closed.
    pub filed: Vec<Filed>,
    /// The silences that have not been forgotten, by id: those that ended are among them until [`Ledger::forget_closed`].
    pub silences: Vec<Silence>,
}

/// Where an owed message stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwedState {
    /// To be sent at or after this time.
    Due(Timestamp),
    /// Taken by the receiver.
    Delivered(Timestamp),
    /// Refused for good, or given up.
    Refused(Timestamp),
    /// It stands by for another message, and is not owed unless that one is refused for good.
    Standby,
    /// Not owed any more: the incident was over before anything of it had been sent.
    Withdrawn(Timestamp),
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
    /// What the receiver called an earlier message of the same key to the same channel.
    pub reference: Option<String>,
}

/// What is not yet with its receivers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Messages that are owed.
    pub owed: u64,
    /// Messages that were refused for good or given up in the last seven days.
    pub refused: u64,
    /// When the oldest owed message became so.
    pub oldest: Option<Timestamp>,
    /// When the oldest owed page became so.
    pub oldest_page: Option<Timestamp>,
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
    /// What the receiver calls what it took.
    pub reference: Option<String>,
}

/// The daemon's memory. Every backend passes the same contract test.
pub trait Ledger: Send + Sync {
    /// What a restart begins with.
    fn load(&self) -> Act<'_, Result<Loaded, LedgerError>>;

    /// Readings of one series from `from` on, in order of time.
    fn history<'a>(&'a self, series: &'a Series, from: Period) -> Act<'a, Result<Vec<Row>, LedgerError>>;

    /// Writes all of it in one transaction, or none. Once it returns, a crash loses nothing of it.
    ///
    /// A resolve ends the pages (messages of kind `page`) with the same key to the same channel that came since the resolve before it,
    /// standbys among them. Those that have not arrived are not tried again: they are withdrawn. The resolve itself is withdrawn with
    /// them where nobody can have one of them: each was never begun, still stood by, was withdrawn unsent, or was refused for good.
    /// One that was begun may have arrived, and is enough for the resolve to be owed. A second resolve without a page in between is
    /// withdrawn; a resolve of which neither is known is owed. The audit log tells each withdrawal.
    ///
    /// What stands by for a message that was refused for good already is owed at once. A resolve that is withdrawn since its page was
    /// refused counts as refused for this: its own standby goes to whoever got the page in its place.
    fn commit(&self, commit: Commit) -> Act<'_, Result<(), LedgerError>>;

    /// Messages to be sent at `now`, at most `limit`: pages and resolves before tickets, and the oldest first. Of the messages of one
    /// key to one channel only the oldest that is still due appears, so that a resolve cannot overtake its page. None to
    /// a channel of `except` appears, and at most `each` to one channel, so that a slow receiver does not fill the answer.
    fn due<'a>(
        &'a self,
        now: Timestamp,
        limit: usize,
        each: usize,
        except: &'a [String],
    ) -> Act<'a, Result<Vec<Owed>, LedgerError>>;

    /// Writes down that these messages are about to be handed to their channels: from now on the receiver may have them, whatever is
    /// known of it. Counts the attempt. Where a page was withdrawn since it was asked for, its resolve becomes owed after all.
    fn begin(&self, ids: Vec<String>) -> Act<'_, Result<(), LedgerError>>;

    /// When the next message becomes due, if any is.
    fn next_due(&self) -> Act<'_, Result<Option<Timestamp>, LedgerError>>;

    /// Writes down what came of attempts. What stands by for a message that was refused becomes due, unless its incident is over (then
    /// the resolve is withdrawn with it) or its channel is told of the page anyway: then it is withdrawn. A message that was delivered or refused stays so, and a page that was withdrawn is not tried
    /// again. An outcome of a message that was never begun counts as an attempt.
    fn record(&self, outcomes: Vec<Outcome>) -> Act<'_, Result<(), LedgerError>>;

    /// What is not yet with its receivers, at `now`.
    fn backlog(&self, now: Timestamp) -> Act<'_, Result<Backlog, LedgerError>>;

    /// The newest messages in any state, newest first, at most `limit`.
    fn messages(&self, limit: usize) -> Act<'_, Result<Vec<Owed>, LedgerError>>;

    /// The newest incidents, newest first, at most `limit`.
    fn incidents(&self, limit: usize) -> Act<'_, Result<Vec<IncidentRecord>, LedgerError>>;

    /// The newest entries of the audit log, newest first, at most `limit`.
    fn audit(&self, limit: usize) -> Act<'_, Result<Vec<AuditRecord>, LedgerError>>;

    /// Forgets readings before `horizon`.
    fn forget_readings(&self, horizon: Period) -> Act<'_, Result<(), LedgerError>>;

    /// Forgets incidents, pages, messages, silences and audit entries that were over before `horizon`. What is open, owed, or about
    /// something open, stays.
    fn forget_closed(&self, horizon: Timestamp) -> Act<'_, Result<(), LedgerError>>;
}

/// Why the ledger could not do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError {
    /// What was tried, on what, and what came back, in lower case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The store itself is damaged: no act will get better by trying again, only by opening it anew, which sets it aside.
    pub damaged: bool,
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
    pub fn opened(incident: Incident, summary: String, evidence: Evidence, at: Timestamp) -> Self {
        Self { incident, summary, evidence: Some(evidence), resolved: None, at }
    }
}
