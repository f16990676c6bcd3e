//! What CloudWatch has collected: told period by period, as it is asked for, without end.

use domain::{Metric, PERIOD_SECONDS, Period, Reading, Series, Statistics};
use simulator::{Observation, Telemetry};

/// What a series did in a period, counted from the beginning of the story; `None` when nobody called it.
pub(crate) type Tell = Box<dyn Fn(&Series, i64) -> Option<Reading> + Send + Sync>;

/// Series, and what they do.
pub(crate) struct Story {
    pub(crate) begin: Period,
    pub(crate) series: Vec<Series>,
    pub(crate) tell: Tell,
}

impl Telemetry for Story {
    fn series(&self) -> Vec<Series> {
        self.series.clone()
    }

    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        if from.rem_euclid(PERIOD_SECONDS) != 0 || until - from != PERIOD_SECONDS {
            return Observation::Nothing;
        }
        let k = Period::from_index(from / PERIOD_SECONDS) - self.begin;
        match (self.tell)(series, k).map(|reading| *reading.of(metric)) {
            Some(statistics) if statistics != Statistics::default() => Observation::Statistics(statistics),
            _ => Observation::Nothing,
        }
    }
}

/// 100 tokens a second, or 66.7: 400 tokens in 4 or 6 seconds after the first one. 200 requests.
pub(crate) fn reading(slow: bool) -> Reading {
    let (latency, ttft, tokens, samples) = (if slow { 7_000.0 } else { 5_000.0 }, 1_000.0, 400.0, 200.0);
    let mut reading = Reading::default();
    for (metric, p50) in [
        (Metric::InvocationLatency, latency),
        (Metric::TimeToFirstToken, ttft),
        (Metric::OutputTokenCount, tokens),
        (Metric::InputTokenCount, 3_000.0),
    ] {
        *reading.of_mut(metric) = Statistics {
            p50: Some(p50),
            p95: Some(p50 * 1.5),
            sum: Some(p50 * samples),
            sample_count: Some(samples),
        };
    }
    reading
}

/// A model in a Region of the account of all stories.
pub(crate) fn series_in(region: &str, model: &str) -> Series {
    Series::new("111122223333", region, model)
}
