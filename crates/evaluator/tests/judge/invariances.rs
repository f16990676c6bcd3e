//! For equal final values, how they arrive changes nothing that is said.

use domain::{
    EstimatorChoice, Matcher, Method, Metric, MissingData, Mode, Override, Period, Reading, Row, Rule,
    RulePatch, Series,
};
use evaluator::{Effect, Engine, Input, Settings};
use proptest::prelude::*;

use crate::world::{Figures, T0};

const DAYS: i64 = 6;

/// A short story with everything in it: enough to learn from, a slow spell, gaps, and a second series.
fn story(seed: u64) -> Vec<Row> {
    let start = T0 - DAYS * 288;
    let mut rows = Vec::new();
    for (which, name) in ["a", "b"].into_iter().enumerate() {
        let series = Series::new("111122223333", "us-east-1", name);
        for k in 0..DAYS * 288 {
            let hash =
                (k as u64 ^ (seed << 20) ^ ((which as u64) << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            if hash.is_multiple_of(17) {
                continue;
            }
            let spell = (DAYS * 288 - 150..DAYS * 288 - 90).contains(&(k + 30 * which as i64));
            let speed = if spell { 60.0 } else { 100.0 } * (1.0 + (hash % 100) as f64 / 1_000.0);
            let tokens = 300.0 + (hash % 50) as f64;
            let figures = Figures(800.0 + tokens / speed * 1_000.0, 800.0, tokens, 30.0 + (hash % 90) as f64);
            rows.push(Row {
                series: series.clone(),
                period: Period::from_index(start + k),
                reading: figures.whole(),
            });
        }
    }
    rows.sort_by_key(|row| row.period);
    rows
}

fn all_series() -> [Series; 2] {
    ["a", "b"].map(|name| Series::new("111122223333", "us-east-1", name))
}

fn periods(rows: &[Row]) -> (Period, Period) {
    (rows.iter().map(|row| row.period).min().unwrap(), rows.iter().map(|row| row.period).max().unwrap())
}

/// One period at a time, everything once and in order.
fn plainly(rows: &[Row]) -> Vec<Effect> {
    plainly_by(rows, Settings::default())
}

fn plainly_by(rows: &[Row], settings: Settings) -> Vec<Effect> {
    let mut engine = Engine::new(settings);
    let (first, last) = periods(rows);
    let mut said = Vec::new();
    let mut rest = rows;
    let mut period = first;
    while period <= last {
        let split = rest.partition_point(|row| row.period <= period);
        engine.step(period.end(), Input::Readings(&rest[..split]));
        rest = &rest[split..];
        said.extend(engine.step(period.end(), Input::Advance { series: &all_series(), through: period }));
        period = period + 1;
    }
    said
}

/// What an engine says must not be empty, or the comparison proves nothing.
fn expected(rows: &[Row]) -> Vec<Effect> {
    let said = plainly(rows);
    assert!(said.iter().any(|effect| matches!(effect, Effect::Page(_))), "the story pages");
    assert!(said.iter().any(|effect| matches!(effect, Effect::Resolve(_))), "and resolves");
    said
}

fn shuffled<T: Clone>(items: &[T], seed: u64) -> Vec<T> {
    let mut keyed: Vec<(u64, T)> = items
        .iter()
        .enumerate()
        .map(|(k, item)| {
            ((k as u64 ^ seed).wrapping_mul(0xD134_2543_DE82_EF95).rotate_left(31), item.clone())
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, item)| item).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn splitting_order_and_repetition(seed in 0_u64..1_000, step in 1_i64..300) {
        let rows = story(seed);
        let (first, last) = periods(&rows);
        let mut engine = Engine::new(Settings::default());
        let mut said = Vec::new();
        let mut from = first;
        while from <= last {
            let through = (from + (step - 1)).min(last);
            let batch: Vec<Row> =
                rows.iter().filter(|row| from <= row.period && row.period <= through).cloned().collect();
            let batch = shuffled(&batch, seed);
            // Each reading in two halves, the first of them twice.
            let halves: Vec<Row> = batch.iter().map(|row| half(row, true)).collect();
            engine.step(through.end(), Input::Readings(&halves));
            for row in &batch {
                engine.step(through.end(), Input::Readings(&[half(row, false), row.clone()]));
            }
            engine.step(through.end(), Input::Readings(&halves));
            let mut said_now = engine.step(through.end(), Input::Advance { series: &all_series(), through });
            said.append(&mut said_now);
            from = through + 1;
        }
        prop_assert_eq!(said, expected(&rows));
    }

    #[test]
    fn everything_at_once(seed in 0_u64..1_000) {
        let rows = story(seed);
        let (_, last) = periods(&rows);
        let mut engine = Engine::new(Settings::default());
        engine.step(last.end(), Input::Readings(&shuffled(&rows, seed)));
        let said = engine.step(last.end(), Input::Advance { series: &all_series(), through: last });
        prop_assert_eq!(said, expected(&rows));
    }

    /// The rule may stand in `[alarm]`, in an override of all, or in both, in any parts.
    #[test]
    fn overrides_that_say_what_the_rule_says(
        seed in 0_u64..1_000,
        written in prop::collection::vec(any::<bool>(), 13),
        again in prop::collection::vec(any::<bool>(), 13),
        lower in any::<bool>(),
    ) {
        let rows = story(seed);
        // The rule itself, or one that nothing of the story would meet, of which the overrides leave nothing.
        let rule = if lower { Rule { page_below: 0.1, ..Rule::default() } } else { Rule::default() };
        let patch = |written: &[bool]| Override {
            name: "all".to_owned(),
            matcher: Matcher { models: vec!["?".to_owned()], ..Matcher::default() },
            source: None,
            patch: patch(written),
        };
        let mut written = written;
        written[2] |= lower;
        let settings = Settings { rule, overrides: vec![patch(&written), patch(&again)], ..Settings::default() };
        prop_assert_eq!(plainly_by(&rows, settings), expected(&rows));
    }

    #[test]
    fn restoring_between_any_two_steps(seed in 0_u64..1_000, every in 1_i64..400) {
        let rows = story(seed);
        let (first, last) = periods(&rows);
        let mut engine = Engine::new(Settings::default());
        let mut said = Vec::new();
        let mut period = first;
        while period <= last {
            let now: Vec<Row> = rows.iter().filter(|row| row.period == period).cloned().collect();
            engine.step(period.end(), Input::Readings(&now));
            said.extend(engine.step(period.end(), Input::Advance { series: &all_series(), through: period }));
            if (period - first) % every == 0 {
                engine = restored(&engine, &rows, period);
            }
            period = period + 1;
        }
        prop_assert_eq!(said, expected(&rows));
    }
}

/// Some parts of the default rule.
fn patch(written: &[bool]) -> RulePatch {
    fn some<T>(is_written: bool, value: T) -> Option<T> {
        is_written.then_some(value)
    }
    RulePatch {
        mode: some(written[0], Mode::Page),
        method: some(written[1], Method::Threshold),
        page_below: some(written[2], 0.80),
        page_below_otps: None,
        evaluation_periods: some(written[4], 5),
        datapoints_to_alarm: some(written[5], 3),
        missing_data: some(written[6], MissingData::Neutral),
        estimator: some(written[7], EstimatorChoice::Auto),
        min_samples: some(written[8], 10),
        widest_window: some(written[9], 5),
        noise_sigmas: some(written[10], 2.0),
        recover_above: some(written[11], 0.85),
        recover_datapoints: some(written[12], 3),
        learn_from: None,
    }
}

/// A new engine from the states of another and the readings up to a period.
fn restored(engine: &Engine, rows: &[Row], period: Period) -> Engine {
    let mut new = Engine::new(engine.settings().clone());
    for series in all_series() {
        if let Some(state) = engine.state(&series) {
            let from = evaluator::needed_from(state, &engine.settings_of(&series).learning);
            let kept: Vec<Row> = rows
                .iter()
                .filter(|row| row.series == series && row.period >= from && row.period <= period)
                .cloned()
                .collect();
            new.restore(state.clone());
            new.step(period.end(), Input::Readings(&kept));
        }
    }
    new
}

/// One half of the metrics of a reading.
fn half(row: &Row, first: bool) -> Row {
    let mut reading = Reading::default();
    for metric in Metric::DECODE {
        if (metric == Metric::InvocationLatency) == first {
            *reading.of_mut(metric) = *row.reading.of(metric);
        }
    }
    Row { reading, ..row.clone() }
}
