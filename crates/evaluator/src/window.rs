//! The second step: the shortest trailing window that holds enough requests.

use domain::{Datapoint, Estimator, Otps, Period};

use crate::datapoint::{Sums, datapoint};
use crate::history::{History, Point};
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
        let Some(point) = history.get(period) else { return };
        if let Datapoint::Valid { otps, samples } = datapoint(Some(point)) {
            self.add_datapoint(point, otps, samples, usual_share);
        }
    }

    /// Adds the valid datapoint of a period, if it has a value by the estimator.
    pub(crate) fn add_datapoint(&mut self, point: &Point, otps: Otps, samples: f64, usual_share: f64) {
        if is_about_other_requests(point, usual_share, self.estimator) {
            return;
        }
        match self.estimator {
            Estimator::TokenWeighted => {
                if let (Some(_), Some(sums)) = (otps.token_weighted, Sums::of(point)) {
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

    /// `ln` of the value of all that was added. Sums of several periods are exact; of medians there is only their mean, weighted
    /// by samples.
    pub(crate) fn log_value(&self) -> Option<f64> {
        if self.samples <= 0.0 {
            return None;
        }
        match self.estimator {
            Estimator::TokenWeighted => self.sums.otps().ok().map(f64::ln),
            Estimator::P50 => Some(self.weighted_logs / self.samples),
        }
    }

    /// The value of all that was added.
    pub(crate) fn value(&self) -> Option<f64> {
        match self.estimator {
            Estimator::TokenWeighted => self.sums.otps().ok().filter(|_| self.samples > 0.0),
            Estimator::P50 => self.log_value().map(f64::exp),
        }
    }
}

/// What a window is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    pub(crate) estimator: Estimator,
    /// Requests that it must hold.
    pub(crate) fewest: f64,
    /// Periods that it may span.
    pub(crate) widest: u8,
    /// The usual share of streaming requests.
    pub(crate) usual_share: f64,
}

/// The shortest window ending with `period` that holds enough requests. A single period is never pooled: its value is exactly
/// what the datapoint says.
pub(crate) fn window(
    history: &History,
    period: Period,
    otps: Otps,
    own_samples: f64,
    ask: Ask,
) -> Option<Window> {
    if own_samples >= ask.fewest {
        return otps.by(ask.estimator).map(|value| Window { value, samples: own_samples, width: 1 });
    }
    let mut pool = Pool::new(ask.estimator);
    for width in 1..=ask.widest.max(1) {
        pool.add(history, ask.usual_share, period - i64::from(width - 1));
        if pool.samples() >= ask.fewest {
            return pool.value().map(|value| Window { value, samples: pool.samples(), width });
        }
    }
    None
}
