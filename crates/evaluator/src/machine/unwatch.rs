//! A series is not watched any more.

use domain::{AlarmState, Resolve, Span, TicketAction};

use super::Machine;
use crate::effect::Effect;
use crate::tickets;

impl Machine {
    /// Ends what is open: nobody will learn how it goes on. What was slow does not train a baseline, should it be watched again.
    pub(crate) fn unwatch(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(state) = &mut self.state else { return effects };
        let period = state.judged_through;
        if let Some(incident) = state.incident.take() {
            state.untrained.push(Span { from: incident.onset, until: period + 1 });
            state.state = AlarmState::InsufficientData;
            state.since = period;
            effects.push(Effect::Resolve(Box::new(Resolve {
                incident,
                recovered: period,
                resolved: period,
                slots: self.slots.clone(),
                accepted: None,
                unwatched: true,
            })));
        }
        let now = tickets::last_day(&self.history, period);
        for ticket in state.tickets.drain(..) {
            let closed = tickets::told(&self.series, &ticket, TicketAction::Closed, period, &now, (0, 0));
            effects.push(Effect::Ticket(Box::new(closed)));
        }
        self.forget();
        effects
    }
}
