//! Reads one source in one Region, period by period, and hands what it read to be judged.
//!
//! A poll is idempotent: it reads from what has been judged up to what has settled, however long that is. A poll that
//! failed, or never happened, is made up for by the next one.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{
    LedgerError, MetricSet, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, ReadAnswer, ReadRequest, Series,
    Source, SourceError,
};
use evaluator::Effect;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;

use crate::app::clock::Clock;
use crate::app::judging::{Batch, Judging};
use crate::app::pulse::{Act, Pulses};
use crate::app::sources::{Place, Sources};

/// A failed poll is tried again after this long, or when the next period settles, whichever comes first.
const RETRY: SignedDuration = SignedDuration::from_secs(60);
/// One read or one judgement. Each call has its own limit of a minute; a backfill makes several.
const LONGEST_ACT: Duration = Duration::from_secs(600);
/// Rows that are read and judged in one go: about 15 MB.
const ROWS_AT_ONCE: i64 = 25_000;
/// Series whose history is read in one go.
const ADOPTED_AT_ONCE: usize = 10;

pub(crate) struct Poll {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) place: Place,
    pub(crate) timing: Timing,
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) metrics: Arc<web::Metrics>,
    pub(crate) clock: Clock,
    /// Something became owed, or there is something new to show.
    pub(crate) owed: Arc<Notify>,
    pub(crate) changed: Arc<Notify>,
    pub(crate) pulses: Pulses,
}

/// When what is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) settle_delay: SignedDuration,
    pub(crate) reread_periods: i64,
    pub(crate) discover_every: SignedDuration,
    pub(crate) backfill_periods: i64,
}

/// Why a poll did not get through.
enum PollError {
    Source(SourceError),
    Ledger(LedgerError),
}

impl From<SourceError> for PollError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<LedgerError> for PollError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl Timing {
    /// The last period that has settled.
    fn settled(&self, now: Timestamp) -> Period {
        Period::last_ended(now.saturating_sub(self.settle_delay).unwrap_or(now))
    }

    /// When the next period will have settled.
    fn next(&self, now: Timestamp) -> Timestamp {
        (self.settled(now) + 1).end().saturating_add(self.settle_delay).unwrap_or(Timestamp::MAX)
    }
}

impl Poll {
    /// Runs until `stop`. A poll under way is given up: nothing of it is lost, since nothing of it was acknowledged.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut series: Vec<Series> = Vec::new();
        let mut discovered: Option<Timestamp> = None;
        loop {
            let started = self.clock.now();
            let succeeded = tokio::select! {
                succeeded = self.poll(&mut series, &mut discovered) => succeeded,
                () = stop.cancelled() => return,
            };
            self.changed.notify_one();
            let next = self.timing.next(started);
            let retry = self.clock.now().saturating_add(RETRY).unwrap_or(next);
            let until = if succeeded { next } else { next.min(retry) };
            tokio::select! {
                () = self.clock.sleep_until(until) => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// One poll. Says whether all of it worked.
    async fn poll(&self, series: &mut Vec<Series>, discovered: &mut Option<Timestamp>) -> bool {
        let (started, now) = (Instant::now(), self.clock.now());
        let result = self.try_poll(series, discovered, now).await;
        let now = self.clock.now();
        let outcome = match &result {
            Ok(complete) if *complete => web::PollOutcome::Complete,
            Ok(_) => web::PollOutcome::Incomplete,
            Err(PollError::Source(error)) => web::PollOutcome::Failed(error.failure),
            // The source did its part.
            Err(PollError::Ledger(_)) => web::PollOutcome::Complete,
        };
        let Place { source, region } = &self.place;
        self.metrics.poll_finished(source, region, outcome, started.elapsed());
        match &result {
            Ok(_) => self.sources.polled(&self.place, now, Ok(())),
            Err(PollError::Source(error)) => {
                tracing::warn!(
                    source,
                    region,
                    failure = error.failure.as_str(),
                    hint = error.hint,
                    "{error}"
                );
                self.sources.polled(&self.place, now, Err(error));
            }
            Err(PollError::Ledger(error)) => {
                tracing::error!(hint = error.hint, "{error}");
                self.sources.polled(&self.place, now, Ok(()));
            }
        }
        result.is_ok()
    }

    async fn try_poll(
        &self,
        series: &mut Vec<Series>,
        discovered: &mut Option<Timestamp>,
        now: Timestamp,
    ) -> Result<bool, PollError> {
        let due = discovered.is_none_or(|last| now.duration_since(last) >= self.timing.discover_every);
        if due {
            // What was found once stays watched: a model without traffic for two weeks leaves the listing, not the fleet.
            let found = {
                let _act = self.begin("discover");
                self.source.discover().await?
            };
            let known: BTreeSet<Series> = series.iter().cloned().chain(found).collect();
            *series = known.into_iter().collect();
            *discovered = Some(now);
            self.sources.has(&self.place, series);
        }
        let through = self.timing.settled(now);
        let (new, known): (Vec<Series>, Vec<Series>) = {
            let judging = self.judging.lock().await;
            series.iter().cloned().partition(|one| judging.engine().state(one).is_none())
        };
        let mut complete = true;
        for some in new.chunks(ADOPTED_AT_ONCE) {
            complete &= self.adopt(some, through).await?;
        }
        complete &= self.follow(&known, through).await?;
        self.sources.evaluated(self.clock.now());
        Ok(complete)
    }

    /// Reads the whole history of new series, and judges it as if they had always been watched.
    async fn adopt(&self, series: &[Series], through: Period) -> Result<bool, PollError> {
        let begin = through + 1 - self.timing.backfill_periods;
        let step = (ROWS_AT_ONCE / series.len().max(1) as i64).max(1);
        let mut incomplete: BTreeSet<Series> = BTreeSet::new();
        let mut from = begin;
        while from <= through {
            let until = (from + step).min(through + 1);
            let answer = self.read(series, from, until, MetricSet::All).await?;
            incomplete.extend(answer.incomplete);
            self.judging
                .lock()
                .await
                .take(self.clock.now(), Batch { rows: answer.rows, ..Batch::default() })
                .await?;
            from = until;
        }
        // A series whose history has holes is adopted by a later poll, when it has none.
        let whole: Vec<Series> = series.iter().filter(|one| !incomplete.contains(one)).cloned().collect();
        let diagnosed = whole.iter().map(|one| (one.clone(), through)).collect();
        let batch =
            Batch { advance: whole, through: Some(through), adopt: true, diagnosed, ..Batch::default() };
        self.take(batch).await?;
        Ok(incomplete.is_empty())
    }

    /// Reads what known series lack, and judges it.
    async fn follow(&self, series: &[Series], through: Period) -> Result<bool, PollError> {
        if series.is_empty() {
            return Ok(true);
        }
        let oldest = {
            let judging = self.judging.lock().await;
            series
                .iter()
                .filter_map(|one| judging.engine().state(one))
                .map(|state| state.judged_through + 1)
                .min()
        };
        let Some(oldest) = oldest.filter(|oldest| *oldest <= through) else { return Ok(true) };
        let step = (ROWS_AT_ONCE / series.len() as i64).clamp(1, PERIODS_PER_DAY);
        let mut complete = true;
        let mut next = oldest;
        while next <= through {
            let until = (next + step).min(through + 1);
            // The first stretch reads the last periods again: CloudWatch may have revised them.
            let from = if next == oldest { next - self.timing.reread_periods } else { next };
            complete &= self.follow_to(series, from, until).await?;
            next = until;
        }
        Ok(complete)
    }

    async fn follow_to(&self, series: &[Series], from: Period, until: Period) -> Result<bool, PollError> {
        let through = until - 1;
        let answer = self.read(series, from, until, MetricSet::Decode).await?;
        let mut rows = answer.rows;
        let mut diagnosed = Vec::new();
        let due = self.diagnosis_due(series, through).await;
        if !due.is_empty() {
            self.diagnose(&due, through, &mut rows, &mut diagnosed).await;
        }
        // Absence in an answer that is not whole means nothing: such a series is judged by a later poll.
        let whole: Vec<Series> =
            series.iter().filter(|one| !answer.incomplete.contains(one)).cloned().collect();
        let batch = Batch { rows, advance: whole, through: Some(through), adopt: false, diagnosed };
        let urgent = self.take(batch).await?;
        if !urgent.is_empty() {
            // The first breach: what explains it is read now, so that it is there when the third one pages.
            let (mut rows, mut diagnosed) = (Vec::new(), Vec::new());
            self.diagnose(&urgent, through, &mut rows, &mut diagnosed).await;
            self.take(Batch { rows, diagnosed, ..Batch::default() }).await?;
        }
        Ok(answer.incomplete.is_empty())
    }

    /// Series whose diagnosis metrics are to be read: hourly, and with every poll while something breaches.
    async fn diagnosis_due(&self, series: &[Series], through: Period) -> Vec<Series> {
        let judging = self.judging.lock().await;
        let hour = |period: Period| period.index().div_euclid(PERIODS_PER_HOUR);
        series
            .iter()
            .filter(|one| {
                let last = judging.diagnosed_through(one);
                last.is_none_or(|last| hour(last + 1) < hour(through + 1)) || judging.is_breaching(one)
            })
            .cloned()
            .collect()
    }

    /// Reads diagnosis metrics since they were last read, an hour at least. A failure is no reason not to judge.
    async fn diagnose(
        &self,
        series: &[Series],
        through: Period,
        rows: &mut Vec<domain::Row>,
        diagnosed: &mut Vec<(Series, Period)>,
    ) {
        let from = {
            let judging = self.judging.lock().await;
            let last = series.iter().filter_map(|one| judging.diagnosed_through(one)).min();
            last.map_or(through - PERIODS_PER_HOUR, |last| last.min(through - PERIODS_PER_HOUR)) + 1
        };
        let from = from.max(through - PERIODS_PER_DAY);
        match self.read(series, from, through + 1, MetricSet::Diagnosis).await {
            Ok(answer) => {
                let whole = series.iter().filter(|one| !answer.incomplete.contains(one));
                diagnosed.extend(whole.map(|one| (one.clone(), through)));
                rows.extend(answer.rows);
            }
            Err(error) => tracing::warn!(
                source = %self.place.source, region = %self.place.region, hint = error.hint,
                "what would explain a breach could not be read: {error}"
            ),
        }
    }

    async fn read(
        &self,
        series: &[Series],
        from: Period,
        until: Period,
        metrics: MetricSet,
    ) -> Result<ReadAnswer, SourceError> {
        let _act = self.begin("read");
        let request = ReadRequest { series: series.to_vec(), from, until, metrics };
        let answer = self.source.read(&request).await?;
        let Place { source, region } = &self.place;
        self.metrics.metrics_requested(source, region, answer.billed_metrics);
        self.metrics.calls(source, region, answer.calls);
        Ok(answer)
    }

    /// Names what is begun now, for the watchdog.
    fn begin(&self, what: &str) -> Act {
        self.pulses.begin(format!("{what} {} {}", self.place.source, self.place.region), LONGEST_ACT)
    }

    /// Judges, and wakes those who act on it. Gives the series that ask for diagnosis.
    async fn take(&self, batch: Batch) -> Result<Vec<Series>, LedgerError> {
        let _act = self.begin("judge");
        let judged = self.judging.lock().await.take(self.clock.now(), batch).await?;
        let mut urgent = Vec::new();
        let mut owed = false;
        for effect in judged.effects {
            match effect {
                Effect::Diagnose(series) => urgent.push(series),
                Effect::Transition(transition) => tracing::info!(
                    series = %transition.series, from = %transition.from, to = %transition.to,
                    period = %transition.decided, "state changed"
                ),
                Effect::Page(_) | Effect::Resolve(_) | Effect::Ticket(_) => owed = true,
            }
        }
        if owed {
            self.owed.notify_one();
        }
        Ok(urgent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_read_when_it_has_settled() {
        let timing = Timing {
            settle_delay: SignedDuration::from_secs(120),
            reread_periods: 3,
            discover_every: SignedDuration::from_secs(900),
            backfill_periods: 10,
        };
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(timing.settled(time("2026-12-01T00:06:59Z")).start(), time("2026-11-30T23:55:00Z"));
        assert_eq!(timing.settled(time("2026-12-01T00:07:00Z")).start(), time("2026-12-01T00:00:00Z"));
        assert_eq!(timing.next(time("2026-12-01T00:06:59Z")), time("2026-12-01T00:07:00Z"));
        assert_eq!(timing.next(time("2026-12-01T00:07:00Z")), time("2026-12-01T00:12:00Z"));
    }
}
