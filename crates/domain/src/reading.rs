//! What a source read of one series in one period, before any judgement.

use crate::{Metric, Period, Series, Statistic, Tier};

/// Four statistics of one metric over one period; `None` where CloudWatch has no datapoint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// The median, in the metric's unit.
    pub p50: Option<f64>,
    /// The 95th percentile, in the metric's unit.
    pub p95: Option<f64>,
    /// The total, in the metric's unit.
    pub sum: Option<f64>,
    /// How many requests the others are about.
    pub sample_count: Option<f64>,
}

impl Statistics {
    /// One of the four.
    #[must_use]
    pub const fn get(&self, statistic: Statistic) -> Option<f64> {
        match statistic {
            Statistic::P50 => self.p50,
            Statistic::P95 => self.p95,
            Statistic::Sum => self.sum,
            Statistic::SampleCount => self.sample_count,
        }
    }

    /// Sets one of the four.
    pub const fn set(&mut self, statistic: Statistic, value: Option<f64>) {
        match statistic {
            Statistic::P50 => self.p50 = value,
            Statistic::P95 => self.p95 = value,
            Statistic::Sum => self.sum = value,
            Statistic::SampleCount => self.sample_count = value,
        }
    }
}

/// The statistics of every metric that was read of a series in a period.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// By the order of [`Metric::ALL`].
    metrics: [Statistics; Metric::ALL.len()],
    /// By the order of [`Tier::ALL`].
    served: [Option<f64>; Tier::ALL.len()],
}

impl Reading {
    /// The statistics of one metric.
    #[must_use]
    pub const fn of(&self, metric: Metric) -> &Statistics {
        &self.metrics[metric as usize]
    }

    /// The statistics of one metric, to be filled.
    pub const fn of_mut(&mut self, metric: Metric) -> &mut Statistics {
        &mut self.metrics[metric as usize]
    }

    /// One value.
    #[must_use]
    pub const fn get(&self, metric: Metric, statistic: Statistic) -> Option<f64> {
        self.of(metric).get(statistic)
    }

    /// Requests that a service tier served. CloudWatch has them only for some models, and nothing of a tier that served none.
    #[must_use]
    pub const fn served(&self, tier: Tier) -> Option<f64> {
        self.served[tier as usize]
    }

    /// Sets the requests of one tier.
    pub const fn set_served(&mut self, tier: Tier, requests: Option<f64>) {
        self.served[tier as usize] = requests;
    }

    /// Lays `newer` over this reading: what it has wins, what it lacks stays. Diagnosis metrics are read less often
    /// than the decode metrics of the same period, and each read knows only its own.
    pub fn merge(&mut self, newer: &Self) {
        for metric in Metric::ALL {
            for statistic in Statistic::ALL {
                if let Some(value) = newer.get(metric, statistic) {
                    self.of_mut(metric).set(statistic, Some(value));
                }
            }
        }
        for (held, newer) in self.served.iter_mut().zip(newer.served) {
            *held = newer.or(*held);
        }
    }

    /// Whether nothing at all was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A reading with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Who.
    pub series: Series,
    /// When.
    pub period: Period,
    /// What.
    pub reading: Reading,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_what_the_newer_one_lacks() {
        let mut old = Reading::default();
        old.of_mut(Metric::InvocationLatency).p50 = Some(1.0);
        old.of_mut(Metric::InvocationLatency).sum = Some(2.0);
        let mut newer = Reading::default();
        newer.of_mut(Metric::InvocationLatency).p50 = Some(3.0);
        newer.of_mut(Metric::InputTokenCount).sum = Some(4.0);
        old.set_served(Tier::Priority, Some(5.0));
        old.set_served(Tier::Default, Some(6.0));
        newer.set_served(Tier::Default, Some(7.0));
        old.merge(&newer);
        assert_eq!(old.get(Metric::InvocationLatency, Statistic::P50), Some(3.0));
        assert_eq!(old.get(Metric::InvocationLatency, Statistic::Sum), Some(2.0));
        assert_eq!(old.get(Metric::InputTokenCount, Statistic::Sum), Some(4.0));
        assert_eq!(Tier::ALL.map(|tier| old.served(tier)), [None, Some(5.0), Some(7.0), None]);
        assert!(!old.is_empty() && Reading::default().is_empty());
    }
}
