//! What is remembered of a source between two polls, so that a restart neither repeats nor forgets its tickets.

use jiff::Timestamp;

use crate::{Failure, Key, OpenGap, SourceAct, Spending};

/// What is remembered of a source. One without any of it is forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceState {
    /// The source, by its name in the configuration.
    pub source: String,
    /// Its Regions that have been polled, by name.
    pub regions: Vec<RegionState>,
    /// Its open tickets, oldest first.
    pub tickets: Vec<OpenSourceTicket>,
    /// What of it is not watched as it should be, in the order in which that was found.
    pub gaps: Vec<OpenGap>,
    /// What was asked of it; nothing that was counted is nothing.
    pub spending: Spending,
}

/// How the polls of one Region went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionState {
    /// The Region.
    pub region: String,
    /// When a poll last succeeded.
    pub last_good: Option<Timestamp>,
    /// Good polls since the last failed one; no more are counted than close a ticket.
    pub good_polls: u8,
    /// What is wrong, when the last poll failed.
    pub trouble: Option<Trouble>,
}

/// What is wrong with a Region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    /// What cannot be done.
    pub act: SourceAct,
    /// How the last poll failed.
    pub failure: Failure,
    /// The first failed poll since the last good one.
    pub since: Timestamp,
    /// The first failed poll since one that failed in another way.
    pub this_way_since: Timestamp,
    /// The last failed poll.
    pub last: Timestamp,
}

/// A ticket of a source that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSourceTicket {
    /// Its name to every receiver.
    pub key: Key,
    /// What cannot be done.
    pub act: SourceAct,
    /// How it fails.
    pub failure: Failure,
    /// The first failed poll.
    pub since: Timestamp,
    /// When it opened.
    pub opened: Timestamp,
    /// The Regions that it is about, sorted.
    pub regions: Vec<String>,
}
