//! A recording, served as if it happened.

use std::collections::BTreeMap;

use domain::{Metric, PERIOD_SECONDS, Period, Reading, Series, Statistics};

use crate::{Observation, Telemetry};

/// Recorded readings as telemetry. A recording knows four statistics of every five-minute period and no more, so it
/// answers for exactly such windows.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    readings: BTreeMap<Series, BTreeMap<Period, Reading>>,
}

impl Replay {
    /// Takes rows in any order. What is there twice is laid over each other: the later one wins.
    #[must_use]
    pub fn new(rows: impl IntoIterator<Item = (Series, Period, Reading)>) -> Self {
        let mut readings: BTreeMap<Series, BTreeMap<Period, Reading>> = BTreeMap::new();
        for (series, period, reading) in rows {
            readings.entry(series).or_default().entry(period).or_default().merge(&reading);
        }
        Self { readings }
    }

    /// The first and the last period that anything was recorded of.
    #[must_use]
    pub fn ends(&self) -> Option<(Period, Period)> {
        let ends = |periods: &BTreeMap<Period, Reading>| {
            Some((*periods.first_key_value()?.0, *periods.last_key_value()?.0))
        };
        self.readings.values().filter_map(ends).reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }
}

impl Telemetry for Replay {
    fn series(&self) -> Vec<Series> {
        self.readings.keys().cloned().collect()
    }

    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        if from.rem_euclid(PERIOD_SECONDS) != 0 || until.checked_sub(from) != Some(PERIOD_SECONDS) {
            return Observation::Nothing;
        }
        let period = Period::from_index(from / PERIOD_SECONDS);
        let statistics = self
            .readings
            .get(series)
            .and_then(|periods| periods.get(&period))
            .map(|reading| *reading.of(metric));
        match statistics {
            Some(statistics) if statistics != Statistics::default() => Observation::Statistics(statistics),
            _ => Observation::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(metric: Metric, sum: f64) -> Reading {
        let mut reading = Reading::default();
        reading.of_mut(metric).sum = Some(sum);
        reading
    }

    #[test]
    fn exact_periods_are_answered_and_nothing_else() {
        let series = Series::new("", "us-east-1", "m");
        let period = Period::from_index(1_000);
        let replay = Replay::new([(series.clone(), period, reading(Metric::OutputTokenCount, 7.0))]);
        let ask = |metric, from, until| replay.observe(&series, metric, from, until);
        let sum = Statistics { sum: Some(7.0), ..Statistics::default() };
        assert_eq!(ask(Metric::OutputTokenCount, 300_000, 300_300), Observation::Statistics(sum));
        assert_eq!(ask(Metric::InputTokenCount, 300_000, 300_300), Observation::Nothing, "not recorded");
        assert_eq!(ask(Metric::OutputTokenCount, 300_300, 300_600), Observation::Nothing, "another period");
        assert_eq!(ask(Metric::OutputTokenCount, 300_000, 300_060), Observation::Nothing, "a minute");
        assert_eq!(ask(Metric::OutputTokenCount, 300_060, 300_360), Observation::Nothing, "not aligned");
        assert_eq!(ask(Metric::OutputTokenCount, 300_000, 303_600), Observation::Nothing, "an hour");
        assert_eq!(ask(Metric::OutputTokenCount, i64::MIN, i64::MAX), Observation::Nothing);
        let other = Series::new("", "us-east-1", "n");
        assert_eq!(replay.observe(&other, Metric::OutputTokenCount, 300_000, 300_300), Observation::Nothing);
    }

    #[test]
    fn the_later_row_wins_and_keeps_what_it_lacks() {
        let series = Series::new("", "us-east-1", "m");
        let period = Period::from_index(1_000);
        let replay = Replay::new([
            (series.clone(), period + 3, reading(Metric::OutputTokenCount, 1.0)),
            (series.clone(), period, reading(Metric::OutputTokenCount, 7.0)),
            (series.clone(), period, reading(Metric::InputTokenCount, 9.0)),
            (series.clone(), period, reading(Metric::OutputTokenCount, 8.0)),
        ]);
        let sum = |metric| match replay.observe(&series, metric, 300_000, 300_300) {
            Observation::Statistics(statistics) => statistics.sum,
            _ => None,
        };
        assert_eq!((sum(Metric::OutputTokenCount), sum(Metric::InputTokenCount)), (Some(8.0), Some(9.0)));
        assert_eq!(replay.series(), [series]);
        assert_eq!(replay.ends(), Some((period, period + 3)));
        assert_eq!(Replay::default().ends(), None);
    }
}
