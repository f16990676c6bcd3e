//! Estimators, methods and treatments that a configuration can ask for.

use domain::{AlarmState, Cause, EstimatorChoice, Method, Metric, MissingData, Reading, Verdict};
use evaluator::{Effect, Settings};

use crate::world::{Figures, HEALTHY, SLOW, World, series};

/// The medians say 66.7 tokens a second, the sums 100: the mix of short and long replies crossed one half.
fn mixed() -> Reading {
    let mut reading = HEALTHY.whole();
    reading.of_mut(Metric::InvocationLatency).p50 = Some(7_000.0);
    reading
}

fn pages_on_a_mix(estimator: EstimatorChoice) -> usize {
    let mut settings = Settings::default();
    settings.rule.estimator = estimator;
    let mut world = World::with_history(settings, HEALTHY.whole());
    world.repeat(24, mixed());
    world.told().len()
}

#[test]
fn a_ratio_of_medians_pages_on_a_mix_and_the_sums_do_not() {
    assert_eq!(pages_on_a_mix(EstimatorChoice::P50), 1);
    assert_eq!(pages_on_a_mix(EstimatorChoice::TokenWeighted), 0);
    assert_eq!(pages_on_a_mix(EstimatorChoice::Auto), 0, "the sums do not corroborate it");
}

#[test]
fn every_estimator_pages_on_a_slow_host() {
    for estimator in [EstimatorChoice::P50, EstimatorChoice::TokenWeighted, EstimatorChoice::Auto] {
        let mut settings = Settings::default();
        settings.rule.estimator = estimator;
        let mut world = World::with_history(settings, HEALTHY.whole());
        world.repeat(12, SLOW.whole()).repeat(12, HEALTHY.whole());
        assert_eq!(world.told(), ["page 2", "resolve 14"], "{estimator:?}");
    }
}

fn treated(missing_data: MissingData) -> World {
    let mut settings = Settings::default();
    settings.rule.missing_data = missing_data;
    World::with_history(settings, HEALTHY.medians())
}

#[test]
fn silence_is_what_the_treatment_makes_of_it_and_never_a_page() {
    let state = |world: &World| world.engine.state(&series()).unwrap().state;
    for (treatment, after) in [
        (MissingData::Neutral, AlarmState::InsufficientData),
        (MissingData::Missing, AlarmState::InsufficientData),
        (MissingData::Ignore, AlarmState::Ok),
        (MissingData::Breaching, AlarmState::Alarm),
        (MissingData::NotBreaching, AlarmState::Ok),
    ] {
        let mut world = treated(treatment);
        world.silence(12);
        assert_eq!(state(&world), after, "{treatment:?}");
        assert!(!world.said.iter().any(|effect| matches!(effect, Effect::Page(_))), "{treatment:?}");
        let tickets = if treatment == MissingData::Breaching { vec!["no_data opened 4"] } else { vec![] };
        // Of the seven periods that are looked at two are real after the fifth silent one, and three are filled in.
        assert_eq!(world.told(), tickets, "{treatment:?}");
    }
}

#[test]
fn an_alarm_of_absence_closes_when_data_is_back() {
    let mut world = treated(MissingData::Breaching);
    world.silence(12).repeat(6, HEALTHY.medians());
    // Three of seven are real after three: two may still be breaching, which is not three.
    assert_eq!(world.told(), ["no_data opened 4", "no_data closed 14"]);
    let causes = world.said.iter().filter_map(|effect| match effect {
        Effect::Ticket(ticket) => Some(ticket.cause),
        _ => None,
    });
    assert!(causes.into_iter().all(|cause| cause == Cause::NoData));
}

#[test]
fn real_breaches_page_under_every_treatment() {
    for treatment in MissingData::ALL {
        let mut world = treated(treatment);
        world.periods(&[SLOW, SLOW, SLOW]);
        assert_eq!(world.told(), ["page 2"], "{treatment:?}");
    }
}

#[test]
fn one_slow_period_and_silence_are_no_page() {
    for treatment in MissingData::ALL {
        let mut world = treated(treatment);
        world.periods(&[SLOW]).silence(12);
        assert!(!world.said.iter().any(|effect| matches!(effect, Effect::Page(_))), "{treatment:?}");
    }
}

#[test]
fn a_band_is_refused_until_two_weeks_are_there() {
    let mut settings = Settings::default();
    settings.rule.method = Method::Anomaly { deviations: 4.0, below: 0.92 };
    let mut world = World::new(settings);
    // 400 / (5500 - 1000) = 88.9 tokens a second: above 80 %, below the band of a series without noise.
    let low = Figures(5_500.0, 1_000.0, 400.0, 200.0);
    world.repeat(13 * 288, HEALTHY.medians()).repeat(6, low.medians()).repeat(282, HEALTHY.medians());
    assert!(world.told().is_empty());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    world.repeat(12, HEALTHY.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
    world.repeat(6, low.medians()).repeat(6, HEALTHY.medians());
    assert_eq!(world.told(), ["page 14", "resolve 20"]);
}

#[test]
fn a_band_needs_the_named_ratio_too() {
    let mut settings = Settings::default();
    settings.rule.method = Method::Anomaly { deviations: 4.0, below: 0.85 };
    let mut world = World::with_history(settings, HEALTHY.medians());
    world.repeat(24, HEALTHY.medians()).repeat(24, Figures(5_500.0, 1_000.0, 400.0, 200.0).medians());
    assert!(world.told().is_empty(), "88.9 is above 85");
}

#[test]
fn a_band_is_as_wide_as_the_noise() {
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::TokenWeighted;
    settings.rule.method = Method::Anomaly { deviations: 3.0, below: 0.92 };
    let mut world = World::new(settings);
    // Twenty requests of 400 tokens, 7 % faster and slower in turn: ln(1.07) x 1.4826 = 0.1003 is one standard deviation.
    let twenty = |share: f64| Figures(1_000.0 + 4_000.0 / share, 1_000.0, 400.0, 20.0).whole();
    for _ in 0..8 * 288 {
        world.repeat(1, twenty(1.07)).repeat(1, twenty(1.0 / 1.07));
    }
    // Of ten requests it is 0.1419, and exp(-3 x 0.1419) = 0.653; of twenty exp(-0.301) = 0.740.
    let usual = world.engine.explain(&series()).unwrap().usual.unwrap().token_weighted.unwrap();
    assert!((usual.line - 0.653).abs() < 0.001, "{usual:?}");
    world.repeat(1, twenty(0.75)).repeat(1, twenty(0.73));
    let verdicts: Vec<_> = world.engine.slots(&series()).iter().map(|slot| slot.verdict).collect();
    assert_eq!(verdicts[3..], [Verdict::Within, Verdict::Breaching]);
}
