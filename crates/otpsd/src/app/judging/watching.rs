//! How the polls of sources went, and the tickets about them.

use std::collections::BTreeMap;

use domain::{
    Cause, Commit, Failure, Filed, Key, LedgerError, Period, SourcePlan, SourceState, SourceTicket,
};
use evaluator::{Affected, Desk, SourceNews, SourceWatch};
use jiff::Timestamp;

use super::owing::Owing;
use super::{Judging, surroundings};
use crate::app::recipients::Recipients;
use crate::app::sources::{Place, Sight};

/// Who was told of the open tickets about sources.
#[derive(Debug, Default)]
pub(super) struct SourceTickets {
    /// The channels, by ticket: its end is told to exactly these.
    told: BTreeMap<Key, Vec<String>>,
    /// Nobody was, because of a silence, of `mode = "observe"` or of the routes.
    untold: BTreeMap<Key, SourceTicket>,
}

impl Judging {
    /// Takes up what the ledger remembers of sources. A ticket about one that is not configured any more closes. Gives what was filed
    /// about anything else.
    pub(super) fn restore_sources(
        &mut self,
        now: Timestamp,
        states: Vec<SourceState>,
        filed: Vec<Filed>,
    ) -> Vec<Filed> {
        let open = || states.iter().flat_map(|state| state.tickets.iter().map(move |ticket| (state, ticket)));
        let is_of_source = |one: &Filed| open().any(|(_, ticket)| ticket.key == one.key);
        let (of_sources, others): (Vec<_>, Vec<_>) = filed.into_iter().partition(is_of_source);
        self.source_tickets.told = of_sources.into_iter().map(|one| (one.key, one.channels)).collect();
        for (state, ticket) in open() {
            if !self.source_tickets.told.contains_key(&ticket.key) {
                let standing = standing(&state.source, ticket, now);
                self.source_tickets.untold.insert(ticket.key.clone(), standing);
            }
        }
        let plans = &self.plan.sources;
        let is_configured = |source: &str, region: &str| {
            plans.iter().any(|SourcePlan::CloudWatch(plan)| {
                plan.name == source && plan.regions.iter().any(|one| one == region)
            })
        };
        let (watch, news) = SourceWatch::restore(now, states, is_configured);
        self.watch = watch;
        // It is written with whatever is written first.
        self.note(now, news);
        others
    }

    /// A poll ended; `settled` is the last period that could have been read.
    pub(crate) async fn polled(
        &mut self,
        now: Timestamp,
        place: &Place,
        sight: Sight<'_>,
        settled: Period,
    ) -> Result<(), LedgerError> {
        let (engine, sources) = (&self.engine, &self.sources);
        let affected = |regions: &[String]| {
            let mut affected = Affected::default();
            let is_in = |region: &str| regions.iter().any(|one| one == region);
            for one in engine.series().filter(|one| is_in(one.region()) && sources.of(one) == place.source) {
                let state = engine.state(one);
                affected.series += 1;
                affected.behind += usize::from(state.is_none_or(|state| state.judged_through < settled));
                affected.incidents += usize::from(state.is_some_and(|state| state.incident.is_some()));
            }
            affected
        };
        self.unasked.remove(place);
        let news = self.watch.polled(now, &place.source, &place.region, sight.trouble(), affected);
        self.note(now, news);
        self.write(now).await
    }

    /// What is remembered of every source.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &SourceState> {
        self.watch.states()
    }

    /// Whether there is a ticket that a source has nothing to watch.
    pub(crate) fn is_told_empty(&self, source: &str) -> bool {
        let tickets = self.watch.state(source).map(|state| state.tickets.as_slice()).unwrap_or_default();
        tickets.iter().any(|ticket| ticket.failure == Failure::Empty)
    }

    /// When a source was last read in a Region, as far as is remembered.
    pub(crate) fn last_good(&self, place: &Place) -> Option<Timestamp> {
        let regions = &self.watch.state(&place.source)?.regions;
        regions.iter().find(|one| one.region == place.region)?.last_good
    }

    /// Puts news to what is to be written.
    fn note(&mut self, now: Timestamp, news: SourceNews) {
        for ticket in &news.tickets {
            let (source, key, failure) = (&ticket.source, &ticket.key, ticket.failure.as_str());
            let summary = notifier::text::source::summary(ticket);
            match ticket.closed {
                None => tracing::warn!(source, %key, failure, "{summary}"),
                Some(_) => tracing::info!(source, %key, failure, "{summary}"),
            }
        }
        self.add(Commit { sources: news.states, ..Commit::default() });
        self.tell_of_sources(now, &news.tickets);
    }

    /// Puts what is to be told of sources to what is to be written: news, and what nobody was told of before. Says whether somebody is
    /// told.
    pub(super) fn tell_of_sources(&mut self, now: Timestamp, news: &[SourceTicket]) -> bool {
        let Self { engine, watch, silences, plan, sources, recent, source_tickets, .. } = self;
        let look = |page: &domain::GroupPage| surroundings::around(page, plan, now, engine, sources, watch);
        let owing = Owing { plan, silences, now, around: &look };
        let seen = |series: &domain::Series| recent.seen(series);
        let desk = Desk { plan: plan.as_ref(), silences: silences.as_slice(), seen: &seen };
        let mut commit = Commit::default();
        for ticket in news {
            let key = ticket.key.clone();
            if ticket.closed.is_none() {
                source_tickets.untold.insert(key, ticket.clone());
                continue;
            }
            source_tickets.untold.remove(&key);
            if let Some(channels) = source_tickets.told.remove(&key) {
                commit.outbox.extend(owing.source_ticket(ticket, &channels));
                commit.filed.push(Filed { key, channels: Vec::new() });
            }
        }
        source_tickets.untold.retain(|key, ticket| {
            let regions: Vec<&str> = ticket.regions.iter().map(String::as_str).collect();
            let channels = Recipients::new(plan).of_source(&desk, Cause::SourceFailing, &regions, now);
            if channels.is_empty() {
                return true;
            }
            commit.outbox.extend(owing.source_ticket(ticket, &channels));
            commit.filed.push(Filed { key: key.clone(), channels: channels.clone() });
            source_tickets.told.insert(key.clone(), channels);
            false
        });
        let tells = !commit.outbox.is_empty();
        self.add(commit);
        tells
    }
}

/// What is said of an open ticket that nobody was told of before a restart. How many series it makes blind is not known yet.
fn standing(source: &str, ticket: &domain::OpenSourceTicket, now: Timestamp) -> SourceTicket {
    SourceTicket {
        source: source.to_owned(),
        act: ticket.act,
        failure: ticket.failure,
        key: ticket.key.clone(),
        regions: ticket.regions.clone(),
        since: ticket.since,
        worked_until: None,
        at: now,
        series: 0,
        incidents: 0,
        error: None,
        closed: None,
    }
}
