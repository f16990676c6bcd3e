//! What creeps becomes a ticket with its cause, and never a page.

use domain::{Metric, Reading, Statistics};
use evaluator::{Effect, Settings};

use crate::world::{Figures, World};

/// Decodes 400 tokens at 100 a second after a first token at `ttft` ms, with a prompt of `prompt` tokens.
fn request(ttft: f64, tokens: f64, prompt: f64) -> Reading {
    Figures(ttft + tokens * 10.0, ttft, tokens, 200.0).with_prompt(prompt)
}

fn world() -> World {
    World::with_history(Settings::default(), request(800.0, 400.0, 3_000.0))
}

#[test]
fn a_growing_prompt_is_a_ticket_after_three_days_and_closes_when_it_is_back() {
    let mut world = world();
    for day in 1..=5 {
        let growth = 1.0 + 0.1 * f64::from(day);
        world.repeat(288, request(800.0 * growth, 400.0, 3_000.0 * growth));
    }
    // +10 % is no evidence; +20, +30, +40 % are: the fourth day is the third of them.
    assert_eq!(world.told(), ["prompt_growth opened 1151"]);
    world.repeat(4 * 288, request(800.0, 400.0, 3_000.0));
    assert_eq!(world.told(), ["prompt_growth opened 1151", "prompt_growth closed 2303"]);
    let keys: Vec<_> = world
        .said
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ticket(ticket) => Some(ticket.key.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_later_first_token_with_the_same_prompt_is_queueing() {
    let mut world = world();
    world.repeat(4 * 288, request(1_200.0, 400.0, 3_000.0));
    assert_eq!(world.told(), ["queueing opened 863"]);
}

#[test]
fn a_cache_that_serves_less_is_a_cache_regression() {
    let cached = |read: f64, ttft: f64| {
        let mut reading = request(ttft, 400.0, 3_000.0 - read);
        *reading.of_mut(Metric::CacheReadInputTokens) =
            Statistics { p50: Some(read), p95: None, sum: Some(read * 200.0), sample_count: Some(200.0) };
        reading
    };
    let mut world = World::with_history(Settings::default(), cached(2_100.0, 500.0));
    world.repeat(4 * 288, cached(200.0, 800.0));
    assert_eq!(world.told(), ["cache_regression opened 863"]);
}

#[test]
fn longer_replies_at_the_same_speed_are_a_ticket() {
    let mut world = world();
    world.repeat(4 * 288, request(800.0, 560.0, 3_000.0));
    assert_eq!(world.told(), ["longer_responses opened 863"]);
}

#[test]
fn one_ticket_for_one_creep() {
    let mut world = world();
    world.repeat(6 * 288, request(1_200.0, 400.0, 3_000.0));
    world.repeat(288, request(1_300.0, 400.0, 5_000.0));
    assert_eq!(world.told(), ["queueing opened 863"], "the cause may shade over, the matter is the same");
}

#[test]
fn two_odd_days_are_nothing() {
    let mut world = world();
    world.repeat(2 * 288, request(1_600.0, 400.0, 3_000.0)).repeat(5 * 288, request(800.0, 400.0, 3_000.0));
    assert!(world.told().is_empty());
}

#[test]
fn while_decoding_is_slow_nothing_else_is_the_story() {
    let mut world = world();
    // First token later and decoding at half speed.
    world.repeat(4 * 288, Figures(9_200.0, 1_200.0, 400.0, 200.0).with_prompt(3_000.0));
    assert_eq!(world.told(), ["page 2", "level_shift opened 863"]);
}

#[test]
fn days_are_the_same_after_a_restart() {
    let mut world = world();
    for day in 1..=6 {
        let reading = match day {
            1..=4 => request(1_200.0, 400.0, 3_000.0),
            _ => request(800.0, 400.0, 3_000.0),
        };
        // In the first minutes of a day and in the middle of it.
        world.repeat(1, reading).restart();
        world.repeat(143, reading).restart();
        world.repeat(144, reading);
    }
    world.repeat(288, request(800.0, 400.0, 3_000.0));
    assert_eq!(world.told(), ["queueing opened 863", "queueing closed 2015"]);
}
