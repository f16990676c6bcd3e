//! What a detector said about one model.

use domain::{Cause, Period, TicketAction};
use evaluator::Effect;

/// One thing that was said. In order of time, a page before its resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Said {
    /// The period whose start is the time at which it was said: the one after the period that decided.
    pub(super) at: Period,
    pub(super) what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Page,
    Resolve,
    Ticket(Cause),
}

impl Said {
    /// What an effect tells people, if it is scored: not that a ticket still stands or was closed.
    pub(super) fn of(effect: &Effect) -> Option<Self> {
        let (decided, what) = match effect {
            Effect::Page(page) => (page.incident().opened, What::Page),
            Effect::Resolve(resolve) => (resolve.resolved, What::Resolve),
            Effect::Ticket(ticket) if ticket.action == TicketAction::Opened => {
                (ticket.decided, What::Ticket(ticket.cause))
            }
            Effect::Ended(_) | Effect::Ticket(_) | Effect::Transition(_) | Effect::Diagnose(_) => {
                return None;
            }
        };
        Some(Self { at: decided + 1, what })
    }
}

/// From a page to its resolve, if one came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Episode {
    pub(super) paged: Period,
    pub(super) resolved: Option<Period>,
}

/// The episodes of what was said, which is in order.
pub(super) fn episodes(said: &[Said]) -> Vec<Episode> {
    let mut episodes: Vec<Episode> = Vec::new();
    let mut open = None;
    for one in said {
        match one.what {
            What::Page => open = Some(one.at),
            What::Resolve => {
                if let Some(paged) = open.take() {
                    episodes.push(Episode { paged, resolved: Some(one.at) });
                }
            }
            What::Ticket(_) => {}
        }
    }
    episodes.extend(open.map(|paged| Episode { paged, resolved: None }));
    episodes
}
