//! The fleet of the demonstration: six models, five weeks of history, and a day and a half of story.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series};

use super::{
    Decode, Event, EventKind, FirstToken, Fleet, ModelSpec, PromptCache, RequestClass, Rhythm, Tokens,
};

/// Periods of history before the story.
pub const DEMO_HISTORY: i64 = 35 * PERIODS_PER_DAY;
/// Periods of the story, in which everything happens.
pub const DEMO_STORY: i64 = 36 * PERIODS_PER_HOUR;
/// Periods after the story, in which nothing happens, for who leaves the demonstration running.
const EPILOGUE: i64 = 7 * PERIODS_PER_DAY;

const SLOW: &str = "us.example.sonnet-large-v1:0";
const GROWING: &str = "us.example.epic-long-v1:0";
const CHATTY: &str = "us.example.ballad-medium-v2:0";
const SILENT: &str = "us.example.limerick-small-v1:0";
const MIXED: &str = "us.example.couplet-mini-v3:0";
const HEALTHY: &str = "us.example.elegy-large-v1:0";

impl Fleet {
    /// Six models with [`DEMO_HISTORY`] before `now` and [`DEMO_STORY`] from `now` on:
    ///
    /// 1. one decodes 35 % slower for an hour, two hours in: the only thing that deserves a page;
    /// 2. the prompts of one have been growing for three days and go on: a ticket;
    /// 3. one gives longer answers for ten hours: nothing;
    /// 4. one has no requests for two hours: nothing;
    /// 5. one has its mix of requests turned around for four hours, so that the ratio of medians falls though no
    ///    request is slower: nothing;
    /// 6. one is healthy.
    #[must_use]
    pub fn demo(seed: u64, now: Period) -> Self {
        let specs = vec![
            model(SLOW, 130.0, 62.0, &[class(1.0, 320.0, 0.5, 1_800.0, 0.6)]),
            growing(),
            model(
                CHATTY,
                125.0,
                75.0,
                &[class(0.7, 180.0, 0.6, 1_200.0, 0.7), class(0.3, 420.0, 0.4, 2_600.0, 0.5)],
            ),
            ModelSpec {
                streaming_share: 0.97,
                ..model(SILENT, 130.0, 140.0, &[class(1.0, 140.0, 0.6, 900.0, 0.8)])
            },
            // A short answer to a long prompt, or a long answer to a short one: the medians are those of the second.
            model(
                MIXED,
                120.0,
                95.0,
                &[class(0.38, 60.0, 0.4, 6_000.0, 0.4), class(0.62, 450.0, 0.3, 800.0, 0.5)],
            ),
            ModelSpec {
                cache: Some(PromptCache { prefix_share: 0.7, hit_share: 0.95, writes: true }),
                ..model(HEALTHY, 120.0, 48.0, &[class(1.0, 500.0, 0.5, 4_000.0, 0.5)])
            },
        ];
        // By whole days, as a ticket about growth compares days: three days before today, each 14 % slower to the
        // first token than the one before.
        let growth = Period::first_of_day(now.day() - 3);
        let hour = |hours: i64| now + hours * PERIODS_PER_HOUR;
        let events = vec![
            event(SLOW, EventKind::Slowdown, hour(2), hour(3), 0.35),
            event(GROWING, EventKind::PromptGrowth, growth, growth + 6 * PERIODS_PER_DAY, 1.14),
            event(SILENT, EventKind::Gap, hour(8), hour(10), 1.0),
            event(MIXED, EventKind::MixShift, hour(14), hour(18), 1.1),
            event(CHATTY, EventKind::ChattySpell, hour(20), hour(30), 0.6),
        ];
        Self::new(seed, now - DEMO_HISTORY, DEMO_HISTORY + DEMO_STORY + EPILOGUE, specs, events)
    }
}

fn growing() -> ModelSpec {
    let spec = model(GROWING, 120.0, 55.0, &[class(1.0, 380.0, 0.4, 6_000.0, 0.4)]);
    // Three quarters of its first token are prefill.
    ModelSpec { first_token: FirstToken { base_ms: 220.0, queue_ms: 30.0, ..spec.first_token }, ..spec }
}

fn model(name: &str, requests: f64, tokens_per_second: f64, classes: &[RequestClass]) -> ModelSpec {
    let plain = ModelSpec::steady(series(name), requests, tokens_per_second);
    ModelSpec {
        classes: classes.to_vec(),
        mix_wander: 0.05,
        rhythm: Rhythm { daily: 0.2, weekend: 0.9, noise: 0.08, ..plain.rhythm },
        decode: Decode {
            spread: 0.18,
            diurnal: 0.08,
            load_exponent: 0.03,
            drift: 0.015,
            day_drift: 0.015,
            ..plain.decode
        },
        buffered_share: 0.002,
        throttle_share: 0.001,
        server_error_share: 0.0005,
        ..plain
    }
}

fn class(weight: f64, output: f64, output_sigma: f64, input: f64, input_sigma: f64) -> RequestClass {
    RequestClass {
        weight,
        output: Tokens { median: output, sigma: output_sigma },
        input: Tokens { median: input, sigma: input_sigma },
    }
}

fn series(model: &str) -> Series {
    Series::new("111122223333", "us-east-1", model)
}

fn event(model: &str, kind: EventKind, from: Period, until: Period, magnitude: f64) -> Event {
    Event { series: series(model), kind, from, until, magnitude }
}
