//! Absence is not evidence.

use domain::{AlarmState, Metric, MissingReason, Reading, Statistics, Verdict};

use crate::world::{Figures, HEALTHY, SLOW, World, at, series};

#[test]
fn gaps_between_breaches_neither_count_nor_reset() {
    let slow = Some(SLOW.medians());
    let fine = Some(HEALTHY.medians());
    for (periods, pages) in [
        ([slow, None, slow, None, slow], vec!["page 4"]),
        ([slow, fine, None, slow, slow], vec!["page 4"]),
        ([slow, None, None, None, slow], vec![]),
    ] {
        let mut world = World::healthy();
        for period in periods {
            world.period(period);
        }
        assert_eq!(world.told(), pages);
    }
}

/// A first token that comes with the answer, after it, or not at all.
fn not_computable() -> [Reading; 3] {
    let mut without = SLOW.medians();
    *without.of_mut(Metric::TimeToFirstToken) = Statistics::default();
    [
        Figures(1_200.0, 1_200.0, 40.0, 200.0).medians(),
        Figures(1_100.0, 1_300.0, 40.0, 200.0).medians(),
        without,
    ]
}

#[test]
fn what_cannot_be_computed_is_neither_slow_nor_healthy() {
    for odd in not_computable() {
        let mut world = World::healthy();
        world.repeat(12, odd);
        assert!(world.told().is_empty());
        assert!(world.engine.slots(&series()).iter().all(|slot| matches!(slot.verdict, Verdict::Missing(_))));
        // As if they had not been: not healthy between the slow ones, not back after them.
        let mut world = World::healthy();
        for _ in 0..2 {
            world.repeat(1, SLOW.medians()).repeat(1, odd);
        }
        world.repeat(1, SLOW.medians()).repeat(12, odd);
        assert_eq!(world.told(), ["page 4"]);
    }
}

#[test]
fn what_cannot_be_computed_is_not_learned() {
    // Of every 288 periods 24 say 300 / 1 ms = 300,000 tokens a second, and three cannot be computed; the others say 100.
    let absurd = Figures(1_001.0, 1_000.0, 300.0, 200.0).medians();
    let mut world = World::new(evaluator::Settings::default());
    for _ in 0..15 {
        for reading in not_computable() {
            world.repeat(1, reading);
        }
        for _ in 0..24 {
            world.repeat(1, absurd).repeat(10, HEALTHY.medians());
        }
        world.repeat(288 - 3 - 24 * 11, HEALTHY.medians());
    }
    assert!(world.told().is_empty(), "{:?}", world.told());
    let usual = world.engine.explain(&series()).unwrap().usual.unwrap().p50.unwrap();
    assert!((95.0..105.0).contains(&usual.expected), "{usual:?}");
}

#[test]
fn silence_resolves_nothing() {
    let mut world = World::healthy();
    world.repeat(3, SLOW.medians()).silence(36).repeat(2, HEALTHY.medians());
    assert_eq!(world.told(), ["page 2"]);
    world.period(Some(HEALTHY.medians()));
    assert_eq!(world.told(), ["page 2", "resolve 41"]);
}

#[test]
fn idle_hours_say_nothing() {
    let mut world = World::healthy();
    world.repeat(36, Figures(0.0, 0.0, 0.0, 0.0).medians());
    // 25, 150 and 31.8 tokens a second over one, two and three calls.
    for _ in 0..12 {
        world.periods(&[
            Figures(9_000.0, 1_000.0, 200.0, 1.0),
            Figures(3_000.0, 1_000.0, 300.0, 2.0),
            Figures(12_000.0, 1_000.0, 350.0, 3.0),
        ]);
    }
    assert!(world.told().is_empty());
    assert_eq!(world.engine.slots(&series())[4].verdict, Verdict::Missing(MissingReason::TooFewSamples));
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::InsufficientData);
}

#[test]
fn a_series_without_sample_counts_is_not_judged() {
    let mut world = World::healthy();
    let mut reading = SLOW.medians();
    for metric in Metric::DECODE {
        reading.of_mut(metric).sample_count = None;
    }
    world.repeat(36, reading);
    assert!(world.told().is_empty());
    assert_eq!(world.engine.slots(&series())[0].verdict, Verdict::Missing(MissingReason::IncompleteInputs));
}

#[test]
fn one_period_read_again_and_again_counts_once() {
    let mut world = World::healthy();
    world.period(Some(SLOW.medians()));
    for _ in 0..5 {
        world.tell(at(0), SLOW.medians());
        world.advance();
    }
    assert!(world.told().is_empty());
}

#[test]
fn a_revised_period_is_judged_anew_and_un_opens_nothing() {
    let mut world = World::healthy();
    world.periods(&[SLOW, SLOW]);
    world.tell(at(1), HEALTHY.medians());
    world.period(Some(SLOW.medians()));
    assert!(world.told().is_empty(), "two of three slow periods are left");
    world.period(Some(SLOW.medians()));
    assert_eq!(world.told(), ["page 3"]);
    world.tell(at(2), HEALTHY.medians());
    world.period(Some(SLOW.medians()));
    assert_eq!(world.told(), ["page 3"], "the incident stands");
}

#[test]
fn what_is_revised_is_learned_anew() {
    let usual = |world: &World| world.engine.explain(&series()).unwrap().usual.unwrap().p50.unwrap().expected;
    let mut world = World::healthy();
    assert!((usual(&world) - 100.0).abs() < 0.1);
    // All that was learned from, and nothing after it: 400 / (3000 - 1000) = 200 tokens a second.
    let boundary = world.engine.explain(&series()).unwrap().usual.unwrap().boundary;
    for k in -14 * 288..boundary - at(0) {
        world.tell(at(k), Figures(3_000.0, 1_000.0, 400.0, 200.0).medians());
    }
    assert!((usual(&world) - 200.0).abs() < 0.1);
}

#[test]
fn a_period_that_has_not_ended_is_not_judged() {
    let mut world = World::healthy();
    world.periods(&[SLOW, SLOW]);
    world.tell(at(2), SLOW.medians());
    let early = at(2).start();
    let said = world.engine.step(early, evaluator::Input::Advance { series: &[series()], through: at(2) });
    assert!(said.is_empty());
}

#[test]
fn enough_history_is_days_and_datapoints() {
    let mut world = World::new(evaluator::Settings::default());
    world.repeat(12, HEALTHY.medians()).repeat(12, Figures(7_667.0, 1_000.0, 400.0, 200.0).medians());
    assert!(world.told().is_empty());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    let progress = world.engine.progress(&series());
    assert_eq!((progress.periods, progress.datapoints), (24, 24), "of 864 and 500");
    // Two days and 576 datapoints: enough datapoints, not enough days.
    world.repeat(576 - 24, HEALTHY.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    world.repeat(300, HEALTHY.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
}

#[test]
fn a_fortnight_of_silence_is_not_history() {
    // Ten requests two weeks ago, then nothing; a day at 100 tokens a second, and 60 from then on.
    let mut world = World::new(evaluator::Settings::default());
    let few = Figures(5_000.0, 1_000.0, 400.0, 10.0);
    world.periods(&[few]).silence(13 * 288).repeat(288, HEALTHY.medians());
    let slower = Figures(7_667.0, 1_000.0, 400.0, 200.0).medians();
    world.repeat(12, slower);
    assert!(world.told().is_empty(), "{:?}", world.told());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    let progress = world.engine.progress(&series());
    // Up to the last full hour, 4044 periods after the first: eleven slower ones. The first itself is older than two weeks.
    assert_eq!((progress.periods, progress.datapoints), (14 * 288, 288 + 11), "of 500 datapoints");
}

#[test]
fn figures_without_the_number_of_streaming_calls_are_no_change_of_mix() {
    let mut world = World::new(evaluator::Settings::default());
    let mut reading = HEALTHY.medians();
    reading.of_mut(Metric::TimeToFirstToken).sample_count = None;
    world.repeat(5 * 288, reading);
    assert!(world.told().is_empty(), "{:?}", world.told());
}
