//! The one place where readings become decisions, and decisions become owed messages.
//!
//! # Layout
//!
//! - `owing`: what was said becomes incidents and messages.
//! - `watching`: how the polls of sources went, and the tickets about them.

mod owing;
mod watching;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use domain::{Commit, Ledger, LedgerError, Period, Plan, Row, Series, Verdict};
use evaluator::{Effect, Engine, Input, Settings, SourceWatch};
use jiff::Timestamp;

use self::owing::Told;
use super::recent::Recent;

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
    plan: Arc<Plan>,
    ledger: Arc<dyn Ledger>,
    metrics: Arc<web::Metrics>,
    recent: Recent,
    diagnosed: BTreeMap<Series, Period>,
    told: Told,
    /// What could not be written yet. It is written with the next commit, before anything else.
    unwritten: Commit,
}

impl Judging {
    pub(crate) fn new(plan: Arc<Plan>, ledger: Arc<dyn Ledger>, metrics: Arc<web::Metrics>) -> Self {
        Self {
            engine: Engine::new(Settings::from(plan.as_ref())),
            watch: SourceWatch::default(),
            plan,
            ledger,
            metrics,
            recent: Recent::default(),
            diagnosed: BTreeMap::new(),
            told: Told::default(),
            unwritten: Commit::default(),
        }
    }

    /// Takes up where the ledger left off.
    pub(crate) async fn restore(&mut self, now: Timestamp) -> Result<(), LedgerError> {
        let loaded = self.ledger.load().await?;
        let known = self.ledger.incidents(MOST_INCIDENTS).await?;
        for state in loaded.states {
            if let Some(incident) = &state.incident {
                let record = known.iter().find(|record| record.incident.key == incident.key);
                let channels = self.ledger.recipients(&incident.key).await?;
                let summary = record.map(|record| record.summary.clone()).unwrap_or_default();
                self.told.remember(incident.key.clone(), channels, summary);
            }
            let from = evaluator::needed_from(&state, &self.plan.learning);
            let rows = self.ledger.history(&state.series, from).await?;
            self.recent.take(&rows);
            self.engine.step(now, Input::Readings(&rows));
            self.engine.restore(state);
        }
        self.diagnosed = loaded.diagnosed.into_iter().collect();
        self.restore_sources(now, loaded.sources);
        Ok(())
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

        let mut commit = std::mem::take(&mut self.unwritten);
        commit.rows.extend(batch.rows);
        commit.states.extend(batch.advance.iter().filter_map(|one| self.engine.state(one).cloned()));
        commit.diagnosed.extend(batch.diagnosed);
        self.told.owe(&self.plan, now, &effects, &mut commit);
        self.write(commit).await?;
        Ok(Judged { effects })
    }

    /// Writes what an earlier commit could not.
    pub(crate) async fn write_again(&mut self) -> Result<(), LedgerError> {
        let commit = std::mem::take(&mut self.unwritten);
        self.write(commit).await
    }

    async fn write(&mut self, mut commit: Commit) -> Result<(), LedgerError> {
        if commit.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let written = async {
            // What piled up while the ledger could not be written may be more than it takes at once. Rows may go ahead of
            // what was concluded from them: laying them twice changes nothing.
            while commit.rows.len() > store::COMMIT_ROWS_MAX {
                let rows = commit.rows.split_off(commit.rows.len() - store::COMMIT_ROWS_MAX);
                let part = Commit { rows: rows.clone(), ..Commit::default() };
                self.ledger.commit(part).await.inspect_err(|_| commit.rows.extend(rows))?;
            }
            self.ledger.commit(commit.clone()).await
        };
        let written = written.await;
        self.metrics.committed(written.is_ok(), started.elapsed());
        written.inspect_err(|_| self.unwritten = commit)
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
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

/// Incidents that are looked through at a start, and shown.
pub(crate) const MOST_INCIDENTS: usize = 200;
