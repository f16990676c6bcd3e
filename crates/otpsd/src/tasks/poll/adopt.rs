//! The whole history of new series is read, and judged as if they had always been watched.
//!
//! Some series at a time, each with all of its history in one read, so that its metrics are billed once; and some reads side
//! by side. Each is written down when it is judged, so that a restart asks for nothing twice. A series whose history has
//! holes is adopted by a later poll, when it has none.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use domain::{Failure, LedgerError, MetricSet, PERIODS_PER_HOUR, Period, Series, SourceError};
use jiff::Timestamp;
use tokio::task::JoinSet;

use super::side_by_side::ended;
use super::{Known, Poll, PollError, Progress, ROWS_AT_ONCE};
use crate::app::judging::Batch;

/// So many reads in a row that fail are the source's failure, and not that of their series.
const FAILURES_IN_A_ROW: usize = 8;

/// New series that are read together.
struct Group {
    series: Vec<Series>,
    /// What is still to be read of them.
    from: Period,
    /// They learn from others, which are to be there first.
    borrows: bool,
}

impl Group {
    /// How many series there are of which more than the last hour is to be read. One that nobody calls is looked at with each
    /// poll.
    fn of_history(&self, through: Period) -> usize {
        if through + 1 - self.from > PERIODS_PER_HOUR { self.series.len() } else { 0 }
    }
}

/// What became of a group.
struct Adopted {
    series: Vec<Series>,
    /// Those that were not answered whole, and why where a call failed; or the source's failure, when it answered nothing.
    read: Result<(Vec<Series>, Option<SourceError>), SourceError>,
}

impl Poll {
    /// Adopts as many as can be until `due`, when the known ones are to be read again; one group at least.
    pub(super) async fn adopt(
        self: &Arc<Self>,
        known: &mut Known,
        through: Period,
        due: Timestamp,
        progress: &mut Progress,
    ) -> Result<(), PollError> {
        let begin = through + 1 - self.timing.backfill_periods;
        let mut waiting = self.waiting(known, begin, through).await;
        let mut left: usize = waiting.iter().map(|group| group.of_history(through)).sum();
        if waiting.is_empty() {
            return Ok(());
        }
        self.judging.lock().await.adopts(self.clock.now(), &self.place);
        progress.asked = true;
        let mut reading = JoinSet::new();
        // Groups under way whose series learn from nobody.
        let mut lenders = 0;
        let (mut not_written, mut first_failure, mut failed, mut in_a_row) = (None, None, BTreeSet::new(), 0);
        loop {
            if left > 0 {
                self.sources.reads_history(&self.place, known.series.len() - left, known.series.len());
            }
            let goes_on = not_written.is_none()
                && in_a_row < FAILURES_IN_A_ROW
                && !(progress.read && self.clock.now() >= due);
            while goes_on && reading.len() < self.at_once {
                let Some(group) = waiting.pop_front_if(|group| !group.borrows || lenders == 0) else { break };
                lenders += usize::from(!group.borrows);
                let me = Arc::clone(self);
                reading.spawn(async move {
                    let of_history = group.of_history(through);
                    (of_history, group.borrows, me.adopt_group(group, begin, through).await)
                });
            }
            let Some((of_history, borrows, adopted)) = ended(&mut reading).await else { break };
            lenders -= usize::from(!borrows);
            let Adopted { series, read } = match adopted {
                Ok(adopted) => adopted,
                Err(error) => {
                    not_written.get_or_insert(error);
                    continue;
                }
            };
            match read {
                Ok((incomplete, error)) => {
                    in_a_row = 0;
                    progress.read = true;
                    progress.error = progress.error.take().or(error);
                    left -= of_history.min(series.len() - incomplete.len());
                    known.put_off.extend(incomplete.iter().cloned());
                    progress.incomplete.extend(incomplete);
                }
                Err(error) => {
                    // What CloudWatch says of all series of a read may be of these alone; nothing else is.
                    let may_be_theirs = matches!(error.failure, Failure::Server | Failure::Malformed);
                    in_a_row += if may_be_theirs { 1 } else { FAILURES_IN_A_ROW };
                    first_failure.get_or_insert(error);
                    failed.extend(series);
                }
            }
        }
        if left == 0 {
            self.sources.has_read_history(&self.place);
        }
        known.put_off.extend(failed.iter().cloned());
        if let Some(error) = not_written {
            return Err(error.into());
        }
        first_failure.map_or(Ok(()), |error| progress.failed(failed, error))
    }

    /// Who has history to be read, in groups. Those that it could not be read of before come last, lest they hold up others, but for
    /// those that learn from others, which come after all of them.
    async fn waiting(&self, known: &Known, begin: Period, through: Period) -> VecDeque<Group> {
        let mut starts: BTreeMap<(bool, bool, Period), Vec<Series>> = BTreeMap::new();
        let judging = self.judging.lock().await;
        for one in known.series.iter().filter(|one| judging.engine().state(one).is_none()) {
            let read = judging.diagnosed_through(one).map_or(begin, |read| read + 1);
            let borrows = judging.engine().settings_of(one).rule.learn_from.is_some();
            let start = (borrows, known.put_off.contains(one), read.clamp(begin, through + 1));
            starts.entry(start).or_default().push(one.clone());
        }
        drop(judging);
        let mut waiting = VecDeque::new();
        for ((borrows, _, from), series) in starts {
            let some = series_at_once(through + 1 - from);
            waiting.extend(series.chunks(some).map(|some| Group { series: some.to_vec(), from, borrows }));
        }
        waiting
    }

    async fn adopt_group(
        &self,
        group: Group,
        begin: Period,
        through: Period,
    ) -> Result<Adopted, LedgerError> {
        let Group { series, from, .. } = group;
        // Where nothing can be written, nothing is gained by reading: it would be read again.
        self.judging.lock().await.write(self.clock.now()).await?;
        for one in &series {
            self.judging.lock().await.resume(self.clock.now(), one, begin).await?;
        }
        let mut read = (Vec::new(), None);
        let mut rows = Vec::new();
        if from <= through {
            let answer = match self.read(&series, from, through + 1, MetricSet::All).await {
                Ok(answer) => answer,
                Err(error) => return Ok(Adopted { series, read: Err(error) }),
            };
            rows = answer.rows;
            read = (answer.incomplete, answer.error);
        }
        let whole: Vec<Series> = series.iter().filter(|one| !read.0.contains(one)).cloned().collect();
        // What was read in part is read again as a whole.
        rows.retain(|row| !read.0.contains(&row.series));
        let diagnosed = whole.iter().map(|one| (one.clone(), through)).collect();
        let batch = Batch { rows, diagnosed, advance: whole, through: Some(through), adopt: true };
        self.take(batch).await?;
        Ok(Adopted { series, read: Ok(read) })
    }
}

/// The parts in which the history of so many new series is read, each with how many series and periods it has. For those who want to
/// know what that costs.
pub(crate) fn adoption(series: usize, periods: i64) -> Vec<(usize, i64)> {
    let some = series_at_once(periods);
    (0..series.div_ceil(some)).map(|part| (some.min(series - part * some), periods)).collect()
}

/// Series that are read together over so many periods.
pub(super) fn series_at_once(periods: i64) -> usize {
    usize::try_from(ROWS_AT_ONCE / periods.max(1)).unwrap_or(1).max(1)
}
