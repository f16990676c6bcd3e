//! Random stories: what happens in each step, and what is written down of what is said.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Cause, Filed, GroupBy, Hours, Key, Matcher, Mode, PageState, Period, Plan, Series, Silence, Ticket,
    TicketAction, Weekdays,
};
use evaluator::{Desk, Effect, Notice, Paging};
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::world::{
    in_europe, judged, maintenance, models, page_of, plan, resolve_of, route, series, silence, ticket_of,
};

/// What can happen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// An incident of this series opens, or the open one ends.
    Incident(u8),
    /// A ticket about this series opens, is updated, or closes.
    Ticket(u8, TicketAction),
    /// Somebody silences, or the silence is expired.
    Silence(u8),
    /// The configuration becomes another.
    Configure(u8),
    /// This series cannot be seen from now on, or can be again.
    Blind(u8),
    /// Time passes.
    Wait(u8),
}

pub(crate) fn acts(configure: bool) -> impl Strategy<Value = Vec<Vec<Act>>> {
    let action =
        prop_oneof![Just(TicketAction::Opened), Just(TicketAction::Updated), Just(TicketAction::Closed)];
    let act = prop_oneof![
        10 => (0..SERIES).prop_map(Act::Incident),
        3 => (0..SERIES, action).prop_map(|(one, action)| Act::Ticket(one, action)),
        3 => (0..3_u8).prop_map(Act::Silence),
        if configure { 2 } else { 0 } => (0..6_u8).prop_map(Act::Configure),
        2 => (0..SERIES).prop_map(Act::Blind),
        2 => (1..60_u8).prop_map(Act::Wait),
    ];
    prop::collection::vec(prop::collection::vec(act, 0..6), 1..40)
}

const SERIES: u8 = 5;

pub(crate) fn of(index: u8) -> Series {
    match index {
        0..3 => series(["a", "b", "c"][usize::from(index)]),
        _ => in_europe(["a", "b"][usize::from(index - 3)]),
    }
}

/// One step of a story.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) k: i64,
    pub(crate) effects: Vec<Effect>,
    pub(crate) plan: Plan,
    pub(crate) silences: Vec<Silence>,
    pub(crate) seen: BTreeMap<Series, Period>,
    /// The incidents and tickets that are open after it.
    pub(crate) standing: BTreeMap<Key, domain::Page>,
    pub(crate) tickets: BTreeMap<Key, Ticket>,
}

/// The moments that some acts make.
pub(crate) fn moments(acts: &[Vec<Act>]) -> Vec<Moment> {
    let mut k = 0;
    let mut plan = configuration(0);
    let mut silences: Vec<Silence> = Vec::new();
    let mut open: BTreeMap<Series, i64> = BTreeMap::new();
    let mut tickets: BTreeMap<Series, Ticket> = BTreeMap::new();
    let mut blind: BTreeMap<Series, Period> = BTreeMap::new();
    let mut all = Vec::new();
    for step in acts {
        let first = k;
        k += 1;
        let mut effects = Vec::new();
        for act in step {
            match *act {
                Act::Incident(one) => {
                    let one = of(one);
                    match open.remove(&one) {
                        // An episode spans a period at least; the next may open in the same step, when several are judged at once.
                        Some(opened) => {
                            k = k.max(opened + 1);
                            effects.push(Effect::Resolve(Box::new(resolve_of(&one, opened, k))));
                            k += 1;
                        }
                        None => {
                            effects.push(Effect::Page(Box::new(page_of(&one, k, 200.0))));
                            open.insert(one, k);
                        }
                    }
                }
                Act::Ticket(one, action) => {
                    let one = of(one);
                    match (action, tickets.get(&one).cloned()) {
                        (TicketAction::Opened, None) => {
                            let ticket = ticket_of(&one, Cause::Queueing, k, k);
                            effects.push(Effect::Ticket(Box::new(ticket.clone())));
                            tickets.insert(one, ticket);
                        }
                        (TicketAction::Updated | TicketAction::Closed, Some(ticket)) => {
                            effects.push(Effect::Ticket(Box::new(Ticket { action, ..ticket })));
                            if action == TicketAction::Closed {
                                tickets.remove(&one);
                                k += 1;
                            }
                        }
                        _ => {}
                    }
                }
                Act::Silence(which) => {
                    if silences.pop().is_none() {
                        let matcher = match which {
                            0 => Matcher::default(),
                            1 => models(&["a"]),
                            _ => Matcher { regions: vec!["us-*".to_owned()], ..Matcher::default() },
                        };
                        silences.push(silence(matcher, k - 1, k + 40));
                    }
                }
                Act::Configure(which) => plan = configuration(which),
                Act::Blind(one) => {
                    if blind.remove(&of(one)).is_none() {
                        blind.insert(of(one), crate::world::at(k));
                    }
                }
                Act::Wait(periods) => k += i64::from(periods),
            }
        }
        k = k.max(first + 1);
        let seen = (0..SERIES).map(of).map(|one| {
            let seen = blind.get(&one).copied().unwrap_or_else(|| crate::world::at(k));
            (one, seen)
        });
        all.push(Moment {
            k,
            effects,
            plan: plan.clone(),
            silences: silences.clone(),
            seen: seen.collect(),
            standing: open
                .iter()
                .map(|(series, opened)| page_of(series, *opened, 200.0))
                .map(|page| (page.incident().key.clone(), page))
                .collect(),
            tickets: tickets.values().map(|ticket| (ticket.key.clone(), ticket.clone())).collect(),
        });
    }
    all
}

fn configuration(which: u8) -> Plan {
    let mut plan = plan();
    match which {
        1 => plan.group_by = GroupBy::Series,
        2 => plan.routes.page.insert(0, route(models(&["a"]), &["log.all", "sns.ops"])),
        3 => {
            plan.routes.page = vec![route(models(&["a", "b"]), &["pagerduty.oncall"])];
            plan.routes.ticket = vec![route(models(&["a"]), &["log.all"])];
        }
        4 => {
            plan.maintenance =
                vec![maintenance(models(&["b"]), -10, 60), maintenance(models(&["c"]), 30, 90)];
        }
        5 => plan.rule.mode = Mode::Observe,
        _ => {
            let time = |hour| Time::constant(hour, 0, 0, 0);
            let office = Hours { days: Weekdays::ALL, from: time(8), until: time(18), zone: TimeZone::UTC };
            let by_day = route(models(&["c"]), &["log.all"]);
            plan.routes.page.insert(0, domain::Route { hours: Some(office), ..by_day });
        }
    }
    plan
}

impl Moment {
    pub(crate) fn now(&self) -> Timestamp {
        judged(self.k)
    }

    pub(crate) fn step(&self, paging: &mut Paging, effects: &[Effect]) -> Vec<Notice> {
        let seen = |series: &Series| self.seen.get(series).copied();
        let desk = Desk { plan: &self.plan, silences: &self.silences, seen: &seen };
        paging.step(self.now(), &desk, effects)
    }

    /// By another road than the code: whether a series is muted for a cause.
    pub(crate) fn mutes(&self, series: &Series, cause: &str) -> bool {
        let labels = domain::Labels::new();
        let regions = [series.region()];
        let about = domain::About { series: Some(series), regions: &regions, cause, labels: &labels };
        self.plan.rule.mode == Mode::Observe
            || self.silences.iter().any(|one| one.holds(self.now()) && one.matcher.takes(&about))
            || self
                .plan
                .maintenance
                .iter()
                .any(|one| one.window.contains(self.now()) && one.matcher.takes(&about))
    }

    /// The channels of the page route that takes a series now.
    pub(crate) fn routed(&self, series: &Series) -> Vec<String> {
        let labels = domain::Labels::new();
        let regions = [series.region()];
        let about = domain::About {
            series: Some(series),
            regions: &regions,
            cause: domain::PAGE_CAUSE,
            labels: &labels,
        };
        let route = self.plan.routes.page.iter().find(|route| route.takes(&about, self.now()));
        route.map(|route| route.channels.clone()).unwrap_or_default()
    }
}

/// What is written down of what is said, as the daemon does it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
    pub(crate) pages: BTreeMap<(Key, String), PageState>,
    pub(crate) filed: BTreeMap<Key, Vec<String>>,
}

impl Written {
    pub(crate) fn write(&mut self, paging: &Paging, notices: &[Notice]) {
        for notice in notices {
            let (state, filed) = match notice {
                Notice::Page(page) => (Some(&page.state), None),
                Notice::Changed(state) => (Some(state.as_ref()), None),
                Notice::Resolve(resolve) => (Some(&resolve.state), None),
                Notice::Held { held, .. } | Notice::HeldOver { held, .. } => {
                    (Some(&held.state), Some(evaluator::paging::held_key(&held.state.key)))
                }
                Notice::Ticket { ticket, .. } => (None, Some(ticket.key.clone())),
                Notice::Untold { .. } | Notice::Forgotten { .. } => (None, None),
            };
            if let Some(state) = state {
                self.pages.insert((state.key.clone(), state.channel.clone()), state.clone());
            }
            if let Some(Filed { key, channels }) = filed.map(|key| paging.filed_of(&key)) {
                self.filed.insert(key, channels);
            }
        }
        self.filed.retain(|_, channels| !channels.is_empty());
    }

    pub(crate) fn restored(&self, moment: &Moment) -> Paging {
        let mut paging = Paging::default();
        let filed =
            |(key, channels): (&Key, &Vec<String>)| Filed { key: key.clone(), channels: channels.clone() };
        paging.restore(
            self.pages.values().cloned().collect(),
            self.filed.iter().map(filed).collect(),
            moment.standing.values().cloned().collect(),
            moment.tickets.values().cloned().collect(),
        );
        paging
    }
}

/// Who was ever told of which incident.
pub(crate) fn told(notices: &[Notice]) -> BTreeSet<(Key, String)> {
    let state = |notice: &Notice| match notice {
        Notice::Page(page) => Some(page.state.clone()),
        Notice::Changed(state) => Some(state.as_ref().clone()),
        _ => None,
    };
    let of = |state: PageState| {
        let channel = state.channel;
        state.members.into_iter().map(move |member| (member.incident, channel.clone()))
    };
    notices.iter().filter_map(state).flat_map(of).collect()
}
