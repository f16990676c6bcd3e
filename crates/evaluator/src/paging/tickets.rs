//! Tickets: told when nothing mutes them, and from then on to exactly those who were told.

use domain::{Key, Ticket, TicketAction};
use jiff::Timestamp;

use super::{Desk, Paging, Step};

impl Paging {
    /// Takes in what the engine said of a ticket.
    pub(super) fn take_ticket(&mut self, now: Timestamp, desk: &Desk<'_>, ticket: &Ticket, step: &mut Step) {
        let filed = self.filed.get(&ticket.key).cloned();
        match (ticket.action, filed) {
            (TicketAction::Opened | TicketAction::Updated, None) => {
                // What nobody was told of is new to whoever is told next.
                let ticket = Ticket { action: TicketAction::Opened, ..ticket.clone() };
                self.unfiled.insert(ticket.key.clone(), ticket);
            }
            (TicketAction::Closed, None) => {
                self.unfiled.remove(&ticket.key);
            }
            (TicketAction::Opened, Some(_)) => {}
            (TicketAction::Updated, Some(channels)) => {
                if !desk.mutes(&ticket.series, ticket.cause.as_str(), now) {
                    step.tickets.push((ticket.clone(), channels));
                }
            }
            (TicketAction::Closed, Some(channels)) => {
                self.filed.remove(&ticket.key);
                step.tickets.push((ticket.clone(), channels));
            }
        }
    }

    /// Files what nobody was told of and nothing mutes.
    pub(super) fn tell_tickets(&mut self, now: Timestamp, desk: &Desk<'_>, step: &mut Step) {
        let mut told: Vec<Key> = Vec::new();
        for (key, ticket) in &self.unfiled {
            if let Ok(channels) = desk.of_ticket(&ticket.series, ticket.cause.as_str(), now) {
                self.filed.insert(key.clone(), channels.clone());
                step.tickets.push((ticket.clone(), channels));
                told.push(key.clone());
            }
        }
        for key in told {
            self.unfiled.remove(&key);
        }
        step.tickets.sort_by(|(a, _), (b, _)| a.key.cmp(&b.key));
    }
}
