//! What a step says.

use domain::{Page, Resolve, Series, Ticket, Transition};

/// Something that follows from a step. Effects are in order of data time; the caller writes them down and acts on them.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// The state of a series changed.
    Transition(Transition),
    /// Somebody is to be woken.
    Page(Box<Page>),
    /// An incident is over.
    Resolve(Box<Resolve>),
    /// An incident opened and ended in history that was read at once. It is told nobody; a page that begins now may have begun with it.
    Ended(Box<Resolve>),
    /// A ticket opened, still stands, or closed.
    Ticket(Box<Ticket>),
    /// A period breached after one that did not: the metrics that explain it should be read at once.
    Diagnose(Series),
}

impl Effect {
    /// Whose it is.
    #[must_use]
    pub fn series(&self) -> &Series {
        match self {
            Self::Transition(transition) => &transition.series,
            Self::Page(page) => &page.incident().series,
            Self::Resolve(resolve) | Self::Ended(resolve) => &resolve.incident.series,
            Self::Ticket(ticket) => &ticket.series,
            Self::Diagnose(series) => series,
        }
    }
}
