//! What CloudWatch is asked for, counted.

use simulator::loopback::CallTotals;

/// What CloudWatch was asked for so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Volume {
    pub(super) calls: u64,
    pub(super) metrics: u64,
    pub(super) datapoints: u64,
}

impl Volume {
    pub(super) fn of(calls: &[CallTotals]) -> Self {
        let mut volume = Self::default();
        for total in
            calls.iter().filter(|it| matches!(it.operation.as_str(), "GetMetricData" | "ListMetrics"))
        {
            volume.calls += total.calls;
            volume.metrics += total.billed_metrics;
            volume.datapoints += total.datapoints;
        }
        volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_to_cloudwatch_count() {
        let totals = |operation: &str, calls| CallTotals {
            operation: operation.to_owned(),
            calls,
            billed_metrics: 10 * calls,
            ..CallTotals::default()
        };
        let volume =
            Volume::of(&[totals("GetMetricData", 3), totals("ListMetrics", 2), totals("Publish", 7)]);
        assert_eq!((volume.calls, volume.metrics), (5, 50));
    }
}
