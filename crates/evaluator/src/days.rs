//! Days in figures: what tickets about weeks rest on.

use std::collections::BTreeMap;

use baseline::median;
use domain::{Datapoint, PERIODS_PER_DAY, Period, Terms};

use crate::datapoint::datapoint;
use crate::diagnosis::terms;
use crate::history::{History, Point};

/// Days that are remembered: as long as CloudWatch keeps five-minute data.
pub(crate) const DAYS_KEPT: i64 = 63;
/// A day with fewer requests is no evidence: its medians would be noise.
const FEWEST_REQUESTS: f64 = 500.0;

/// One day of a series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Day {
    pub(crate) terms: Terms,
    /// Means and 95th percentiles beside the medians: a change of mix moves one of the three, growth moves them all.
    pub(crate) mean_output: f64,
    pub(crate) mean_ttft: f64,
    pub(crate) output_p95: Option<f64>,
    pub(crate) ttft_p95: Option<f64>,
    /// Mean tokens of the whole prompt: read afresh, from the cache, and written to it.
    pub(crate) mean_prompt: Option<f64>,
    /// The median of OTPS over the periods of the day, by the sums where there are any: half a day of trouble does not move it.
    pub(crate) speed: Option<f64>,
    pub(crate) requests: f64,
    /// Periods with requests, and those of them that can be judged by their own requests and those shortly before.
    pub(crate) busy: u16,
    pub(crate) judgeable: u16,
}

impl Day {
    fn of(history: &History, day: i64, min_samples: f64, widest: i64) -> Option<Self> {
        let points =
            history.range(Period::first_of_day(day), Period::first_of_day(day + 1)).map(|(_, point)| point);
        let sum = |column: fn(&Point) -> Option<f64>| points.clone().filter_map(column).sum::<f64>();
        let middle = |of: &dyn Fn(&Point) -> Option<f64>| {
            median(&mut points.clone().filter_map(of).collect::<Vec<_>>())
        };
        let requests = sum(Point::samples);
        if requests <= 0.0 {
            return None;
        }
        let prompt = |point: &Point| {
            let whole =
                point.input_sum()? + point.cache_read().unwrap_or(0.0) + point.cache_write().unwrap_or(0.0);
            Some(whole / point.samples()?)
        };
        let speed = |point: &Point| match datapoint(Some(point)) {
            Datapoint::Valid { otps, .. } => otps.token_weighted.or(otps.p50),
            Datapoint::Missing(_) => None,
        };
        let (busy, judgeable) = coverage(history, day, min_samples, widest);
        Some(Self {
            terms: terms(points.clone()),
            mean_output: sum(Point::output_sum) / requests,
            mean_ttft: sum(Point::ttft_sum) / sum(Point::streamed).max(1.0),
            output_p95: middle(&Point::output_p95),
            ttft_p95: middle(&Point::ttft_p95),
            mean_prompt: middle(&prompt),
            speed: middle(&speed),
            requests,
            busy,
            judgeable,
        })
    }

    /// Whether there were requests enough for its figures to mean something.
    pub(crate) fn is_busy(&self) -> bool {
        self.requests >= FEWEST_REQUESTS
    }
}

/// Periods with requests, and those with a valid datapoint and requests enough.
fn coverage(history: &History, day: i64, min_samples: f64, widest: i64) -> (u16, u16) {
    let (mut busy, mut judgeable) = (0, 0);
    let first = Period::first_of_day(day);
    let samples = |period: Period| match datapoint(history.get(period)) {
        Datapoint::Valid { samples, .. } => samples,
        Datapoint::Missing(_) => 0.0,
    };
    let mut last: Vec<f64> = (1..widest).rev().map(|back| samples(first - back)).collect();
    for index in 0..PERIODS_PER_DAY {
        let own = samples(first + index);
        last.push(own);
        let has_requests = history.get(first + index).and_then(Point::samples).is_some_and(|n| n > 0.0);
        busy += u16::from(has_requests);
        judgeable += u16::from(own > 0.0 && last.iter().sum::<f64>() >= min_samples);
        last.remove(0);
    }
    (busy, judgeable)
}

/// The days of a series: a cache. Each is a pure function of the readings of its day.
#[derive(Debug, Clone, Default)]
pub(crate) struct Days {
    by_day: BTreeMap<i64, Option<Box<Day>>>,
}

impl Days {
    /// Puts days that are over, and are held, into figures: up to and including `through`.
    pub(crate) fn close(&mut self, history: &History, through: i64, min_samples: f64, widest: i64) {
        let Some(first) = history.first() else { return };
        for day in first.day().max(through - DAYS_KEPT)..=through {
            self.by_day
                .entry(day)
                .or_insert_with(|| Day::of(history, day, min_samples, widest).map(Box::new));
        }
        self.by_day = self.by_day.split_off(&(through - DAYS_KEPT));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_day.is_empty()
    }

    /// A reading of the period changed: its day must be put into figures again, if it still can be.
    pub(crate) fn revise(&mut self, history: &History, period: Period) {
        if history.first().is_some_and(|first| first <= Period::first_of_day(period.day())) {
            self.by_day.remove(&period.day());
        }
    }

    /// A day that is over.
    pub(crate) fn get(&self, day: i64) -> Option<&Day> {
        self.by_day.get(&day)?.as_deref()
    }

    /// A day whose figures mean something.
    pub(crate) fn busy(&self, day: i64) -> Option<&Day> {
        self.get(day).filter(|day| day.is_busy())
    }

    /// Days whose figures mean something, oldest first.
    pub(crate) fn all_busy(&self) -> impl Iterator<Item = (i64, &Day)> {
        self.by_day
            .iter()
            .filter_map(|(&number, day)| Some((number, day.as_deref()?)).filter(|d| d.1.is_busy()))
    }
}
