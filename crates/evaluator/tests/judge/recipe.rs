//! Stripped of all that was added, the engine is the recipe: p50 ratio, 80 % of the median of two weeks, 3 of 5.

use domain::PERIODS_PER_DAY;
use proptest::prelude::*;

use crate::world::{Figures, World, recipe};

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
