//! What an explanation says, beside what the engine does.

use domain::{AlarmState, Cause, Estimator, EstimatorChoice, PERIODS_PER_DAY, Rule, Verdict};
use evaluator::{Engine, Input, Outlook, Settings};

use crate::world::{Figures, HEALTHY, SLOW, World, at, series};

fn outlook(world: &World) -> Outlook {
    world.engine.explain(&series()).unwrap().outlook
}

#[test]
fn so_many_more_breaching_periods_page() {
    let mut world = World::healthy();
    assert_eq!(outlook(&world), Outlook::Quiet { to_page: 3 });
    world.periods(&[SLOW]);
    assert_eq!(outlook(&world), Outlook::Quiet { to_page: 2 });
    world.periods(&[HEALTHY, SLOW]);
    assert_eq!(outlook(&world), Outlook::Quiet { to_page: 1 });
    // The first of the two is about to leave the five: one more is the second of five again, two more are three.
    world.periods(&[HEALTHY, HEALTHY]);
    assert_eq!(outlook(&world), Outlook::Quiet { to_page: 2 });
    world.periods(&[SLOW, SLOW]);
    assert_eq!(world.told(), ["page 6"]);
    assert!(matches!(outlook(&world), Outlook::Incident { needed: 3, back: 0, .. }));
}

#[test]
fn what_it_promises_happens() {
    // From every mixture of five periods, so many more slow ones page, and no fewer.
    for mixture in 0..32_u8 {
        let mut world = World::healthy();
        for bit in 0..5 {
            world.periods(&[if mixture & (1 << bit) == 0 { HEALTHY } else { SLOW }]);
            if !world.said.iter().all(|one| matches!(one, evaluator::Effect::Diagnose(_))) {
                break;
            }
        }
        let Outlook::Quiet { to_page } = outlook(&world) else { continue };
        for more in 1..=to_page {
            assert!(world.told().is_empty(), "{mixture:05b}: {more} of {to_page}");
            world.periods(&[SLOW]);
        }
        assert_eq!(world.told().len(), 1, "{mixture:05b}: {to_page}");
    }
}

#[test]
fn a_recovery_is_counted() {
    let mut world = World::healthy();
    world.periods(&[SLOW; 3]);
    let incident = |back| Outlook::Incident { above: 0.85, needed: 3, back };
    assert_eq!(outlook(&world), incident(0));
    world.periods(&[HEALTHY]);
    assert_eq!(outlook(&world), incident(1));
    world.silence(2);
    assert_eq!(outlook(&world), incident(1), "missing is neutral");
    world.periods(&[HEALTHY]);
    assert_eq!(outlook(&world), incident(2));
    world.periods(&[HEALTHY]);
    assert!(
        matches!(outlook(&world), Outlook::Quiet { to_page: 3 }),
        "and what was slow before does not count"
    );
}

#[test]
fn what_is_usual_is_said_with_its_reason() {
    let world = World::with_history(Settings::default(), HEALTHY.whole());
    let explained = world.engine.explain(&series()).unwrap();
    let usual = explained.usual.unwrap();
    let (p50, sums) = (usual.p50.unwrap(), usual.token_weighted.unwrap());
    for one in [p50, sums] {
        assert!((one.expected - 100.0).abs() < 0.01 && (one.line - 0.8).abs() < 1e-12, "{one:?}");
    }
    assert_eq!((p50.samples, sums.samples), (50.0, 10.0));
    // Constant figures have the least noise there is, 0.005: -ln(0.8) / 0.005 = 44.6.
    assert!((usual.p50_clearance.unwrap() - 44.63).abs() < 0.01);
    assert_eq!((usual.deciding, usual.clearance_needed), (Estimator::P50, 3.0));
    assert!((usual.streaming_share - 1.0).abs() < 1e-12);
}

#[test]
fn evidence_that_speaks_against_a_page_is_told() {
    // Ten requests in a period, and the first slow ones: three periods are thirty, and a page takes sixty.
    let few = Figures(HEALTHY.0, HEALTHY.1, HEALTHY.2, 10.0);
    let slow = Figures(SLOW.0, SLOW.1, SLOW.2, 10.0);
    let rule = Rule { estimator: EstimatorChoice::TokenWeighted, ..Rule::default() };
    let mut world = World::with_history(Settings { rule, ..Settings::default() }, few.whole());
    for _ in 0..3 {
        world.period(Some(slow.whole()));
    }
    assert!(world.told().is_empty());
    let Outlook::Withheld(weighed) = outlook(&world) else { panic!("{:?}", outlook(&world)) };
    assert_eq!((weighed.since, weighed.samples, weighed.samples_needed), (at(0), 30.0, 60.0));
    assert!((weighed.ratio - 2.0 / 3.0).abs() < 1e-6 && !weighed.slow_tail);
}

#[test]
fn it_is_what_the_engine_judged_also_after_a_restart() {
    let mut world = World::healthy();
    world.periods(&[SLOW, HEALTHY, SLOW]).silence(1).periods(&[SLOW]);
    let explained = world.engine.explain(&series()).unwrap();
    let slots: Vec<_> = explained.slots.iter().map(|(slot, _)| *slot).collect();
    assert_eq!(slots, world.engine.slots(&series()));
    assert_eq!(explained.state.state, AlarmState::Alarm);

    let mut restored = Engine::new(Settings::default());
    for k in -14 * PERIODS_PER_DAY..5 {
        let figures = match k {
            0 | 2 | 4 => SLOW,
            3 => continue,
            _ => HEALTHY,
        };
        let row = domain::Row { series: series(), period: at(k), reading: figures.medians() };
        restored.step(at(5).start(), Input::Readings(&[row]));
    }
    restored.restore(explained.state.clone());
    assert_eq!(restored.explain(&series()), Some(explained));
}

#[test]
fn what_is_kept_of_the_last_periods_is_what_they_are_judged_to_be() {
    // Whatever is kept from one period to the next, when a baseline is learned anew, and when a reading is revised.
    let reading = |k: i64| {
        let stray = f64::from((k.unsigned_abs() as u32).wrapping_mul(2_654_435_761) >> 20) / 4_096.0;
        Figures(4_500.0 + 1_500.0 * stray, 1_000.0, 400.0, 12.0).whole()
    };
    let mut world = World::new(Settings::default());
    for k in 0..8 * PERIODS_PER_DAY {
        world.period((k % 11 != 0).then(|| reading(k)));
        if k % 7 == 0 {
            world.tell(at(k - 2 - 14 * PERIODS_PER_DAY), reading(k + 1));
        }
        // What was revised is judged with the next period.
        if k > 4 * PERIODS_PER_DAY && k % 7 != 0 {
            let explained = world.engine.explain(&series()).unwrap();
            let judged: Vec<_> = explained.slots.iter().map(|(slot, _)| *slot).collect();
            assert_eq!(world.engine.slots(&series()), judged, "{k}");
        }
    }
}

#[test]
fn learning_and_open_tickets() {
    let mut world = World::new(Settings::default());
    assert_eq!(world.engine.explain(&series()), None);
    world.repeat(36, HEALTHY.medians());
    let explained = world.engine.explain(&series()).unwrap();
    assert_eq!((explained.outlook, explained.usual), (Outlook::Learning, None));
    assert_eq!(explained.progress.datapoints, 36);

    // Longer answers at the same speed for four days.
    let mut world = World::with_history(Settings::default(), HEALTHY.whole());
    let longer = Figures(7_000.0, 1_000.0, 600.0, 200.0);
    world.repeat(4 * PERIODS_PER_DAY as usize, longer.whole());
    let explained = world.engine.explain(&series()).unwrap();
    assert_eq!(explained.tickets.len(), 1, "{:?}", world.told());
    let ticket = &explained.tickets[0];
    assert_eq!(ticket.cause, Cause::LongerResponses);
    assert_eq!((ticket.usual.output_tokens, ticket.now.output_tokens), (400.0, 600.0));
    assert!(explained.slots.iter().all(|(slot, _)| slot.verdict == Verdict::Within));
}
