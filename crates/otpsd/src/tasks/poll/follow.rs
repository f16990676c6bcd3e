//! What known series lack is read and judged.
//!
//! Series that are up to date come first, so that nothing holds up their pages. Those that lag behind, because their
//! answers were not whole, are read from where each is. A gap of days is read in parts and judged as a whole: what began
//! and ended in it is written down and told nobody.

use std::collections::{BTreeMap, BTreeSet};

use domain::{MetricSet, PERIODS_PER_DAY, Period, Row, Series, SourceError};

use super::{Poll, PollError, Progress, ROWS_AT_ONCE};
use crate::app::judging::Batch;

/// What the parts of a gap have brought.
struct Caught {
    /// Readings that are not yet handed in.
    rows: Vec<Row>,
    diagnosed: Vec<(Series, Period)>,
    /// Up to where each series was read.
    reached: BTreeMap<Series, Period>,
}

impl Poll {
    pub(super) async fn follow(
        &self,
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
        for group in [current, behind].into_iter().filter(|group| !group.is_empty()) {
            if let Err(error) = self.catch_up(&group, through, progress).await? {
                progress.failed(group.into_keys(), error)?;
            }
        }
        Ok(())
    }

    /// Reads a group of series from what each lacks first, and judges what could be read. The inner error is the source's,
    /// when it answered nothing at all.
    async fn catch_up(
        &self,
        group: &BTreeMap<Series, Period>,
        through: Period,
        progress: &mut Progress,
    ) -> Result<Result<(), SourceError>, PollError> {
        progress.asked = true;
        let oldest = group.values().copied().min().unwrap_or(through);
        let step = (ROWS_AT_ONCE / group.len().max(1) as i64).clamp(1, PERIODS_PER_DAY);
        let mut caught = Caught { rows: Vec::new(), diagnosed: Vec::new(), reached: BTreeMap::new() };
        let mut stuck: BTreeSet<Series> = BTreeSet::new();
        let mut from = oldest;
        while from <= through {
            let until = (from + step).min(through + 1);
            let active: Vec<Series> = group
                .iter()
                .filter(|(one, next)| **next < until && !stuck.contains(*one))
                .map(|(one, _)| one.clone())
                .collect();
            if active.is_empty() {
                from = until;
                continue;
            }
            let answer = match self.read_part(&active, from, until, from == oldest, through).await {
                Ok(answer) => answer,
                Err(error) if from == oldest => return Ok(Err(error)),
                Err(error) => {
                    // What the parts before it brought is judged; the rest is for the next poll.
                    progress.incomplete.extend(active);
                    progress.error.get_or_insert(error);
                    break;
                }
            };
            progress.read = true;
            if let Some(error) = answer.error {
                progress.error.get_or_insert(error);
            }
            // Absence in an answer that is not whole means nothing: such a series goes no further in this poll.
            stuck.extend(answer.incomplete);
            let whole = active.into_iter().filter(|one| !stuck.contains(one));
            caught.reached.extend(whole.map(|one| (one, until - 1)));
            caught.rows = answer.rows;
            if until <= through {
                let diagnosed = caught.reached.iter().filter(|(_, reached)| **reached == until - 1);
                let diagnosed = diagnosed.map(|(one, reached)| (one.clone(), *reached)).collect();
                let rows = std::mem::take(&mut caught.rows);
                self.take(Batch { rows, diagnosed, ..Batch::default() }).await?;
            }
            from = until;
        }
        progress.incomplete.extend(stuck);
        self.judge(caught, oldest, through).await?;
        Ok(Ok(()))
    }

    /// One part of a gap; most often all there is, the newest period alone. Whoever was away for long gets what explains
    /// too.
    async fn read_part(
        &self,
        series: &[Series],
        from: Period,
        until: Period,
        is_first: bool,
        through: Period,
    ) -> Result<domain::ReadAnswer, SourceError> {
        // The first part has the last judged periods again: CloudWatch may have revised them.
        let from = if is_first { from - self.timing.reread_periods } else { from };
        let metrics = if until <= through { MetricSet::All } else { MetricSet::Decode };
        self.read(series, from, until, metrics).await
    }

    /// Judges every series up to where it was read.
    async fn judge(&self, mut caught: Caught, oldest: Period, through: Period) -> Result<(), PollError> {
        let mut by_reach: BTreeMap<Period, Vec<Series>> = BTreeMap::new();
        for (one, reached) in caught.reached {
            by_reach.entry(reached).or_default().push(one);
        }
        if let Some(whole) = by_reach.get(&through) {
            let due = self.diagnosis_due(whole, through).await;
            self.diagnose(&due, through, &mut caught.rows, &mut caught.diagnosed).await;
        }
        if by_reach.is_empty() {
            // Nothing was read whole; what was read in part is kept all the same.
            by_reach.insert(oldest - 1, Vec::new());
        }
        let mut urgent = Vec::new();
        for (reached, series) in by_reach {
            // A long gap of many series is judged in parts, so that other Regions have their turn in between.
            let at_once = (ROWS_AT_ONCE / (reached + 1 - oldest).max(1)).max(1) as usize;
            let mut parts: Vec<Vec<Series>> = series.chunks(at_once).map(<[Series]>::to_vec).collect();
            if parts.is_empty() {
                parts.push(Vec::new());
            }
            for advance in parts {
                let rows = std::mem::take(&mut caught.rows);
                let diagnosed = std::mem::take(&mut caught.diagnosed);
                let batch = Batch { rows, advance, through: Some(reached), adopt: false, diagnosed };
                urgent.extend(self.take(batch).await?);
            }
        }
        if !urgent.is_empty() {
            // The first breach: what explains it is read now, so that it is there when the third one pages.
            let (mut rows, mut diagnosed) = (Vec::new(), Vec::new());
            self.diagnose(&urgent, through, &mut rows, &mut diagnosed).await;
            self.take(Batch { rows, diagnosed, ..Batch::default() }).await?;
        }
        Ok(())
    }
}
