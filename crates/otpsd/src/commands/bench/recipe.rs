//! The plain recipe, as the figure to beat: a static CloudWatch alarm on metric math over the three medians.

use std::collections::VecDeque;

use baseline::median;
use domain::{Metric, Period, Reading, Statistic};

use super::said::{Said, What};

/// Below this share of the median of the learning days a period breaches.
const SHARE: f64 = 0.8;
/// Three of five datapoints alarm; a missing one does not breach.
const DATAPOINTS: usize = 3;
const PERIODS: usize = 5;

/// `OutputTokenCount.p50 / (InvocationLatency.p50 - TimeToFirstToken.p50) x 1000`, whatever it comes to, where all three are there.
pub(super) fn ratio_of_medians(reading: &Reading) -> Option<f64> {
    let p50 = |metric| reading.get(metric, Statistic::P50);
    let decode = p50(Metric::InvocationLatency)? - p50(Metric::TimeToFirstToken)?;
    Some(p50(Metric::OutputTokenCount)? / decode * 1_000.0).filter(|ratio| !ratio.is_nan())
}

/// What the alarm says from `begin` on, given the ratios of a model in order of time. Those before `begin` make its
/// threshold.
pub(super) fn say(ratios: &[(Period, f64)], begin: Period, until: Period) -> Vec<Said> {
    let mut learned: Vec<f64> = ratios.iter().filter(|row| row.0 < begin).map(|row| row.1).collect();
    let (Some(usual), Some(first)) = (median(&mut learned), ratios.first()) else { return Vec::new() };
    let mut rows = ratios.iter().peekable();
    let mut breaches: VecDeque<bool> = VecDeque::with_capacity(PERIODS + 1);
    let (mut said, mut alarm, mut period) = (Vec::new(), false, first.0);
    while period < until {
        let ratio = rows.next_if(|row| row.0 == period).map(|row| row.1);
        breaches.push_back(ratio.is_some_and(|ratio| ratio < SHARE * usual));
        if breaches.len() > PERIODS {
            breaches.pop_front();
        }
        let now = breaches.iter().filter(|breach| **breach).count() >= DATAPOINTS;
        period = period + 1;
        if now != alarm && period > begin {
            alarm = now;
            said.push(Said { at: period, what: if now { What::Page } else { What::Resolve } });
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(index: i64) -> Period {
        Period::from_index(index)
    }

    #[test]
    fn three_of_five_below_the_line_alarm_until_fewer_are() {
        // Periods 0 to 9 teach 100; from 10 on: breach, fine, breach, missing, breach, fine...
        let later = [79.9, 80.0, 79.0, f64::NAN, 10.0, 100.0, 100.0, 100.0];
        let ratios: Vec<(Period, f64)> = (0..10)
            .map(|k| (at(k), 100.0))
            .chain((10..).zip(later).map(|(k, value)| (at(k), value)).filter(|row| !row.1.is_nan()))
            .collect();
        // Period 14 is the third of five; at 15 the first of the three leaves the five.
        let expected = vec![Said { at: at(15), what: What::Page }, Said { at: at(16), what: What::Resolve }];
        assert_eq!(say(&ratios, at(10), at(18)), expected);
    }

    #[test]
    fn an_alarm_ends_in_a_silence_since_missing_is_not_breaching() {
        let ratios: Vec<(Period, f64)> =
            (0..20).map(|k| (at(k), if k < 15 { 100.0 } else { 50.0 })).collect();
        let expected = vec![Said { at: at(18), what: What::Page }, Said { at: at(23), what: What::Resolve }];
        assert_eq!(say(&ratios, at(10), at(40)), expected);
    }

    #[test]
    fn nothing_learned_says_nothing() {
        assert_eq!(say(&[], at(10), at(40)), []);
        assert_eq!(say(&[(at(12), 1.0)], at(10), at(40)), []);
    }

    #[test]
    fn a_reading_without_a_first_token_has_no_ratio() {
        let mut reading = Reading::default();
        reading.of_mut(Metric::InvocationLatency).p50 = Some(5_000.0);
        reading.of_mut(Metric::OutputTokenCount).p50 = Some(400.0);
        assert_eq!(ratio_of_medians(&reading), None);
        reading.of_mut(Metric::TimeToFirstToken).p50 = Some(1_000.0);
        assert_eq!(ratio_of_medians(&reading), Some(100.0));
    }
}
