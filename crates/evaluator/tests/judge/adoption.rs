//! The first start: history is replayed, and only what still stands is told.

use domain::{AlarmState, Incident, Learning, PERIODS_PER_DAY, Row, Series, SeriesState};
use evaluator::{Effect, Engine, Input, Settings, needed_from};

use crate::world::{HEALTHY, SLOW, at, series, told};

fn rows(slow: impl Fn(i64) -> bool, until: i64) -> Vec<Row> {
    (-14 * 288..until)
        .map(|k| Row {
            series: series(),
            period: at(k),
            reading: if slow(k) { SLOW.medians() } else { HEALTHY.medians() },
        })
        .collect()
}

fn adopt(rows: &[Row]) -> (Engine, Vec<Effect>) {
    let through = rows.last().unwrap().period;
    let mut engine = Engine::new(Settings::default());
    engine.step(through.end(), Input::Readings(rows));
    let said = engine.step(through.end(), Input::Adopt { series: &[series()], through });
    (engine, said)
}

#[test]
fn an_old_episode_is_not_told() {
    let (engine, said) = adopt(&rows(|k| (-900..-876).contains(&k), 0));
    assert!(told(&said).is_empty());
    let state = engine.state(&series()).unwrap();
    assert!(state.incident.is_none());
    assert_eq!(state.untrained.len(), 1, "and does not train");
    assert_eq!(state.state, AlarmState::Ok, "what was learned is there at once");
    let usual = engine.explain(&series()).unwrap().usual.unwrap().p50.unwrap();
    assert!((usual.expected - 100.0).abs() < 0.1, "{usual:?}");
}

#[test]
fn one_that_stands_opens_with_its_own_onset_and_key() {
    let history = rows(|k| k >= -40, 0);
    let (_, said) = adopt(&history);
    assert_eq!(told(&said), ["page -38"]);

    // The same, had the daemon always run.
    let mut engine = Engine::new(Settings::default());
    let mut live = Vec::new();
    for row in &history {
        engine.step(row.period.end(), Input::Readings(std::slice::from_ref(row)));
        live.extend(
            engine.step(row.period.end(), Input::Advance { series: &[series()], through: row.period }),
        );
    }
    let key = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Page(page) => Some((page.incident().key.clone(), page.incident().onset)),
            _ => None,
        })
    };
    assert!(key(&said).is_some());
    assert_eq!(key(&said), key(&live));
}

#[test]
fn nothing_to_adopt_is_nothing_to_say() {
    let mut engine = Engine::new(Settings::default());
    let unknown = [Series::new("-", "us-east-1", "nobody")];
    assert!(engine.step(at(1).end(), Input::Adopt { series: &unknown, through: at(0) }).is_empty());
    assert!(engine.step(at(1).end(), Input::Adopt { series: &[], through: at(0) }).is_empty());
}

#[test]
fn what_is_needed_to_go_on() {
    let mut state = SeriesState {
        series: series(),
        state: AlarmState::Ok,
        since: at(0),
        judged_through: at(5),
        incident: None,
        tickets: Vec::new(),
        untrained: Vec::new(),
    };
    let mut learning = Learning::default();
    let days = |days: i64| at(-days * PERIODS_PER_DAY);
    // The oldest day that is compared with: 63 before today, from its midnight.
    assert_eq!(needed_from(&state, &learning), days(63));
    // What a baseline is learned from, and the day since its last boundary.
    learning.history_days = 70;
    assert_eq!(needed_from(&state, &learning), at(5 - 71 * PERIODS_PER_DAY));
    // An incident is compared with what was usual before it.
    learning.history_days = 14;
    state.incident = Some(Incident::new(series(), days(50), days(50) + 2));
    assert_eq!(needed_from(&state, &learning), days(65));
}
