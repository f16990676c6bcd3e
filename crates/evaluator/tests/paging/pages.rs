//! One page for a group and a channel, however many incidents it has.

use domain::GroupBy;
use evaluator::Notice;

use crate::world::{World, at, ends, in_europe, judged, line, opens, page_of, plan, resolve_of, series};

#[test]
fn a_slump_of_a_region_is_one_page_for_each_channel_that_grows_and_shrinks_in_silence() {
    let mut world = World::new();
    let (a, b, c) = (series("a"), series("b"), series("c"));
    assert_eq!(
        world.step(0, &[opens(&b, 0), opens(&a, 0)]),
        [
            // page|us-east-1|5970000
            "page otpsd-f5a76268213b6e09 pagerduty.oncall: a b",
            "page otpsd-f5a76268213b6e09 sns.ops: a b",
        ]
    );
    assert_eq!(
        world.step(1, &[opens(&c, 1)]),
        [
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: a b c",
            "changed otpsd-f5a76268213b6e09 sns.ops: a b c",
        ]
    );
    assert_eq!(
        world.step(5, &[ends(&b, 0, 5), ends(&a, 0, 5)]),
        [
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: (a) (b) c",
            "changed otpsd-f5a76268213b6e09 sns.ops: (a) (b) c",
        ]
    );
    assert_eq!(world.step(6, &[]), [""; 0]);
    assert_eq!(
        world.step(7, &[ends(&c, 1, 7)]),
        [
            "resolve otpsd-f5a76268213b6e09 pagerduty.oncall: (a) (b) (c)",
            "resolve otpsd-f5a76268213b6e09 sns.ops: (a) (b) (c)",
        ]
    );
    assert_eq!(world.paging.pages().count(), 0);
}

#[test]
fn the_busiest_stands_first() {
    let mut world = World::new();
    let effects = [("quiet", 50.0), ("busy", 900.0), ("also-quiet", 50.0)]
        .map(|(model, samples)| evaluator::Effect::Page(Box::new(page_of(&series(model), 0, samples))));
    let said = world.notices(0, &effects);
    let Notice::Page(page) = &said[0] else { panic!("{said:?}") };
    let names = |pages: &[domain::Page]| -> Vec<String> {
        pages.iter().map(|page| page.incident().series.model().to_owned()).collect()
    };
    assert_eq!(names(&page.pages), ["busy", "also-quiet", "quiet"]);
    assert_eq!(line(&said[0]), "page otpsd-f5a76268213b6e09 pagerduty.oncall: busy also-quiet quiet");
}

#[test]
fn what_is_remembered_of_a_page() {
    let mut world = World::new();
    let (a, b) = (series("a"), series("b"));
    let said = world.notices(1, &[opens(&a, 1), opens(&b, 0)]);
    let Notice::Page(page) = &said[1] else { panic!("{said:?}") };
    let state = &page.state;
    assert_eq!((state.opened, state.told), (at(0), judged(1)));
    assert_eq!(state.receiver, "sns arn:aws:sns:us-east-1:111122223333:ops");
    assert_eq!((state.summary.as_str(), state.held_told, state.closed), ("", false, None));
    let member = &state.members[0];
    assert_eq!(member.incident, page_of(&a, 1, 1.0).incident().key);
    assert_eq!((member.onset, member.opened, member.joined), (at(-1), at(1), judged(1)));
    assert_eq!((member.worst, member.recovered, member.resolved), (Some(0.6), None, None));

    let said = world.notices(9, &[ends(&b, 0, 8), ends(&a, 1, 9)]);
    let Notice::Resolve(resolve) = &said[1] else { panic!("{said:?}") };
    assert_eq!(resolve.state.closed, Some(judged(9)));
    let member = &resolve.state.members[0];
    assert_eq!((member.worst, member.recovered, member.resolved), (Some(0.55), Some(at(7)), Some(at(9))));
    assert_eq!(resolve.last, resolve_of(&a, 1, 9), "the one that ended last");
}

#[test]
fn a_summary_stays_with_its_page() {
    let mut world = World::new();
    let said = world.notices(0, &[opens(&series("a"), 0)]);
    let Notice::Page(page) = &said[0] else { panic!("{said:?}") };
    world.paging.summarize(&page.state.key, "pagerduty.oncall", "a is slow".to_owned());
    let said = world.notices(1, &[opens(&series("b"), 1)]);
    let summaries = said.iter().map(|notice| match notice {
        Notice::Changed(state) => state.summary.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(summaries.collect::<Vec<_>>(), ["a is slow", ""]);
}

#[test]
fn regions_are_pages_of_their_own() {
    let mut world = World::new();
    assert_eq!(
        world.step(0, &[opens(&series("a"), 0), opens(&in_europe("a"), 0)]),
        [
            // page|eu-west-1|5970000
            "page otpsd-7eb786fff32ae565 pagerduty.oncall: a",
            "page otpsd-7eb786fff32ae565 sns.ops: a",
            "page otpsd-f5a76268213b6e09 pagerduty.oncall: a",
            "page otpsd-f5a76268213b6e09 sns.ops: a",
        ]
    );
}

#[test]
fn ungrouped_the_key_is_that_of_the_incident() {
    let mut world = World::of(domain::Plan { group_by: GroupBy::Series, ..plan() });
    let incident = page_of(&series("a"), 0, 1.0).incident().key.clone();
    // page|111122223333/us-east-1/a|5970000
    assert_eq!(incident.as_str(), "otpsd-c74aa4df4db0230e");
    assert_eq!(
        world.step(0, &[opens(&series("a"), 0)]),
        ["page otpsd-c74aa4df4db0230e pagerduty.oncall: a", "page otpsd-c74aa4df4db0230e sns.ops: a"]
    );
    // The next one of the same series has the next key.
    assert_eq!(world.step(9, &[ends(&series("a"), 0, 9)]).len(), 2);
    assert!(world.step(20, &[opens(&series("a"), 20)])[0].starts_with("page otpsd-"));
}

#[test]
fn what_opened_and_ended_within_a_step_is_told_nobody() {
    let mut world = World::new();
    let (a, b) = (series("a"), series("b"));
    // The daemon was blind for an hour.
    let effects = [opens(&a, 0), ends(&a, 0, 6), opens(&b, 11)];
    assert_eq!(
        world.step(11, &effects),
        [
            format!("page {} pagerduty.oncall: b", domain::Key::of_page(&group(), at(11))),
            format!("page {} sns.ops: b", domain::Key::of_page(&group(), at(11))),
            "forgotten a".to_owned(),
        ]
    );
}

#[test]
fn one_that_opens_while_the_last_one_ends_keeps_the_page_open() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    world.step(0, &[opens(&a, 0)]);
    // The same step, the same period: one slump.
    assert_eq!(
        world.step(7, &[ends(&a, 0, 7), opens(&b, 7)]),
        [
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: (a) b",
            "changed otpsd-f5a76268213b6e09 sns.ops: (a) b",
        ]
    );
    // The same step, a later period: two.
    let said = world.step(20, &[ends(&b, 7, 18), opens(&a, 20)]);
    assert_eq!(
        said,
        [
            // page|us-east-1|5970020
            "page otpsd-f5ae6e682141a11b pagerduty.oncall: a",
            "page otpsd-f5ae6e682141a11b sns.ops: a",
            "resolve otpsd-f5a76268213b6e09 pagerduty.oncall: (a) (b)",
            "resolve otpsd-f5a76268213b6e09 sns.ops: (a) (b)",
        ]
    );
}

#[test]
fn a_channel_is_not_told_of_one_key_twice() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    // The incidents of two accounts open with the same period, but one account is read an hour late, when the other's is over.
    world.step(0, &[opens(&a, 0)]);
    world.step(7, &[ends(&a, 0, 7)]);
    assert_eq!(
        world.step(12, &[opens(&b, 0)]),
        [
            // page|us-east-1|5970001: that of the first period which nobody was told of
            "page otpsd-f5a76168213b6c56 pagerduty.oncall: b",
            "page otpsd-f5a76168213b6c56 sns.ops: b",
        ]
    );
    let opened: Vec<_> = world.paging.pages().map(|page| page.opened).collect();
    assert_eq!(opened, [at(0), at(0)], "what it says is still the truth");
}

fn group() -> domain::Group {
    GroupBy::Region.group(&series("a"))
}
