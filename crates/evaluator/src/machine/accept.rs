//! Somebody accepts a new level.

use domain::{Acceptance, Cause, PERIODS_PER_DAY, Resolve, Span, TicketAction};

use super::Machine;
use crate::effect::Effect;
use crate::learned::ALWAYS;
use crate::settings::Settings;
use crate::tickets;

impl Machine {
    /// Takes the level of now for normal: ends the incident, closes what asked about it, and learns from no older reading.
    ///
    /// An incident is accepted as a whole: what it showed since its onset is the new history, so that three days of it are a
    /// baseline at once. Without one, only what is older than the trailing baseline is given up: the oldest days, which erosion
    /// is held against.
    pub(crate) fn accept(&mut self, acceptance: &Acceptance, settings: &Settings) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(mut state) = self.state.take() else { return effects };
        let period = state.judged_through;
        let until = match state.incident.take() {
            Some(incident) => {
                let until = incident.onset;
                effects.push(Effect::Resolve(Box::new(Resolve {
                    incident,
                    recovered: period,
                    resolved: period,
                    slots: self.slots.clone(),
                    accepted: Some(acceptance.clone()),
                    unwatched: false,
                })));
                until
            }
            None => period + 1 - i64::from(settings.learning.history_days) * PERIODS_PER_DAY,
        };
        state.untrained.retain(|span| span.until > until);
        state.untrained.insert(0, Span { from: ALWAYS, until });
        let now = tickets::last_day(&self.history, period);
        state.tickets.retain(|ticket| {
            let asked = matches!(ticket.cause, Cause::LevelShift | Cause::DecodeErosion);
            if asked {
                let closed = tickets::told(&self.series, ticket, TicketAction::Closed, period, &now, (0, 0));
                effects.push(Effect::Ticket(Box::new(closed)));
            }
            !asked
        });
        self.state = Some(state);
        self.forget();
        effects
    }
}
