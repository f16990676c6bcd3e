//! The whole history of new series is read, and judged as if they had always been watched.
//!
//! It is read in parts, each written down with the mark up to where it goes, so that a restart asks for nothing twice. A
//! series whose history has holes is adopted by a later poll, when it has none.

use std::collections::{BTreeMap, BTreeSet};

use domain::{MetricSet, Period, Series, SourceError};
use jiff::Timestamp;

use super::{Poll, PollError, Progress, ROWS_AT_ONCE};
use crate::app::judging::Batch;

/// Series whose history is read in one go.
const ADOPTED_AT_ONCE: usize = 10;

impl Poll {
    /// Adopts as many as can be until `due`, when the known ones are to be read again; one group at least.
    pub(super) async fn adopt(
        &self,
        series: &BTreeSet<Series>,
        through: Period,
        due: Timestamp,
        progress: &mut Progress,
    ) -> Result<(), PollError> {
        let begin = through + 1 - self.timing.backfill_periods;
        let mut starts: BTreeMap<Period, Vec<Series>> = BTreeMap::new();
        {
            let judging = self.judging.lock().await;
            for one in series.iter().filter(|one| judging.engine().state(one).is_none()) {
                let read = judging.diagnosed_through(one).map_or(begin, |read| read + 1);
                starts.entry(read.clamp(begin, through + 1)).or_default().push(one.clone());
            }
        }
        if !starts.is_empty() {
            self.judging.lock().await.adopts(self.clock.now(), &self.place);
        }
        for (from, group) in &starts {
            for some in group.chunks(ADOPTED_AT_ONCE) {
                if progress.read && self.clock.now() >= due {
                    return Ok(());
                }
                // Where nothing can be written, nothing is gained by reading: it would be read again.
                self.judging.lock().await.write(self.clock.now()).await?;
                if let Err(error) = self.adopt_some(some, begin, *from, through, progress).await? {
                    progress.failed(some.iter().cloned(), error)?;
                }
            }
        }
        Ok(())
    }

    async fn adopt_some(
        &self,
        series: &[Series],
        begin: Period,
        mut from: Period,
        through: Period,
        progress: &mut Progress,
    ) -> Result<Result<(), SourceError>, PollError> {
        progress.asked = true;
        for one in series {
            self.judging.lock().await.resume(self.clock.now(), one, begin).await?;
        }
        let step = periods_at_once(series.len());
        let mut whole = series.to_vec();
        while from <= through && !whole.is_empty() {
            let until = (from + step).min(through + 1);
            let answer = match self.read(&whole, from, until, MetricSet::All).await {
                Ok(answer) => answer,
                Err(error) => return Ok(Err(error)),
            };
            progress.read = true;
            if let Some(error) = answer.error {
                progress.error.get_or_insert(error);
            }
            whole.retain(|one| !answer.incomplete.contains(one));
            progress.incomplete.extend(answer.incomplete);
            let diagnosed = whole.iter().map(|one| (one.clone(), until - 1)).collect();
            self.take(Batch { rows: answer.rows, diagnosed, ..Batch::default() }).await?;
            from = until;
        }
        self.take(Batch { advance: whole, through: Some(through), adopt: true, ..Batch::default() }).await?;
        Ok(Ok(()))
    }
}

/// The parts in which the history of so many new series is read, each with how many series and periods it has. For those who want to
/// know what that costs.
pub(crate) fn adoption(series: usize, periods: i64) -> Vec<(usize, i64)> {
    let mut parts = Vec::new();
    let mut left = series;
    while left > 0 {
        let some = left.min(ADOPTED_AT_ONCE);
        let step = periods_at_once(some);
        let mut read = 0;
        while read < periods {
            let part = step.min(periods - read);
            parts.push((some, part));
            read += part;
        }
        left -= some;
    }
    parts
}

/// Periods of so many series that are read in one go.
fn periods_at_once(series: usize) -> i64 {
    (ROWS_AT_ONCE / series.max(1) as i64).max(1)
}
