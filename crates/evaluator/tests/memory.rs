//! What a series takes in memory, counted by the allocator.

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Row, Series, Statistics};
use evaluator::{Engine, Input, Settings};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const SERIES: usize = 4;
/// With two weeks of history, and when everything is there that is ever kept: the figures of 63 days. So a hundred thousand
/// series take 23 GB.
const MOST: [(i64, usize); 2] = [(20, 218 * 1_024), (70, 230 * 1_024)];

#[test]
fn a_series_with_its_history_is_small() {
    let mut reading = Reading::default();
    for metric in Metric::ALL {
        *reading.of_mut(metric) =
            Statistics { p50: Some(1_000.0), p95: Some(2_000.0), sum: Some(1e5), sample_count: Some(100.0) };
    }
    reading.of_mut(Metric::InvocationLatency).p50 = Some(5_000.0);
    reading.of_mut(Metric::InvocationLatency).sum = Some(5e5);
    let fleet: Vec<Series> = (0..SERIES).map(|k| Series::new("", "us-east-1", &format!("m{k}"))).collect();
    let _profiler = dhat::Profiler::builder().testing().build();
    let before = dhat::HeapStats::get().curr_bytes;
    let mut engine = Engine::new(Settings::default());
    let mut next = 0;
    for (days, most) in MOST {
        for index in next..days * PERIODS_PER_DAY {
            let period = Period::from_index(index);
            let rows: Vec<Row> =
                fleet.iter().map(|series| Row { series: series.clone(), period, reading }).collect();
            engine.step(period.end(), Input::Readings(&rows));
            engine.step(period.end(), Input::Advance { series: &fleet, through: period });
        }
        next = days * PERIODS_PER_DAY;
        let each = (dhat::HeapStats::get().curr_bytes - before) / SERIES;
        assert!((100 * 1_024..=most).contains(&each), "{each} bytes a series after {days} days");
    }
    assert!(engine.explain(&fleet[0]).is_some_and(|one| one.usual.is_some()), "it has learned");
}
