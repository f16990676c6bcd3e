//! What CloudWatch takes for it: what a poll asks for, times the polls of a month.

use std::collections::BTreeMap;
use std::iter::Sum;

use domain::{
    CloudWatchPlan, Learning, MetricSet, PERIOD_SECONDS, PERIODS_PER_DAY, PERIODS_PER_HOUR, Plan, SourcePlan,
};
use poller::Cost;

use super::watching::Watching;

/// Days of the month that is reckoned with.
pub(crate) const DAYS: u64 = 30;
/// A poll for each period.
pub(crate) const POLLS: u64 = DAYS * PERIODS_PER_DAY as u64;
/// What explains is read once an hour.
pub(crate) const HOURS: u64 = DAYS * 24;

/// What one Region of one source costs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlaceBill {
    pub(crate) source: String,
    pub(crate) region: String,
    /// Series that are watched there.
    pub(crate) series: usize,
    /// With every poll: what OTPS is computed from, of the newest period and of those that are read again.
    pub(crate) poll: Cost,
    /// Once an hour: what explains it.
    pub(crate) hour: Cost,
    /// How often new models are looked for in a month, at most, where there are some already.
    pub(crate) discoveries: u64,
    /// Once, for the history of all of them.
    pub(crate) backfill: Cost,
}

/// What some of them cost together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Total {
    pub(crate) series: usize,
    /// In a month.
    pub(crate) month: Cost,
    /// Calls of `ListMetrics` in a month.
    pub(crate) listings: u64,
    /// Once.
    pub(crate) backfill: Cost,
}

impl PlaceBill {
    fn of(source: &CloudWatchPlan, region: &str, series: usize, learning: &Learning) -> Self {
        let periods = 1 + i64::from(source.reread_periods);
        // New models are looked for by a poll.
        let every = source.discover_every.as_secs().div_ceil(PERIOD_SECONDS as u64).max(1);
        Self {
            source: source.name.clone(),
            region: region.to_owned(),
            series,
            poll: Cost::of_read(series, periods, MetricSet::Decode),
            hour: Cost::of_read(series, PERIODS_PER_HOUR, MetricSet::Diagnosis),
            discoveries: POLLS / every,
            backfill: backfill(series, i64::from(learning.backfill_days) * PERIODS_PER_DAY),
        }
    }

    pub(crate) fn month(&self) -> Cost {
        self.poll.times(POLLS) + self.hour.times(HOURS)
    }

    /// Calls of `ListMetrics` in a month, while each answer fits a page.
    pub(crate) fn listings(&self) -> u64 {
        self.discoveries * Cost::calls_of_discovery()
    }
}

/// The history of new series is read in parts, some series at a time, and a metric is billed with each part of it.
fn backfill(series: usize, periods: i64) -> Cost {
    let parts = crate::tasks::poll::adoption(series, periods);
    parts.into_iter().map(|(series, periods)| Cost::of_read(series, periods, MetricSet::All)).sum()
}

impl<'b> Sum<&'b PlaceBill> for Total {
    fn sum<I: Iterator<Item = &'b PlaceBill>>(bills: I) -> Self {
        bills.fold(Self::default(), |total, bill| Self {
            series: total.series + bill.series,
            month: total.month + bill.month(),
            listings: total.listings + bill.listings(),
            backfill: total.backfill + bill.backfill,
        })
    }
}

/// Every Region of every source, in the order of the plan.
pub(crate) fn bills(plan: &Plan, watching: &Watching<'_>) -> Vec<PlaceBill> {
    let mut watched: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (seen, source) in &watching.watched {
        if let Some(source) = source {
            *watched.entry((*source, seen.series.region())).or_default() += 1;
        }
    }
    let sources = plan.sources.iter().enumerate();
    let of_source = |(index, SourcePlan::CloudWatch(source)): (usize, &SourcePlan)| {
        let series = |region: &String| watched.get(&(index, region.as_str())).copied().unwrap_or(0);
        let bill = |region: &String| PlaceBill::of(source, region, series(region), &plan.learning);
        source.regions.iter().map(bill).collect::<Vec<_>>()
    };
    sources.flat_map(of_source).collect()
}

/// What each source costs in a month, in US dollars, in the order of the plan.
pub(crate) fn by_source(bills: &[PlaceBill]) -> Vec<(&str, Total)> {
    bills
        .chunk_by(|one, other| one.source == other.source)
        .map(|group| (group[0].source.as_str(), group.iter().sum()))
        .collect()
}
