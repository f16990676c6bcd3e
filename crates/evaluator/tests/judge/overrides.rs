//! What some series are judged by instead.

use domain::{Matcher, Method, Override, RulePatch, Series};
use evaluator::{Engine, Settings};

use crate::world::{HEALTHY, SLOW, World, series};

fn over(model: &str, patch: RulePatch) -> Settings {
    let matcher = Matcher { models: vec![model.to_owned()], ..Matcher::default() };
    let overrides = vec![Override { name: "some".to_owned(), matcher, source: None, patch }];
    Settings { overrides, ..Settings::default() }
}

/// What is said of two slow hours and one healthy hour after them. Slow is 66.7 of 100 tokens a second.
fn told(settings: Settings) -> Vec<String> {
    let mut world = World::with_history(settings, HEALTHY.medians());
    world.repeat(24, SLOW.medians()).repeat(12, HEALTHY.medians());
    world.told()
}

#[test]
fn a_series_is_judged_by_its_own_rule() {
    let usual = told(Settings::default());
    // The third slow period is the one of index 2; after 24 slow ones the third healthy one is that of index 26.
    assert_eq!(usual, ["page 2", "resolve 26"]);
    let lower = || RulePatch { page_below: Some(0.6), ..RulePatch::default() };
    assert_eq!(told(over("*alpha*", lower())), [""; 0], "0.667 is not below 0.6");
    assert_eq!(told(over("*beta*", lower())), usual, "it is about others");
    let sooner = RulePatch { datapoints_to_alarm: Some(2), ..RulePatch::default() };
    assert_eq!(told(over("*alpha*", sooner)), ["page 1", "resolve 26"]);
}

#[test]
fn a_band_asks_for_two_weeks_where_it_holds() {
    let mut settings = over(
        "*alpha*",
        RulePatch { method: Some(Method::Anomaly { deviations: 3.0, below: 0.9 }), ..RulePatch::default() },
    );
    settings.learning.min_days = 3;
    let engine = Engine::new(settings);
    assert_eq!(engine.settings_of(&series()).learning.min_days, 14);
    let other = Series::new("111122223333", "eu-west-1", "example.beta-large-v1:0");
    assert_eq!(engine.settings_of(&other).learning.min_days, 3);
}
