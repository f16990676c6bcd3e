//! Who of those that were found is watched: what must be there, what has traffic enough, and no more than `max-series`.
//!
//! What is watched once stays watched. What is not is counted again once an hour, with one metric a series.

use std::collections::BTreeSet;

use domain::{LeftOut, Metric, MetricSet, PERIODS_PER_DAY, Period, Series, SourceError, Statistic};
use evaluator::coverage::Look;
use jiff::SignedDuration;

use super::{Known, Poll, PollError, Progress};

/// How often requests of a series that is not watched are counted.
const COUNTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

impl Poll {
    /// Takes up those of `found` that are to be watched, and says what of the source is not.
    pub(super) async fn take_up(
        &self,
        known: &mut Known,
        progress: &mut Progress,
        found: Vec<Series>,
        through: Period,
    ) -> Result<(), PollError> {
        let listed: BTreeSet<Series> = found.into_iter().collect();
        let new: Vec<Series> = listed.difference(&known.series).cloned().collect();
        known.counted.retain(|one, _| listed.contains(one));
        let is_to_be_counted = self.plan.min_daily_requests > 0 || new.len() > self.sources.room(&self.plan);
        if is_to_be_counted && let Err(error) = self.count(known, &new, through).await {
            // Those that could not be counted wait; what is watched does not.
            progress.discovery = Some(error);
        }
        let requests = |series: &Series| known.counted.get(series).map(|(_, requests)| *requests);
        let new = new.into_iter().map(|series| LeftOut { requests: requests(&series), series }).collect();
        let (taken, left_out) = self.sources.take_up(&self.plan, new);
        known.series.extend(taken);
        self.sources.has(&self.place, &known.series);
        let look = Look { listed, watched: known.series.clone(), left_out };
        let now = self.clock.now();
        self.judging.lock().await.looked(now, &self.plan, &self.place.region, look).await?;
        Ok(())
    }

    /// Counts the requests of the last day, of those that were not counted lately.
    async fn count(&self, known: &mut Known, new: &[Series], through: Period) -> Result<(), SourceError> {
        let now = self.clock.now();
        let is_old = |one: &&Series| {
            known.counted.get(*one).is_none_or(|(at, _)| now.duration_since(*at) >= COUNTED_EVERY)
        };
        let due: Vec<Series> = new.iter().filter(is_old).cloned().collect();
        if due.is_empty() {
            return Ok(());
        }
        let from = through + 1 - PERIODS_PER_DAY;
        let answer = self.read(&due, from, through + 1, MetricSet::Traffic).await?;
        for one in due.iter().filter(|one| !answer.incomplete.contains(one)) {
            known.counted.insert(one.clone(), (now, 0.0));
        }
        for row in &answer.rows {
            let samples = row.reading.get(Metric::InvocationLatency, Statistic::SampleCount);
            if let (Some(samples), Some((_, requests))) = (samples, known.counted.get_mut(&row.series)) {
                *requests += samples;
            }
        }
        Ok(())
    }
}
