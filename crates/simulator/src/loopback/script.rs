//! Telemetry that a test writes down value by value.

use std::collections::BTreeMap;

use domain::{Metric, PERIOD_SECONDS, Period, Series, Statistics};
use jiff::Timestamp;

use crate::{Observation, Telemetry};

/// What was published, as a test says it: values of requests at an instant, or statistics of a period.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    values: BTreeMap<(Series, Metric), BTreeMap<i64, Vec<f64>>>,
    statistics: BTreeMap<(Series, Metric), BTreeMap<i64, Statistics>>,
}

impl Script {
    /// Nothing has happened.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests whose values were published with the timestamp `at`.
    #[must_use]
    pub fn values(mut self, series: &Series, metric: Metric, at: Timestamp, values: &[f64]) -> Self {
        let instants = self.values.entry((series.clone(), metric)).or_default();
        instants.entry(at.as_second()).or_default().extend(values);
        self
    }

    /// A period of which no more is known than four statistics.
    #[must_use]
    pub fn statistics(
        mut self,
        series: &Series,
        metric: Metric,
        period: Period,
        statistics: Statistics,
    ) -> Self {
        let periods = self.statistics.entry((series.clone(), metric)).or_default();
        periods.insert(period.start().as_second(), statistics);
        self
    }
}

impl Telemetry for Script {
    fn series(&self) -> Vec<Series> {
        let mut series: Vec<Series> =
            self.values.keys().chain(self.statistics.keys()).map(|(series, _)| series.clone()).collect();
        series.sort();
        series.dedup();
        series
    }

    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        let key = (series.clone(), metric);
        if let Some(statistics) = self.statistics.get(&key).and_then(|periods| periods.get(&from))
            && until - from == PERIOD_SECONDS
        {
            return Observation::Statistics(*statistics);
        }
        let values: Vec<f64> = match self.values.get(&key) {
            Some(instants) => instants.range(from..until).flat_map(|(_, values)| values).copied().collect(),
            None => Vec::new(),
        };
        if values.is_empty() { Observation::Nothing } else { Observation::Values(values) }
    }
}
