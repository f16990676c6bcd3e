//! What the loopback CloudWatch serves, whoever makes it: a simulated fleet or a recording.

use domain::{Metric, Series, Statistics};

/// What happened to a fleet, as a metrics service would have collected it.
pub trait Telemetry: Send + Sync {
    /// Every series there is, in order.
    fn series(&self) -> Vec<Series>;

    /// What was published of `metric` with a timestamp in `[from, until)`, in Unix seconds. Answers do not depend on
    /// the order of questions.
    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation;
}

/// What was published of a metric in a stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub enum Observation {
    /// Nothing: CloudWatch has no datapoint then.
    Nothing,
    /// The value of each request, in no order, so that every statistic can be computed.
    Values(Vec<f64>),
    /// Four statistics of a five-minute period, when no more is known.
    Statistics(Statistics),
}
