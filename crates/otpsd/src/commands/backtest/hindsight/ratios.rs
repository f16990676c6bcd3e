//! How a series did at any time.

use domain::{Period, Slot};

/// The ratio to the baseline of each period that had one, in order of time. Single precision is enough for what is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ratios(Vec<(Period, f32)>);

impl Ratios {
    /// Adds a later period.
    pub(crate) fn add(&mut self, slot: &Slot) {
        if let Some(ratio) = slot.ratio().filter(|ratio| ratio.is_finite()) {
            self.0.push((slot.period, ratio as f32));
        }
    }

    /// The newest one of those from `from` to `last`.
    pub(crate) fn newest(&self, from: Period, last: Period) -> Option<f64> {
        let until = self.0.partition_point(|(period, _)| *period <= last);
        let (period, ratio) = self.0[..until].last()?;
        (*period >= from).then_some((*ratio).into())
    }
}

#[cfg(test)]
mod tests {
    use domain::{Estimator, Otps, Verdict};

    use super::*;

    #[test]
    fn what_is_too_old_or_not_yet_known_does_not_count() {
        let at = Period::from_index;
        let slot = |index: i64, otps: Option<f64>| Slot {
            period: at(index),
            verdict: Verdict::Within,
            estimator: Estimator::P50,
            otps: otps.map(|p50| Otps { p50: Some(p50), token_weighted: None }),
            baseline: Some(100.0),
            noise: None,
            samples: 200.0,
            window: 1,
        };
        let mut ratios = Ratios::default();
        for one in [slot(10, Some(75.0)), slot(11, None), slot(12, Some(50.0)), slot(20, Some(100.0))] {
            ratios.add(&one);
        }
        assert_eq!(ratios.newest(at(6), at(11)), Some(0.75));
        assert_eq!(ratios.newest(at(6), at(12)), Some(0.5));
        assert_eq!(ratios.newest(at(13), at(19)), None);
        assert_eq!(ratios.newest(at(0), at(9)), None);
    }
}
