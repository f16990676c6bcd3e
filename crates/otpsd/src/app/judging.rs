//! The one place where readings become decisions, and decisions become owed messages.
//!
//! # Layout
//!
//! - `adopting`: what was found in history is told when all of it has been read.
//! - `owing`: what was said becomes incidents, pages and messages.
//! - `surroundings`: what else there is to see when a page is written.
//! - `watching`: how the polls of sources went, and the tickets about them.
//! - `covering`: what of them is not watched, what they cost, and the tickets about both.
//! - `asking`: what people say: silences, and accepted levels.
//! - `writing`: it is written down; until it is, what wakes people is kept in hand.

mod adopting;
mod asking;
mod covering;
mod owing;
mod surroundings;
mod watching;
mod writing;

pub(crate) use self::asking::about;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use domain::{
    Commit, IncidentRecord, Key, Ledger, LedgerError, Page, PageState, Period, Plan, Row, Series,
    SeriesState, Silence, SourcePlan, Verdict,
};
use evaluator::coverage::Coverage;
use evaluator::{Desk, Effect, Engine, Input, Paging, Settings, SourceWatch, Untold};
use jiff::{SignedDuration, Timestamp};

use self::adopting::Adopting;
use self::covering::GapsTold;
use self::owing::Owing;
use self::watching::SourceTickets;
use self::writing::Writing;
use super::in_hand::InHand;
use super::recent::Recent;
use super::sources::{Place, Sources};

/// What a poll brought, to be judged and written down together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The readings.
    pub(crate) rows: Vec<Row>,
    /// Series that have been read up to and including `through`.
    pub(crate) advance: Vec<Series>,
    /// The last period that was read.
    pub(crate) through: Option<Period>,
    /// The series are new: their history is replayed, and only what still stands is told.
    pub(crate) adopt: bool,
    /// Up to where diagnosis metrics were read too.
    pub(crate) diagnosed: Vec<(Series, Period)>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// What the engine said.
    pub(crate) effects: Vec<Effect>,
}

/// The engine, the ledger, and what connects them.
pub(crate) struct Judging {
    engine: Engine,
    watch: SourceWatch,
    paging: Paging,
    silences: Vec<Silence>,
    plan: Arc<Plan>,
    ledger: Arc<dyn Ledger>,
    metrics: Arc<web::Metrics>,
    sources: Arc<Sources>,
    recent: Recent,
    diagnosed: BTreeMap<Series, Period>,
    /// What the pages of the open incidents said.
    summaries: BTreeMap<Key, String>,
    in_hand: InHand,
    writing: Writing,
    adopting: Adopting,
    started: Timestamp,
    /// Places that were not asked since the start.
    unasked: BTreeSet<Place>,
    source_tickets: SourceTickets,
    coverage: Coverage,
    gaps_told: GapsTold,
    /// What could not be written yet. It is written with the next commit, before anything else.
    unwritten: Commit,
}

impl Judging {
    pub(crate) fn new(
        plan: Arc<Plan>,
        ledger: Arc<dyn Ledger>,
        metrics: Arc<web::Metrics>,
        sources: Arc<Sources>,
        in_hand: InHand,
    ) -> Self {
        Self {
            engine: Engine::new(Settings::from(plan.as_ref())),
            watch: SourceWatch::default(),
            paging: Paging::default(),
            silences: Vec::new(),
            plan,
            ledger,
            metrics,
            sources,
            recent: Recent::default(),
            diagnosed: BTreeMap::new(),
            summaries: BTreeMap::new(),
            in_hand,
            writing: Writing::default(),
            adopting: Adopting::default(),
            started: Timestamp::UNIX_EPOCH,
            unasked: BTreeSet::new(),
            source_tickets: SourceTickets::default(),
            coverage: Coverage::default(),
            gaps_told: GapsTold::default(),
            unwritten: Commit::default(),
        }
    }

    /// Takes up where the ledger left off. Gives all pages that it remembers, those that are over among them.
    pub(crate) async fn restore(&mut self, now: Timestamp) -> Result<Vec<PageState>, LedgerError> {
        self.started = now;
        self.unasked = self.places().collect();
        let loaded = self.ledger.load().await?;
        let lent = self.lent(&loaded.states);
        for state in loaded.states {
            let needed = evaluator::needed_from(&state, &self.engine.settings_of(&state.series).learning);
            let from = lent.get(&state.series).map_or(needed, |lent| needed.min(*lent));
            let rows = self.ledger.history(&state.series, from).await?;
            self.recent.take(&rows);
            self.engine.step(now, Input::Readings(&rows));
            self.engine.restore(state);
        }
        let mut standing = Vec::new();
        for record in loaded.incidents {
            let IncidentRecord { incident, summary, evidence, .. } = record;
            let is_open = self.engine.state(&incident.series).and_then(|state| state.incident.as_ref());
            if let Some(open) = is_open.filter(|open| open.key == incident.key).cloned() {
                self.summaries.insert(incident.key, summary);
                standing.extend(evidence.and_then(|evidence| Page::again(open, evidence)));
            }
        }
        let tickets = self.engine.series().flat_map(|series| self.engine.standing_tickets(series)).collect();
        self.silences = loaded.silences;
        self.diagnosed = loaded.diagnosed.into_iter().collect();
        let states = loaded.sources.clone();
        let filed = self.restore_sources(now, loaded.sources, loaded.filed);
        let filed = self.restore_gaps(now, &states, filed);
        if self.places().any(|place| self.last_good(&place).is_none()) {
            // A restart while history is read for the first time: what was found goes with what will be.
            let told: BTreeSet<Key> =
                loaded.pages.iter().flat_map(|page| &page.members).map(|one| one.incident.clone()).collect();
            let (known, new): (Vec<Page>, Vec<Page>) =
                standing.into_iter().partition(|page| told.contains(&page.incident().key));
            new.into_iter().for_each(|page| self.adopting.hold(page));
            standing = known;
        }
        self.paging.restore(loaded.pages.clone(), filed, standing, tickets);
        Ok(loaded.pages)
    }

    /// From when on the readings of series are needed by others that learn from them.
    fn lent(&self, states: &[SeriesState]) -> BTreeMap<Series, Period> {
        let mut lent: BTreeMap<Series, Period> = BTreeMap::new();
        for state in states.iter().filter(|state| state.incident.is_some()) {
            let settings = self.engine.settings_of(&state.series);
            let sibling = settings.rule.learn_from.as_deref().map(|model| state.series.sibling(model));
            if let Some((sibling, from)) = sibling.zip(evaluator::lent_from(state, &settings.learning)) {
                let known = lent.entry(sibling).or_insert(from);
                *known = from.min(*known);
            }
        }
        lent
    }

    /// Takes up the reading of a new series' history where an earlier attempt left off: what is in the ledger up to the last
    /// period that was read whole. Gives the first period that is still to be read, `begin` at the earliest.
    pub(crate) async fn resume(
        &mut self,
        now: Timestamp,
        series: &Series,
        begin: Period,
    ) -> Result<Period, LedgerError> {
        let Some(read) = self.diagnosed.get(series).copied().filter(|read| *read >= begin) else {
            return Ok(begin);
        };
        let rows = self.ledger.history(series, begin).await?;
        self.recent.take(&rows);
        self.engine.step(now, Input::Readings(&rows));
        Ok(read + 1)
    }

    /// Judges a batch and writes down what follows. After an error nothing is lost: it is written with the next batch.
    pub(crate) async fn take(&mut self, now: Timestamp, batch: Batch) -> Result<Judged, LedgerError> {
        let started = Instant::now();
        self.recent.take(&batch.rows);
        self.engine.step(now, Input::Readings(&batch.rows));
        let mut effects = Vec::new();
        if let Some(through) = batch.through {
            let series = &batch.advance;
            let input = if batch.adopt {
                Input::Adopt { series, through }
            } else {
                Input::Advance { series, through }
            };
            effects = self.engine.step(now, input);
        }
        self.metrics.step_seconds(started.elapsed());
        for one in &batch.advance {
            self.recent.judged(one, self.engine.slots(one));
        }
        self.diagnosed.extend(batch.diagnosed.iter().cloned());

        let states = batch.advance.iter().filter_map(|one| self.engine.state(one).cloned()).collect();
        self.add(Commit { rows: batch.rows, states, diagnosed: batch.diagnosed, ..Commit::default() });
        for effect in &effects {
            if let Effect::Transition(transition) = effect {
                tracing::info!(
                    series = %transition.series, from = %transition.from, to = %transition.to,
                    period = %transition.decided, "state changed"
                );
            }
        }
        self.record(now, &effects);
        let told = self.adopting.pass(&effects, batch.adopt);
        self.tell(now, &told);
        self.write(now).await?;
        Ok(Judged { effects })
    }

    /// Looks whether somebody is to be told of what stands: a silence or a window may have ended. Writes what could not be written
    /// before. Says whether somebody is told.
    pub(crate) async fn tick(&mut self, now: Timestamp) -> Result<bool, LedgerError> {
        let held = self.adopting.overdue(now);
        // Before every source was asked once, nobody knows what still stands: it may be over since long.
        let knows = self.unasked.is_empty() || now.duration_since(self.started) >= LONGEST_UNASKED;
        let mut told = (knows || !held.is_empty()) && self.tell(now, &held);
        told |= knows && self.tell_of_sources(now, &[]);
        told |= knows && self.tell_of_gaps(now, &[]);
        self.write(now).await?;
        Ok(told)
    }

    /// All places of the plan.
    fn places(&self) -> impl Iterator<Item = Place> {
        self.plan.sources.iter().flat_map(|SourcePlan::CloudWatch(plan)| {
            let place = |region: &String| Place { source: plan.name.clone(), region: region.clone() };
            plan.regions.iter().map(place)
        })
    }

    /// Puts incidents that opened or ended to what is to be written.
    fn record(&mut self, now: Timestamp, effects: &[Effect]) {
        let records = owing::incidents(&self.plan, now, effects, &mut self.summaries);
        self.add(Commit { incidents: records, ..Commit::default() });
    }

    /// Puts what is to be told of effects, and of what stood before, to what is to be written. Says whether somebody is told.
    fn tell(&mut self, now: Timestamp, effects: &[Effect]) -> bool {
        let Self { engine, watch, paging, silences, plan, sources, recent, .. } = self;
        let seen = |series: &Series| recent.seen(series);
        let desk = Desk { plan: plan.as_ref(), silences: silences.as_slice(), seen: &seen };
        let notices = paging.step(now, &desk, effects);
        let look = |page: &domain::GroupPage| surroundings::around(page, plan, now, engine, sources, watch);
        let owing = Owing { plan, silences, now, around: &look };
        let mut commit = Commit::default();
        owing.notices(notices, paging, &mut commit);
        let owed = !commit.outbox.is_empty();
        self.add(commit);
        owed
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// The open pages, one for each channel that got it.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &PageState> {
        self.paging.pages()
    }

    /// The open incidents that nobody was told of, and why.
    pub(crate) fn untold(&self) -> impl Iterator<Item = (&Page, &Untold)> {
        self.paging.untold()
    }

    /// Up to where the diagnosis metrics of a series have been read.
    pub(crate) fn diagnosed_through(&self, series: &Series) -> Option<Period> {
        self.diagnosed.get(series).copied()
    }

    /// Whether what explains a series should be read with every poll: it breaches, or an incident is open.
    pub(crate) fn is_breaching(&self, series: &Series) -> bool {
        let open = self.engine.state(series).is_some_and(|state| state.incident.is_some());
        open || self.engine.slots(series).iter().any(|slot| slot.verdict == Verdict::Breaching)
    }
}

/// What stood before a restart is told after so long, even if a source could not be asked yet.
const LONGEST_UNASKED: SignedDuration = SignedDuration::from_mins(5);
/// Incidents that are shown.
pub(crate) const MOST_INCIDENTS: usize = 200;
