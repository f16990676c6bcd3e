//! The same, whoever asks, when, and in what portions.

use domain::{Metric, PERIOD_SECONDS, Period, Series, Statistic};
use proptest::prelude::*;

use crate::fleet::statistics::statistics;
use crate::fleet::{Fleet, FleetOptions, ModelSpec};
use crate::{Observation, Telemetry};

fn fleet(seed: u64) -> Fleet {
    Fleet::random(seed, &FleetOptions { models: 3, days: 2, learn_days: 0, ..FleetOptions::default() })
}

/// Values in order, as observations have none.
fn values(fleet: &Fleet, series: &Series, metric: Metric, from: i64, until: i64) -> Vec<f64> {
    match fleet.observe(series, metric, from, until) {
        Observation::Values(mut values) => {
            assert!(!values.is_empty(), "no values are Nothing");
            values.sort_by(f64::total_cmp);
            values
        }
        Observation::Nothing => Vec::new(),
        Observation::Statistics(_) => panic!("a fleet knows every value"),
    }
}

fn joined(mut parts: Vec<f64>) -> Vec<f64> {
    parts.sort_by(f64::total_cmp);
    parts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn answers_do_not_depend_on_the_order_of_questions(
        seed in 0..5_u64,
        questions in prop::collection::vec((0..3_usize, 0..8_usize, 0..576_i64), 1..20),
    ) {
        let (one, other) = (fleet(seed), fleet(seed));
        let series = one.series();
        let ask = |fleet: &Fleet, (who, what, when): (usize, usize, i64)| {
            let period = (one.span().from + when).index() * PERIOD_SECONDS;
            values(fleet, &series[who], Metric::ALL[what], period, period + PERIOD_SECONDS)
        };
        let forward: Vec<_> = questions.iter().map(|question| ask(&one, *question)).collect();
        let mut backward: Vec<_> = questions.iter().rev().map(|question| ask(&other, *question)).collect();
        backward.reverse();
        prop_assert_eq!(forward, backward);
    }

    #[test]
    fn minutes_five_minutes_and_hours_agree(
        seed in 0..5_u64,
        who in 0..3_usize,
        what in 0..8_usize,
        hour in 0..48_i64,
    ) {
        let fleet = fleet(seed);
        let series = fleet.series()[who].clone();
        let metric = Metric::ALL[what];
        let from = fleet.span().from.index() * PERIOD_SECONDS + hour * 3_600;
        let portions = |seconds: i64| {
            let starts = (0..3_600 / seconds).map(|portion| from + portion * seconds);
            joined(starts.flat_map(|start| values(&fleet, &series, metric, start, start + seconds)).collect())
        };
        let whole = values(&fleet, &series, metric, from, from + 3_600);
        prop_assert_eq!(&portions(300), &whole);
        prop_assert_eq!(&portions(60), &whole);
        prop_assert_eq!(&portions(1), &whole);
    }

    #[test]
    fn a_reading_is_the_statistics_of_the_values(seed in 0..5_u64, who in 0..3_usize, when in 0..576_i64) {
        let fleet = fleet(seed);
        let series = fleet.series()[who].clone();
        let period = fleet.span().from + when;
        let reading = fleet.reading(&series, period).unwrap_or_default();
        let from = period.index() * PERIOD_SECONDS;
        for metric in Metric::ALL {
            let mut values = values(&fleet, &series, metric, from, from + PERIOD_SECONDS);
            let (expected, read) = (statistics(&mut values), reading.of(metric));
            prop_assert_eq!((expected.p50, expected.p95), (read.p50, read.p95));
            prop_assert_eq!(expected.sample_count, read.sample_count);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs();
            prop_assert!(expected.sum.zip(read.sum).is_none_or(|(a, b)| close(a, b)));
        }
    }
}

#[test]
fn latency_is_first_token_and_decoding_and_little_else() {
    let series = Series::new("", "us-east-1", "m");
    let spec = ModelSpec::steady(series, 200.0, 60.0);
    let period = Period::from_index(5_000_000);
    let fleet = Fleet::new(3, period, 20, vec![spec], Vec::new());
    let mut rest_ms = Vec::new();
    for traffic in (0..20).filter_map(|offset| fleet.models()[0].traffic(period + offset)) {
        for request in &traffic.requests {
            let decode_ms = f64::from(request.output - 1) / f64::from(request.tokens_per_second) * 1_000.0;
            rest_ms.push(f64::from(request.latency_ms) - f64::from(request.ttft_ms) - decode_ms);
        }
    }
    assert!(rest_ms.iter().all(|rest| (-0.1..200.0).contains(rest)), "nothing else takes time");
    let mean = rest_ms.iter().sum::<f64>() / rest_ms.len() as f64;
    assert!((11.0..13.0).contains(&mean), "12 ms of overhead: {mean}");
}

#[test]
fn medians_are_those_of_the_specification() {
    let series = Series::new("", "us-east-1", "m");
    let spec = ModelSpec::steady(series.clone(), 200.0, 60.0);
    let from = Period::from_index(5_000_000);
    let fleet = Fleet::new(3, from, 288, vec![spec], Vec::new());
    let now = super::summary(&fleet, &series, fleet.span());
    assert!(super::is_about(now.requests, 288.0 * 200.0, 1.0, 0.02), "{now:?}");
    assert!(super::is_about(now.output, 300.0, 1.0, 0.02), "{now:?}");
    assert!(super::is_about(now.input, 2_000.0, 1.0, 0.02), "{now:?}");
    // 300 + 40 + 2,000 x 0.12 ms, a little more as its spread is not that of the prompt alone.
    assert!(super::is_about(now.ttft_ms, 580.0, 1.0, 0.05), "{now:?}");
    // The mean of 1 / speed is 1.1 % above that of the median speed, and each call has 12 ms more.
    assert!(super::is_about(now.token_weighted, 60.0, 0.985, 0.01), "{now:?}");
    assert!(super::is_about(now.p50_ratio, 60.0, 1.0, 0.05), "{now:?}");
}

#[test]
fn who_else_is_there_changes_nothing() {
    let spec = |name| ModelSpec::steady(Series::new("", "us-east-1", name), 50.0, 60.0);
    let period = Period::from_index(5_000_000);
    let alone = Fleet::new(3, period, 10, vec![spec("b")], Vec::new());
    let among = Fleet::new(3, period, 10, vec![spec("c"), spec("b"), spec("a"), spec("b")], Vec::new());
    let series = Series::new("", "us-east-1", "b");
    assert_eq!(among.series().len(), 3, "a series is there once");
    assert_eq!(alone.reading(&series, period), among.reading(&series, period));
    let other = Fleet::new(4, period, 10, vec![spec("b")], Vec::new());
    assert_ne!(alone.reading(&series, period), other.reading(&series, period));
}

#[test]
fn outside_of_the_horizon_is_nothing() {
    let series = Series::new("", "us-east-1", "m");
    let period = Period::from_index(5_000_000);
    let specs = || vec![ModelSpec::steady(series.clone(), 50.0, 60.0)];
    let fleet = Fleet::new(3, period, 2, specs(), Vec::new());
    let whole = fleet.observe(&series, Metric::OutputTokenCount, i64::MIN, i64::MAX);
    let Observation::Values(values) = whole else { panic!("two periods were published") };
    assert_eq!(values.len(), fleet.models()[0].count(period) + fleet.models()[0].count(period + 1));
    let before = period.index() * PERIOD_SECONDS;
    assert_eq!(fleet.observe(&series, Metric::OutputTokenCount, before - 900, before), Observation::Nothing);
    assert_eq!(fleet.observe(&series, Metric::OutputTokenCount, before, before), Observation::Nothing);
    assert_eq!(fleet.observe(&series, Metric::OutputTokenCount, before + 9, before), Observation::Nothing);
    assert_eq!((fleet.reading(&series, period - 1), fleet.reading(&series, period + 2)), (None, None));
    let stranger = Series::new("", "us-east-1", "n");
    assert_eq!(
        fleet.observe(&stranger, Metric::OutputTokenCount, before, before + 300),
        Observation::Nothing
    );
    let empty = Fleet::new(3, period, 0, specs(), Vec::new());
    assert_eq!(empty.rows().count(), 0);
}

#[test]
fn rows_are_all_readings_in_order() {
    let fleet = fleet(1);
    let rows: Vec<_> = fleet.rows().collect();
    assert!(rows.is_sorted_by_key(|row| (row.series.clone(), row.period)));
    let asked = fleet.series().len() as i64 * (fleet.span().until - fleet.span().from);
    assert!(rows.len() as i64 <= asked && !rows.is_empty());
    for row in rows.iter().step_by(97) {
        assert_eq!(fleet.reading(&row.series, row.period).as_ref(), Some(&row.reading));
        assert!(row.reading.get(Metric::InvocationLatency, Statistic::SampleCount).is_some());
    }
}
