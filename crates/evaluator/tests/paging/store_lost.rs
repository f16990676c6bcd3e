//! The store is lost: history is read and judged at once, and what still stands pages again, with the keys that it had.

use domain::{Key, Matcher, Metric, PERIODS_PER_DAY, Period, Reading, Row, Series, Statistics};
use evaluator::{Effect, Engine, Input, Notice, Settings};

use crate::world::{World, at, ended, ends, in_europe, judged, maintenance, models, opens, route, series};

/// `page|us-east-1|5970000`
const KEY: &str = "otpsd-f5a76268213b6e09";

fn pages(key: &str, members: &str) -> [String; 2] {
    ["pagerduty.oncall", "sns.ops"].map(|channel| format!("page {key} {channel}: {members}"))
}

#[test]
fn the_page_has_the_key_of_the_episode_that_it_began_with() {
    let (a, b, c) = (series("a"), series("b"), series("c"));
    let mut world = World::new();
    assert_eq!(world.step(0, &[opens(&a, 0)]), pages(KEY, "a"));
    world.step(3, &[opens(&b, 3)]);
    world.step(5, &[ends(&a, 0, 5)]);
    world.step(8, &[opens(&c, 8)]);
    world.step(9, &[ends(&b, 3, 9)]);

    // c opened when b was open, and b when a was.
    let history = [ended(&a, 0, 5), ended(&b, 3, 9), opens(&c, 8)];
    assert_eq!(World::new().step(20, &history), pages(KEY, "c"));
    // Series are read one after the other; what stands may come first, and then joins.
    let mut slow = World::new();
    assert_eq!(slow.step(20, &[ended(&b, 3, 9), ended(&a, 0, 5)]), [""; 0]);
    assert_eq!(slow.step(21, &[opens(&c, 8)]), pages(KEY, "c"));
}

#[test]
fn what_was_over_before_began_another_page() {
    let (a, b, c) = (series("a"), series("b"), series("c"));
    let began_at = |k: i64| Key::of_page(&domain::GroupBy::Region.group(&a), at(k)).to_string();
    // A gap of one period.
    let said = World::new().step(20, &[ended(&a, 0, 5), opens(&b, 6)]);
    assert_eq!(said, pages(&began_at(6), "b"));
    // None: as in a step that sees both.
    assert_eq!(World::new().step(20, &[ended(&a, 0, 6), opens(&b, 6)]), pages(KEY, "b"));
    // Another Region, and one that opened later.
    let said = World::new().step(20, &[ended(&in_europe("a"), 0, 9), ended(&c, 8, 9), opens(&b, 6)]);
    assert_eq!(said, pages(&began_at(6), "b"));
}

#[test]
fn an_episode_that_nobody_was_told_of_began_no_page() {
    let (a, b) = (series("a"), series("b"));
    let history = [ended(&a, 0, 12), opens(&b, 10)];
    let told = |change: fn(&mut World)| {
        let mut world = World::new();
        change(&mut world);
        world.step(20, &history)
    };
    // page|us-east-1|5970010
    let alone = pages("otpsd-f5a3dc6821385480", "b");
    assert_eq!(told(|_| {}), pages(KEY, "b"));
    assert_eq!(told(|world| world.plan.maintenance = vec![maintenance(models(&["a"]), -5, 15)]), alone);
    // When the window ended it still stood, and paged.
    assert_eq!(
        told(|world| world.plan.maintenance = vec![maintenance(models(&["a"]), -5, 8)]),
        pages(KEY, "b")
    );
    // Its route leads to one of the two.
    let to_one = told(|world| {
        world.plan.routes.page.insert(0, route(models(&["a"]), &["sns.ops"]));
    });
    assert_eq!(to_one, [&pages(KEY, "b")[1..], &alone[..1]].concat().into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn episodes_are_remembered_for_a_day() {
    let (a, b) = (series("a"), series("b"));
    let day = PERIODS_PER_DAY;
    let mut world = World::new();
    world.plan.maintenance = vec![maintenance(Matcher::default(), -5, 9 + day)];
    world.step(9, &[ended(&a, 0, 5), opens(&b, 3)]);
    let mut later = world.clone();
    world.plan.maintenance.clear();
    assert_eq!(world.step(8 + day, &[]), pages(KEY, "b"));
    // page|us-east-1|5970003
    assert_eq!(later.step(9 + day, &[]), pages("otpsd-f5a75f68213b68f0", "b"));
}

/// 400 / (5000 - 1000) x 1000 = 100 tokens a second, or 66.7.
fn reading(slow: bool) -> Reading {
    let mut reading = Reading::default();
    let of = |p50| Statistics { p50: Some(p50), p95: None, sum: None, sample_count: Some(200.0) };
    *reading.of_mut(Metric::InvocationLatency) = of(if slow { 7_000.0 } else { 5_000.0 });
    *reading.of_mut(Metric::TimeToFirstToken) = of(1_000.0);
    *reading.of_mut(Metric::OutputTokenCount) = of(400.0);
    reading
}

/// Ten healthy days; a is slow in three quarters of an hour, b from the middle of that until now.
fn history() -> Vec<Row> {
    let row = |name: &str, k: i64, slow| Row { series: series(name), period: at(k), reading: reading(slow) };
    (-10 * PERIODS_PER_DAY..20)
        .flat_map(|k| [row("a", k, (-2..7).contains(&k)), row("b", k, k >= 3)])
        .collect()
}

fn keys(notices: Vec<Notice>) -> Vec<(Key, String)> {
    let page = |notice| match notice {
        Notice::Page(page) => Some((page.state.key, page.state.channel)),
        _ => None,
    };
    notices.into_iter().filter_map(page).collect()
}

#[test]
fn an_engine_that_reads_its_history_again_arrives_at_the_same_page() {
    let both: [Series; 2] = ["a", "b"].map(series);
    let rows = history();
    let through = at(19);

    let (mut engine, mut world, mut live) = (Engine::new(Settings::default()), World::new(), Vec::new());
    for period in rows.chunks(both.len()) {
        let through: Period = period[0].period;
        let now = through.end();
        engine.step(now, Input::Readings(period));
        let effects = engine.step(now, Input::Advance { series: &both, through });
        live.extend(world.notices(through - at(0), &effects));
    }

    let mut engine = Engine::new(Settings::default());
    engine.step(judged(19), Input::Readings(&rows));
    let effects = engine.step(judged(19), Input::Adopt { series: &both, through });
    let ended: Vec<&str> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ended(resolve) => Some(resolve.incident.series.model()),
            _ => None,
        })
        .collect();
    assert_eq!(ended, ["a"]);
    let adopted = keys(World::new().notices(19, &effects));
    assert_eq!(adopted, keys(live));
    // The third slow period opened it.
    assert_eq!(adopted[0].0.as_str(), KEY);
}

#[test]
fn what_was_open_before_and_ended_in_the_history_is_told() {
    let rows = history();
    let a = [series("a")];
    let mut engine = Engine::new(Settings::default());
    let now = judged(19);
    engine.step(now, Input::Readings(&rows));
    let opened = engine.step(now, Input::Advance { series: &a, through: at(3) });
    assert!(opened.iter().any(|effect| matches!(effect, Effect::Page(_))));
    let ended = engine.step(now, Input::Adopt { series: &a, through: at(19) });
    assert!(matches!(&ended[..], [Effect::Resolve(_)]), "{ended:?}");
}

#[test]
fn open_tickets_are_told_anew() {
    let a = [series("a")];
    // Six hours without data where there was some.
    let rows: Vec<Row> =
        history().into_iter().filter(|row| row.series == a[0] && row.period < at(-60)).collect();
    let mut engine = Engine::new(Settings::default());
    let now = judged(30);
    engine.step(now, Input::Readings(&rows));
    engine.step(now, Input::Advance { series: &a, through: at(30) });
    let tickets = engine.standing_tickets(&a[0]);
    let [ticket] = &tickets[..] else { panic!("{tickets:?}") };
    let state = engine.state(&a[0]).unwrap();
    assert_eq!((&ticket.key, ticket.opened), (&state.tickets[0].key, state.tickets[0].opened));
    assert_eq!((ticket.action, ticket.cause), (domain::TicketAction::Opened, domain::Cause::NoData));
    assert_eq!(ticket.decided, at(30));
    assert!(engine.standing_tickets(&series("unknown")).is_empty());
}
