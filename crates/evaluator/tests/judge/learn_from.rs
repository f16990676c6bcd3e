//! A new model that is judged by the history of another one until it has its own.

use domain::{
    Acceptance, AlarmState, Matcher, Override, PERIODS_PER_DAY, PERIODS_PER_HOUR, Reading, Row, RulePatch,
    Series,
};
use evaluator::{Effect, Engine, Input, Settings, lent_from, needed_from};

use crate::world::{Figures, HEALTHY, SLOW, at, series};

const DAY: i64 = PERIODS_PER_DAY;

/// The model of [`series`] is new; this one has been there for long.
fn old() -> Series {
    series().sibling("example.alpha-large-v0:0")
}

fn settings() -> Settings {
    let matcher = Matcher { models: vec![series().model().to_owned()], ..Matcher::default() };
    let patch = RulePatch { learn_from: Some(old().model().to_owned()), ..RulePatch::default() };
    let overrides = vec![Override { name: "new".to_owned(), matcher, source: None, patch }];
    Settings { overrides, ..Settings::default() }
}

#[derive(Clone)]
struct Fleet {
    engine: Engine,
    rows: Vec<Row>,
    said: Vec<String>,
}

impl Fleet {
    /// The old one has been healthy for two weeks and more.
    fn new(settings: Settings) -> Self {
        let mut fleet = Self { engine: Engine::new(settings), rows: Vec::new(), said: Vec::new() };
        for k in -15 * DAY..0 {
            fleet.read(k, &old(), HEALTHY.medians());
        }
        fleet.advance(&[old()], -1);
        fleet
    }

    fn read(&mut self, k: i64, series: &Series, reading: Reading) {
        let row = Row { series: series.clone(), period: at(k), reading };
        self.engine.step(at(k).end(), Input::Readings(std::slice::from_ref(&row)));
        self.rows.push(row);
    }

    fn advance(&mut self, whom: &[Series], k: i64) {
        let said = self.engine.step(at(k).end(), Input::Advance { series: whom, through: at(k) });
        self.said.extend(said.iter().filter_map(|effect| match effect {
            Effect::Page(page) => Some(format!("page {} {:?}", k, page.evidence().learned_from.is_some())),
            Effect::Resolve(_) => Some(format!("resolve {k}")),
            Effect::Ticket(ticket) => Some(format!("ticket {} {k}", ticket.cause)),
            _ => None,
        }));
    }

    /// Both have a reading in each of some periods.
    fn live(&mut self, span: std::ops::Range<i64>, new: Figures, known: Figures) {
        for k in span {
            self.read(k, &old(), known.medians());
            self.read(k, &series(), new.medians());
            self.advance(&[old(), series()], k);
        }
    }

    fn learned_from(&self) -> Option<&str> {
        self.engine.learned_from(&series())
    }

    fn state(&self) -> AlarmState {
        self.engine.state(&series()).unwrap().state
    }

    /// A daemon that goes on from what is remembered, in any order of series.
    fn restart(&mut self, k: i64) {
        let mut engine = Engine::new(self.engine.settings().clone());
        let borrower = self.engine.state(&series()).cloned();
        for one in [series(), old()] {
            let Some(state) = self.engine.state(&one).cloned() else { continue };
            let learning = self.engine.settings_of(&one).learning.clone();
            let lent =
                borrower.as_ref().filter(|_| one == old()).and_then(|state| lent_from(state, &learning));
            let needed = needed_from(&state, &learning);
            let from = lent.map_or(needed, |lent| needed.min(lent));
            let kept: Vec<Row> =
                self.rows.iter().filter(|row| row.series == one && row.period >= from).cloned().collect();
            engine.restore(state);
            engine.step(at(k).end(), Input::Readings(&kept));
        }
        self.engine = engine;
    }
}

#[test]
fn a_new_model_pages_from_its_first_day_on_and_says_by_whom() {
    let mut fleet = Fleet::new(settings());
    fleet.live(0..24, HEALTHY, HEALTHY);
    assert_eq!(fleet.learned_from(), Some("example.alpha-large-v0:0"));
    assert_eq!(fleet.state(), AlarmState::Ok);
    let explanation = fleet.engine.explain(&series()).unwrap();
    assert_eq!(explanation.learned_from.as_deref(), Some("example.alpha-large-v0:0"));
    assert!((explanation.usual.unwrap().p50.unwrap().expected - 100.0).abs() < 1e-9);
    fleet.live(24..48, SLOW, HEALTHY);
    fleet.live(48..60, HEALTHY, HEALTHY);
    assert_eq!(fleet.said, ["page 26 true", "resolve 50"]);

    // Without anybody to learn from it is LEARNING, and nothing pages.
    let mut alone = Fleet::new(Settings::default());
    alone.live(0..24, HEALTHY, HEALTHY);
    alone.live(24..48, SLOW, HEALTHY);
    assert_eq!((alone.state(), alone.learned_from()), (AlarmState::Learning, None));
    assert_eq!(alone.said, [""; 0]);
}

#[test]
fn its_own_history_takes_over_once_it_is_enough() {
    let mut fleet = Fleet::new(settings());
    // 80 tokens a second: 400 / (6000 - 1000) x 1000. By the old one's 100 it is just on the line, and not below.
    let slower = Figures(6_000.0, 1_000.0, 400.0, 200.0);
    fleet.live(0..3 * DAY - 1, slower, HEALTHY);
    assert_eq!(fleet.learned_from(), Some("example.alpha-large-v0:0"));
    fleet.live(3 * DAY - 1..3 * DAY + PERIODS_PER_HOUR + 1, slower, HEALTHY);
    assert_eq!(fleet.learned_from(), None);
    let usual = fleet.engine.explain(&series()).unwrap().usual.unwrap();
    assert!((usual.p50.unwrap().expected - 80.0).abs() < 1e-9);
    assert_eq!(fleet.said, [""; 0], "what is usual of another one says nothing of a change of this one");
}

#[test]
fn one_that_was_not_judged_up_to_now_lends_nothing() {
    let mut fleet = Fleet::new(settings());
    for k in 0..2 * DAY {
        fleet.read(k, &old(), HEALTHY.medians());
        fleet.read(k, &series(), HEALTHY.medians());
        fleet.advance(&[series()], k);
    }
    assert_eq!((fleet.state(), fleet.learned_from()), (AlarmState::Learning, None));
    // It catches up, and lends at once.
    fleet.advance(&[old()], 2 * DAY - 1);
    fleet.live(2 * DAY..2 * DAY + 1, HEALTHY, HEALTHY);
    assert_eq!((fleet.state(), fleet.learned_from()), (AlarmState::Ok, Some("example.alpha-large-v0:0")));
}

/// A slump of the new one that outlasts what is held of the old one, over restarts at moments of all kinds.
#[test]
fn a_restart_at_any_moment_changes_nothing_that_is_said() {
    let live = |fleet: &mut Fleet, restarts: &dyn Fn(i64) -> bool| {
        for k in 0..9 * DAY {
            let new = if (30..8 * DAY).contains(&k) { SLOW } else { HEALTHY };
            // The old one is slow for two hours of its own, and twice as fast from the third day on.
            let known = match k {
                200..224 => SLOW,
                k if k >= 3 * DAY => Figures(3_000.0, 1_000.0, 400.0, 200.0),
                _ => HEALTHY,
            };
            fleet.live(k..k + 1, new, known);
            if restarts(k) {
                fleet.restart(k);
            }
        }
    };
    let mut through = Fleet::new(settings());
    live(&mut through, &|_| false);
    assert_eq!(through.said[0], "page 32 true");
    assert!(through.said.contains(&format!("resolve {}", 8 * DAY + 2)), "{:?}", through.said);
    let mut restarted = Fleet::new(settings());
    live(&mut restarted, &|k| k % 97 == 5 || k == 31 || k == 8 * DAY + 1);
    assert_eq!(restarted.said, through.said);
}

#[test]
fn whichever_is_judged_first_changes_nothing() {
    let mut one = Fleet::new(settings());
    let mut other = Fleet::new(settings());
    for k in 0..2 * DAY {
        let new = if (40..70).contains(&k) { SLOW } else { HEALTHY };
        let known = if (100..140).contains(&k) { SLOW } else { HEALTHY };
        for fleet in [&mut one, &mut other] {
            fleet.read(k, &old(), known.medians());
            fleet.read(k, &series(), new.medians());
        }
        one.advance(&[series(), old()], k);
        other.advance(&[old()], k);
        other.advance(&[series()], k);
    }
    assert_eq!(one.said.len(), 4, "{:?}", one.said);
    let sorted = |fleet: &Fleet| {
        let mut said = fleet.said.clone();
        said.sort();
        said
    };
    assert_eq!(sorted(&one), sorted(&other));
    assert_eq!(one.engine.state(&series()), other.engine.state(&series()));
}

#[test]
fn a_revision_and_an_accepted_level_of_the_old_one_are_learned_at_once() {
    let expected = |fleet: &Fleet| {
        fleet.engine.explain(&series()).and_then(|one| one.usual).map(|usual| usual.p50.unwrap().expected)
    };
    let mut fleet = Fleet::new(settings());
    fleet.live(0..30, HEALTHY, HEALTHY);
    assert_eq!(expected(&fleet).map(f64::round), Some(100.0));
    // All of the old one turns out to have been twice as fast.
    for k in -15 * DAY..0 {
        fleet.read(k, &old(), Figures(3_000.0, 1_000.0, 400.0, 200.0).medians());
    }
    fleet.live(30..31, HEALTHY, HEALTHY);
    assert_eq!(expected(&fleet).map(f64::round), Some(200.0));
    let acceptance = Acceptance { who: "sam".to_owned(), why: "a new host".to_owned() };
    fleet.engine.step(at(31).start(), Input::Accept { series: &old(), acceptance: &acceptance });
    fleet.live(31..32, HEALTHY, HEALTHY);
    assert_eq!(fleet.learned_from(), Some("example.alpha-large-v0:0"), "what is younger is enough");
}
