//! The last day of every series, for the status page. No decision rests on it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use domain::{
    Metric, PERIOD_SECONDS, PERIODS_PER_DAY, Period, Reading, Row, Series, Slot, Statistic, Verdict,
};
use web::snapshot::{HistoryPoint, QuotaUse, Waits};

/// Quotas are of a minute.
const MINUTES: f64 = PERIOD_SECONDS as f64 / 60.0;

/// p50 OTPS of a reading, in tokens per second, where it can be computed.
fn otps_p50(reading: &Reading) -> Option<f64> {
    let of = |metric| reading.get(metric, Statistic::P50);
    let decode_ms = of(Metric::InvocationLatency)? - of(Metric::TimeToFirstToken)?;
    let otps = of(Metric::OutputTokenCount)? / decode_ms * 1_000.0;
    (otps.is_finite() && otps > 0.0).then_some(otps)
}

/// What a reading says of the quota. Throttles are published only when there are any.
fn quota(row: &Row) -> Option<QuotaUse> {
    let used = row.reading.get(Metric::EstimatedTpmQuotaUsage, Statistic::Sum);
    let throttles = row.reading.get(Metric::InvocationThrottles, Statistic::Sum);
    (used.is_some() || throttles.is_some()).then(|| QuotaUse {
        period: row.period,
        tokens_per_minute: used.map(|tokens| tokens / MINUTES),
        throttles: throttles.unwrap_or(0.0),
    })
}

/// The last day of every series.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// Oldest first. Whoever shows them shares them: of a thousand series they are 40 MB.
    series: BTreeMap<Series, Arc<VecDeque<HistoryPoint>>>,
    quotas: BTreeMap<Series, QuotaUse>,
}

impl Recent {
    /// Takes readings in.
    pub(crate) fn take(&mut self, rows: &[Row]) {
        for row in rows {
            if let Some(used) = quota(row)
                && self.quotas.get(&row.series).is_none_or(|known| known.period <= used.period)
            {
                self.quotas.insert(row.series.clone(), used);
            }
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
            self.series.insert(series.clone(), Arc::default());
        }
        let points = self.series.get_mut(series)?;
        let newest = points.back().map_or(period, |newest| newest.period.max(period));
        let horizon = newest - PERIODS_PER_DAY;
        if period <= horizon {
            return None;
        }
        let points = Arc::make_mut(points);
        let over = points.partition_point(|point| point.period <= horizon);
        points.drain(..over);
        let empty = HistoryPoint {
            period,
            verdict: None,
            otps_p50: None,
            value: None,
            baseline: None,
            waits: Waits::default(),
        };
        let place = points.binary_search_by_key(&period, |point| point.period).unwrap_or_else(|place| {
            points.insert(place, empty);
            place
        });
        points.get_mut(place)
    }

    /// The last period of the last day in which a series could be judged since the start.
    pub(crate) fn seen(&self, series: &Series) -> Option<Period> {
        let could_be_judged = |point: &&HistoryPoint| {
            point.verdict.is_some_and(|verdict| !matches!(verdict, Verdict::Missing(_)))
        };
        self.series.get(series)?.iter().rev().find(could_be_judged).map(|point| point.period)
    }

    /// What was used of the quota of a series, in the newest period of which that was read.
    pub(crate) fn quota(&self, series: &Series) -> Option<QuotaUse> {
        self.quotas.get(series).copied()
    }

    /// The last day of a series, oldest first.
    pub(crate) fn of(&self, series: &Series) -> Arc<VecDeque<HistoryPoint>> {
        self.series.get(series).map(Arc::clone).unwrap_or_default()
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
    fn the_newest_use_of_the_quota_is_kept_whatever_is_read_later() {
        let mut recent = Recent::default();
        let mut busy = row(7, 5_000.0);
        // 1,050,000 tokens in five minutes are 210,000 a minute.
        busy.reading.of_mut(Metric::EstimatedTpmQuotaUsage).sum = Some(1_050_000.0);
        busy.reading.of_mut(Metric::InvocationThrottles).sum = Some(12.0);
        let mut older = row(6, 5_000.0);
        older.reading.of_mut(Metric::EstimatedTpmQuotaUsage).sum = Some(5.0);
        recent.take(&[busy, older, row(8, 5_000.0)]);
        let period = Period::from_index(7);
        let expected = QuotaUse { period, tokens_per_minute: Some(210_000.0), throttles: 12.0 };
        assert_eq!(recent.quota(&Series::new("-", "us-east-1", "m")), Some(expected));
        assert_eq!(recent.quota(&Series::new("-", "us-east-1", "other")), None);
    }

    #[test]
    fn the_last_day_is_kept_with_what_was_read_before_anything_was_judged() {
        let mut recent = Recent::default();
        // 400 / (5000 - 1000) x 1000 = 100; a latency of the first token's has no decode time.
        recent.take(&[row(0, 5_000.0), row(10, 5_000.0), row(11, 1_000.0), row(PERIODS_PER_DAY, 7_000.0)]);
        let series = Series::new("-", "us-east-1", "m");
        let points: Vec<_> =
            recent.of(&series).iter().map(|point| (point.period.index(), point.otps_p50)).collect();
        let otps = 400.0 / 6_000.0 * 1_000.0;
        assert_eq!(points, [(10, Some(100.0)), (11, None), (PERIODS_PER_DAY, Some(otps))]);
        assert_eq!(recent.seen(&series), None, "nothing was judged since the start");
    }
}
