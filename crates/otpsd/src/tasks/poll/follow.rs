//! What known series lack is read and judged.
//!
//! Series that are up to date come first, so that nothing holds up their pages. Those that lag behind, because their answers
//! were not whole, are read from where each is. A gap of days is read some series at a time, each with all that it lacks, and
//! judged in order: what began and ended in it is written down and told nobody.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use domain::{LedgerError, MetricSet, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series, SourceError};
use tokio::task::JoinSet;

use super::adopt::series_at_once;
use super::side_by_side::ended;
use super::{Poll, PollError, Progress};
use crate::app::judging::Batch;

/// Series that lack the same, or nearly so, and are read together.
struct Group {
    series: BTreeSet<Series>,
    /// The first period that any of them lacks.
    from: Period,
}

/// What became of a group.
struct Followed {
    series: BTreeSet<Series>,
    /// Those that were not answered whole, and why where a call failed; or the source's failure, when it answered nothing.
    read: Result<(Vec<Series>, Option<SourceError>), SourceError>,
}

impl Poll {
    pub(super) async fn follow(
        self: &Arc<Self>,
        series: &BTreeSet<Series>,
        through: Period,
        progress: &mut Progress,
    ) -> Result<(), PollError> {
        let next: BTreeMap<Series, Period> = {
            let judging = self.judging.lock().await;
            let next = |one: &Series| Some(judging.engine().state(one)?.judged_through + 1);
            series.iter().filter_map(|one| Some((one.clone(), next(one)?))).collect()
        };
        // Somebody's readings of the newest period are there already, when this poll is for those that lag.
        progress.read |= next.values().any(|next| *next > through);
        let due: BTreeMap<Series, Period> = next.into_iter().filter(|(_, next)| *next <= through).collect();
        let Some(newest) = due.values().copied().max() else { return Ok(()) };
        let (current, behind): (BTreeMap<_, _>, BTreeMap<_, _>) =
            due.into_iter().partition(|(_, next)| *next == newest);
        for some in [current, behind].into_iter().filter(|some| !some.is_empty()) {
            self.catch_up(some, through, progress).await?;
        }
        Ok(())
    }

    /// Reads these series from what each lacks first, and judges what could be read.
    async fn catch_up(
        self: &Arc<Self>,
        due: BTreeMap<Series, Period>,
        through: Period,
        progress: &mut Progress,
    ) -> Result<(), PollError> {
        progress.asked = true;
        let (all, is_long) = (due.len(), due.values().any(|next| through - *next > PERIODS_PER_HOUR));
        let mut waiting = groups(due, through + 1 + self.timing.reread_periods);
        let mut reading = JoinSet::new();
        let (mut done, mut failure, mut not_written) = (0, None, None);
        let mut failed = BTreeSet::new();
        loop {
            if is_long {
                self.sources.reads_history(&self.place, done, all);
            }
            // What keeps one group from being read would keep the others too.
            while failure.is_none() && not_written.is_none() && reading.len() < self.at_once {
                let Some(group) = waiting.pop_front() else { break };
                let me = Arc::clone(self);
                reading.spawn(async move { me.follow_group(group, through).await });
            }
            let Some(followed) = ended(&mut reading).await else { break };
            let Followed { series, read } = match followed {
                Ok(followed) => followed,
                Err(error) => {
                    not_written.get_or_insert(error);
                    continue;
                }
            };
            match read {
                Ok((incomplete, error)) => {
                    progress.read = true;
                    progress.error = progress.error.take().or(error);
                    done += series.len() - incomplete.len();
                    progress.incomplete.extend(incomplete);
                }
                Err(error) => {
                    failure.get_or_insert(error);
                    failed.extend(series);
                }
            }
        }
        if is_long && done == all {
            self.sources.has_read_history(&self.place);
        }
        if let Some(error) = not_written {
            return Err(error.into());
        }
        failed.extend(waiting.into_iter().flat_map(|group| group.series));
        failure.map_or(Ok(()), |error| progress.failed(failed, error))
    }

    async fn follow_group(&self, group: Group, through: Period) -> Result<Followed, LedgerError> {
        let Group { series, from } = group;
        let asked: Vec<Series> = series.iter().cloned().collect();
        // Whoever was away for long gets what explains too.
        let is_long = through + 1 - from > PERIODS_PER_HOUR;
        let metrics = if is_long { MetricSet::All } else { MetricSet::Decode };
        // With the last judged periods again: CloudWatch may have revised them.
        let answer = match self.read(&asked, from - self.timing.reread_periods, through + 1, metrics).await {
            Ok(answer) => answer,
            Err(error) => return Ok(Followed { series, read: Err(error) }),
        };
        let (incomplete, error) = (answer.incomplete, answer.error);
        // Absence in an answer that is not whole means nothing: such a series goes no further in this poll.
        let whole: Vec<Series> = asked.into_iter().filter(|one| !incomplete.contains(one)).collect();
        let mut rows = answer.rows;
        let mut diagnosed = Vec::new();
        if is_long {
            diagnosed.extend(whole.iter().map(|one| (one.clone(), through)));
        } else {
            let due = self.diagnosis_due(&whole, through).await;
            self.diagnose(&due, through, &mut rows, &mut diagnosed).await;
        }
        let batch = Batch { rows, advance: whole, through: Some(through), adopt: false, diagnosed };
        let urgent = self.take(batch).await?;
        if !urgent.is_empty() {
            // The first breach: what explains it is read now, so that it is there when the third one pages.
            let (mut rows, mut diagnosed) = (Vec::new(), Vec::new());
            self.diagnose(&urgent, through, &mut rows, &mut diagnosed).await;
            self.take(Batch { rows, diagnosed, ..Batch::default() }).await?;
        }
        Ok(Followed { series, read: Ok((incomplete, error)) })
    }
}

/// Series in groups that lack the least together: those of nearly the same place. `end` is a period after the last one that is
/// read, by as many as are read again.
fn groups(due: BTreeMap<Series, Period>, end: Period) -> VecDeque<Group> {
    let mut in_order: Vec<(Period, Series)> = due.into_iter().map(|(one, next)| (next, one)).collect();
    in_order.sort();
    let mut groups: VecDeque<Group> = VecDeque::new();
    for (next, one) in in_order {
        match groups.back_mut() {
            // As many as fit together with the one that lacks the most, and not a day more for any.
            Some(group)
                if group.series.len() < series_at_once(end - group.from)
                    && next - group.from < PERIODS_PER_DAY =>
            {
                group.series.insert(one);
            }
            _ => groups.push_back(Group { series: BTreeSet::from([one]), from: next }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_that_lack_much_are_read_in_smaller_groups() {
        let end = Period::from_index(20_000);
        let one = |number: usize| Series::new("111122223333", "us-east-1", &format!("m-{number:04}"));
        let sizes = |lacking: i64, count| -> Vec<usize> {
            let due = (0..count).map(|number| (one(number), end - lacking)).collect();
            groups(due, end).iter().map(|group| group.series.len()).collect()
        };
        assert_eq!(sizes(4, 1_000), [1_000], "a poll is one read");
        assert_eq!(sizes(288, 100), [41, 41, 18], "12,000 rows");
        assert_eq!(sizes(10_080, 3), [1, 1, 1]);
        // Whoever lacks a month is read apart from those that lack a day.
        let due = [(0, 3_000), (1, 288), (2, 288)].map(|(number, lacking)| (one(number), end - lacking));
        let groups = groups(due.into(), end);
        assert_eq!(groups.iter().map(|group| end - group.from).collect::<Vec<_>>(), [3_000, 288]);
    }
}
