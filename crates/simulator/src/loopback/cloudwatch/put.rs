//! `PutMetricData`: what callers publish themselves. It is kept and listed; `GetMetricData` does not give it back.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::Serialize;

use super::shapes::{self, Time};
use crate::loopback::aws_error::AwsError;
use crate::loopback::caller::Caller;
use crate::loopback::clock;

mod request;
mod validation;

pub(crate) use request::PutMetricData;

/// Datapoints that are kept; the oldest are forgotten.
const KEPT_MAX: usize = 100_000;

/// A datapoint that was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PutDatum {
    /// When it was published, by the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub at: Timestamp,
    /// Whose it is.
    pub account: String,
    /// Where it is.
    pub region: String,
    /// Not one of AWS's own.
    pub namespace: String,
    /// Its name.
    pub metric_name: String,
    /// By name.
    pub dimensions: BTreeMap<String, String>,
    /// What it is of; when it was published, if nothing was said.
    #[serde(serialize_with = "clock::as_text")]
    pub timestamp: Timestamp,
    /// `None`, if nothing was said.
    pub unit: String,
    /// Values, each with how often it occurred. Of a statistic set, its least and its greatest.
    pub values: Vec<(f64, f64)>,
    /// Whether it came as a statistic set.
    pub is_statistic_set: bool,
    /// How many samples it is of.
    pub samples: f64,
    /// Of all samples.
    pub sum: f64,
}

/// What was published.
#[derive(Debug, Default)]
pub(crate) struct Put {
    data: Mutex<VecDeque<PutDatum>>,
}

/// The answer says nothing.
#[derive(Debug, Serialize)]
pub(crate) struct Nothing {}

impl Put {
    /// Oldest first.
    pub(crate) fn data(&self) -> Vec<PutDatum> {
        self.lock().iter().cloned().collect()
    }

    /// Takes all of a request, or nothing.
    pub(crate) fn take(
        &self,
        request: &PutMetricData,
        caller: &Caller,
        now: i64,
    ) -> Result<Nothing, AwsError> {
        validation::check(request, now)?;
        let time = |seconds| Timestamp::from_second(seconds).unwrap_or_default();
        let mut data = self.lock();
        for datum in &request.metric_data {
            if data.len() == KEPT_MAX {
                data.pop_front();
            }
            let values = datum.occurrences();
            let (samples, sum) = match &datum.statistic_values {
                Some(set) => (set.sample_count.value(), set.sum.value()),
                None => {
                    (values.iter().map(|(_, count)| count).sum(), values.iter().map(|(v, n)| v * n).sum())
                }
            };
            data.push_back(PutDatum {
                at: time(now),
                account: caller.home.clone(),
                region: caller.region.clone(),
                namespace: request.namespace.clone(),
                metric_name: datum.metric_name.clone(),
                dimensions: datum
                    .dimensions
                    .iter()
                    .map(|one| (one.name.clone(), one.value.clone()))
                    .collect(),
                timestamp: time(datum.timestamp.map_or(now, |Time(seconds)| seconds)),
                unit: datum.unit.clone().unwrap_or_else(|| "None".to_owned()),
                values,
                is_statistic_set: datum.statistic_values.is_some(),
                samples,
                sum,
            });
        }
        Ok(Nothing {})
    }

    /// The metrics that a caller published, each with the time of its last datapoint, in order.
    pub(crate) fn metrics(&self, caller: &Caller) -> BTreeMap<shapes::Metric, i64> {
        let mut metrics = BTreeMap::new();
        for datum in self.lock().iter().filter(|datum| {
            datum.region == caller.region && caller.account.as_ref().is_none_or(|own| *own == datum.account)
        }) {
            let dimension = |(name, value): (&String, &String)| shapes::Dimension {
                name: name.clone(),
                value: value.clone(),
            };
            let metric = shapes::Metric {
                namespace: datum.namespace.clone(),
                metric_name: datum.metric_name.clone(),
                dimensions: datum.dimensions.iter().map(dimension).collect(),
            };
            let last = metrics.entry(metric).or_insert(i64::MIN);
            *last = (*last).max(datum.timestamp.as_second());
        }
        metrics
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<PutDatum>> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
