//! Silences and maintenance windows: judged, and told nobody until they end.

use domain::{About, Labelling, Labels, Matcher, Mode, Override, PERIODS_PER_DAY, RulePatch};
use evaluator::Desk;

use crate::world::{World, at, ends, maintenance, models, opens, plan, series, silence};

#[test]
fn what_still_stands_when_a_silence_ends_pages_then() {
    let mut world = World::new();
    world.silences = vec![silence(models(&["a"]), -10, 8)];
    assert_eq!(world.step(0, &[opens(&series("a"), 0)]), ["untold a: silence 5117ab1e holds"]);
    assert_eq!(world.step(7, &[]), [""; 0], "once is enough");
    assert_eq!(world.paging.untold().count(), 1);
    assert_eq!(
        world.step(8, &[]),
        ["page otpsd-f5a76268213b6e09 pagerduty.oncall: a", "page otpsd-f5a76268213b6e09 sns.ops: a"]
    );
    assert_eq!(world.paging.untold().count(), 0);
}

#[test]
fn what_cleared_meanwhile_is_told_nobody() {
    let mut world = World::new();
    world.plan.maintenance = vec![maintenance(models(&["a"]), -10, 8)];
    assert_eq!(world.step(0, &[opens(&series("a"), 0)]), ["untold a: maintenance window `upgrade` is open"]);
    assert_eq!(world.step(7, &[ends(&series("a"), 0, 7)]), ["forgotten a"]);
    assert_eq!(world.step(8, &[]), [""; 0]);
}

#[test]
fn a_page_that_was_told_is_not_muted_any_more() {
    let mut world = World::new();
    world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]);
    world.silences = vec![silence(Matcher::default(), 1, 100)];
    world.plan.rule.mode = Mode::Observe;
    assert_eq!(
        world.step(5, &[ends(&series("a"), 0, 5)]),
        [
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: (a) b",
            "changed otpsd-f5a76268213b6e09 sns.ops: (a) b",
        ]
    );
    assert_eq!(
        world.step(7, &[ends(&series("b"), 0, 7)]),
        [
            "resolve otpsd-f5a76268213b6e09 pagerduty.oncall: (a) (b)",
            "resolve otpsd-f5a76268213b6e09 sns.ops: (a) (b)",
        ]
    );
}

/// Whether nobody is told of a source that cannot be read.
fn mutes_sources(world: &World) -> bool {
    let labels = Labels::new();
    let about = About { series: None, regions: &["us-east-1"], cause: "source_failing", labels: &labels };
    let desk = Desk { plan: &world.plan, silences: &[], seen: &|_| None };
    desk.muted(&about, at(0).end()).is_some()
}

#[test]
fn one_series_is_only_observed() {
    let over = |model: &str, mode| Override {
        name: model.to_owned(),
        matcher: models(&[model]),
        source: None,
        patch: RulePatch { mode: Some(mode), ..RulePatch::default() },
    };
    let b_pages =
        ["page otpsd-f5a76268213b6e09 pagerduty.oncall: b", "page otpsd-f5a76268213b6e09 sns.ops: b"];
    let mut world = World::new();
    world.plan.overrides = vec![over("a", Mode::Observe)];
    let said = world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]);
    assert_eq!(said[0..2], b_pages);
    assert_eq!(said[2..], ["untold a: the rule only observes"]);

    // And the other way round.
    let mut world = World::new();
    world.plan.rule.mode = Mode::Observe;
    assert!(mutes_sources(&world));
    world.plan.overrides = vec![over("b", Mode::Page)];
    assert!(!mutes_sources(&world), "whoever watches b wants to know that it cannot be read");
    let said = world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]);
    assert_eq!(said[0..2], b_pages);
}

#[test]
fn one_that_is_muted_does_not_join_the_page_of_the_others() {
    let mut world = World::new();
    world.silences = vec![silence(models(&["b"]), -10, 5)];
    assert_eq!(
        world.step(0, &[opens(&series("a"), 0), opens(&series("b"), 0)]),
        [
            "page otpsd-f5a76268213b6e09 pagerduty.oncall: a",
            "page otpsd-f5a76268213b6e09 sns.ops: a",
            "untold b: silence 5117ab1e holds",
        ]
    );
    // The silence ends while the page is open.
    assert_eq!(
        world.clone().step(5, &[]),
        [
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: a b",
            "changed otpsd-f5a76268213b6e09 sns.ops: a b",
        ]
    );
    // The page is over before the silence ends.
    world.step(4, &[ends(&series("a"), 0, 4)]);
    assert_eq!(
        world.step(5, &[]),
        // page|us-east-1|5970001
        ["page otpsd-f5a76168213b6c56 pagerduty.oncall: b", "page otpsd-f5a76168213b6c56 sns.ops: b"]
    );
}

#[test]
fn each_reason_is_said_once() {
    let mut world = World::new();
    world.silences = vec![silence(Matcher::default(), -10, 3), silence(Matcher::default(), 6, 9)];
    world.plan.maintenance = vec![maintenance(Matcher::default(), -10, 12)];
    assert_eq!(world.step(0, &[opens(&series("a"), 0)]), ["untold a: silence 5117ab1e holds"]);
    assert_eq!(world.step(3, &[]), ["untold a: maintenance window `upgrade` is open"]);
    assert_eq!(world.step(6, &[]), [""; 0], "the silence was said");
    let why: Vec<String> = world.paging.untold().map(|(_, why)| why.to_string()).collect();
    assert_eq!(why, ["silence 5117ab1e holds"], "and is what holds");
    world.plan.maintenance.clear();
    world.plan.routes.page.clear();
    assert_eq!(world.step(9, &[]), ["untold a: no route takes it"]);
    world.plan.rule.mode = Mode::Observe;
    assert_eq!(world.step(10, &[]), ["untold a: the rule only observes"]);
    world.plan = plan();
    assert_eq!(world.step(11, &[]).len(), 2);
}

#[test]
fn mutes_ask_for_labels_and_windows_not_for_causes() {
    let tier = |value: &str| Labels::from([("tier".to_owned(), value.to_owned())]);
    let second = Matcher { labels: tier("2"), ..Matcher::default() };
    let mut world = World::new();
    world.plan.labels =
        vec![Labelling { name: "batch".to_owned(), matcher: models(&["batch-*"]), labels: tier("2") }];
    world.silences = vec![silence(second.clone(), -10, 5)];
    let effects = [opens(&series("batch-a"), 0), opens(&series("chat-a"), 0)];
    assert_eq!(world.step(0, &effects)[2..], ["untold batch-a: silence 5117ab1e holds"]);

    let causes = vec!["queueing".to_owned()];
    let mut world = World::of(world.plan);
    world.silences = vec![silence(Matcher { causes: causes.clone(), ..second.clone() }, -10, 5)];
    assert_eq!(world.clone().step(0, &effects).len(), 2, "a silence of a kind of ticket");
    world.plan.maintenance = vec![maintenance(Matcher { causes, ..second }, -10, 5)];
    assert_eq!(world.step(0, &effects)[2..], ["untold batch-a: maintenance window `upgrade` is open"]);
}

#[test]
fn observing_tells_nobody_for_as_long_as_it_lasts() {
    let mut world = World::new();
    world.plan.rule.mode = Mode::Observe;
    assert_eq!(world.step(0, &[opens(&series("a"), 0)]), ["untold a: the rule only observes"]);
    assert_eq!(world.step(PERIODS_PER_DAY, &[ends(&series("a"), 0, PERIODS_PER_DAY)]), ["forgotten a"]);
}
