//! What is said, to whom, and what nobody is told.

use std::fmt;

use domain::{GroupPage, GroupResolve, HeldPage, Incident, PageState, Ticket};

/// Something that follows from a step, to be written down with it and acted on.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// A page begins; one for each channel.
    Page(Box<GroupPage>),
    /// Incidents joined or left a page. To be written down; nobody is told.
    Changed(Box<PageState>),
    /// A page is over; one for each channel that got it.
    Resolve(Box<GroupResolve>),
    /// Only series that cannot be seen hold a page open. Said once, to ticket channels.
    Held {
        /// The page, as it is to be written down.
        held: Box<HeldPage>,
        /// Who is told.
        channels: Vec<String>,
    },
    /// They can be seen again, or the page is over.
    HeldOver {
        /// The page.
        held: Box<HeldPage>,
        /// Those who were told.
        channels: Vec<String>,
    },
    /// Something is said of a ticket.
    Ticket {
        /// What.
        ticket: Box<Ticket>,
        /// Who is told.
        channels: Vec<String>,
    },
    /// An incident stands, and nobody is told. Said once for each reason.
    Untold {
        /// Which.
        incident: Box<Incident>,
        /// Why.
        why: Untold,
    },
    /// An incident is over, and nobody was ever told.
    Forgotten {
        /// Which.
        incident: Box<Incident>,
    },
}

/// Why nobody is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Untold {
    /// The rule only observes.
    Observe,
    /// A silence holds; its id.
    Silenced(String),
    /// A maintenance window is open; its name.
    Maintenance(String),
    /// No route takes it, or the one that does has no channel.
    NoRoute,
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Observe => f.write_str("the rule only observes"),
            Self::Silenced(id) => write!(f, "silence {id} holds"),
            Self::Maintenance(name) => write!(f, "maintenance window `{name}` is open"),
            Self::NoRoute => f.write_str("no route takes it"),
        }
    }
}
