//! Who would have been told: the pages and tickets as the daemon makes them of incidents, in order of time.

use std::collections::BTreeMap;

use domain::{GroupPage, Key, PageState, Period, Plan, Series, Ticket, TicketAction};
use evaluator::{Desk, Effect, Notice, Paging, Untold};
use jiff::Timestamp;

use super::hindsight::{Filed, Hindsight, Said, Telling};

/// Puts what was said, in order of time, into `hindsight`, with who would have been told of it.
pub(super) fn tell(plan: &Plan, said: impl Iterator<Item = (Period, Effect)>, hindsight: &mut Hindsight) {
    let until = hindsight.span.until;
    let mut said = said.peekable();
    let mut teller = Teller::new(plan);
    let mut all: Vec<Said> = Vec::new();
    let mut next = hindsight.span.from;
    loop {
        // Time alone may end a window or begin the hours of a route; where nothing waits for it, it is passed over.
        let decided = said.peek().map(|(period, _)| *period);
        let period =
            if teller.waits() { next.min(decided.unwrap_or(until)) } else { decided.unwrap_or(until) };
        if period >= until && decided.is_none() {
            break;
        }
        let mut effects = Vec::new();
        while let Some((_, effect)) = said.next_if(|(at, _)| *at <= period) {
            effects.push(effect);
        }
        let told = teller.step(period.end(), &effects);
        all.extend(effects.into_iter().map(|effect| told.said(effect)));
        next = period + 1;
    }
    teller.finish(all, hindsight);
}

/// Who was told in one step.
#[derive(Debug, Default)]
struct Step {
    /// Of incidents that are over, by their keys.
    resolved: BTreeMap<Key, Vec<Telling>>,
    tickets: BTreeMap<Key, Vec<String>>,
}

impl Step {
    fn said(&self, effect: Effect) -> Said {
        let (mut tellings, mut channels) = (Vec::new(), Vec::new());
        match &effect {
            Effect::Resolve(resolve) => {
                tellings = self.resolved.get(&resolve.incident.key).cloned().unwrap_or_default();
            }
            Effect::Ticket(ticket) => channels = self.tickets.get(&ticket.key).cloned().unwrap_or_default(),
            _ => {}
        }
        Said { effect, tellings, channels, untold: None }
    }
}

struct Teller<'p> {
    plan: &'p Plan,
    paging: Paging,
    /// Whether who is told depends on the time of day.
    depends_on_time: bool,
    /// The pages of incidents.
    tellings: BTreeMap<Key, Vec<Telling>>,
    untold: BTreeMap<Key, Untold>,
    /// As they are told.
    pages: Vec<GroupPage>,
    /// Tickets that stand and that nobody was told of.
    unfiled: BTreeMap<Key, Ticket>,
    /// The channels of tickets.
    filed: BTreeMap<Key, Vec<String>>,
}

impl<'p> Teller<'p> {
    fn new(plan: &'p Plan) -> Self {
        let routes = plan.routes.page.iter().chain(&plan.routes.ticket);
        Self {
            plan,
            paging: Paging::default(),
            depends_on_time: !plan.maintenance.is_empty()
                || routes.into_iter().any(|one| one.hours.is_some()),
            tellings: BTreeMap::new(),
            untold: BTreeMap::new(),
            pages: Vec::new(),
            unfiled: BTreeMap::new(),
            filed: BTreeMap::new(),
        }
    }

    /// Whether somebody may be told without anything new.
    fn waits(&self) -> bool {
        self.depends_on_time && (!self.unfiled.is_empty() || self.paging.untold().next().is_some())
    }

    fn step(&mut self, now: Timestamp, effects: &[Effect]) -> Step {
        for effect in effects {
            match effect {
                Effect::Ticket(ticket) if ticket.action == TicketAction::Closed => {
                    self.unfiled.remove(&ticket.key);
                }
                Effect::Ticket(ticket) if !self.filed.contains_key(&ticket.key) => {
                    self.unfiled.insert(ticket.key.clone(), ticket.as_ref().clone());
                }
                _ => {}
            }
        }
        // A page that only unseen series hold open is a matter of the daemon's sight, which a recording does not have.
        let seen = |_: &Series| Some(Period::last_ended(now));
        let desk = Desk { plan: self.plan, silences: &[], seen: &seen };
        let mut step = Step::default();
        for notice in self.paging.step(now, &desk, effects) {
            match notice {
                Notice::Page(page) => {
                    self.joined(&page.state, now, false);
                    self.pages.push(*page);
                }
                Notice::Changed(state) => self.joined(&state, now, true),
                Notice::Resolve(resolve) => {
                    self.joined(&resolve.state, now, true);
                    let key = resolve.last.incident.key.clone();
                    step.resolved.entry(key).or_default().push(Telling {
                        page: resolve.state.key,
                        channel: resolve.state.channel,
                        at: now,
                        joins: false,
                    });
                }
                Notice::Ticket { ticket, channels } => {
                    self.unfiled.remove(&ticket.key);
                    self.filed.entry(ticket.key.clone()).or_insert_with(|| channels.clone());
                    step.tickets.insert(ticket.key, channels);
                }
                Notice::Untold { incident, why } => {
                    self.untold.insert(incident.key, why);
                }
                Notice::Held { .. } | Notice::HeldOver { .. } | Notice::Forgotten { .. } => {}
            }
        }
        step
    }

    /// The incidents that came into a page at `now`.
    fn joined(&mut self, state: &PageState, now: Timestamp, joins: bool) {
        for member in state.members.iter().filter(|member| member.joined == now) {
            let tellings = self.tellings.entry(member.incident.clone()).or_default();
            if !tellings.iter().any(|one| one.page == state.key && one.channel == state.channel) {
                tellings.push(Telling {
                    page: state.key.clone(),
                    channel: state.channel.clone(),
                    at: now,
                    joins,
                });
            }
        }
    }

    /// Puts together what is known of each incident and ticket by the end.
    fn finish(self, said: Vec<Said>, hindsight: &mut Hindsight) {
        let tellings = |key: &Key| self.tellings.get(key).cloned().unwrap_or_default();
        let untold = |key: &Key| match self.tellings.contains_key(key) {
            true => None,
            false => self.untold.get(key).cloned(),
        };
        for episode in &mut hindsight.episodes {
            let key = &episode.page.incident().key;
            (episode.tellings, episode.untold) = (tellings(key), untold(key));
        }
        let mut tickets: Vec<Filed> = Vec::new();
        for one in said {
            let mut one = one;
            match &one.effect {
                Effect::Page(page) => {
                    let key = &page.incident().key;
                    (one.tellings, one.untold) = (tellings(key), untold(key));
                }
                Effect::Ticket(ticket) => {
                    let known = tickets.iter_mut().rev().find(|filed| filed.opened.key == ticket.key);
                    match (known, ticket.action) {
                        (Some(filed), TicketAction::Closed) => filed.closed = Some(ticket.as_ref().clone()),
                        (None, TicketAction::Opened) => tickets.push(Filed {
                            opened: ticket.as_ref().clone(),
                            closed: None,
                            channels: self.filed.get(&ticket.key).cloned().unwrap_or_default(),
                        }),
                        _ => {}
                    }
                }
                _ => {}
            }
            hindsight.said.push(one);
        }
        hindsight.tickets = tickets;
        hindsight.pages = self.pages;
    }
}
