//! The charts of a series: OTPS against its baseline, and the waits beside it as context.

use std::collections::BTreeMap;

use domain::{PERIODS_PER_DAY, Period, Rule, Verdict};
use jiff::Timestamp;

use crate::chart::{Chart, Line, Overlay};
use crate::figures::finite;
use crate::snapshot::{HistoryPoint, SeriesStatus, threshold};

/// Pixels of the chart that decides.
const TALL: u32 = 150;
/// Pixels of each of the two beside it.
const SMALL: u32 = 56;

/// The last 24 hours as SVG elements.
pub(crate) struct Charts {
    /// OTPS.
    pub(crate) otps: String,
    /// Whether it has a line of the token-weighted estimator.
    pub(crate) weighted: bool,
    /// TimeToFirstToken.
    pub(crate) ttft: String,
    /// InvocationLatency.
    pub(crate) latency: String,
}

/// One optional value a period.
type Values = Vec<Option<f64>>;

impl Charts {
    /// The day of `status` that ends at `now`.
    pub(crate) fn new(status: &SeriesStatus, rule: &Rule, now: Timestamp) -> Self {
        let from = Period::last_ended(now) - (PERIODS_PER_DAY - 1);
        let points: BTreeMap<i64, &HistoryPoint> =
            status.history.iter().map(|point| (point.period - from, point)).collect();
        let values = |get: &dyn Fn(&HistoryPoint) -> Option<f64>| -> Values {
            (0..PERIODS_PER_DAY)
                .map(|place| points.get(&place).and_then(|point| finite(get(point))))
                .collect()
        };

        let p50 = values(&|point| point.otps_p50);
        let value = values(&|point| point.value);
        let line = values(&|point| threshold(rule, finite(point.baseline)));
        let breaches =
            values(&|point| (point.verdict == Some(Verdict::Breaching)).then_some(point.value).flatten());
        let weighted = value.iter().zip(&p50).any(|(value, p50)| value.is_some() && value != p50);

        let count = breaches.iter().flatten().count();
        let mut lines = vec![
            Line { class: "threshold", values: line.clone() },
            Line { class: "baseline", values: values(&|point| point.baseline) },
        ];
        if weighted {
            lines.push(Line { class: "weighted", values: value });
        }
        let label =
            format!("OTPS of the last 24 hours, p50: {}; {count} periods breaching", range(&p50, tokens));
        lines.push(Line { class: "p50", values: p50 });
        let otps = Chart {
            label,
            from,
            periods: PERIODS_PER_DAY,
            height: TALL,
            unit: "",
            lines,
            zone: Some(line),
            marks: breaches,
            overlay: Overlay::default(),
        };

        let wait = |name: &str, medians: Option<Values>, tail: Values| {
            let mut label = format!("{name} of the last 24 hours, p95: {}", range(&tail, seconds));
            let mut lines = vec![Line { class: "p95", values: tail }];
            if let Some(medians) = medians {
                label.push_str(&format!("; p50: {}", range(&medians, seconds)));
                lines.push(Line { class: "p50", values: medians });
            }
            Chart {
                label,
                from,
                periods: PERIODS_PER_DAY,
                height: SMALL,
                unit: " s",
                lines,
                zone: None,
                marks: Vec::new(),
                overlay: Overlay::default(),
            }
            .svg()
        };
        let waits =
            |get: fn(&HistoryPoint) -> Option<f64>| values(&|point| get(point).map(|value| value / 1_000.0));
        Self {
            otps: otps.svg(),
            weighted,
            ttft: wait(
                "TimeToFirstToken",
                Some(waits(|point| point.waits.ttft_p50_ms)),
                waits(|point| point.waits.ttft_p95_ms),
            ),
            latency: wait("InvocationLatency", None, waits(|point| point.waits.latency_p95_ms)),
        }
    }
}

/// `38.0 to 63.1, last 39.5`, or that there is nothing.
fn range(values: &[Option<f64>], show: fn(f64) -> String) -> String {
    let known = || values.iter().flatten().copied();
    match (known().reduce(f64::min), known().reduce(f64::max), known().next_back()) {
        (Some(lowest), Some(highest), Some(last)) => {
            format!("{} to {}, last {}", show(lowest), show(highest), show(last))
        }
        _ => "nothing".to_owned(),
    }
}

fn tokens(value: f64) -> String {
    format!("{value:.1}")
}

fn seconds(value: f64) -> String {
    format!("{value:.2} s")
}
