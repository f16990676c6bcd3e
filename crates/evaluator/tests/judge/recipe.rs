//! Stripped of all that was added, the engine is the recipe: p50 ratio, 80 % of the median of two weeks, 3 of 5.

use domain::PERIODS_PER_DAY;
use proptest::prelude::*;

use crate::world::{Figures, HEALTHY, SLOW, World, recipe};

/// The rule as it is written down, on OTPS figures: which periods are in alarm.
fn by_the_letter(baseline: f64, otps: &[Option<f64>]) -> Vec<bool> {
    (0..otps.len())
        .map(|k| {
            let last = &otps[k.saturating_sub(4)..=k];
            last.iter().flatten().filter(|value| **value < 0.8 * baseline).count() >= 3
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn it_opens_when_the_recipe_does(
        periods in proptest::collection::vec(proptest::option::weighted(0.9, 4_200.0_f64..9_000.0), 60)
    ) {
        let mut world = World::with_history(recipe(), Figures(5_000.0, 1_000.0, 400.0, 200.0).medians());
        let otps: Vec<Option<f64>> =
            periods.iter().map(|latency| latency.map(|latency| 400.0 / (latency - 1_000.0) * 1_000.0)).collect();
        let expected = by_the_letter(100.0, &otps);
        let first = expected.iter().position(|alarm| *alarm);
        for latency in &periods {
            world.period(latency.map(|latency| Figures(latency, 1_000.0, 400.0, 1.0).medians()));
        }
        let opened = world.told().first().map(|line| line.trim_start_matches("page ").parse::<usize>().unwrap());
        prop_assert_eq!(opened, first);
        prop_assert!(PERIODS_PER_DAY > 60, "no baseline is relearned within the story");
    }
}

/// 400 tokens at such a speed.
fn at(speed: f64) -> domain::Reading {
    Figures(1_000.0 + 400_000.0 / speed, 1_000.0, 400.0, 200.0).medians()
}

#[test]
fn the_recipe_resolves_on_its_line() {
    let mut world = World::with_history(recipe(), HEALTHY.medians());
    world.periods(&[SLOW, SLOW, SLOW]).repeat(1, at(79.9));
    assert_eq!(world.told(), ["page 2"]);
    world.repeat(1, at(80.0));
    assert_eq!(world.told(), ["page 2", "resolve 4"]);
}

#[test]
fn hysteresis_alone_asks_for_datapoints_in_a_row_above_its_line() {
    let mut settings = recipe();
    (settings.rule.recover_above, settings.rule.recover_datapoints) = (0.85, 3);
    let mut world = World::with_history(settings, HEALTHY.medians());
    world.periods(&[SLOW, SLOW, SLOW]);
    // 84.9 is not above 85, and begins the count anew; silence does not.
    world.repeat(2, at(85.0)).repeat(1, at(84.9)).repeat(2, at(85.0)).silence(3);
    assert_eq!(world.told(), ["page 2"]);
    world.repeat(1, at(85.0));
    assert_eq!(world.told(), ["page 2", "resolve 11"]);
}

#[test]
fn a_floor_must_be_reached_again() {
    let mut settings = recipe();
    (settings.rule.page_below_otps, settings.rule.recover_datapoints) = (Some(90.0), 3);
    // With a baseline of 100 the share alone would do.
    let mut world = World::with_history(settings.clone(), HEALTHY.medians());
    world.repeat(3, at(85.0)).repeat(6, at(89.9));
    assert_eq!(world.told(), ["page 2"]);
    world.repeat(3, at(90.0));
    assert_eq!(world.told(), ["page 2", "resolve 11"]);
    // While LEARNING the floor alone decides.
    let mut world = World::new(settings);
    world.repeat(3, at(85.0)).repeat(2, at(90.0)).repeat(1, at(89.9)).repeat(2, at(90.0));
    assert_eq!(world.told().len(), 1);
    world.repeat(1, at(90.0));
    let start = 14 * PERIODS_PER_DAY;
    assert_eq!(world.told(), [format!("page -{}", start - 2), format!("resolve -{}", start - 8)]);
}
