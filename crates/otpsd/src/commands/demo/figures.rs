//! Numbers as they are shown, and what is counted.

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

/// `6 models`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `1,058,486`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        let texts = [0, 999, 1_000, 1_058_486].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "1,058,486"]);
    }

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
