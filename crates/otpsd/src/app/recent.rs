//! The last day of every series, for the status page. No decision rests on it.

use std::collections::BTreeMap;

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Row, Series, Slot, Statistic, Verdict};
use web::snapshot::{HistoryPoint, Waits};

/// p50 OTPS of a reading, in tokens per second, where it can be computed.
fn otps_p50(reading: &Reading) -> Option<f64> {
    let of = |metric| reading.get(metric, Statistic::P50);
    let decode_ms = of(Metric::InvocationLatency)? - of(Metric::TimeToFirstToken)?;
    let otps = of(Metric::OutputTokenCount)? / decode_ms * 1_000.0;
    (otps.is_finite() && otps > 0.0).then_some(otps)
}

/// The last day of every series.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    series: BTreeMap<Series, BTreeMap<Period, HistoryPoint>>,
}

impl Recent {
    /// Takes readings in.
    pub(crate) fn take(&mut self, rows: &[Row]) {
        for row in rows {
            let latency = row.reading.of(Metric::InvocationLatency);
            let ttft = row.reading.of(Metric::TimeToFirstToken);
            if latency.p50.is_none() && ttft.p50.is_none() {
                // Diagnosis metrics alone: nothing of a chart.
                continue;
            }
            let points = self.points(&row.series, row.period);
            let Some(point) = points else { continue };
            point.waits = Waits {
                latency_p50_ms: latency.p50,
                latency_p95_ms: latency.p95,
                ttft_p50_ms: ttft.p50,
                ttft_p95_ms: ttft.p95,
            };
            // What was read before the daemon ran has no verdict that is still known, and is on the graph all the same.
            if point.verdict.is_none() {
                point.otps_p50 = otps_p50(&row.reading);
            }
        }
    }

    /// Takes in what the newest periods of a series say.
    pub(crate) fn judged(&mut self, series: &Series, slots: &[Slot]) {
        for slot in slots {
            let Some(point) = self.points(series, slot.period) else { continue };
            point.verdict = Some(slot.verdict);
            point.otps_p50 = slot.otps.and_then(|otps| otps.p50);
            point.value = slot.value();
            point.baseline = slot.baseline;
        }
    }

    /// The point of a period, unless a day has passed since.
    fn points(&mut self, series: &Series, period: Period) -> Option<&mut HistoryPoint> {
        if !self.series.contains_key(series) {
            self.series.insert(series.clone(), BTreeMap::new());
        }
        let points = self.series.get_mut(series)?;
        let newest = points.last_key_value().map_or(period, |(newest, _)| (*newest).max(period));
        let horizon = newest - PERIODS_PER_DAY;
        while points.first_key_value().is_some_and(|(oldest, _)| *oldest <= horizon) {
            points.pop_first();
        }
        if period <= horizon {
            return None;
        }
        let empty = HistoryPoint {
            period,
            verdict: None,
            otps_p50: None,
            value: None,
            baseline: None,
            waits: Waits::default(),
        };
        Some(points.entry(period).or_insert(empty))
    }

    /// The last period of the last day in which a series could be judged since the start.
    pub(crate) fn seen(&self, series: &Series) -> Option<Period> {
        let could_be_judged = |point: &&HistoryPoint| {
            point.verdict.is_some_and(|verdict| !matches!(verdict, Verdict::Missing(_)))
        };
        self.of(series).rev().find(could_be_judged).map(|point| point.period)
    }

    /// The last day of a series, oldest first.
    pub(crate) fn of(&self, series: &Series) -> impl DoubleEndedIterator<Item = &HistoryPoint> {
        self.series.get(series).into_iter().flat_map(BTreeMap::values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(k: i64, latency: f64) -> Row {
        let mut reading = Reading::default();
        reading.of_mut(Metric::InvocationLatency).p50 = Some(latency);
        reading.of_mut(Metric::TimeToFirstToken).p50 = Some(1_000.0);
        reading.of_mut(Metric::OutputTokenCount).p50 = Some(400.0);
        Row { series: Series::new("-", "us-east-1", "m"), period: Period::from_index(k), reading }
    }

    #[test]
    fn the_last_day_is_kept_with_what_was_read_before_anything_was_judged() {
        let mut recent = Recent::default();
        // 400 / (5000 - 1000) x 1000 = 100; a latency of the first token's has no decode time.
        recent.take(&[row(0, 5_000.0), row(10, 5_000.0), row(11, 1_000.0), row(PERIODS_PER_DAY, 7_000.0)]);
        let series = Series::new("-", "us-east-1", "m");
        let points: Vec<_> = recent.of(&series).map(|point| (point.period.index(), point.otps_p50)).collect();
        let otps = 400.0 / 6_000.0 * 1_000.0;
        assert_eq!(points, [(10, Some(100.0)), (11, None), (PERIODS_PER_DAY, Some(otps))]);
        assert_eq!(recent.seen(&series), None, "nothing was judged since the start");
    }
}
