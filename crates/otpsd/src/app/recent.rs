//! The last day of every series, for the status page. No decision rests on it.

use std::collections::BTreeMap;

use domain::{Metric, PERIODS_PER_DAY, Period, Row, Series, Slot};
use web::snapshot::{HistoryPoint, Waits};

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

    /// The last day of a series, oldest first.
    pub(crate) fn of(&self, series: &Series) -> impl DoubleEndedIterator<Item = &HistoryPoint> {
        self.series.get(series).into_iter().flat_map(BTreeMap::values)
    }
}
