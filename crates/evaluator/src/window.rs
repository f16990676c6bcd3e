//! The second step: the shortest trailing window that holds enough requests.

use domain::{Datapoint, Estimator, Otps, Period};

use crate::datapoint::{Sums, datapoint};
use crate::history::History;
use crate::streaming::is_about_other_requests;

/// OTPS over one or several periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    /// By the estimator that was asked for, in tokens per second.
    pub(crate) value: f64,
    /// Requests.
    pub(crate) samples: f64,
    /// Periods, from the newest back to the oldest.
    pub(crate) width: u8,
}

/// Collects periods, newest first, into one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pool {
    estimator: Estimator,
    sums: Sums,
    weighted_logs: f64,
    samples: f64,
}

impl Pool {
    pub(crate) fn new(estimator: Estimator) -> Self {
        Self { estimator, sums: Sums::default(), weighted_logs: 0.0, samples: 0.0 }
    }

    /// Adds one period, if it has a value by the estimator.
    pub(crate) fn add(&mut self, history: &History, usual_share: f64, period: Period) {
        let point = history.get(period);
        if point.is_some_and(|point| is_about_other_requests(point, usual_share, self.estimator)) {
            return;
        }
        let Datapoint::Valid { otps, samples } = datapoint(point) else { return };
        match self.estimator {
            Estimator::TokenWeighted => {
                if let (Some(_), Some(sums)) = (otps.token_weighted, point.and_then(Sums::of)) {
                    self.sums.add(sums);
                    self.samples += samples;
                }
            }
            Estimator::P50 => {
                if let Some(value) = otps.p50 {
                    self.weighted_logs += samples * value.ln();
                    self.samples += samples;
                }
            }
        }
    }

    pub(crate) fn samples(&self) -> f64 {
        self.samples
    }

    /// The value of all that was added. Sums of several periods are exact; of medians there is only their mean, weighted
    /// by samples.
    pub(crate) fn value(&self) -> Option<f64> {
        if self.samples <= 0.0 {
            return None;
        }
        match self.estimator {
            Estimator::TokenWeighted => self.sums.otps().ok(),
            Estimator::P50 => Some((self.weighted_logs / self.samples).exp()),
        }
    }
}

/// The shortest window ending with `period` that holds `fewest` requests, at most `widest` periods wide. A single period
/// is never pooled: its value is exactly what the datapoint says.
pub(crate) fn window(
    history: &History,
    period: Period,
    otps: Otps,
    own_samples: f64,
    estimator: Estimator,
    fewest: f64,
    widest: u8,
    usual_share: f64,
) -> Option<Window> {
    if own_samples >= fewest {
        return otps.by(estimator).map(|value| Window { value, samples: own_samples, width: 1 });
    }
    let mut pool = Pool::new(estimator);
    for width in 1..=widest.max(1) {
        pool.add(history, usual_share, period - i64::from(width - 1));
        if pool.samples() >= fewest {
            return pool.value().map(|value| Window { value, samples: pool.samples(), width });
        }
    }
    None
}
