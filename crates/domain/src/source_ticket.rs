//! A source that cannot be read: one ticket for the source and its kind of failure, whatever number of Regions and series
//! it makes blind.

use jiff::Timestamp;

use crate::{Failure, Key, SourceError, TicketAction};

/// What is asked of a source. The names are part of the output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceAct {
    /// Its readings. Without them its series are not judged.
    Read,
    /// Its series. Without them the known ones are still judged, and new ones are not found.
    Discover,
}

impl SourceAct {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Read, Self::Discover];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Discover => "discover",
        }
    }

    /// The act of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == name)
    }
}

/// Why the ticket of a source closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceClosed {
    /// Every Region that it was about answered twice in a row.
    Recovered,
    /// The source fails in another way now, which has a ticket of its own.
    FailsOtherwise,
    /// The source, or these Regions of it, are not configured any more.
    NotConfigured,
}

/// Something is said of a source that fails. It is about what cannot be seen, so it cannot page.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceTicket {
    /// The source, by its name in the configuration.
    pub source: String,
    /// What cannot be done.
    pub act: SourceAct,
    /// How it fails.
    pub failure: Failure,
    /// Its name to every receiver.
    pub key: Key,
    /// The Regions that it is about, sorted.
    pub regions: Vec<String>,
    /// The first failed poll of them since the last good one.
    pub since: Timestamp,
    /// The last good poll of them before that, as far as it is known.
    pub worked_until: Option<Timestamp>,
    /// When this is said.
    pub at: Timestamp,
    /// Series of these Regions: those that are not judged while none can be read, otherwise all.
    pub series: usize,
    /// Open incidents of them. They stay as they are.
    pub incidents: usize,
    /// What the source answered last.
    pub error: Option<SourceError>,
    /// Why it closed; `None` while it stands.
    pub closed: Option<SourceClosed>,
}

impl SourceTicket {
    /// What is said of it.
    #[must_use]
    pub const fn action(&self) -> TicketAction {
        match self.closed {
            None => TicketAction::Opened,
            Some(_) => TicketAction::Closed,
        }
    }
}
