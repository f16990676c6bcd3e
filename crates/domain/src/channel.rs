//! Where messages go.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use crate::{Act, Key, TicketAction};

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// Somebody is to be woken.
    Page,
    /// The page is over.
    Resolve,
    /// Somebody is to read this in the morning.
    Ticket(TicketAction),
}

impl NoticeKind {
    /// As the store and output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Resolve => "resolve",
            Self::Ticket(TicketAction::Opened) => "ticket_opened",
            Self::Ticket(TicketAction::Updated) => "ticket_updated",
            Self::Ticket(TicketAction::Closed) => "ticket_closed",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Page,
            Self::Resolve,
            Self::Ticket(TicketAction::Opened),
            Self::Ticket(TicketAction::Updated),
            Self::Ticket(TicketAction::Closed),
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

/// One message to one channel, rendered when it became owed, so that a restart or an upgrade cannot change it.
/// It holds no secrets: a channel adds its own when it sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Unique, and a function of what is said to whom: a second commit of the same message changes nothing.
    pub id: String,
    /// The channel, as [`crate::ChannelPlan::name`] writes it.
    pub channel: String,
    /// What it is.
    pub kind: NoticeKind,
    /// The incident or ticket.
    pub key: Key,
    /// One line.
    pub summary: String,
    /// What the channel sends: its own wire format without secrets.
    pub body: String,
    /// Attributes beside the body, for channels that have them, in order.
    pub attributes: Vec<(String, String)>,
    /// When it became owed.
    pub created: Timestamp,
    /// The id of the message that this one stands by for: it is owed once that one is refused for good, and never otherwise.
    pub standby_for: Option<String>,
}

/// A receiver.
pub trait Channel: Send + Sync {
    /// The name, as [`crate::ChannelPlan::name`] writes it.
    fn name(&self) -> &str;

    /// Sends one message once. Whoever calls it tries again. `reference` is what the receiver called the earlier messages of the same
    /// key, where it said so.
    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        reference: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>>;

    /// How many messages the receiver takes in a minute; `None` where nobody says.
    fn per_minute(&self) -> Option<u32> {
        None
    }
}

/// What a receiver said when it took a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// What it calls what it took: the key of an issue, the id of an OpsItem.
    pub reference: Option<String>,
}

/// Whether to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Yes, after the ordinary backoff.
    Backoff,
    /// Yes, but not before this long.
    After(Duration),
    /// No: it would be refused again.
    Never,
}

/// Why a message was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryError {
    /// Whether to try again.
    pub retry: Retry,
    /// What was tried, on what, and what came back, in lower case, without secrets.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for DeliveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DeliveryError {}
