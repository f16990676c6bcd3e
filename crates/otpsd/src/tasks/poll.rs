//! Reads one source in one Region, period by period, and hands what it read to be judged.
//!
//! A poll is idempotent: it reads from what has been judged up to what has settled, however long that is. A poll that
//! failed, or never happened, is made up for by the next one. A Region waits for no other one, and what cannot be read
//! is not judged: a series that lags behind is asked again, and holds up nobody.
//!
//! # Layout
//!
//! - `follow`: what known series lack. First those that are up to date, then those that lag behind.
//! - `adopt`: the history of new series, some at a time, so that a restart goes on where it was.
//! - `side_by_side`: several reads under way at once.
//! - `read`: one read, within a limit, counted.
//! - `take_up`: who of those that were found is watched.
//! - `pace`: when to poll next.

mod adopt;
mod follow;
mod pace;
mod read;
mod side_by_side;
mod take_up;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{CloudWatchPlan, Failure, LedgerError, Period, Series, Source, SourceAct, SourceError, Thrift};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;

pub(crate) use self::adopt::adoption;
use self::pace::{End, Pace};
pub(crate) use self::side_by_side::at_once;
use crate::app::clock::Clock;
use crate::app::judging::Judging;
use crate::app::pulse::{Act, Pulses};
use crate::app::sources::{Place, Sight, Sources};

/// One read or one judgement: for the watchdog, which must not restart the daemon because a peer is slow. A read is given
/// up after half of it.
const LONGEST_ACT: Duration = Duration::from_secs(600);
/// A source without anything to watch is told after so long: somebody may be about to call the first model, and CloudWatch
/// lists a new metric after up to 15 minutes.
const EMPTY_TO_TICKET: SignedDuration = SignedDuration::from_hours(1);
/// Rows that are read and judged in one go, or one series: about 7 MB, and more than the longest backfill of one has.
const ROWS_AT_ONCE: i64 = 12_000;

pub(crate) struct Poll {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) place: Place,
    pub(crate) plan: CloudWatchPlan,
    pub(crate) timing: Timing,
    /// How many of its reads may be under way.
    pub(crate) at_once: usize,
    /// Those that its source goes by, with all others.
    pub(crate) quotas: poller::Quotas,
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) metrics: Arc<web::Metrics>,
    pub(crate) clock: Clock,
    /// There is something new to show.
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

/// What is known of the source's series from poll to poll.
#[derive(Debug, Default)]
struct Known {
    /// Whose they are, once somebody said so. Nothing is read before, lest it be read under another account's name.
    account: Option<String>,
    /// What was found once stays watched: a model without traffic for two weeks leaves the listing, not the fleet.
    series: BTreeSet<Series>,
    discovered: Option<Timestamp>,
    /// Series whose history could not be read: they are tried again after all others.
    put_off: BTreeSet<Series>,
    /// Since when there has been nothing to watch in any Region of the source.
    empty_since: Option<Timestamp>,
    /// Requests of the last day of those that are not watched, and when they were counted.
    counted: BTreeMap<Series, (Timestamp, f64)>,
}

/// What a poll has come to so far.
#[derive(Debug, Default)]
struct Progress {
    /// Whether the source was asked for anything.
    asked: bool,
    /// Whether readings of this period are there: from then on a failure does not make the whole Region blind.
    read: bool,
    /// Series of which not all was read.
    incomplete: BTreeSet<Series>,
    /// Why not, where a call failed.
    error: Option<SourceError>,
    /// Why new series could not be looked for.
    discovery: Option<SourceError>,
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
    /// The last period that has settled, of those after which is polled: `every` so many.
    fn settled(&self, now: Timestamp, every: i64) -> Period {
        let last = Period::last_ended(now.saturating_sub(self.settle_delay).unwrap_or(now));
        last - (last.index() + 1).rem_euclid(every.max(1))
    }

    /// When the next one will have settled.
    fn next(&self, now: Timestamp, every: i64) -> Timestamp {
        let next = self.settled(now, every) + every.max(1);
        next.end().saturating_add(self.settle_delay).unwrap_or(Timestamp::MAX)
    }
}

impl Progress {
    /// Notes that these series could not be read. When nothing else of the period could either, the source is what fails.
    fn failed(
        &mut self,
        series: impl IntoIterator<Item = Series>,
        error: SourceError,
    ) -> Result<(), PollError> {
        if !self.read {
            return Err(error.into());
        }
        self.incomplete.extend(series);
        self.error.get_or_insert(error);
        Ok(())
    }
}

impl Poll {
    /// Runs until `stop`. A poll under way is given up: nothing of it is lost, since nothing of it was acknowledged.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let me = Arc::new(self);
        me.run_on(stop).await;
    }

    async fn run_on(self: &Arc<Self>, stop: CancellationToken) {
        let (mut known, mut pace) = (Known::default(), Pace::default());
        loop {
            let started = self.clock.now();
            let end = tokio::select! {
                end = self.poll(&mut known, started) => end,
                () = stop.cancelled() => return,
            };
            self.changed.notify_one();
            let every = self.thrift().await.periods();
            let until = pace.until(end, self.timing.next(started, every), self.clock.now());
            tokio::select! {
                () = self.clock.sleep_until(until) => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// One poll.
    async fn poll(self: &Arc<Self>, known: &mut Known, started: Timestamp) -> End {
        let began = Instant::now();
        let through = self.timing.settled(started, self.thrift().await.periods());
        let mut progress = Progress::default();
        let result = self.try_poll(known, &mut progress, started, through).await;
        if !progress.asked {
            // Nothing has settled since the last poll: that says nothing of the source.
            return End::Whole;
        }
        let is_empty = progress.discovery.is_none() && self.has_nothing(known);
        let (end, outcome) = match &result {
            Ok(()) if is_empty => (End::Whole, web::PollOutcome::Failed(Failure::Empty)),
            Ok(()) if progress.incomplete.is_empty() && progress.discovery.is_none() => {
                (End::Whole, web::PollOutcome::Complete)
            }
            Ok(()) if progress.incomplete.is_empty() => (End::Whole, web::PollOutcome::Incomplete),
            Ok(()) => (End::Behind, web::PollOutcome::Incomplete),
            Err(PollError::Source(error)) => {
                (End::Failed(error.failure), web::PollOutcome::Failed(error.failure))
            }
            // The source did its part.
            Err(PollError::Ledger(error)) => {
                tracing::error!(hint = error.hint, "{error}");
                (End::NotWritten, web::PollOutcome::Complete)
            }
        };
        self.metrics.poll_finished(&self.place.source, &self.place.region, outcome, began.elapsed());
        if result.is_err() || self.has_adopted_all(known, through).await {
            self.adopted().await;
        }
        let lacking = match result {
            Ok(()) => self.lacking(known, &progress, through).await,
            Err(_) => None,
        };
        if result.is_ok() && is_empty {
            self.note_empty(known, through).await;
            return end;
        }
        known.empty_since = None;
        match (&result, &lacking, &progress.discovery) {
            (Err(PollError::Source(error)), ..) => self.note(Sight::Blind(error), through).await,
            (_, Some(error), _) => self.note(Sight::InPart(SourceAct::Read, error), through).await,
            (_, None, Some(error)) => self.note(Sight::InPart(SourceAct::Discover, error), through).await,
            // A call failed, and what it would have brought is not missed yet: neither a good poll nor a bad one.
            (_, None, None) if progress.error.is_some() => {}
            (_, None, None) => self.note(Sight::Whole, through).await,
        }
        end
    }

    async fn try_poll(
        self: &Arc<Self>,
        known: &mut Known,
        progress: &mut Progress,
        started: Timestamp,
        through: Period,
    ) -> Result<(), PollError> {
        self.recognise(known, progress).await?;
        self.follow(&known.series, through, progress).await?;
        self.sources.evaluated(self.clock.now());
        self.discover(known, progress, started, through).await?;
        let until = self.timing.next(started, self.thrift().await.periods());
        self.adopt(known, through, until, progress).await?;
        self.sources.evaluated(self.clock.now());
        self.judging.lock().await.reckon(self.clock.now(), &self.plan).await?;
        Ok(())
    }

    /// How much is read, for the sake of what it costs.
    async fn thrift(&self) -> Thrift {
        self.judging.lock().await.thrift(&self.place.source)
    }

    /// Learns whose series the source has, and takes up those that the ledger knows: they are read even where they may not
    /// be listed.
    async fn recognise(&self, known: &mut Known, progress: &mut Progress) -> Result<(), PollError> {
        if known.account.is_some() {
            return Ok(());
        }
        progress.asked = true;
        let account = self.within("ask for the account of", self.source.account()).await?;
        let judging = self.judging.lock().await;
        // Of a linked account, as long as no other source may be the one that reads it. Otherwise it is found again.
        let is_linked =
            |one: &Series| self.plan.linked_accounts && self.sources.alone_could(&self.place.source, one);
        let is_own = |one: &&Series| {
            (one.account() == account || is_linked(one))
                && one.region() == self.place.region
                && self.plan.watches(one.model())
        };
        let of_before = judging.engine().series().filter(|one| judging.engine().state(one).is_some());
        known.series.extend(of_before.filter(is_own).cloned());
        drop(judging);
        self.sources.has(&self.place, &known.series);
        if self.sources.belongs(&self.place, &account) {
            // Whose series all sources have is known: nobody reads those of others any more.
            self.judging.lock().await.unwatch(self.clock.now());
        }
        known.account = Some(account);
        Ok(())
    }

    /// Looks for new series, where that is due. Where there are known ones, a failure does not keep them from being read.
    async fn discover(
        &self,
        known: &mut Known,
        progress: &mut Progress,
        now: Timestamp,
        through: Period,
    ) -> Result<(), PollError> {
        let is_due = |last: Timestamp| now.duration_since(last) >= self.timing.discover_every;
        if !known.series.is_empty() && !known.discovered.is_none_or(is_due) {
            return Ok(());
        }
        progress.asked = true;
        match self.within("look for the series of", self.source.discover()).await {
            Ok(found) => {
                known.discovered = Some(now);
                self.take_up(known, progress, found, through).await?;
            }
            Err(error) if known.series.is_empty() => return Err(error.into()),
            Err(error) => progress.discovery = Some(error),
        }
        Ok(())
    }

    /// What keeps series from being read, where some have lacked more than the newest period: what was not answered whole
    /// once is asked again, and most often answered.
    async fn lacking(&self, known: &Known, progress: &Progress, through: Period) -> Option<SourceError> {
        let judging = self.judging.lock().await;
        let lags = |one: &&Series| {
            judging.engine().state(one).is_none_or(|state| state.judged_through + 1 < through)
        };
        let lagging = progress.incomplete.iter().filter(lags).count();
        drop(judging);
        let error = || self.answered_in_part(lagging, known.series.len());
        (lagging > 0).then(|| progress.error.clone().unwrap_or_else(error))
    }

    /// Whether there is nothing to watch, here and in all other Regions of the source: that one of several Regions is not used
    /// is nothing to say a word about.
    fn has_nothing(&self, known: &Known) -> bool {
        // Who waits for traffic, or for room, is there.
        known.series.is_empty() && known.counted.is_empty() && !self.sources.has_any(&self.place.source)
    }

    /// Notes that there is nothing to watch. It shows at once, and becomes a ticket when it stays so.
    async fn note_empty(&self, known: &mut Known, through: Period) {
        let now = self.clock.now();
        let since = *known.empty_since.get_or_insert(now);
        let Place { source, region } = &self.place;
        let error = SourceError {
            failure: Failure::Empty,
            action: Some("cloudwatch:ListMetrics".to_owned()),
            message: format!("ListMetrics of source `{source}` in {region} names no model that streams and may be watched"),
            hint: Some(
                "look whether its `regions`, `account-id` or role, `include` and `ignore` are those of the traffic; `otpsd discover` \
                 shows who is there"
                    .to_owned(),
            ),
        };
        let sight = Sight::InPart(SourceAct::Discover, &error);
        let is_told = self.judging.lock().await.is_told_empty(source);
        if is_told || now.duration_since(since) >= EMPTY_TO_TICKET {
            self.note(sight, through).await;
        } else {
            self.sources.polled(&self.place, now, sight);
            self.tell_judging(Sight::Whole, through).await;
        }
    }

    fn answered_in_part(&self, lagging: usize, all: usize) -> SourceError {
        let Place { source, region } = &self.place;
        SourceError {
            failure: Failure::Partial,
            action: Some("cloudwatch:GetMetricData".to_owned()),
            message: format!(
                "GetMetricData of source `{source}` in {region} answers {lagging} of {all} series only in part"
            ),
            hint: Some(
                "they are asked for again and again; if it stays, look at the AWS Health Dashboard of the Region".to_owned(),
            ),
        }
    }

    /// Whether the history of every known series has been read and judged. One that never had data has nothing to be judged.
    async fn has_adopted_all(&self, known: &Known, through: Period) -> bool {
        let judging = self.judging.lock().await;
        known.series.iter().all(|one| {
            judging.engine().state(one).is_some()
                || judging.diagnosed_through(one).is_some_and(|read| read >= through)
        })
    }

    /// What was found in history is told, once every place that reads its own has done so.
    async fn adopted(&self) {
        if let Err(error) = self.judging.lock().await.adopted(self.clock.now(), &self.place).await {
            tracing::error!(hint = error.hint, "{error}");
        }
    }

    /// Notes how the source is doing.
    async fn note(&self, sight: Sight<'_>, through: Period) {
        let now = self.clock.now();
        if let Some((_, error)) = sight.trouble() {
            let Place { source, region } = &self.place;
            let failure = error.failure.as_str();
            tracing::warn!(source, region, failure, hint = error.hint, "{error}");
        }
        self.sources.polled(&self.place, now, sight);
        self.tell_judging(sight, through).await;
    }

    async fn tell_judging(&self, sight: Sight<'_>, through: Period) {
        let told = self.judging.lock().await.polled(self.clock.now(), &self.place, sight, through).await;
        if let Err(error) = told {
            tracing::error!(hint = error.hint, "{error}");
        }
    }

    /// Names what is begun now, for the watchdog.
    fn begin(&self, what: &str) -> Act {
        self.pulses.begin(format!("{what} {} {}", self.place.source, self.place.region), LONGEST_ACT)
    }
}
