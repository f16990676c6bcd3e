//! The facts of the demonstration: which model has what, when, in numbers.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series, Span};

use super::{Summary, is_about, summary};
use crate::Telemetry;
use crate::fleet::{DEMO_HISTORY, DEMO_STORY, Fleet};

fn now() -> Period {
    Period::containing("2026-10-15T09:20:00Z".parse().unwrap())
}

fn series(fleet: &Fleet, name: &str) -> Series {
    fleet.series().into_iter().find(|series| series.model().contains(name)).unwrap()
}

/// Some hours of the story, and the same hours a week before.
fn compared(fleet: &Fleet, name: &str, from: i64, until: i64) -> (Summary, Summary) {
    let hour = |hours| now() + hours * PERIODS_PER_HOUR;
    let span = Span { from: hour(from), until: hour(until) };
    let week = 7 * PERIODS_PER_DAY;
    let before = Span { from: span.from - week, until: span.until - week };
    let series = series(fleet, name);
    (summary(fleet, &series, before), summary(fleet, &series, span))
}

#[test]
fn the_story_is_told_in_order() {
    let fleet = Fleet::demo(1, now());
    let told: Vec<String> = fleet
        .events()
        .iter()
        .map(|event| {
            let hours = (event.from - now()) as f64 / PERIODS_PER_HOUR as f64;
            format!("{hours:+.1} h {}: {}", event.series.model(), event.describe())
        })
        .collect();
    assert_eq!(
        told,
        [
            "-81.3 h us.example.epic-long-v1:0: prompts grow by 114 % over 6 days",
            "+2.0 h us.example.sonnet-large-v1:0: every request decodes 35 % slower for 1 hour",
            "+8.0 h us.example.limerick-small-v1:0: no requests for 2 hours",
            "+14.0 h us.example.couplet-mini-v3:0: one kind of request is 3 times as frequent against the others \
             for 4 hours",
            "+20.0 h us.example.ballad-medium-v2:0: answers are 60 % longer for 10 hours",
        ]
    );
    let last = fleet.events().iter().filter(|event| event.from > now()).map(|event| event.until).max();
    assert!(last.unwrap() < now() + DEMO_STORY);
    assert_eq!(now() - fleet.span().from, DEMO_HISTORY);
    assert!(fleet.span().until > now() + DEMO_STORY);
}

#[test]
fn there_are_six_busy_models_of_one_account() {
    let fleet = Fleet::demo(1, now());
    assert_eq!(fleet.series().len(), 6);
    assert!(fleet.series().iter().all(|series| {
        series.account() == "111122223333"
            && series.region() == "us-east-1"
            && series.model().contains("example")
    }));
    let events = fleet.events();
    for model in fleet.models() {
        let mut counts: Vec<usize> =
            (0..DEMO_HISTORY).map(|offset| model.count(now() - offset - 1)).collect();
        counts.sort_unstable();
        // All but one in a hundred at either end.
        let (few, many) = (counts[counts.len() / 100], counts[counts.len() - 1 - counts.len() / 100]);
        assert!(few >= 60 && many <= 200, "{}: {few} to {many}", model.spec.series);
        let eventful = events.iter().filter(|event| event.series == model.spec.series).count();
        assert_eq!(eventful, usize::from(!model.spec.series.model().contains("elegy")));
    }
}

#[test]
fn one_decodes_a_third_slower_for_an_hour() {
    for seed in 1..4 {
        let fleet = Fleet::demo(seed, now());
        let (usual, slow) = compared(&fleet, "sonnet", 2, 3);
        assert!(is_about(slow.token_weighted, usual.token_weighted, 0.65, 0.08), "{usual:?} {slow:?}");
        assert!(is_about(slow.p50_ratio, usual.p50_ratio, 0.65, 0.08), "{usual:?} {slow:?}");
        let (usual, over) = compared(&fleet, "sonnet", 3, 6);
        assert!(is_about(over.token_weighted, usual.token_weighted, 1.0, 0.1), "{usual:?} {over:?}");
    }
}

#[test]
fn one_has_prompts_that_have_been_growing_for_days() {
    let fleet = Fleet::demo(1, now());
    let growing = series(&fleet, "epic");
    let day = |day: i64| {
        let span = |day| Span { from: Period::first_of_day(day), until: Period::first_of_day(day + 1) };
        (summary(&fleet, &growing, span(day - 7)), summary(&fleet, &growing, span(day)))
    };
    // By day: 7, 21, 36, 50 % of growth of the first token, three quarters of that of the prompt.
    let today = now().day();
    for (day_of, growth) in
        [(today - 4, 0.0), (today - 3, 0.07), (today - 2, 0.21), (today - 1, 0.36), (today, 0.5)]
    {
        let (usual, grown) = day(day_of);
        assert!(is_about(grown.ttft_ms, usual.ttft_ms, 1.0 + growth, 0.04), "{day_of} {usual:?} {grown:?}");
        assert!(
            is_about(grown.token_weighted, usual.token_weighted, 1.0, 0.06),
            "{day_of} {usual:?} {grown:?}"
        );
    }
    let (usual, grown) = day(today);
    assert!(is_about(grown.input, usual.input, 1.66, 0.05), "{usual:?} {grown:?}");
}

#[test]
fn one_gives_longer_answers_at_the_same_speed() {
    let fleet = Fleet::demo(1, now());
    let (usual, chatty) = compared(&fleet, "ballad", 20, 30);
    assert!(is_about(chatty.output, usual.output, 1.6, 0.06), "{usual:?} {chatty:?}");
    assert!(is_about(chatty.token_weighted, usual.token_weighted, 1.0, 0.06), "{usual:?} {chatty:?}");
}

#[test]
fn one_loses_its_requests_for_two_hours() {
    let fleet = Fleet::demo(1, now());
    let (usual, silent) = compared(&fleet, "limerick", 8, 10);
    assert!(usual.requests > 24.0 * 60.0, "{usual:?}");
    assert_eq!(silent.requests, 0.0);
    assert!(compared(&fleet, "limerick", 10, 11).1.requests > 12.0 * 60.0);
}

#[test]
fn one_has_its_mix_turned_around_and_no_request_is_slower() {
    for seed in 1..4 {
        let fleet = Fleet::demo(seed, now());
        let (usual, flipped) = compared(&fleet, "couplet", 14, 18);
        assert!(is_about(flipped.token_weighted, usual.token_weighted, 1.0, 0.05), "{usual:?} {flipped:?}");
        assert!(flipped.p50_ratio < 0.80 * usual.p50_ratio, "{usual:?} {flipped:?}");
    }
}

#[test]
fn one_is_healthy() {
    let fleet = Fleet::demo(1, now());
    let (usual, healthy) = compared(&fleet, "elegy", 0, 36);
    assert!(is_about(healthy.token_weighted, usual.token_weighted, 1.0, 0.05), "{usual:?} {healthy:?}");
    assert!(is_about(healthy.ttft_ms, usual.ttft_ms, 1.0, 0.05), "{usual:?} {healthy:?}");
    assert!(healthy.cache_read_sum > 0.6 * (healthy.cache_read_sum + healthy.input_sum), "{healthy:?}");
}

#[test]
fn an_earlier_end_changes_nothing_before_it() {
    let (whole, cut) = (Fleet::demo(1, now()), Fleet::demo(1, now()).ending(now() + DEMO_STORY));
    assert_eq!(cut.span(), Span { from: whole.span().from, until: now() + DEMO_STORY });
    let slow = series(&whole, "sonnet");
    let last = now() + DEMO_STORY - 1;
    assert!(cut.reading(&slow, last).is_some());
    assert_eq!(cut.reading(&slow, last), whole.reading(&slow, last));
    assert!(whole.reading(&slow, last + 1).is_some());
    assert_eq!(cut.reading(&slow, last + 1), None);
    let expected: Vec<String> =
        crate::labels::of(&cut, 30).iter().map(|label| label.expect.to_string()).collect();
    // In order of the models: longer answers, another mix, growing prompts, no requests, slower decoding.
    assert_eq!(expected, ["none", "none", "ticket:prompt_growth", "none", "page"]);
}
