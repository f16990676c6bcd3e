//! A test through the engine and to who is told, period by period.

use std::collections::BTreeMap;

use config::scenario::{Course, Test};
use domain::{AlarmState, Key, Period, Plan, Row, Series, Verdict};
use evaluator::{Desk, Engine, Input, Paging, Settings};

use super::reading::reading;
use super::said::{self, Said, Told, Unsaid, What};

/// What came of it.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) engine: Engine,
    pub(super) said: Vec<Said>,
    pub(super) unsaid: Vec<Unsaid>,
    /// After every period from the last one of the history on.
    pub(super) states: BTreeMap<(Period, Series), AlarmState>,
}

/// The last period of a test.
pub(super) fn last(test: &Test) -> Period {
    test.start + i64::from(test.length) - 1
}

/// Plays the history at once, as the daemon adopts what it reads at its first start, and then each period up to and including
/// `through`. A period is told of at its end: the settle delay is not counted.
pub(super) fn play(test: &Test, plan: &Plan, through: Period) -> Played {
    let mut series: Vec<Series> = test.series.iter().map(|course| course.series.clone()).collect();
    series.sort();
    let rows = |index: i64| {
        let period = test.start + index;
        let row = move |course: &Course| Row {
            series: course.series.clone(),
            period,
            reading: reading(course, index),
        };
        test.series.iter().map(row).filter(|row| !row.reading.is_empty())
    };
    let mut stage = Stage {
        plan,
        paging: Paging::default(),
        seen: BTreeMap::new(),
        played: Played {
            engine: Engine::new(Settings::from(plan)),
            said: Vec::new(),
            unsaid: Vec::new(),
            states: BTreeMap::new(),
        },
    };
    let history: Vec<Row> = (-i64::from(test.history)..0).flat_map(rows).collect();
    let before = test.start - 1;
    stage.step(before, &history, Input::Adopt { series: &series, through: before });
    for index in 0..i64::from(test.length) {
        let period = test.start + index;
        if period > through {
            break;
        }
        let rows: Vec<Row> = rows(index).collect();
        stage.step(period, &rows, Input::Advance { series: &series, through: period });
    }
    stage.played
}

struct Stage<'p> {
    plan: &'p Plan,
    paging: Paging,
    /// The last period of each series that could be judged.
    seen: BTreeMap<Series, Period>,
    played: Played,
}

impl Stage<'_> {
    fn step(&mut self, period: Period, rows: &[Row], judge: Input<'_>) {
        let now = period.end();
        let engine = &mut self.played.engine;
        engine.step(now, Input::Readings(rows));
        let effects = engine.step(now, judge);
        let all: Vec<Series> = engine.series().cloned().collect();
        for series in all {
            if let Some(state) = self.played.engine.state(&series) {
                self.played.states.insert((period, series.clone()), state.state);
            }
            let judged = self.played.engine.slots(&series).iter().rev();
            let judged = judged.filter(|slot| !matches!(slot.verdict, Verdict::Missing(_)));
            if let Some(slot) = judged.map(|slot| slot.period).next() {
                self.seen.insert(series, slot);
            }
        }
        let seen = |series: &Series| self.seen.get(series).copied();
        let desk = Desk { plan: self.plan, silences: &[], seen: &seen };
        let notices = self.paging.step(now, &desk, &effects);
        self.played.unsaid.extend(said::unfiled(period, &effects, &notices));
        // A page is told to each channel for itself; here it is one.
        let mut pages: BTreeMap<(Key, What), usize> = BTreeMap::new();
        for notice in notices {
            match said::of(period, notice, self.plan) {
                Told::Somebody(key, said) => {
                    let all = &mut self.played.said;
                    let at = *pages.entry((key, said.what)).or_insert(all.len());
                    match all.get_mut(at) {
                        Some(one) => one.channels.extend(said.channels),
                        None => all.push(said),
                    }
                }
                Told::Nobody(unsaid) => self.played.unsaid.extend(unsaid),
            }
        }
    }
}
