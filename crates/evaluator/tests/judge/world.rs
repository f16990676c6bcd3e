//! Readings to tell a story with, and an engine that is driven by time.

use domain::{Learning, Metric, PERIODS_PER_DAY, Period, Reading, Row, Rule, Series, Statistics};
use evaluator::{Effect, Engine, Input, Settings};

/// 2026-03-02T00:00:00Z, a Monday.
pub(crate) const T0: i64 = 1_772_409_600 / 300;

/// Latency, TimeToFirstToken and output tokens of the median request; requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures(pub(crate) f64, pub(crate) f64, pub(crate) f64, pub(crate) f64);

/// 400 / (5000 - 1000) x 1000 = 100 tokens a second.
pub(crate) const HEALTHY: Figures = Figures(5_000.0, 1_000.0, 400.0, 200.0);
/// 400 / (7000 - 1000) x 1000 = 66.7 tokens a second.
pub(crate) const SLOW: Figures = Figures(7_000.0, 1_000.0, 400.0, 200.0);

impl Figures {
    /// A reading of medians alone.
    pub(crate) fn medians(self) -> Reading {
        let Self(latency, ttft, tokens, samples) = self;
        let mut reading = Reading::default();
        let of = |p50| Statistics { p50: Some(p50), p95: None, sum: None, sample_count: Some(samples) };
        *reading.of_mut(Metric::InvocationLatency) = of(latency);
        *reading.of_mut(Metric::TimeToFirstToken) = of(ttft);
        *reading.of_mut(Metric::OutputTokenCount) = of(tokens);
        reading
    }

    /// A reading with sums, as if every request were the median one.
    pub(crate) fn whole(self) -> Reading {
        let mut reading = self.medians();
        for metric in Metric::DECODE {
            let statistics = reading.of_mut(metric);
            statistics.sum = statistics.p50.map(|p50| p50 * self.3);
        }
        reading
    }

    /// The same with a prompt of so many tokens, all read afresh.
    pub(crate) fn with_prompt(self, tokens: f64) -> Reading {
        let mut reading = self.whole();
        *reading.of_mut(Metric::InputTokenCount) = Statistics {
            p50: Some(tokens),
            p95: None,
            sum: Some(tokens * self.3),
            sample_count: Some(self.3),
        };
        reading
    }
}

pub(crate) fn series() -> Series {
    Series::new("111122223333", "eu-west-1", "example.alpha-large-v1:0")
}

pub(crate) fn at(k: i64) -> Period {
    Period::from_index(T0 + k)
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) said: Vec<Effect>,
    told: Vec<Row>,
    next: i64,
}

impl World {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            engine: Engine::new(settings),
            said: Vec::new(),
            told: Vec::new(),
            next: -14 * PERIODS_PER_DAY,
        }
    }

    /// Fourteen healthy days that end at [`T0`].
    pub(crate) fn healthy() -> Self {
        Self::with_history(Settings::default(), HEALTHY.medians())
    }

    pub(crate) fn with_history(settings: Settings, reading: Reading) -> Self {
        let mut world = Self::new(settings);
        world.repeat(14 * PERIODS_PER_DAY as usize, reading);
        world.said.clear();
        world
    }

    /// The next period has this reading, or none.
    pub(crate) fn period(&mut self, reading: Option<Reading>) -> &mut Self {
        let period = at(self.next);
        if let Some(reading) = reading {
            self.tell(period, reading);
        }
        self.next += 1;
        self.advance();
        self
    }

    pub(crate) fn tell(&mut self, period: Period, reading: Reading) {
        let row = Row { series: series(), period, reading };
        assert!(
            self.engine
                .step(at(self.next + 1).start(), Input::Readings(std::slice::from_ref(&row)))
                .is_empty()
        );
        self.told.push(row);
    }

    pub(crate) fn advance(&mut self) {
        let through = at(self.next - 1);
        let said = self.engine.step(through.end(), Input::Advance { series: &[series()], through });
        self.said.extend(said);
    }

    /// A daemon that goes on from what is remembered, and from the readings that are still needed.
    pub(crate) fn restart(&mut self) {
        let state = self.engine.state(&series()).unwrap().clone();
        let from = evaluator::needed_from(&state, &self.engine.settings_of(&series()).learning);
        self.told.retain(|row| row.period >= from);
        let mut engine = Engine::new(self.engine.settings().clone());
        engine.restore(state);
        engine.step(at(self.next).start(), Input::Readings(&self.told));
        self.engine = engine;
    }

    pub(crate) fn periods(&mut self, figures: &[Figures]) -> &mut Self {
        for one in figures {
            self.period(Some(one.medians()));
        }
        self
    }

    pub(crate) fn repeat(&mut self, times: usize, reading: Reading) -> &mut Self {
        for _ in 0..times {
            self.period(Some(reading));
        }
        self
    }

    pub(crate) fn silence(&mut self, times: usize) -> &mut Self {
        for _ in 0..times {
            self.period(None);
        }
        self
    }

    /// Pages and resolves in order, as `page 3` or `resolve 12`, with the deciding period counted from [`T0`]; tickets as
    /// `queueing opened 5`.
    pub(crate) fn told(&self) -> Vec<String> {
        told(&self.said)
    }
}

pub(crate) fn told(effects: &[Effect]) -> Vec<String> {
    let from_t0 = |period: Period| period.index() - T0;
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Page(page) => Some(format!("page {}", from_t0(page.incident().opened))),
            Effect::Resolve(resolve) => Some(format!("resolve {}", from_t0(resolve.resolved))),
            Effect::Ticket(ticket) => {
                Some(format!("{} {} {}", ticket.cause, ticket.action.as_str(), from_t0(ticket.decided)))
            }
            Effect::Ended(_) | Effect::Transition(_) | Effect::Diagnose(_) => None,
        })
        .collect()
}

/// The recipe to the letter: p50, flat, no floor, no noise, no hysteresis.
pub(crate) fn recipe() -> Settings {
    Settings {
        rule: Rule {
            estimator: domain::EstimatorChoice::P50,
            min_samples: 0,
            noise_sigmas: 0.0,
            recover_above: 0.80,
            recover_datapoints: 1,
            ..Rule::default()
        },
        learning: Learning { seasonal: false, ..Learning::default() },
        ..Settings::default()
    }
}
