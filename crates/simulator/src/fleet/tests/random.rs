//! Random fleets are as wide as they are said to be.

use domain::{PERIODS_PER_DAY, Period};

use crate::fleet::{EventKind, Fleet, FleetOptions};

fn many() -> Fleet {
    Fleet::random(1, &FleetOptions { models: 200, ..FleetOptions::default() })
}

#[test]
fn the_default_starts_with_a_month() {
    let options = FleetOptions::default();
    assert_eq!(options.origin.to_string(), "2026-10-01T00:00:00Z");
    let fleet = Fleet::random(7, &FleetOptions { models: 2, ..options });
    assert_eq!(fleet.span().from, Period::first_of_day(20_727));
    assert_eq!(fleet.span().until - fleet.span().from, 35 * PERIODS_PER_DAY);
}

#[test]
fn calm_fleets_have_no_events_and_are_else_the_same() {
    let options = FleetOptions { models: 20, ..FleetOptions::default() };
    let calm = Fleet::random(1, &FleetOptions { calm: true, ..options.clone() });
    let eventful = Fleet::random(1, &options);
    assert!(calm.events().is_empty() && !eventful.events().is_empty());
    assert!(calm.specs().eq(eventful.specs()));
    assert!(!calm.specs().eq(Fleet::random(2, &options).specs()));
}

#[test]
fn models_are_of_every_sort() {
    let fleet = many();
    let range = |value: &dyn Fn(&crate::ModelSpec) -> f64| {
        let values: Vec<f64> = fleet.specs().map(value).collect();
        (values.iter().copied().fold(f64::MAX, f64::min), values.iter().copied().fold(f64::MIN, f64::max))
    };
    let within = |(least, most): (f64, f64), from: f64, low: f64, high: f64, to: f64| {
        assert!(from <= least && least <= low && high <= most && most <= to, "{least} to {most}");
    };
    within(range(&|spec| spec.decode.tokens_per_second), 15.0, 20.0, 350.0, 400.0);
    within(range(&|spec| spec.decode.spread), 0.05, 0.08, 0.45, 0.5);
    within(range(&|spec| spec.rhythm.requests), 2.0, 3.0, 800.0, 1_000.0);
    within(range(&|spec| spec.classes.len() as f64), 1.0, 1.0, 5.0, 5.0);
    within(range(&|spec| spec.classes[0].output.median), 2.0, 6.0, 3_000.0, 6_000.0);
    within(range(&|spec| spec.rhythm.weekend), 0.0, 0.0, 1.0, 1.0);
    assert!(fleet.specs().any(|spec| spec.rhythm.open.is_some()));
    assert!(fleet.specs().any(|spec| spec.cache.is_some_and(|cache| cache.writes)));
    assert!(fleet.specs().any(|spec| spec.cache.is_some_and(|cache| !cache.writes)));
    assert!(fleet.specs().any(|spec| spec.streaming_share < 1.0));
}

#[test]
fn every_kind_of_event_happens_after_the_learning_days_one_at_a_time() {
    let fleet = many();
    let learned = fleet.span().from + 14 * PERIODS_PER_DAY;
    for kind in EventKind::ALL {
        assert!(fleet.events().iter().any(|event| event.kind == kind), "{}", kind.as_str());
    }
    for model in fleet.models() {
        for pair in model.events.windows(2) {
            assert!(pair[0].until < pair[1].from, "{pair:?}");
        }
        for event in &model.events {
            assert!(learned <= event.from && event.from < event.until && event.until <= fleet.span().until);
        }
    }
    let levels = || fleet.events().iter().filter(|event| event.kind == EventKind::LevelShift);
    assert!(levels().any(|event| event.magnitude < 0.0) && levels().any(|event| event.magnitude > 0.0));
}

#[test]
fn odd_options_do_no_harm() {
    for (models, days, learn_days) in [(0, 35, 14), (2, 0, 14), (2, 1, 0), (2, 3, 14), (2, -1, -1)] {
        let options = FleetOptions { models, days, learn_days, ..FleetOptions::default() };
        let fleet = Fleet::random(1, &options);
        assert_eq!(fleet.specs().count(), models);
        assert!(fleet.events().iter().all(|event| event.until <= fleet.span().until));
        assert!(crate::labels::write(&fleet, learn_days, std::io::sink(), std::io::sink()).is_ok());
    }
}
