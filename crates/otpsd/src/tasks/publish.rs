//! Builds what is shown, after each change.

use std::sync::Arc;
use std::time::Duration;

use domain::{
    AlarmState, Key, Ledger, LedgerError, Maintenance, OpenGap, PERIODS_PER_DAY, Plan, Series, SourcePlan,
};
use jiff::Timestamp;
use tokio::sync::{Mutex, Notify, watch};
use tokio_util::sync::CancellationToken;
use web::Snapshot;
use web::snapshot::{
    GapStatus, LearningProgress, MaintenanceStatus, OutboxStatus, SeriesStatus, SourceTicketStatus,
    SpendingStatus, StoreFailure, TicketStatus, Untold, UntoldStatus,
};

use crate::app::clock::Clock;
use crate::app::conflicts::Conflicts;
use crate::app::in_hand::InHand;
use crate::app::judging::{Judging, MOST_INCIDENTS, about};
use crate::app::pulse::Pulses;
use crate::app::reloading::Reloading;
use crate::app::sources::{Place, Sources};

/// What is shown is built from memory and a few small queries.
const LONGEST_ACT: Duration = Duration::from_secs(60);
/// Messages that are looked at for what open tickets said.
const MESSAGES: usize = 500;
/// Of these the page shows so many.
const SHOWN: usize = 50;
/// Entries of the audit log.
const AUDIT: usize = 50;

pub(crate) struct Publish {
    pub(crate) plan: Arc<Plan>,
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) in_hand: InHand,
    pub(crate) reloading: Option<Reloading>,
    pub(crate) clock: Clock,
    pub(crate) changed: Arc<Notify>,
    pub(crate) snapshots: watch::Sender<Arc<Snapshot>>,
    /// What is wrong with the store, once it turns out to be damaged.
    pub(crate) damaged: watch::Sender<Option<String>>,
    pub(crate) pulses: Pulses,
    pub(crate) conflicts: Conflicts,
}

impl Publish {
    /// Runs until `stop`, and once more after it.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        loop {
            let stopping = stop.is_cancelled();
            self.publish().await;
            if stopping {
                return;
            }
            tokio::select! {
                () = self.changed.notified() => {}
                () = stop.cancelled() => {}
            }
        }
    }

    async fn publish(&mut self) {
        let _act = self.pulses.begin("publish", LONGEST_ACT);
        let now = self.clock.now();
        let previous = Arc::clone(&self.snapshots.borrow());
        let mut snapshot = Snapshot {
            now,
            last_evaluation: self.sources.last_evaluation(),
            sources: self.sources.status(),
            configuration_failure: self.reloading.as_ref().and_then(Reloading::failure),
            ..Snapshot::clone(&previous)
        };
        {
            let mut judging = self.judging.lock().await;
            // What an earlier commit could not write is tried again here: this runs after every poll.
            let written = judging.write(now).await;
            snapshot.store_failure = written.err().map(|error| self.failure(&previous, error, now));
            snapshot.series = self.series(&judging);
            self.conflicts.look(snapshot.series.iter().map(|status| &status.series));
            snapshot.override_conflicts = self.conflicts.status();
            self.telling(&judging, &mut snapshot);
            covered(&self.plan, &judging, &mut snapshot);
        }
        if let Err(error) = self.ask_ledger(&mut snapshot).await {
            let failure = self.failure(&previous, error, now);
            snapshot.store_failure.get_or_insert(failure);
        }
        self.snapshots.send_replace(Arc::new(snapshot));
    }

    fn series(&self, judging: &Judging) -> Vec<SeriesStatus> {
        let engine = judging.engine();
        engine
            .series()
            .filter_map(|one| {
                let state = engine.state(one)?;
                let slots = engine.slots(one).to_vec();
                let history = judging.recent().of(one);
                let has_data = |point: &&web::snapshot::HistoryPoint| point.waits.latency_p50_ms.is_some();
                let newest = history.iter().rev().find(has_data);
                Some(SeriesStatus {
                    series: one.clone(),
                    source: self.sources.of(one),
                    state: state.state,
                    since: state.since,
                    judged_through: state.judged_through,
                    last_data: newest.map(|point| point.period),
                    waits: newest.map(|point| point.waits).unwrap_or_default(),
                    quota: judging.recent().quota(one),
                    learned_from: engine.learned_from(one).map(str::to_owned),
                    slots,
                    learning: (state.state == AlarmState::Learning).then(|| self.learning(judging, one)),
                    history,
                })
            })
            .collect()
    }

    /// What is shown of a failure of the store. One that is damaged cannot be written again: that is for the whole daemon to know.
    fn failure(&self, previous: &Snapshot, error: LedgerError, now: Timestamp) -> StoreFailure {
        if error.damaged {
            self.damaged.send_replace(Some(error.message.clone()));
        }
        let since = previous.store_failure.as_ref().map_or(now, |failure| failure.since);
        StoreFailure { since, message: error.message, hint: error.hint }
    }

    /// Who was told of what, and who was not.
    fn telling(&self, judging: &Judging, snapshot: &mut Snapshot) {
        let now = snapshot.now;
        snapshot.pages = judging.pages().cloned().collect();
        snapshot.pages.sort_by_key(|page| std::cmp::Reverse(page.told));
        let untold = judging.untold().map(|(page, why)| UntoldStatus {
            series: page.incident().series.clone(),
            key: page.incident().key.clone(),
            why: match why {
                evaluator::Untold::Observe => Untold::Observe,
                evaluator::Untold::Silenced(id) => Untold::Silence(id.clone()),
                evaluator::Untold::Maintenance(name) => Untold::Maintenance(name.clone()),
                evaluator::Untold::NoRoute => Untold::NoRoute,
            },
        });
        snapshot.untold = untold.collect();
        snapshot.silences = judging.silences(now).cloned().collect();
        let open = |one: &Maintenance| {
            Some(MaintenanceStatus {
                name: one.name.clone(),
                comment: one.comment.clone(),
                until: one.window.end(now).filter(|_| one.window.contains(now))?,
                about: about(&one.matcher),
            })
        };
        snapshot.maintenance = self.plan.maintenance.iter().filter_map(open).collect();
    }

    fn learning(&self, judging: &Judging, series: &Series) -> LearningProgress {
        let progress = judging.engine().progress(series);
        LearningProgress {
            days: progress.periods as f64 / PERIODS_PER_DAY as f64,
            days_needed: self.plan.learning.min_days,
            datapoints: progress.datapoints,
            datapoints_needed: self.plan.learning.min_datapoints,
        }
    }

    async fn ask_ledger(&self, snapshot: &mut Snapshot) -> Result<(), LedgerError> {
        let messages = self.ledger.messages(MESSAGES).await?;
        snapshot.incidents = self.ledger.incidents(MOST_INCIDENTS).await?;
        snapshot.audit = self.ledger.audit(AUDIT).await?;
        let backlog = self.ledger.backlog(snapshot.now).await?;
        snapshot.outbox = OutboxStatus {
            owed: backlog.owed,
            refused: backlog.refused,
            oldest_owed: backlog.oldest,
            oldest_page: backlog.oldest_page.into_iter().chain(self.in_hand.oldest()).min(),
            in_hand: self.in_hand.len() as u64,
        };
        let judging = self.judging.lock().await;
        let summary = |key: &Key| {
            messages.iter().find(|owed| owed.message.key == *key).map(|owed| owed.message.summary.clone())
        };
        let mut tickets: Vec<TicketStatus> = judging
            .engine()
            .series()
            .filter_map(|one| judging.engine().state(one))
            .flat_map(|state| state.tickets.iter().map(move |ticket| (state, ticket)))
            .map(|(state, ticket)| TicketStatus {
                series: state.series.clone(),
                cause: ticket.cause,
                opened: ticket.opened,
                key: ticket.key.clone(),
                summary: summary(&ticket.key),
            })
            .collect();
        tickets.sort_by_key(|ticket| std::cmp::Reverse(ticket.opened));
        snapshot.tickets = tickets;
        let mut source_tickets: Vec<SourceTicketStatus> = judging
            .sources()
            .flat_map(|state| state.tickets.iter().map(move |ticket| (state, ticket)))
            .map(|(state, ticket)| SourceTicketStatus {
                source: state.source.clone(),
                regions: ticket.regions.clone(),
                act: ticket.act,
                failure: ticket.failure,
                opened: ticket.opened,
                key: ticket.key.clone(),
                summary: summary(&ticket.key),
            })
            .collect();
        source_tickets.sort_by_key(|ticket| std::cmp::Reverse(ticket.opened));
        snapshot.source_tickets = source_tickets;
        snapshot.messages = messages.into_iter().take(SHOWN).collect();
        Ok(())
    }
}

/// What of the sources is not watched, and what is asked of them.
fn covered(plan: &Plan, judging: &Judging, snapshot: &mut Snapshot) {
    let now = snapshot.now;
    let month = evaluator::thrift::month_of(now);
    (snapshot.gaps, snapshot.spending) = (Vec::new(), Vec::new());
    for SourcePlan::CloudWatch(source) in &plan.sources {
        let status = |open: &OpenGap| GapStatus {
            source: source.name.clone(),
            cause: open.gap.cause(),
            since: open.since,
            key: open.key.clone(),
            summary: judging.gap_summary(&open.key, now).unwrap_or_default(),
        };
        snapshot.gaps.extend(judging.gaps(&source.name).map(status));
        let place = |region: &String| Place { source: source.name.clone(), region: region.clone() };
        let spending = judging.spending(&source.name);
        let billed_metrics = if spending.month == month { spending.billed_metrics } else { 0 };
        snapshot.spending.push(SpendingStatus {
            source: source.name.clone(),
            spent_usd: poller::Cost { calls: 0, billed_metrics }.usd(),
            limit_usd: source.max_monthly_usd,
            thrift: spending.thrift,
            left_out: source.regions.iter().map(|region| judging.left_out(&place(region)).len()).sum(),
        });
    }
    snapshot.gaps.sort_by_key(|gap| std::cmp::Reverse(gap.since));
    snapshot.spending.sort_by(|one, other| one.source.cmp(&other.source));
}
