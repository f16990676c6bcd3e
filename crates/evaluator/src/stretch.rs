//! Fresh evidence: what the requests of some periods took, against what they usually take.

use domain::{Datapoint, Estimator, EstimatorChoice, Period, Rule};

use crate::datapoint::{Sums, datapoint};
use crate::history::History;
use crate::learned::Learned;
use crate::streaming::is_about_other_requests;

/// The decode time of the requests of one period, and what it usually is for as many tokens at this hour.
///
/// Overlapping windows say the same thing several times; these do not overlap, so that they can be added up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fresh {
    pub(crate) period: Period,
    pub(crate) expected: f64,
    pub(crate) actual: f64,
    pub(crate) samples: f64,
}

/// What decides about a whole incident: the sums wherever they may, since they are right under any mix.
pub(crate) fn evidence_by(learned: &Learned, rule: &Rule) -> Estimator {
    match rule.estimator {
        EstimatorChoice::P50 => Estimator::P50,
        _ if learned.token_weighted.is_some() => Estimator::TokenWeighted,
        _ => Estimator::P50,
    }
}

/// The evidence of one period, if it has any.
pub(crate) fn fresh(
    history: &History,
    learned: &Learned,
    estimator: Estimator,
    period: Period,
) -> Option<Fresh> {
    let point = history.get(period)?;
    let Datapoint::Valid { otps, samples } = datapoint(Some(point)) else { return None };
    let usual = learned.baseline(estimator)?.expected(period);
    let value = otps.by(estimator)?;
    if is_about_other_requests(point, learned.streaming_share, estimator) {
        return None;
    }
    let (expected, actual) = match estimator {
        Estimator::TokenWeighted => {
            let sums = Sums::of(point)?;
            (sums.tokens / usual, sums.tokens / value)
        }
        Estimator::P50 => (samples / usual, samples / value),
    };
    Some(Fresh { period, expected, actual, samples })
}

/// Several periods together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stretch {
    pub(crate) periods: Vec<Fresh>,
    expected: f64,
    actual: f64,
    pub(crate) samples: f64,
}

impl Stretch {
    pub(crate) fn add(&mut self, fresh: Fresh) {
        self.expected += fresh.expected;
        self.actual += fresh.actual;
        self.samples += fresh.samples;
        self.periods.push(fresh);
    }

    /// `ln` of the speed over its baseline.
    pub(crate) fn log_ratio(&self) -> f64 {
        (self.expected / self.actual).ln()
    }

    /// The same with no period counting for more lost time than all the others together: one long reply that happened to be slow
    /// makes a period of short ones half as fast, and no certainty may rest on it.
    pub(crate) fn log_ratio_shared(&self) -> f64 {
        let most = self.periods.iter().map(|fresh| fresh.actual - fresh.expected).fold(0.0, f64::max);
        let others = (self.actual - self.expected - most).max(0.0);
        (self.expected / (self.actual - (most - others).max(0.0))).ln()
    }

    /// The same without the `most` periods that lost the most time.
    pub(crate) fn log_ratio_without_worst(&self, most: usize) -> f64 {
        let mut lost: Vec<&Fresh> = self.periods.iter().collect();
        lost.sort_unstable_by(|a, b| (b.actual - b.expected).total_cmp(&(a.actual - a.expected)));
        let (mut expected, mut actual) = (0.0, 0.0);
        for fresh in lost.into_iter().skip(most) {
            expected += fresh.expected;
            actual += fresh.actual;
        }
        (expected / actual).ln()
    }

    /// One standard deviation of [`Stretch::log_ratio`]: of medians all of the noise, since a mix that wanders moves them; of
    /// sums what their number of requests leaves open.
    pub(crate) fn sigma(&self, learned: &Learned, estimator: Estimator) -> f64 {
        let Some(baseline) = learned.baseline(estimator) else { return f64::INFINITY };
        match estimator {
            Estimator::P50 => baseline.noise().sigma(self.samples),
            Estimator::TokenWeighted => baseline.noise().sampling_sigma(self.samples),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{Metric, PERIODS_PER_DAY, Reading, Series, Statistics};

    use super::*;
    use crate::settings::Settings;

    /// So many requests of 400 tokens that took so many milliseconds, 1 s of it to the first token; with sums or without.
    fn reading(latency: f64, requests: f64, sums: bool) -> Reading {
        let of = |p50: f64| Statistics {
            p50: Some(p50),
            p95: None,
            sum: sums.then_some(p50 * requests),
            sample_count: Some(requests),
        };
        let mut reading = Reading::default();
        *reading.of_mut(Metric::InvocationLatency) = of(latency);
        *reading.of_mut(Metric::TimeToFirstToken) = of(1_000.0);
        *reading.of_mut(Metric::OutputTokenCount) = of(400.0);
        reading
    }

    /// What is evidence, and by whom, after two weeks at 100 tokens a second: ten slow requests at 50.
    fn evidence(choice: EstimatorChoice, sums: bool) -> (Estimator, Fresh) {
        let mut history = History::new();
        for k in -14 * PERIODS_PER_DAY..0 {
            history.lay(Period::from_index(k), &reading(5_000.0, 200.0, sums));
        }
        let now = Period::from_index(0);
        history.lay(now, &reading(9_000.0, 10.0, sums));
        let mut settings = Settings::default();
        settings.rule.estimator = choice;
        let learned = Learned::learn(&history, now, &settings, &Series::new("-", "r", "m"), &[]).unwrap();
        let estimator = evidence_by(&learned, &settings.rule);
        (estimator, fresh(&history, &learned, estimator, now).unwrap())
    }

    #[test]
    fn evidence_is_time_that_was_taken_and_that_is_usual() {
        let close = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-6;
        // By the sums: 4,000 tokens at 50 and at 100 a second.
        for choice in [EstimatorChoice::Auto, EstimatorChoice::TokenWeighted] {
            let (estimator, fresh) = evidence(choice, true);
            assert_eq!((estimator, fresh.samples), (Estimator::TokenWeighted, 10.0));
            assert!(close(fresh.actual, 80.0) && close(fresh.expected, 40.0), "{fresh:?}");
        }
        // By the medians, where they are asked for or all there is: a token of each of ten requests.
        for (choice, sums) in [(EstimatorChoice::P50, true), (EstimatorChoice::Auto, false)] {
            let (estimator, fresh) = evidence(choice, sums);
            assert_eq!((estimator, fresh.samples), (Estimator::P50, 10.0));
            assert!(close(fresh.actual, 0.2) && close(fresh.expected, 0.1), "{fresh:?}");
        }
    }

    fn stretch(parts: &[(f64, f64)]) -> Stretch {
        let mut stretch = Stretch::default();
        for (index, &(expected, actual)) in parts.iter().enumerate() {
            stretch.add(Fresh { period: Period::from_index(index as i64), expected, actual, samples: 4.0 });
        }
        stretch
    }

    #[test]
    fn times_add_up() {
        // 10 s of decoding took 12.5 s: 80 % of the speed.
        let slow = stretch(&[(4.0, 4.5), (6.0, 8.0)]);
        assert!((slow.log_ratio() - 0.8_f64.ln()).abs() < 1e-12);
        assert_eq!(slow.samples, 8.0);
    }

    #[test]
    fn no_period_counts_for_more_than_all_the_others() {
        // 10 s took 20: 6 of the lost 10 in one period, which count for as much as the other 4. So 10 s took 18.
        let uneven = stretch(&[(5.0, 11.0), (3.0, 5.0), (2.0, 4.0)]);
        assert!((uneven.log_ratio() - 0.5_f64.ln()).abs() < 1e-12);
        assert!((uneven.log_ratio_shared() - (10.0_f64 / 18.0).ln()).abs() < 1e-12);
        // Where the others lost nothing nothing of it counts: 6 s took 5.
        let alone = stretch(&[(2.0, 9.0), (2.0, 1.0), (2.0, 2.0)]);
        assert!((alone.log_ratio_shared() - (6.0_f64 / 5.0).ln()).abs() < 1e-12);
        let even = stretch(&[(1.0, 1.5), (2.0, 3.0), (1.0, 1.5)]);
        assert!((even.log_ratio_shared() - even.log_ratio()).abs() < 1e-12);
        let fast = stretch(&[(2.0, 1.0), (2.0, 1.5)]);
        assert!((fast.log_ratio_shared() - (4.0_f64 / 2.5).ln()).abs() < 1e-12);
    }

    #[test]
    fn without_the_two_that_lost_most_a_dip_is_gone() {
        // Two of eight periods at half the speed: 80 % together, nothing without them.
        let dip = stretch(&[
            (1.0, 1.0),
            (1.0, 2.0),
            (1.0, 2.0),
            (1.0, 1.0),
            (1.0, 1.0),
            (1.0, 1.0),
            (1.0, 1.0),
            (1.0, 1.0),
        ]);
        assert!((dip.log_ratio() - 0.8_f64.ln()).abs() < 1e-12);
        assert!(dip.log_ratio_without_worst(2).abs() < 1e-12);
        // The worst is who lost most time: 3 s of 10, rather than 1 s of 1.
        let uneven = stretch(&[(1.0, 2.0), (10.0, 13.0), (1.0, 1.5), (4.0, 4.0)]);
        assert!((uneven.log_ratio_without_worst(1) - (6.0_f64 / 7.5).ln()).abs() < 1e-12);
        assert!((uneven.log_ratio_without_worst(2) - (5.0_f64 / 5.5).ln()).abs() < 1e-12);
        let slow = stretch(&[(1.0, 1.5); 8]);
        assert!((slow.log_ratio_without_worst(2) - slow.log_ratio()).abs() < 1e-12);
    }
}
