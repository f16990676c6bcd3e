//! History is read from CloudWatch: for commands that look at what was, and that no daemon need run for.
//!
//! Each Region of each source is read by a task of its own, so that none waits for another; how much may be under way is
//! limited over all of them. What cannot be read is left out whole, a series at a time, and is said at the end: half a
//! series would be judged as if it were one.
//!
//! A command that wants it all at once calls [`recording`] with what [`Wanted::of`] makes of a configuration:
//!
//! ```text
//! Wanted::of(&Plan, source: Option<&str>, since: SignedDuration, until: Option<Timestamp>) -> Result<Wanted, ExitCode>
//! recording(&Wanted) -> anyhow::Result<Result<(Recording, Outcome), ExitCode>>
//! ```
//!
//! Both have said what went wrong when they give an exit code. [`Outcome::exit_code`] tells whether it was everything. The plan has
//! to be read for `Purpose::Check` or `Run`: for `Backtest` no external ids are.
//!
//! # Layout
//!
//! - `wanted`: which sources, and which periods.
//! - `region`: one Region of one source: whose it is, who is there, and what was measured.
//! - `part`: some series at a time, asked again until they are whole.
//! - `patience`: how often, and after which pauses.
//! - `outcome`: what was read and what could not be, and how that is said.
//! - `progress`: how far it is.

mod outcome;
mod part;
mod patience;
mod progress;
mod region;
mod wanted;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use domain::{ExitCode, Row, Series};
use poller::{Recording, RecordingBuilder};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

pub(crate) use self::outcome::{Outcome, RegionOutcome};
pub(crate) use self::progress::Progress;
use self::region::{Found, Region, Shared};
pub(crate) use self::wanted::{Everybody, Known, Wanted};
use crate::commands::{asked_to_end, failed, runtime};

/// Parts that are under way or not yet taken, over all Regions. One has 12,000 rows at most, which are about 7 MB.
const PARTS_AT_ONCE: usize = 8;
/// How often those who watch are told how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(1);

/// What was read of some series of one Region: in order of series, and of time for each.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Which Region, by its place in [`Outcome::regions`].
    pub(crate) region: usize,
    /// Who was read whole, in order: also those that had nothing.
    pub(crate) series: Vec<Series>,
    /// All that was measured of them.
    pub(crate) rows: Vec<Row>,
}

/// Reads all that is wanted, and hands it over piece by piece. Those of one Region come in the order of its series,
/// whatever came first; those of several come as they are there.
///
/// # Errors
///
/// Those of `take`, which end it.
pub(crate) async fn read<E>(
    wanted: &Wanted,
    progress: &mut Progress,
    mut take: impl FnMut(Piece) -> Result<(), E>,
) -> Result<Outcome, E> {
    let mut found = found(wanted, progress).await;
    let mut claimed: BTreeSet<Series> = wanted.known.values().flatten().cloned().collect();
    let known = claimed.len();
    for (one, _) in &mut found {
        // Two sources may see the same series. The first one's is taken, as it is the same.
        one.series.retain(|series| claimed.insert(series.clone()));
    }
    progress.expect(claimed.len());
    progress.read(known, 0);
    let room = Arc::new(Semaphore::new(PARTS_AT_ONCE));
    let (pieces, mut coming) = mpsc::channel(1);
    let mut reading = Vec::new();
    for (place, (one, region)) in found.into_iter().enumerate() {
        let shared = Shared { room: Arc::clone(&room), pieces: pieces.clone(), notes: progress.notes() };
        let known = wanted.known.get(&place).into_iter().flatten().cloned().collect();
        reading.push(AbortOnDropHandle::new(tokio::spawn(region.read(place, one, known, shared))));
    }
    drop(pieces);
    let mut ticking = tokio::time::interval(TOLD_EVERY);
    loop {
        tokio::select! {
            piece = coming.recv() => match piece {
                Some(region::Ready { piece, series, _room }) => {
                    let values = piece.rows.iter().map(values).sum();
                    take(piece)?;
                    progress.read(series, values);
                }
                None => break,
            },
            _ = ticking.tick() => progress.tick(),
        }
    }
    let mut regions = Vec::new();
    for task in reading {
        // A task that panicked is a fault of this program: it ends here as it would have without tasks.
        regions.push(task.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
    }
    progress.end();
    Ok(Outcome { regions })
}

/// Asks every Region who is there, all at once; in the order of the configuration.
async fn found(wanted: &Wanted, progress: &mut Progress) -> Vec<(Found, Region)> {
    let mut asking = JoinSet::new();
    let mut count = 0;
    // Sources of one account share what it may ask for in a Region.
    let quotas = poller::Quotas::default();
    for plan in &wanted.sources {
        let span = wanted.span(plan);
        for source in poller::CloudWatch::open_all(plan).await {
            let region = Region { source: Arc::new(source.within(&quotas)), span, metrics: wanted.metrics };
            let (place, everybody, notes) = (count, wanted.everybody, progress.notes());
            asking.spawn(async move { (place, region.find(everybody, &notes).await, region) });
            count += 1;
        }
    }
    progress.ask(count);
    let mut found = Vec::new();
    let mut ticking = tokio::time::interval(TOLD_EVERY);
    loop {
        tokio::select! {
            one = asking.join_next() => match one {
                Some(one) => found.push(one.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))),
                None => break,
            },
            _ = ticking.tick() => progress.tick(),
        }
    }
    found.sort_by_key(|(place, _, _)| *place);
    found.into_iter().map(|(_, found, region)| (found, region)).collect()
}

/// How many values a row has.
fn values(row: &Row) -> u64 {
    let of = |metric| {
        let statistics = row.reading.of(metric);
        domain::Statistic::ALL.iter().filter(|statistic| statistics.get(**statistic).is_some()).count()
    };
    domain::Metric::ALL.into_iter().map(of).sum::<usize>() as u64
}

/// Reads all that is wanted into memory, as if it had been recorded: about 24 bytes for each period of each series and 8
/// for each value, which is 1.5 GB for 1,000 models over 35 days. What could not be read was said when this returns.
///
/// # Errors
///
/// The exit code, when nothing could be read.
pub(crate) fn recording(wanted: &Wanted) -> Result<std::result::Result<(Recording, Outcome), ExitCode>> {
    let mut builder = RecordingBuilder::default();
    let read = interruptible(async {
        let mut progress = Progress::new("reading");
        let Ok(outcome) = read(wanted, &mut progress, |piece| {
            piece.rows.iter().for_each(|row| builder.add(row));
            Ok::<(), std::convert::Infallible>(())
        })
        .await;
        outcome
    })?;
    let outcome = match read {
        Ok(outcome) => outcome,
        Err(code) => return Ok(Err(code)),
    };
    outcome.complain();
    Ok(if outcome.has_nothing() { Err(ExitCode::CannotRun) } else { Ok((builder.finish(), outcome)) })
}

/// Runs until it is done or until the process is asked to end, which drops it.
pub(crate) fn interruptible<T>(act: impl Future<Output = T>) -> Result<std::result::Result<T, ExitCode>> {
    let runtime = runtime()?;
    let done = runtime.block_on(async {
        tokio::select! {
            done = act => Ok(done),
            signal = asked_to_end() => Err(failed(&format!("ended by {signal} before it was done"), None)),
        }
    });
    // A call that hangs must not hold up the end.
    runtime.shutdown_background();
    Ok(done)
}
