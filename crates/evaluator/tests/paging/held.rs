//! A page that only unseen series hold open says so after three hours, once.

use domain::{GroupBy, Key, Matcher, Mode};
use evaluator::{Notice, paging};

use crate::world::{World, at, ends, judged, line, opens, route, series, silence};

const KEY: &str = "otpsd-f5a76268213b6e09";

/// Two incidents that open with a period; the one of `a` cannot be seen from then on.
fn blind() -> World {
    let mut world = World::new();
    world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]);
    world.seen.insert(series("a"), Some(at(0)));
    world
}

#[test]
fn it_is_said_after_three_hours_and_when_it_is_over() {
    let mut world = blind();
    world.step(7, &[ends(&series("b"), 0, 7)]);
    // Period 0 ends at 04:05; verdicts are known two minutes after their period ended.
    assert_eq!(world.step(34, &[]), [""; 0], "06:57");
    assert_eq!(world.step(35, &[]), [""; 0], "07:02");
    let said = world.notices(36, &[]);
    assert_eq!(
        said.iter().map(line).collect::<Vec<_>>(),
        [
            // The other receiver of the page: it is written down that it was said.
            format!("changed {KEY} sns.ops: a (b)"),
            format!("held {KEY} -> jira.llm"),
        ],
        "07:07"
    );
    let Notice::Held { held, .. } = &said[1] else { panic!("{said:?}") };
    assert_eq!((held.seen, held.at, held.state.held_told), (Some(at(0)), judged(36), true));
    assert!(world.paging.pages().all(|page| page.held_told));
    assert_eq!(world.hours(20), [""; 0], "once");

    // The route leads elsewhere by now.
    world.plan.routes.ticket = vec![route(Matcher::default(), &["log.all"])];
    world.seen.insert(series("a"), Some(at(250)));
    assert_eq!(world.step(250, &[]), [format!("held over {KEY} -> jira.llm")]);
    world.seen.insert(series("a"), Some(at(250)));
    assert_eq!(world.step(400, &[]), [""; 0], "once for a page");
}

#[test]
fn the_end_of_the_page_is_the_end_of_that() {
    let mut world = blind();
    world.step(7, &[ends(&series("b"), 0, 7)]);
    world.hours(4);
    let held = paging::held_key(&Key::from_text(KEY));
    assert_eq!(held.as_str(), "otpsd-f5a76268213b6e09-held");
    assert_eq!(world.paging.filed_of(&held).channels, ["jira.llm"]);
    assert_eq!(
        world.step(60, &[ends(&series("a"), 0, 60)]),
        [
            format!("resolve {KEY} pagerduty.oncall: (b) (a)"),
            format!("resolve {KEY} sns.ops: (b) (a)"),
            format!("held over {KEY} -> jira.llm"),
        ]
        .map(|line| line.replace("(b) (a)", "(a) (b)"))
    );
    assert!(world.paging.filed_of(&held).channels.is_empty());
}

#[test]
fn one_that_can_be_seen_holds_it_open_by_itself() {
    let mut world = blind();
    assert_eq!(world.hours(20), [""; 0], "b is judged, and still slow");
}

#[test]
fn a_restart_neither_repeats_nor_forgets_it() {
    let mut world = blind();
    world.step(7, &[ends(&series("b"), 0, 7)]);
    world.hours(4);
    let (pages, filed) = (world.paging.pages().cloned().collect(), world.paging.filed().collect());
    world.paging = paging::Paging::default();
    world.paging.restore(pages, filed, Vec::new(), Vec::new());
    assert_eq!(world.hours(5), [""; 0]);
    // The desk may have forgotten by now when it was seen. That is no sight of it.
    world.seen.insert(series("a"), None);
    assert_eq!(world.step(71, &[]), [""; 0]);
    world.seen.insert(series("a"), Some(at(72)));
    assert_eq!(world.step(72, &[]), [format!("held over {KEY} -> jira.llm")]);
}

#[test]
fn where_nothing_is_known_the_time_counts_from_the_first_look() {
    let mut world = blind();
    world.step(7, &[ends(&series("b"), 0, 7)]);
    let pages: Vec<_> = world.paging.pages().cloned().collect();
    // Restarted at 14:00, and not a period was judged since.
    world.paging = paging::Paging::default();
    world.paging.restore(pages, Vec::new(), Vec::new(), Vec::new());
    world.seen.insert(series("a"), None);
    assert_eq!(world.hours(10), [""; 0]);
    assert_eq!(world.step(10 * 12 + 35, &[]), [""; 0]);
    let said = world.notices(10 * 12 + 36, &[]);
    assert_eq!(line(&said[1]), format!("held {KEY} -> jira.llm"));
    let Notice::Held { held, .. } = &said[1] else { panic!("{said:?}") };
    assert_eq!(held.seen, None);
}

#[test]
fn it_waits_while_it_is_muted() {
    let mut world = blind();
    world.step(7, &[ends(&series("b"), 0, 7)]);
    world.silences = vec![silence(Matcher::default(), 0, 60)];
    assert_eq!(world.hours(4), [""; 0]);
    world.plan.rule.mode = Mode::Observe;
    assert_eq!(world.hours(6), [""; 0]);
    world.plan.rule.mode = Mode::Page;
    assert_eq!(world.hours(6)[1], format!("held {KEY} -> jira.llm"));
}

#[test]
fn pages_that_began_apart_are_held_apart() {
    let mut world = World::new();
    world.plan.group_by = GroupBy::Series;
    world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]);
    world.seen = [series("a"), series("b")].map(|one| (one, Some(at(0)))).into();
    let said = world.hours(4);
    assert_eq!(said.iter().filter(|line| line.starts_with("held ")).count(), 2, "{said:?}");
}
