//! When a source that fails becomes a ticket, and when that closes.
//!
//! One ticket is about one source and one kind of failure: a role that is denied is one thing to repair, whatever number
//! of Regions and series it makes blind. A Region is in one ticket at most. Nothing here pages or resolves: what cannot
//! be read is not judged at all.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Failure, Key, OpenGap, OpenSourceTicket, Period, RegionState, SourceAct, SourceClosed, SourceError,
    SourceState, SourceTicket, Spending, Thrift, Trouble,
};
use jiff::{SignedDuration, Timestamp};

use crate::thrift::month_of;

#[cfg(test)]
mod tests;

/// Polls must have failed for this long: two periods, so that one failure that heals is told nobody.
pub const FAILING_TO_TICKET: SignedDuration = SignedDuration::from_mins(10);
/// A ticket closes after this many good polls in a row in every Region that it is about.
pub const GOOD_POLLS_TO_CLOSE: u8 = 2;
/// Failed polls that are further apart are not one stretch of failing: nobody polled in between. The longest pause between
/// two polls is a period, and a poll that hangs takes another one.
const ONE_STRETCH: SignedDuration = SignedDuration::from_mins(15);

/// What a source's failure makes blind, of some of its Regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Affected {
    /// All series.
    pub series: usize,
    /// Series that have not been judged up to now.
    pub behind: usize,
    /// Open incidents.
    pub incidents: usize,
}

/// What follows for a source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceNews {
    /// The states that changed; one that is empty is to be forgotten.
    pub states: Vec<SourceState>,
    /// What is to be told.
    pub tickets: Vec<SourceTicket>,
}

/// How all sources are doing.
#[derive(Debug, Clone, Default)]
pub struct SourceWatch {
    sources: BTreeMap<String, SourceState>,
}

impl SourceWatch {
    /// Takes up remembered states, of the sources and Regions that are configured now. A ticket of which none are left
    /// closes.
    #[must_use]
    pub fn restore(
        now: Timestamp,
        states: Vec<SourceState>,
        is_configured: impl Fn(&str, &str) -> bool,
    ) -> (Self, SourceNews) {
        let (mut watch, mut news) = (Self::default(), SourceNews::default());
        for before in states {
            let is_configured = |region: &String| is_configured(&before.source, region);
            let mut state = before.clone();
            state.regions.retain(|one| is_configured(&one.region));
            state.tickets.retain_mut(|ticket| {
                ticket.regions.retain(is_configured);
                !ticket.regions.is_empty()
            });
            let why = SourceClosed::NotConfigured;
            news.tickets.extend(
                gone(&before, &state).map(|ticket| closed(&before, ticket, now, why, Affected::default())),
            );
            if state.regions.is_empty() {
                state = SourceState { source: state.source, ..SourceState::default() };
            }
            if state != before {
                news.states.push(state.clone());
            }
            if !state.regions.is_empty() {
                watch.sources.insert(state.source.clone(), state);
            }
        }
        (watch, news)
    }

    /// What is remembered of a source.
    #[must_use]
    pub fn state(&self, source: &str) -> Option<&SourceState> {
        self.sources.get(source)
    }

    fn state_mut(&mut self, source: &str) -> &mut SourceState {
        let new = || SourceState { source: source.to_owned(), ..SourceState::default() };
        self.sources.entry(source.to_owned()).or_insert_with(new)
    }

    /// So many metrics were asked of a source, as CloudWatch bills them. A month begins with nothing spent and nothing shed. Gives what is
    /// to be written.
    pub fn spent(&mut self, now: Timestamp, source: &str, billed_metrics: u64) -> SourceState {
        let month = month_of(now);
        let state = self.state_mut(source);
        if state.spending.month != month {
            state.spending = Spending { month, ..Spending::default() };
        }
        state.spending.billed_metrics = state.spending.billed_metrics.saturating_add(billed_metrics);
        state.clone()
    }

    /// A source is read like that from now on. Gives what is to be written, where that is new.
    pub fn thrifty(&mut self, source: &str, thrift: Thrift) -> Option<SourceState> {
        let state = self.state_mut(source);
        let before = std::mem::replace(&mut state.spending.thrift, thrift);
        (before != thrift).then(|| state.clone())
    }

    /// The gaps of a source are these. Gives what is to be written, where that is new.
    pub fn gaps(&mut self, source: &str, gaps: Vec<OpenGap>) -> Option<SourceState> {
        if gaps.is_empty() && !self.sources.contains_key(source) {
            return None;
        }
        let state = self.state_mut(source);
        let before = std::mem::replace(&mut state.gaps, gaps);
        (before != state.gaps).then(|| state.clone())
    }

    /// What is remembered of all of them, by name.
    pub fn states(&self) -> impl Iterator<Item = &SourceState> {
        self.sources.values()
    }

    /// A poll of a source in a Region ended, with something that did not work or without. `affected` counts what is in some of its Regions.
    pub fn polled(
        &mut self,
        now: Timestamp,
        source: &str,
        region: &str,
        trouble: Option<(SourceAct, &SourceError)>,
        affected: impl Fn(&[String]) -> Affected,
    ) -> SourceNews {
        let state = self.state_mut(source);
        let tickets = match trouble {
            None => {
                note_good(state, region, now);
                close_recovered(state, now, &affected)
            }
            Some((act, error)) => {
                note_failed(state, region, now, act, error.failure);
                file(state, region, now, error, &affected)
            }
        };
        SourceNews { states: vec![state.clone()], tickets }
    }
}

fn region_of<'a>(state: &'a mut SourceState, region: &str) -> &'a mut RegionState {
    let place = match state.regions.binary_search_by(|one| one.region.as_str().cmp(region)) {
        Ok(place) => place,
        Err(place) => {
            let new =
                RegionState { region: region.to_owned(), last_good: None, good_polls: 0, trouble: None };
            state.regions.insert(place, new);
            place
        }
    };
    &mut state.regions[place]
}

fn note_good(state: &mut SourceState, region: &str, now: Timestamp) {
    let region = region_of(state, region);
    region.last_good = Some(now);
    region.good_polls = region.good_polls.saturating_add(1).min(GOOD_POLLS_TO_CLOSE);
    region.trouble = None;
}

fn note_failed(state: &mut SourceState, region: &str, now: Timestamp, act: SourceAct, failure: Failure) {
    let region = region_of(state, region);
    region.good_polls = 0;
    let new = Trouble { act, failure, since: now, this_way_since: now, last: now };
    let goes_on = |trouble: &Trouble| now.duration_since(trouble.last) <= ONE_STRETCH;
    region.trouble = Some(match region.trouble.filter(goes_on) {
        None => new,
        Some(before) if (before.act, before.failure) == (act, failure) => Trouble { last: now, ..before },
        Some(before) => Trouble { since: before.since, ..new },
    });
}

/// Puts a failing Region into the ticket that it belongs to, and opens one where there is none yet.
fn file(
    state: &mut SourceState,
    region: &str,
    now: Timestamp,
    error: &SourceError,
    affected: &impl Fn(&[String]) -> Affected,
) -> Vec<SourceTicket> {
    let Some(trouble) = region_of(state, region).trouble else { return Vec::new() };
    let own = state.tickets.iter().find(|ticket| ticket.regions.iter().any(|one| one == region));
    if own.is_some_and(|own| is_about(own, &trouble)) {
        return Vec::new();
    }
    let (is_told, is_due) = (own.is_some(), is_due(&trouble, own.is_some(), now));
    let open = state.tickets.iter().position(|ticket| is_about(ticket, &trouble));
    let mut news = Vec::new();
    let place = match open {
        // One more Region of what is told already: the ticket is not over before it answers too.
        Some(place) if is_due || !is_told => {
            state.tickets[place].regions.push(region.to_owned());
            state.tickets[place].regions.sort();
            place
        }
        None if is_due => {
            let ticket = opened(state, &trouble, now);
            news.push(told(state, &ticket, now, affected(&ticket.regions), Some(error.clone()), None));
            state.tickets.push(ticket);
            state.tickets.len() - 1
        }
        _ => return news,
    };
    let OpenSourceTicket { key, regions, .. } = state.tickets[place].clone();
    news.extend(leave_others(state, &key, &regions, now, affected));
    news
}

/// The ticket about a trouble, with every Region that has it.
fn opened(state: &SourceState, trouble: &Trouble, now: Timestamp) -> OpenSourceTicket {
    let is_told =
        |region: &str| state.tickets.iter().any(|ticket| ticket.regions.iter().any(|one| one == region));
    let joins: BTreeSet<(String, Timestamp)> = state
        .regions
        .iter()
        .filter_map(|one| {
            let its = one.trouble.filter(|its| (its.act, its.failure) == (trouble.act, trouble.failure))?;
            let is_told = is_told(&one.region);
            let since = if is_told { its.this_way_since } else { its.since };
            let fails_now = now.duration_since(its.last) <= ONE_STRETCH;
            (fails_now && (!is_told || is_due(&its, is_told, now))).then(|| (one.region.clone(), since))
        })
        .collect();
    let since = joins.iter().map(|(_, since)| *since).min().unwrap_or(trouble.since);
    let key = Key::of_source(&state.source, trouble.act, trouble.failure, Period::containing(since));
    let regions = joins.into_iter().map(|(region, _)| region).collect();
    OpenSourceTicket { key, act: trouble.act, failure: trouble.failure, since, opened: now, regions }
}

/// Takes Regions that went into one ticket out of all others, and closes those that are left without any.
fn leave_others(
    state: &mut SourceState,
    key: &Key,
    regions: &[String],
    now: Timestamp,
    affected: &impl Fn(&[String]) -> Affected,
) -> Vec<SourceTicket> {
    let before = state.clone();
    state.tickets.retain_mut(|ticket| {
        if ticket.key != *key {
            ticket.regions.retain(|region| !regions.contains(region));
        }
        !ticket.regions.is_empty()
    });
    gone(&before, state)
        .map(|ticket| closed(&before, ticket, now, SourceClosed::FailsOtherwise, affected(&ticket.regions)))
        .collect()
}

fn close_recovered(
    state: &mut SourceState,
    now: Timestamp,
    affected: &impl Fn(&[String]) -> Affected,
) -> Vec<SourceTicket> {
    let before = state.clone();
    let is_well = |region: &String| {
        before.regions.iter().any(|one| one.region == *region && one.good_polls >= GOOD_POLLS_TO_CLOSE)
    };
    state.tickets.retain(|ticket| !ticket.regions.iter().all(is_well));
    gone(&before, state)
        .map(|ticket| closed(&before, ticket, now, SourceClosed::Recovered, affected(&ticket.regions)))
        .collect()
}

/// Whether a ticket is about this kind of trouble.
fn is_about(ticket: &OpenSourceTicket, trouble: &Trouble) -> bool {
    (ticket.act, ticket.failure) == (trouble.act, trouble.failure)
}

/// Whether a trouble has lasted long enough to be told. A Region that is told of already must have failed in the new way
/// for as long.
fn is_due(trouble: &Trouble, is_told: bool, now: Timestamp) -> bool {
    let since = if is_told { trouble.this_way_since } else { trouble.since };
    now.duration_since(since) >= FAILING_TO_TICKET
}

/// The tickets that stood before and do not any more.
fn gone<'a>(before: &'a SourceState, after: &SourceState) -> impl Iterator<Item = &'a OpenSourceTicket> {
    before.tickets.iter().filter(|ticket| after.tickets.iter().all(|left| left.key != ticket.key))
}

fn closed(
    state: &SourceState,
    ticket: &OpenSourceTicket,
    now: Timestamp,
    why: SourceClosed,
    affected: Affected,
) -> SourceTicket {
    told(state, ticket, now, affected, None, Some(why))
}

fn told(
    state: &SourceState,
    ticket: &OpenSourceTicket,
    now: Timestamp,
    affected: Affected,
    error: Option<SourceError>,
    closed: Option<SourceClosed>,
) -> SourceTicket {
    let own = state.regions.iter().filter(|one| ticket.regions.contains(&one.region));
    let worked_until = own.filter_map(|one| one.last_good).filter(|last| *last <= ticket.since).max();
    let is_blind = closed.is_none() && ticket.act == SourceAct::Read;
    SourceTicket {
        source: state.source.clone(),
        act: ticket.act,
        failure: ticket.failure,
        key: ticket.key.clone(),
        regions: ticket.regions.clone(),
        since: ticket.since,
        worked_until,
        at: now,
        series: if is_blind { affected.behind } else { affected.series },
        incidents: affected.incidents,
        error,
        closed,
    }
}
