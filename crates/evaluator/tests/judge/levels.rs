//! Levels that change for good, and levels that somebody accepts.

use domain::{Acceptance, AlarmState, Labelling, Labels, Maintenance, Matcher, Span, Window};
use evaluator::{Effect, Input, Settings};

use crate::world::{Figures, HEALTHY, SLOW, World, at, series};

fn accept(world: &mut World) {
    let acceptance =
        Acceptance { who: "kim".to_owned(), why: "a larger model behind the profile".to_owned() };
    let input = Input::Accept { series: &series(), acceptance: &acceptance };
    let said = world.engine.step(at(0).end(), input);
    world.said.extend(said);
}

#[test]
fn an_accepted_level_ends_its_incident_and_is_the_next_baseline() {
    let mut world = World::healthy();
    // 66.7 tokens a second for four days.
    world.repeat(4 * 288, SLOW.medians());
    assert_eq!(world.told(), ["page 2", "level_shift opened 863"]);
    accept(&mut world);
    assert_eq!(world.told()[2..], ["resolve 1151", "level_shift closed 1151"]);
    let who = world.said.iter().find_map(|effect| match effect {
        Effect::Resolve(resolve) => resolve.accepted.as_ref().map(|accepted| accepted.who.clone()),
        _ => None,
    });
    assert_eq!(who.as_deref(), Some("kim"));
    // Four days are a baseline: no page at the new level, and one below 80 % of it: 400 / (9000 - 1000) = 50.
    world.repeat(20, SLOW.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
    world.repeat(3, Figures(9_000.0, 1_000.0, 400.0, 200.0).medians());
    assert_eq!(world.told()[4..], ["page 1174"]);
}

#[test]
fn what_is_open_ends_when_a_series_is_not_watched_any_more() {
    let mut world = World::healthy();
    world.repeat(4 * 288, SLOW.medians());
    assert_eq!(world.told(), ["page 2", "level_shift opened 863"]);
    let said = world.engine.step(at(1_151).end(), Input::Unwatch { series: &series() });
    let resolve = said.iter().find_map(|effect| match effect {
        Effect::Resolve(resolve) => Some(resolve.as_ref().clone()),
        _ => None,
    });
    let resolve = resolve.unwrap();
    assert!(resolve.unwatched && resolve.accepted.is_none());
    assert_eq!((resolve.incident.opened, resolve.resolved), (at(2), at(1_151)));
    world.said.extend(said);
    assert_eq!(world.told()[2..], ["resolve 1151", "level_shift closed 1151"]);
    let state = world.engine.state(&series()).unwrap();
    assert!(state.incident.is_none() && state.tickets.is_empty());
    assert_eq!(state.untrained.last(), Some(&Span { from: at(0), until: at(1_152) }), "it was slow");
    assert!(world.engine.step(at(1_151).end(), Input::Unwatch { series: &series() }).is_empty(), "once");
    world.engine.forget(&series());
    assert_eq!(world.engine.series().next(), None);
}

#[test]
fn a_level_that_was_accepted_too_early_is_learned_first() {
    let mut world = World::healthy();
    world.repeat(288, SLOW.medians());
    accept(&mut world);
    world.repeat(1, SLOW.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    world.repeat(2 * 288, SLOW.medians());
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
    assert_eq!(world.told(), ["page 2", "resolve 287"]);
}

#[test]
fn accepting_without_an_incident_moves_only_what_erosion_is_held_against() {
    let mut world = World::with_history(Settings::default(), HEALTHY.whole());
    for day in 1..=13 {
        let speed = 100.0 * 0.985_f64.powi(day);
        world.repeat(288, Figures(1_000.0 + 400_000.0 / speed, 1_000.0, 400.0, 200.0).whole());
    }
    assert_eq!(world.told().len(), 1, "{:?}", world.told());
    accept(&mut world);
    assert_eq!(world.told()[1..], ["decode_erosion closed 3743"]);
    let speed = 100.0 * 0.985_f64.powi(13);
    world.repeat(10 * 288, Figures(1_000.0 + 400_000.0 / speed, 1_000.0, 400.0, 200.0).whole());
    assert_eq!(world.told().len(), 2, "and is not filed again");
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
}

#[test]
fn accepting_nobody_says_nothing() {
    let mut world = World::new(Settings::default());
    accept(&mut world);
    assert!(world.told().is_empty());
}

#[test]
fn a_faster_host_is_no_incident_and_becomes_the_baseline() {
    let mut world = World::healthy();
    // 400 / (3667 - 1000) = 150 tokens a second for ten days of fourteen.
    world.repeat(10 * 288, Figures(3_667.0, 1_000.0, 400.0, 200.0).medians());
    assert!(world.told().is_empty());
    // The old 100 is two thirds of the new 150.
    world.repeat(3, HEALTHY.medians());
    assert_eq!(world.told(), ["page 2882"]);
}

#[test]
fn a_tenth_less_for_good_is_no_incident() {
    let mut world = World::healthy();
    // 400 / (5444 - 1000) = 90.
    world.repeat(20 * 288, Figures(5_444.0, 1_000.0, 400.0, 200.0).medians());
    assert!(world.told().is_empty());
}

#[test]
fn what_must_not_train_does_not() {
    let mut settings = Settings::default();
    // Eight of the fourteen days of history at half the speed: a load test that is known to be one.
    settings.learning.never_train = vec![Span { from: at(-9 * 288), until: at(-288) }];
    let mut world = World::new(settings);
    world.repeat(5 * 288, HEALTHY.medians());
    world.repeat(8 * 288, Figures(9_000.0, 1_000.0, 400.0, 200.0).medians());
    world.repeat(288, HEALTHY.medians());
    world.said.clear();
    world.repeat(3, SLOW.medians());

    assert_eq!(world.told(), ["page 2"], "66.7 is below 80 % of 100, and above 50");
}

/// Eight of fourteen days are twice as fast, inside a window about series of one tier; then it is as ever.
fn told_after_a_fast_window(tier: &str) -> Vec<String> {
    let labels = |tier: &str| Labels::from([("tier".to_owned(), tier.to_owned())]);
    let settings = Settings {
        maintenance: vec![Maintenance {
            name: "move".to_owned(),
            matcher: Matcher { labels: labels("batch"), ..Matcher::default() },
            window: Window::Once { from: at(-9 * 288).start(), until: at(-288).start() },
            comment: None,
        }],
        labels: vec![Labelling { name: "all".to_owned(), matcher: Matcher::default(), labels: labels(tier) }],
        ..Settings::default()
    };
    let mut world = World::new(settings);
    world.repeat(5 * 288, HEALTHY.medians());
    // 400 / (3000 - 1000) = 200.
    world.repeat(8 * 288, Figures(3_000.0, 1_000.0, 400.0, 200.0).medians());
    world.repeat(288, HEALTHY.medians());
    world.told()
}

#[test]
fn a_maintenance_window_does_not_train_the_series_that_it_is_about() {
    assert!(told_after_a_fast_window("batch").is_empty(), "100 is what the other days had");
    // Of other series the fast days are the usual ones, and half of that is an incident.
    assert_eq!(told_after_a_fast_window("chat"), ["page -286"]);
}

#[test]
fn an_incident_in_the_first_hours_of_a_baseline_resolves() {
    let mut world = World::new(Settings::default());
    // Three days, and trouble with the very period in which the series has learned enough; it may not page until a
    // baseline from before the trouble is there, and whatever pages must resolve.
    world.repeat(3 * 288 - 2, HEALTHY.medians()).repeat(288, SLOW.medians()).repeat(288, HEALTHY.medians());
    let told = world.told();
    assert_eq!(
        told.iter().filter(|line| line.starts_with("page")).count(),
        told.iter().filter(|line| line.starts_with("resolve")).count(),
        "{told:?}"
    );
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
}
