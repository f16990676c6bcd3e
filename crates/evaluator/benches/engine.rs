//! How fast the engine judges: `cargo bench -p evaluator`.
//!
//! - `million`: a hundred series over five weeks from nothing, a million series-periods; time for each, with learning.
//! - `day`: a settled series goes on for a day, with the one time that it learns.
//! - `learn`: what a series learns from two weeks, with the verdicts of the last periods.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Row, Series, Statistics};
use evaluator::{Engine, Input, Settings};

const DAYS: i64 = 35;
const SERIES: usize = 100;

/// Uniform in 0..1, by a multiplicative hash: the same figures on every machine.
fn hashed(series: usize, period: i64, salt: u64) -> f64 {
    let key = (series as u64) << 40 ^ (period as u64) << 8 ^ salt;
    let hash = key.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// What a period of a busy model looks like: 20 to 120 requests, 10 % of noise on everything, every statistic.
fn reading(series: usize, period: i64) -> Reading {
    let around = |middle: f64, salt| middle * (0.9 + 0.2 * hashed(series, period, salt));
    let samples = (20.0 + 100.0 * hashed(series, period, 1)).round();
    let mut reading = Reading::default();
    for (metric, p50) in [
        (Metric::InvocationLatency, around(5_000.0, 2)),
        (Metric::TimeToFirstToken, around(1_000.0, 3)),
        (Metric::OutputTokenCount, around(400.0, 4)),
        (Metric::InputTokenCount, around(3_000.0, 5)),
    ] {
        *reading.of_mut(metric) = Statistics {
            p50: Some(p50),
            p95: Some(p50 * 2.0),
            sum: Some(p50 * 1.1 * samples),
            sample_count: Some(samples),
        };
    }
    reading
}

fn fleet(size: usize) -> Vec<Series> {
    (0..size)
        .map(|k| Series::new("111122223333", "us-east-1", &format!("example.model-{k:03}-v1:0")))
        .collect()
}

/// One period of all series.
fn step(engine: &mut Engine, fleet: &[Series], period: i64) {
    let at = Period::from_index(period);
    let rows: Vec<Row> = fleet
        .iter()
        .enumerate()
        .map(|(k, series)| Row { series: series.clone(), period: at, reading: reading(k, period) })
        .collect();
    engine.step(at.end(), Input::Readings(&rows));
    black_box(engine.step(at.end(), Input::Advance { series: fleet, through: at }));
}

fn settled(fleet: &[Series], days: i64) -> Engine {
    let mut engine = Engine::new(Settings::default());
    for period in 0..days * PERIODS_PER_DAY {
        step(&mut engine, fleet, period);
    }
    engine
}

fn million(criterion: &mut Criterion) {
    let fleet = fleet(SERIES);
    let mut group = criterion.benchmark_group("million");
    group.sample_size(10).throughput(Throughput::Elements(SERIES as u64 * (DAYS * PERIODS_PER_DAY) as u64));
    group.bench_function("series-periods", |bencher| bencher.iter(|| settled(&fleet, DAYS)));
    group.finish();
}

fn day(criterion: &mut Criterion) {
    let fleet = fleet(1);
    let engine = settled(&fleet, 16);
    let mut group = criterion.benchmark_group("day");
    group.throughput(Throughput::Elements(PERIODS_PER_DAY as u64));
    group.bench_function("of one series", |bencher| {
        let go_on = |mut engine: Engine| {
            for period in 0..PERIODS_PER_DAY {
                step(&mut engine, &fleet, 16 * PERIODS_PER_DAY + period);
            }
            engine
        };
        bencher.iter_batched(|| engine.clone(), go_on, BatchSize::SmallInput);
    });
    group.finish();
}

fn learn(criterion: &mut Criterion) {
    let fleet = fleet(1);
    let mut engine = settled(&fleet, 16);
    let state = engine.state(&fleet[0]).expect("sixteen days were judged").clone();
    // Restored, it has forgotten what it learned.
    engine.restore(state);
    criterion.bench_function("learn", |bencher| {
        let judge = |mut engine: Engine| {
            step(&mut engine, &fleet, 16 * PERIODS_PER_DAY);
            engine
        };
        bencher.iter_batched(|| engine.clone(), judge, BatchSize::SmallInput);
    });
}

criterion_group!(benches, million, day, learn);
criterion_main!(benches);
