//! An engine that gets a history at once cannot be told from one that lived through it.

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Row, SeriesState, Statistics, TicketAction};
use evaluator::{Effect, Engine, Input, Settings};
use proptest::prelude::*;

use crate::hosts::{Host, hashed};
use crate::world::{at, series};

/// Five weeks, as a first start reads them.
const DAYS: i64 = 35;
/// Two days more, in which everything is said again that both have to say.
const MORE: i64 = 2 * PERIODS_PER_DAY;

/// Where the history is cut, seen from an episode.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cut {
    Before,
    Inside,
    After,
}

/// A host with a bad spell around the cut, and whatever else happens to hosts: an older spell, a silence, calls that do not
/// stream any more, longer replies, a few slow requests.
#[derive(Debug, Clone)]
struct Story {
    host: Host,
    seed: u64,
    /// Periods from the cut to the spell, its length, and the share of its speed that is left to the host.
    spell: (i64, i64, f64),
    /// The same of an older one.
    older: (i64, i64, f64),
    /// Silent periods in a row, up to so many before the cut.
    silence: (i64, i64),
    /// Whole days up to the cut on which half of the calls do not stream, replies are half as long again, or every tenth request
    /// waits four times as long.
    without_stream: i64,
    longer: i64,
    tail: i64,
}

fn story(cut: Cut) -> impl Strategy<Value = Story> {
    let host = (20.0_f64..200.0, 20.0_f64..900.0, 0.05_f64..0.4, 3.0_f64..120.0);
    let start = match cut {
        Cut::Before => 0..PERIODS_PER_DAY,
        // At three requests a period sixty take twenty periods; and not so long that the cut lies behind it.
        Cut::Inside => -180..-40_i64,
        Cut::After => -1_500..-500,
    };
    let spell = (start, 200_i64..400, 0.45_f64..0.6);
    let older = (-9_000_i64..-2_500, 3_i64..1_200, 0.4_f64..0.9);
    let things = ((0_i64..400, 0_i64..150), 0_i64..4, 0_i64..6, 0_i64..2);
    (host, any::<u64>(), spell, older, things).prop_map(move |(host, seed, spell, older, things)| {
        let (speed, tokens, spread, requests) = host;
        let ((gap, silence), without_stream, longer, tail) = things;
        // Inside of the spell nothing else happens, so that it is known what must be open.
        let calm = cut == Cut::Inside;
        Story {
            host: Host { speed, tokens: tokens.round(), spread, requests: requests.round() },
            seed: seed >> 20,
            spell,
            older,
            silence: if calm { (0, 0) } else { (gap, silence) },
            without_stream: if calm { 0 } else { without_stream },
            longer: if calm { 0 } else { longer },
            tail: if calm { 0 } else { tail },
        }
    })
}

impl Story {
    /// The reading of a period, counted from the cut.
    fn reading(&self, k: i64) -> Option<Reading> {
        let (silence_ends, silence) = (-self.silence.0, self.silence.1);
        if (silence_ends - silence..silence_ends).contains(&k) {
            return None;
        }
        let chance = |salt: u64| hashed(self.seed ^ (k as u64).wrapping_mul(31) ^ (salt << 50)).abs();
        let within = |(from, length, share): (i64, i64, f64)| {
            if (from..from + length).contains(&k) { share } else { 1.0 }
        };
        let share = within(self.spell) * within(self.older);
        let hour = k.rem_euclid(PERIODS_PER_DAY) / 12;
        let rhythm = if hour < 8 { 0.6 } else { 1.0 };
        let since = |days: i64| k >= -days * PERIODS_PER_DAY;
        let host = Host {
            requests: (self.host.requests * rhythm * (0.5 + chance(1))).round().max(1.0),
            tokens: if since(self.longer) { (self.host.tokens * 1.5).round() } else { self.host.tokens },
            ..self.host
        };
        let mut reading = host.reading(self.seed ^ (k + 100_000) as u64, share);
        let more_than = |figure: &mut Statistics, factor: f64| {
            figure.sum = figure.sum.map(|sum| sum * factor);
            figure.p95 = figure.p95.map(|p95| p95 * factor.powi(4));
        };
        if since(self.tail) {
            more_than(reading.of_mut(Metric::InvocationLatency), 1.4);
        }
        if since(self.without_stream) {
            let first = reading.of_mut(Metric::TimeToFirstToken);
            first.sum = first.sum.map(|sum| sum / 2.0);
            first.sample_count = first.sample_count.map(|n| (n / 2.0).ceil());
        }
        Some(reading)
    }

    /// The rows of some periods, counted from the cut.
    fn rows(&self, periods: std::ops::Range<i64>) -> Vec<Row> {
        periods
            .filter_map(|k| Some(Row { series: series(), period: at(k), reading: self.reading(k)? }))
            .collect()
    }
}

/// Goes on period by period.
fn live(engine: &mut Engine, rows: &[Row], through: Period) -> Vec<Effect> {
    let mut said = Vec::new();
    let mut rest = rows;
    let mut period = rows.first().map_or(through, |row| row.period);
    while period <= through {
        let split = rest.partition_point(|row| row.period <= period);
        engine.step(period.end(), Input::Readings(&rest[..split]));
        rest = &rest[split..];
        said.extend(engine.step(period.end(), Input::Advance { series: &[series()], through: period }));
        period = period + 1;
    }
    said
}

fn adopt(rows: &[Row], through: Period) -> (Engine, Vec<Effect>) {
    let mut engine = Engine::new(Settings::default());
    engine.step(through.end(), Input::Readings(rows));
    let said = engine.step(through.end(), Input::Adopt { series: &[series()], through });
    (engine, said)
}

/// Of what was said, what an adoption tells: the page of the open incident, the first word of each open ticket, and what
/// ended, as ended.
fn adoptable(said: &[Effect], state: &SeriesState) -> Vec<Effect> {
    let tell = |effect: &Effect| {
        let is_open = match effect {
            Effect::Page(page) => state.incident.as_ref().is_some_and(|i| i.key == page.incident().key),
            Effect::Ticket(ticket) => {
                ticket.action == TicketAction::Opened
                    && state.tickets.iter().any(|open| open.key == ticket.key)
            }
            Effect::Resolve(resolve) => return Some(Effect::Ended(resolve.clone())),
            Effect::Ended(_) | Effect::Transition(_) | Effect::Diagnose(_) => false,
        };
        is_open.then(|| effect.clone())
    };
    said.iter().filter_map(tell).collect()
}

/// What of a state a message or a reader can see.
fn seen(engine: &Engine) -> impl PartialEq + std::fmt::Debug + use<> {
    let state = engine.state(&series()).unwrap();
    let incident = state.incident.as_ref().map(|open| (open.key.clone(), open.onset, open.opened));
    let tickets: Vec<_> = state.tickets.iter().map(|ticket| ticket.key.clone()).collect();
    (incident, state.state, tickets)
}

fn agree(story: &Story, cut: Cut) -> Result<(), TestCaseError> {
    let (history, more) = (story.rows(-DAYS * PERIODS_PER_DAY..0), story.rows(0..MORE));
    let (now, end) = (at(-1), at(MORE - 1));
    let mut lived = Engine::new(Settings::default());
    let said = live(&mut lived, &history, now);
    let (mut adopted, told) = adopt(&history, now);

    prop_assert_eq!(seen(&adopted), seen(&lived));
    let state = lived.state(&series()).unwrap();
    prop_assert_eq!(adopted.state(&series()), Some(state), "and what else is remembered");
    prop_assert_eq!(adopted.explain(&series()), lived.explain(&series()));
    prop_assert_eq!(told, adoptable(&said, state));
    prop_assert!(state.incident.is_some() || cut != Cut::Inside, "the cut lies in the spell");
    prop_assert_eq!(live(&mut adopted, &more, end), live(&mut lived, &more, end));
    prop_assert_eq!(adopted.explain(&series()), lived.explain(&series()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn before_an_episode(story in story(Cut::Before)) {
        agree(&story, Cut::Before)?;
    }

    #[test]
    fn inside_of_one(story in story(Cut::Inside)) {
        agree(&story, Cut::Inside)?;
    }

    #[test]
    fn after_one(story in story(Cut::After)) {
        agree(&story, Cut::After)?;
    }

    /// A daemon that had run for seven weeks loses its store and reads five of them again.
    #[test]
    fn a_lost_store(story in story(Cut::Inside)) {
        let (now, end) = (at(-1), at(MORE - 1));
        let mut lived = Engine::new(Settings::default());
        live(&mut lived, &story.rows(-49 * PERIODS_PER_DAY..0), now);
        let (mut adopted, _) = adopt(&story.rows(-DAYS * PERIODS_PER_DAY..0), now);
        prop_assert_eq!(seen(&adopted), seen(&lived));
        let more = story.rows(0..MORE);
        let resolved = |said: Vec<Effect>| -> Vec<_> {
            said.into_iter()
                .filter_map(|effect| match effect {
                    Effect::Page(page) => Some((page.incident().key.clone(), page.incident().opened)),
                    Effect::Resolve(resolve) => Some((resolve.incident.key.clone(), resolve.resolved)),
                    _ => None,
                })
                .collect()
        };
        prop_assert_eq!(resolved(live(&mut adopted, &more, end)), resolved(live(&mut lived, &more, end)));
    }
}
