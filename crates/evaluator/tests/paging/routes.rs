//! The first route that takes an incident when it is told decides who is.

use domain::{Hours, Labelling, Labels, Matcher, Route, Weekdays};
use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::world::{World, in_europe, models, oncall, opens, route, series};

#[test]
fn the_first_that_takes_it_wins() {
    let tier = |value: &str| Labels::from([("tier".to_owned(), value.to_owned())]);
    let mut world = World::new();
    world.plan.labels =
        vec![Labelling { name: "batch".to_owned(), matcher: models(&["batch-*"]), labels: tier("2") }];
    world.plan.routes.page = vec![
        route(Matcher { causes: vec!["queueing".to_owned()], ..Matcher::default() }, &["log.all"]),
        route(Matcher { labels: tier("2"), ..Matcher::default() }, &["jira.llm"]),
        route(Matcher { regions: vec!["eu-*".to_owned()], ..Matcher::default() }, &["sns.ops"]),
        route(models(&["chat-*"]), &["pagerduty.oncall", "log.all", "pagerduty.oncall"]),
    ];
    let effects =
        [series("batch-a"), in_europe("chat-b"), series("chat-c"), series("other")].map(|one| opens(&one, 0));
    assert_eq!(
        world.step(0, &effects),
        [
            "page otpsd-7eb786fff32ae565 sns.ops: chat-b",
            "page otpsd-f5a76268213b6e09 jira.llm: batch-a",
            "page otpsd-f5a76268213b6e09 log.all: chat-c",
            "page otpsd-f5a76268213b6e09 pagerduty.oncall: chat-c",
            "untold other: no route takes it",
        ]
    );
}

#[test]
fn the_hour_at_which_it_is_told_decides() {
    let time = |hour| Time::constant(hour, 0, 0, 0);
    let office = Hours { days: Weekdays::ALL, from: time(8), until: time(18), zone: TimeZone::UTC };
    let mut world = World::new();
    world.plan.routes.page = vec![
        Route { hours: Some(office), ..route(Matcher::default(), &["log.all"]) },
        route(Matcher::default(), &["pagerduty.oncall"]),
    ];
    // The story begins at 04:00 UTC; 48 periods later it is 08:00.
    assert_eq!(
        world.clone().step(46, &[opens(&series("a"), 46)]).concat().split(' ').nth(2),
        Some("pagerduty.oncall:")
    );
    // The verdict on the period that ends at 08:00 is known at 08:02.
    assert_eq!(world.step(47, &[opens(&series("a"), 47)]).concat().split(' ').nth(2), Some("log.all:"));
}

#[test]
fn a_joining_incident_goes_to_its_own_channels() {
    let mut world = World::new();
    world.plan.channels.push(oncall("second"));
    world.plan.routes.page = vec![
        route(models(&["a"]), &["pagerduty.oncall"]),
        route(Matcher::default(), &["pagerduty.oncall", "pagerduty.second"]),
    ];
    world.step(0, &[opens(&series("a"), 0)]);
    assert_eq!(
        world.step(3, &[opens(&series("b"), 3)]),
        [
            // page|us-east-1|5970003: the second receiver has never heard of the first key.
            "page otpsd-f5a75f68213b68f0 pagerduty.second: b",
            "changed otpsd-f5a76268213b6e09 pagerduty.oncall: a b",
        ]
    );
}
