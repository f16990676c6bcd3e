//! The one place where readings become decisions, and decisions become owed messages.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use domain::{Commit, IncidentRecord, Key, Ledger, LedgerError, Mode, Period, Plan, Row, Series, Verdict};
use evaluator::{Effect, Engine, Input, Settings};
use jiff::Timestamp;

use super::recent::Recent;
use super::recipients::Recipients;

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
    /// Diagnosis metrics were read up to `through`.
    pub(crate) diagnosed: Vec<(Series, Period)>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// What the engine said.
    pub(crate) effects: Vec<Effect>,
}

/// What was said when an incident opened.
#[derive(Debug, Clone, Default)]
struct Told {
    channels: Vec<String>,
    summary: String,
}

/// The engine, the ledger, and what connects them.
pub(crate) struct Judging {
    engine: Engine,
    plan: Arc<Plan>,
    ledger: Arc<dyn Ledger>,
    metrics: Arc<web::Metrics>,
    recent: Recent,
    diagnosed: BTreeMap<Series, Period>,
    /// Who got the pages of the open incidents, and what they said. Kept here so that nothing has to be asked of the ledger
    /// between a decision and its commit.
    told: BTreeMap<Key, Told>,
    /// What could not be written yet. It is written with the next commit, before anything else.
    unwritten: Commit,
}

impl Judging {
    pub(crate) fn new(plan: Arc<Plan>, ledger: Arc<dyn Ledger>, metrics: Arc<web::Metrics>) -> Self {
        let settings = Settings {
            rule: plan.rule.clone(),
            learning: plan.learning.clone(),
            ticket_rule: plan.ticket_rule.clone(),
        };
        Self {
            engine: Engine::new(settings),
            plan,
            ledger,
            metrics,
            recent: Recent::default(),
            diagnosed: BTreeMap::new(),
            told: BTreeMap::new(),
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
                let told = Told {
                    channels: self.ledger.recipients(&incident.key).await?,
                    summary: record.map(|record| record.summary.clone()).unwrap_or_default(),
                };
                self.told.insert(incident.key.clone(), told);
            }
            let from = evaluator::needed_from(&state, &self.plan.learning);
            let rows = self.ledger.history(&state.series, from).await?;
            self.recent.take(&rows);
            self.engine.step(now, Input::Readings(&rows));
            self.engine.restore(state);
        }
        self.diagnosed = loaded.diagnosed.into_iter().collect();
        Ok(())
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
        self.owe(now, &effects, &mut commit);
        self.write(commit).await?;
        Ok(Judged { effects })
    }

    /// Writes what an earlier commit could not.
    pub(crate) async fn write_again(&mut self) -> Result<(), LedgerError> {
        let commit = std::mem::take(&mut self.unwritten);
        self.write(commit).await
    }

    async fn write(&mut self, commit: Commit) -> Result<(), LedgerError> {
        if commit.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let written = self.ledger.commit(commit.clone()).await;
        self.metrics.committed(written.is_ok(), started.elapsed());
        written.inspect_err(|_| self.unwritten = commit)
    }

    /// Turns what was said into incidents and messages.
    fn owe(&mut self, now: Timestamp, effects: &[Effect], commit: &mut Commit) {
        let plan = Arc::clone(&self.plan);
        let context = notifier::Context {
            public_url: plan.daemon.public_url.as_deref(),
            now,
            rule: &plan.rule,
            ticket_rule: &plan.ticket_rule,
        };
        let recipients = Recipients::new(&plan);
        let sends = plan.rule.mode == Mode::Page;
        for effect in effects {
            match effect {
                Effect::Page(page) => {
                    let incident = page.incident();
                    let summary = notifier::text::page::summary(page, &plan.rule);
                    let channels = recipients.of_page(&incident.series).filter(|_| sends);
                    let messages: Vec<_> =
                        channels.map(|one| notifier::render::page(page, one, &context)).collect();
                    let told = Told {
                        channels: messages.iter().map(|message| message.channel.clone()).collect(),
                        summary: summary.clone(),
                    };
                    self.told.insert(incident.key.clone(), told);
                    commit.incidents.push(IncidentRecord::opened(incident.clone(), summary, now));
                    commit.outbox.extend(messages);
                }
                Effect::Resolve(resolve) => {
                    let told = self.told.remove(&resolve.incident.key).unwrap_or_default();
                    for name in &told.channels {
                        match recipients.named(name) {
                            Some(channel) => {
                                commit.outbox.push(notifier::render::resolve(resolve, channel, &context))
                            }
                            None => tracing::warn!(
                                channel = %name, key = %resolve.incident.key,
                                "the page went to a channel that is not configured any more, so its resolve cannot"
                            ),
                        }
                    }
                    commit.incidents.push(IncidentRecord {
                        incident: resolve.incident.clone(),
                        summary: told.summary,
                        resolved: Some(resolve.resolved),
                        at: now,
                    });
                }
                Effect::Ticket(ticket) => {
                    let channels = recipients.of_ticket(&ticket.series).filter(|_| sends);
                    commit
                        .outbox
                        .extend(channels.filter_map(|one| notifier::render::ticket(ticket, one, &context)));
                }
                Effect::Transition(_) | Effect::Diagnose(_) => {}
            }
        }
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
