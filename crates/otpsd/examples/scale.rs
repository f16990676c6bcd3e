//! What a very large fleet takes on one machine, without a network: memory, the time of a period, and the store.
//!
//!     cargo run --release -p otpsd --example scale -- 100000 3
//!
//! steps the engine through three days of a hundred thousand series, as the daemon would, and then writes and judges a few more
//! periods with the store. Prints the memory of a series, the time that all series of a period take to be judged and to be written
//! down, and the bytes of a reading in the store.

use std::time::Instant;

use domain::{Commit, Ledger as _, Metric, PERIODS_PER_DAY, Period, Reading, Row, Series, Statistics};
use evaluator::{Engine, Input, Settings};
use store::Sqlite;

/// Periods that are written down.
const WRITTEN: i64 = 6;
/// Series of one batch: every Region of every source is a batch of its own.
const BATCH: usize = 5_000;

/// A healthy model: steady, with a little noise, so that it is learned and judged.
fn reading(series: usize, index: i64) -> Reading {
    let hash = (series as u64 ^ (index as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let wobble = 1.0 + ((hash >> 40) as f64 / f64::from(1 << 24) - 0.5) * 0.1;
    let mut reading = Reading::default();
    let figures = [
        (Metric::InvocationLatency, 5_000.0),
        (Metric::TimeToFirstToken, 1_000.0),
        (Metric::OutputTokenCount, 400.0),
        (Metric::InputTokenCount, 3_000.0),
    ];
    for (metric, p50) in figures {
        let p50 = p50 * wobble;
        *reading.of_mut(metric) = Statistics {
            p50: Some(p50),
            p95: Some(p50 * 1.7),
            sum: Some(p50 * 150.0),
            sample_count: Some(150.0),
        };
    }
    reading
}

fn rows(fleet: &[Series], first: usize, period: Period) -> Vec<Row> {
    let row = |(k, series): (usize, &Series)| Row {
        series: series.clone(),
        period,
        reading: reading(first + k, period.index()),
    };
    fleet.iter().enumerate().map(row).collect()
}

/// Of this process, in bytes.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1_024
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>().expect("a number"));
    let (count, days) = (arguments.next().unwrap_or(100_000), arguments.next().unwrap_or(3));
    let fleet: Vec<Series> = (0..count)
        .map(|k| {
            let account = format!("{:012}", 111_122_223_333_u64 + k as u64 / 1_000);
            Series::new(&account, "us-east-1", &format!("us.example.model-{:03}-v1:0", k % 1_000))
        })
        .collect();
    let before = memory();
    let mut engine = Engine::new(Settings::default());
    let begin = Period::containing("2026-10-01T00:00:00Z".parse().expect("a time"));
    let history = days as i64 * PERIODS_PER_DAY;

    let began = Instant::now();
    for index in 0..history {
        let period = begin + index;
        for (batch, some) in fleet.chunks(BATCH).enumerate() {
            let rows = rows(some, batch * BATCH, period);
            engine.step(period.end(), Input::Readings(&rows));
            engine.step(period.end(), Input::Advance { series: some, through: period });
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let taken = memory() - before;
    println!(
        "{count} series, {days} days of history: {:.1} GB, {:.0} KiB a series; {:.2} s a period, with the making of its figures",
        taken as f64 / 1e9,
        taken as f64 / 1_024.0 / count as f64,
        seconds / history as f64
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("otpsd.sqlite");
    let store = Sqlite::open(&path).expect("a store");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let (mut judging, mut writing, mut longest) = (0.0, 0.0, 0.0_f64);
    for index in history..history + WRITTEN {
        let period = begin + index;
        for (batch, some) in fleet.chunks(BATCH).enumerate() {
            let rows = rows(some, batch * BATCH, period);
            let began = Instant::now();
            engine.step(period.end(), Input::Readings(&rows));
            engine.step(period.end(), Input::Advance { series: some, through: period });
            let judged = began.elapsed().as_secs_f64();
            let states = some.iter().filter_map(|series| engine.state(series).cloned()).collect();
            let commit = Commit { rows, states, ..Commit::default() };
            runtime.block_on(store.commit(commit)).expect("a commit");
            let both = began.elapsed().as_secs_f64();
            judging += judged;
            writing += both - judged;
            longest = longest.max(both);
        }
    }
    drop(store);
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    let each = bytes as f64 / (count as f64 * WRITTEN as f64);
    println!(
        "a period of all: {:.2} s to judge, {:.2} s to write down; the longest batch of {BATCH} holds up a page for {longest:.2} s",
        judging / WRITTEN as f64,
        writing / WRITTEN as f64,
    );
    println!(
        "store: {each:.0} bytes a reading with its share of states, so {:.1} GB for 35 days",
        each * count as f64 * 35.0 * PERIODS_PER_DAY as f64 / 1e9
    );
}
