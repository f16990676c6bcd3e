//! What reading costs, without reading: the calls are packed as they would be made.

use std::iter::Sum;
use std::ops::Add;

use domain::{MetricSet, Period, Span, Tier};

use super::calls;
use super::names::Names;

/// What reads of CloudWatch come to.
///
/// Source of the rule: Amazon CloudWatch pricing, "GetMetricData": metrics requested are billed, up to five statistics of
/// one metric in one call as one, and none of them is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Calls of `GetMetricData`.
    pub calls: u64,
    /// Metrics that they ask for, as CloudWatch bills them.
    pub billed_metrics: u64,
}

impl Cost {
    /// What a metric costs, in US dollars: $0.01 per 1,000.
    pub const USD_PER_METRIC: f64 = 0.01 / 1_000.0;

    /// One read of so many series of one Region over so many periods, with every call answered at once. A model whose
    /// cache metrics AWS publishes under both of their names costs one metric more for each of these. Requests are counted by service tier
    /// as if one tier served all; a model costs one metric more for each further one, and one less where CloudWatch has no tiers.
    #[must_use]
    pub fn of_read(series: usize, periods: i64, metrics: MetricSet) -> Self {
        let from = Period::from_index(0);
        let span = Span { from, until: from + periods };
        let tiers = |_| match metrics {
            MetricSet::Diagnosis | MetricSet::All => vec![Tier::Default],
            MetricSet::Decode | MetricSet::Traffic => Vec::new(),
        };
        let calls = calls::calls(span, series, metrics.metrics(), |_, metric| vec![metric.name()], tiers);
        Self {
            calls: calls.len() as u64,
            billed_metrics: calls.iter().map(calls::Call::billed_metrics).sum(),
        }
    }

    /// So many of the same.
    #[must_use]
    pub const fn times(self, times: u64) -> Self {
        Self {
            calls: self.calls.saturating_mul(times),
            billed_metrics: self.billed_metrics.saturating_mul(times),
        }
    }

    /// In US dollars.
    #[must_use]
    pub fn usd(self) -> f64 {
        self.billed_metrics as f64 * Self::USD_PER_METRIC
    }

    /// Calls of `ListMetrics` with which new models of a Region are looked for, while each answer fits a page of 500.
    /// They are not among the calls of a cost, nor are they metrics.
    #[must_use]
    pub fn calls_of_discovery() -> u64 {
        // The models that stream, those that are counted by tier, and those that have a metric under its other name.
        2 + Names::doubtful().count() as u64
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            billed_metrics: self.billed_metrics.saturating_add(other.billed_metrics),
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_of_a_model_costs_what_the_price_list_says() {
        // Three metrics every five minutes, 30 days: 25,920, or 26 cents.
        let month = Cost::of_read(1, 4, MetricSet::Decode).times(12 * 24 * 30);
        assert_eq!(month, Cost { calls: 8_640, billed_metrics: 25_920 });
        assert!((month.usd() - 0.2592).abs() < 1e-9, "{}", month.usd());
    }

    #[test]
    fn series_are_packed_into_calls_as_they_will_be_read() {
        // 500 queries a call: twelve of a model for each period, sixteen for each hour.
        assert_eq!(Cost::of_read(41, 4, MetricSet::Decode), Cost { calls: 1, billed_metrics: 123 });
        assert_eq!(Cost::of_read(42, 4, MetricSet::Decode), Cost { calls: 2, billed_metrics: 126 });
        assert_eq!(Cost::of_read(36, 12, MetricSet::Diagnosis), Cost { calls: 2, billed_metrics: 252 });
        // 2,500 periods of 10 models: 40 queries fit 100,800 values, and 28 are asked of a model. No metric is split, so
        // that 280 queries are 7 calls, or more where 4 do not fit any more.
        let part = Cost::of_read(10, 2_500, MetricSet::All);
        assert_eq!(part.billed_metrics, 100);
        assert_eq!(part.calls, 7);
        assert_eq!(Cost::of_read(0, 4, MetricSet::Decode), Cost::default());
    }

    #[test]
    fn costs_add_up() {
        let (one, other) = (Cost { calls: 1, billed_metrics: 3 }, Cost { calls: 2, billed_metrics: 5 });
        assert_eq!([one, other].into_iter().sum::<Cost>(), Cost { calls: 3, billed_metrics: 8 });
        assert_eq!(Cost::calls_of_discovery(), 4);
    }
}
