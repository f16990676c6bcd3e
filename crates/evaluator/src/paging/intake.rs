//! What the engine said is taken in, before anything is told: what opens and ends within one step is told nobody.

use domain::Resolve;
use jiff::Timestamp;

use super::chain::Episode;
use super::{Desk, Notice, Paging, Step};
use crate::Effect;

impl Paging {
    pub(super) fn take_in(&mut self, now: Timestamp, desk: &Desk<'_>, effects: &[Effect], step: &mut Step) {
        for effect in effects {
            match effect {
                Effect::Page(page) => self.wait_for(page.as_ref().clone(), false),
                Effect::Resolve(resolve) => self.end(resolve, step),
                Effect::Ended(resolve) => self.episodes.push(Episode::new(resolve, now)),
                Effect::Ticket(ticket) => self.take_ticket(now, desk, ticket, step),
                Effect::Transition(_) | Effect::Diagnose(_) => {}
            }
        }
    }

    /// An incident is over: it leaves its pages, or nobody will ever be told of it.
    fn end(&mut self, resolve: &Resolve, step: &mut Step) {
        let key = &resolve.incident.key;
        if self.waiting.remove(key).is_some() {
            step.rest.push(Notice::Forgotten { incident: Box::new(resolve.incident.clone()) });
        }
        for id in self.pages_of.get(key).into_iter().flatten() {
            let Some(page) = self.pages.get_mut(id) else { continue };
            for member in page.members.iter_mut().filter(|member| member.incident == *key) {
                member.worst = resolve.incident.worst.or(member.worst);
                member.recovered = Some(resolve.recovered);
                member.resolved = Some(resolve.resolved);
            }
            step.changed.insert(id.clone());
            let order = |one: &Resolve| (one.resolved, one.incident.series.clone());
            if step.left.get(id).is_none_or(|last| order(last) < order(resolve)) {
                step.left.insert(id.clone(), resolve.clone());
            }
        }
    }
}
