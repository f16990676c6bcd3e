//! One Region of one source: whose it is, who is there, and what was measured.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use domain::{MetricSet, Series, Source, SourceError, Span};
use poller::CloudWatch;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::task::AbortOnDropHandle;

use super::part::{self, Part};
use super::patience::patiently;
use super::progress::Notes;
use super::{Everybody, Piece, RegionOutcome};

/// Rows of one part, about; one series at least.
const ROWS_AT_ONCE: i64 = 12_000;
/// Parts of one Region that are under way at once: so many that the quota of its account is what it waits for.
const PARTS_OF_A_REGION: usize = 3;

/// A Region that is to be read.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) source: Arc<CloudWatch>,
    pub(super) span: Span,
    pub(super) metrics: MetricSet,
}

/// Who is there.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) account: Option<String>,
    /// In order.
    pub(super) series: Vec<Series>,
    /// What kept it from being known.
    pub(super) error: Option<SourceError>,
}

/// What the tasks of all Regions have in common.
pub(super) struct Shared {
    /// How much may be under way.
    pub(super) room: Arc<Semaphore>,
    /// Whoever takes what was read.
    pub(super) pieces: mpsc::Sender<Ready>,
    pub(super) notes: Notes,
}

/// A piece with its share of what may be under way, which others get when it was taken.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) piece: Piece,
    /// How many series are done with it, whether there was anything or not.
    pub(super) series: usize,
    pub(super) _room: OwnedSemaphorePermit,
}

impl Region {
    /// Asks who is there. Nothing is read under an account's name before this was answered.
    pub(super) async fn find(&self, everybody: Everybody, notes: &Notes) -> Found {
        let note = notes.of(self.source.name(), self.source.region());
        let mut found = Found::default();
        let asked = async {
            let account = patiently(&note, || self.source.account()).await?;
            found.account = Some(account);
            let mut series: BTreeSet<Series> =
                patiently(&note, || self.source.discover()).await?.into_iter().collect();
            if everybody.0 {
                series.extend(patiently(&note, || Box::pin(self.source.survey())).await?);
            }
            Ok(series)
        };
        match asked.await {
            Ok(series) => found.series = series.into_iter().collect(),
            Err(error) => found.error = Some(error),
        }
        found
    }

    /// Reads all series, some at a time, and hands them over in order. `known` are there already. It ends early when nobody
    /// takes them any more.
    pub(super) async fn read(
        self,
        place: usize,
        found: Found,
        known: Vec<Series>,
        shared: Shared,
    ) -> RegionOutcome {
        let Found { account, series, error } = found;
        let mut outcome = RegionOutcome {
            source: self.source.name().to_owned(),
            region: self.source.region().to_owned(),
            account,
            span: self.span,
            kept: known.len(),
            whole: known,
            left_out: Vec::new(),
            error,
            calls: 0,
            billed_metrics: 0,
        };
        let periods = (self.span.until - self.span.from).max(1);
        let at_once = usize::try_from(ROWS_AT_ONCE / periods).unwrap_or(1).max(1);
        let mut rest = series.chunks(at_once);
        let mut under_way = VecDeque::new();
        let mut goes_on = outcome.error.is_none();
        let mut most = 1;
        loop {
            while goes_on && under_way.len() < most && rest.len() > 0 {
                // Whoever waits has nothing under way: what holds room always gets on, and gives it back.
                let room = if under_way.is_empty() {
                    Arc::clone(&shared.room).acquire_owned().await.ok()
                } else {
                    Arc::clone(&shared.room).try_acquire_owned().ok()
                };
                let Some((room, some)) = room.and_then(|room| Some((room, rest.next()?))) else { break };
                under_way.push_back((some, self.begin(some.to_vec(), room, &shared)));
            }
            let Some((asked, reading)) = under_way.pop_front() else { break };
            // A task that panicked is a fault of this program: it ends here as it would have without tasks.
            let (part, room) =
                reading.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            // What kept all of one part from being read would keep the others too, each after all its attempts.
            goes_on &= !part.failed;
            // A Region that does not answer takes no more room from the others than it must.
            most = PARTS_OF_A_REGION;
            let (series, rows) = outcome.take(asked, part);
            let piece = Piece { region: place, series, rows };
            if shared.pieces.send(Ready { piece, series: asked.len(), _room: room }).await.is_err() {
                break;
            }
        }
        outcome.left_out.extend(rest.flatten().cloned());
        outcome.whole.sort();
        outcome
    }

    /// Begins to read a part.
    fn begin(
        &self,
        series: Vec<Series>,
        room: OwnedSemaphorePermit,
        shared: &Shared,
    ) -> AbortOnDropHandle<(Part, OwnedSemaphorePermit)> {
        let (source, notes) = (Arc::clone(&self.source), shared.notes.clone());
        let (span, metrics) = (self.span, self.metrics);
        AbortOnDropHandle::new(tokio::spawn(async move {
            let note = notes.of(source.name(), source.region());
            (part::read(&*source, series, span, metrics, &note).await, room)
        }))
    }
}
