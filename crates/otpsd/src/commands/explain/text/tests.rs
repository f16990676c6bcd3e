//! Each state and reason, as a stranger reads it.

use domain::{EstimatorChoice, Metric, PERIODS_PER_DAY, Period, Reading, Row, Rule, Series, Statistics};
use evaluator::{Engine, Input, Settings};

use crate::commands::explain::text::text;
use crate::explained::Explained;

/// 2026-03-02T00:00:00Z, a Monday.
const BEGIN: i64 = 1_772_409_600 / 300;

/// Readings of one series, told to an engine period by period. Two weeks of history end at [`BEGIN`].
struct Told {
    engine: Engine,
    next: i64,
}

fn series() -> Series {
    Series::new("111122223333", "eu-west-1", "eu.example.sonnet-large-v1:0")
}

/// Requests that all take as long: `tokens / (latency - 1000) x 1000` tokens a second.
fn reading(latency: f64, tokens: f64, requests: f64) -> Reading {
    let mut reading = Reading::default();
    for (metric, value) in [
        (Metric::InvocationLatency, latency),
        (Metric::TimeToFirstToken, 1_000.0),
        (Metric::OutputTokenCount, tokens),
        (Metric::InputTokenCount, 3_000.0),
    ] {
        *reading.of_mut(metric) = Statistics {
            p50: Some(value),
            p95: Some(value * 1.5),
            sum: Some(value * requests),
            sample_count: Some(requests),
        };
    }
    reading
}

/// 100 tokens a second, or 66.7.
fn fine() -> Reading {
    reading(5_000.0, 400.0, 200.0)
}

fn slow() -> Reading {
    reading(7_000.0, 400.0, 200.0)
}

impl Told {
    fn after(rule: Rule, days: i64, history: impl Fn(i64) -> Reading) -> Self {
        let engine = Engine::new(Settings { rule, ..Settings::default() });
        let mut told = Self { engine, next: -days * PERIODS_PER_DAY };
        while told.next < 0 {
            let reading = history(told.next);
            told = told.then(Some(reading));
        }
        told
    }

    fn fine() -> Self {
        Self::after(Rule::default(), 14, |_| fine())
    }

    fn then(mut self, reading: Option<Reading>) -> Self {
        let period = Period::from_index(BEGIN + self.next);
        if let Some(reading) = reading {
            let row = Row { series: series(), period, reading };
            self.engine.step(period.end(), Input::Readings(&[row]));
        }
        self.engine.step(period.end(), Input::Advance { series: &[series()], through: period });
        self.next += 1;
        self
    }

    fn times(mut self, times: usize, reading: Reading) -> Self {
        for _ in 0..times {
            self = self.then(Some(reading));
        }
        self
    }

    fn text(&self) -> String {
        let explained = Explained::of(&self.engine, &series()).unwrap();
        // As it arrives from a daemon.
        let sent = serde_json::to_string(&explained).unwrap();
        let text = text(&serde_json::from_str(&sent).unwrap());
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        text
    }
}

/// A third more or less, another with every period, by a multiplicative hash.
fn noisy(k: i64) -> Reading {
    let hash = (k as u64).wrapping_add(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11;
    let share = hash as f64 / (1_u64 << 53) as f64;
    reading(1_000.0 + 4_000.0 * (0.7 + 0.6 * share), 400.0, 20.0)
}

#[test]
fn ok() {
    insta::assert_snapshot!(Told::fine().text());
}

#[test]
fn on_the_way_to_a_page() {
    insta::assert_snapshot!(Told::fine().then(Some(slow())).then(Some(fine())).then(Some(slow())).text());
}

#[test]
fn alarm() {
    insta::assert_snapshot!(Told::fine().times(3, slow()).text());
}

#[test]
fn alarm_that_recovers() {
    insta::assert_snapshot!(Told::fine().times(4, slow()).times(2, fine()).text());
}

#[test]
fn below_the_line_and_not_beyond_noise() {
    let told = Told::after(Rule::default(), 14, noisy);
    insta::assert_snapshot!(told.times(2, reading(6_400.0, 400.0, 20.0)).text());
}

fn by_tokens() -> Rule {
    Rule { estimator: EstimatorChoice::TokenWeighted, ..Rule::default() }
}

#[test]
fn the_rule_is_met_and_the_evidence_is_not_enough() {
    // Ten requests in a period: three periods are thirty, and a page takes sixty.
    let told = Told::after(by_tokens(), 14, |_| reading(5_000.0, 400.0, 10.0));
    insta::assert_snapshot!(told.times(3, reading(7_000.0, 400.0, 10.0)).text());
}

#[test]
fn the_rule_is_met_by_a_slow_tail() {
    // One request in seven takes four times as long: the median does not, the mean and the 95th percentile do.
    let mut tail = fine();
    let latency = tail.of_mut(Metric::InvocationLatency);
    latency.sum = latency.sum.map(|sum| sum * 1.5);
    latency.p95 = latency.p95.map(|p95| p95 * 3.0);
    insta::assert_snapshot!(Told::after(by_tokens(), 14, |_| fine()).times(4, tail).text());
}

#[test]
fn too_few_requests() {
    insta::assert_snapshot!(Told::fine().times(7, reading(5_000.0, 400.0, 1.0)).text());
}

#[test]
fn every_reason_why_a_period_is_missing() {
    let without = |metric| {
        let mut reading = fine();
        *reading.of_mut(metric) = Statistics::default();
        reading
    };
    let mut few_stream = fine();
    *few_stream.of_mut(Metric::TimeToFirstToken) =
        Statistics { p50: Some(1_500.0), p95: None, sum: Some(3_000.0), sample_count: Some(2.0) };
    let told = Told::fine()
        .then(Some(without(Metric::TimeToFirstToken)))
        .then(Some(without(Metric::OutputTokenCount)))
        .then(Some(reading(1_000.0, 400.0, 200.0)))
        .then(Some(reading(1_001.0, 400.0, 200.0)))
        .then(None);
    insta::assert_snapshot!(told.text());
    insta::assert_snapshot!("calls_that_do_not_stream", Told::fine().then(Some(few_stream)).text());
}

#[test]
fn insufficient_data() {
    let mut told = Told::fine();
    for _ in 0..6 {
        told = told.then(None);
    }
    insta::assert_snapshot!(told.text());
}

#[test]
fn learning() {
    insta::assert_snapshot!(Told::after(Rule::default(), 1, |_| fine()).text());
}

#[test]
fn learning_with_a_floor() {
    let rule = Rule { page_below_otps: Some(70.0), ..Rule::default() };
    insta::assert_snapshot!(Told::after(rule, 1, |_| fine()).times(2, slow()).text());
}

#[test]
fn an_open_ticket() {
    // Answers are half as long again, at the same speed.
    let told = Told::fine().times(4 * PERIODS_PER_DAY as usize, reading(7_000.0, 600.0, 200.0));
    insta::assert_snapshot!(told.text());
}

#[test]
fn a_series_that_is_not_seen() {
    let mut explained = Explained::of(&Told::fine().engine, &series()).unwrap();
    explained.not_seen = Some(
        "source `partner` in eu-west-1 cannot be read since 2026-03-02T00:02:00Z: denied: GetMetricData in eu-west-1"
            .to_owned(),
    );
    let text = text(&explained);
    let lines: Vec<&str> = text.lines().take(6).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
