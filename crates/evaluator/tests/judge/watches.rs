//! Tickets about the last hours and about visibility.

use domain::{Metric, Reading, Statistics};
use evaluator::Settings;

use crate::world::{Figures, HEALTHY, World};

/// 100 requests of 5 s with 400 tokens, of which so many stream with a first token after 1 s.
pub(crate) fn streaming(streamed: f64) -> Reading {
    let mut reading = Figures(5_000.0, 1_000.0, 400.0, 100.0).whole();
    *reading.of_mut(Metric::TimeToFirstToken) = Statistics {
        p50: Some(1_000.0),
        p95: Some(1_000.0),
        sum: Some(1_000.0 * streamed),
        sample_count: Some(streamed),
    };
    reading
}

/// 100 requests of 400 tokens after a first token at 1 s, fifteen of them so many times slower than 100 tokens a second.
pub(crate) fn minority(slower: f64) -> Reading {
    let mut reading = Figures(5_000.0, 1_000.0, 400.0, 100.0).whole();
    let latency = reading.of_mut(Metric::InvocationLatency);
    latency.sum = Some(85.0 * 5_000.0 + 15.0 * (1_000.0 + 4_000.0 * slower));
    // The 95th of 100 is one of the fifteen.
    latency.p95 = Some(1_000.0 + 4_000.0 * slower);
    reading.of_mut(Metric::TimeToFirstToken).p95 = Some(1_000.0);
    reading.of_mut(Metric::OutputTokenCount).p95 = Some(400.0);
    reading
}

#[test]
fn silence_where_there_was_traffic_is_a_ticket_after_six_hours() {
    let mut world = World::healthy();
    world.silence(71);
    assert!(world.told().is_empty());
    world.silence(1);
    assert_eq!(world.told(), ["no_data opened 71"]);
    // One request is not yet traffic; three periods of an hour are.
    world.silence(200).repeat(2, HEALTHY.medians());
    assert_eq!(world.told(), ["no_data opened 71"]);
    world.repeat(1, HEALTHY.medians());
    assert_eq!(world.told(), ["no_data opened 71", "no_data closed 274"]);
}

#[test]
fn nights_and_weekends_that_are_always_silent_are_not_missed() {
    let mut world = World::new(Settings::default());
    // Mondays to Fridays from 8 to 18 o'clock UTC, for five weeks.
    for period in 0..35 * 288 {
        let (day, hour) = (period / 288 % 7, period % 288 / 12);
        let open = day < 5 && (8..18).contains(&hour);
        world.period(open.then(|| HEALTHY.medians()));
    }
    assert!(world.told().is_empty(), "{:?}", world.told());
    // The sixth Monday stays silent: 18 o'clock minus 8 is longer than six hours; from 8 o'clock on traffic is expected.
    let monday = 35 * 288 - 14 * 288;
    world.silence(288);
    assert_eq!(world.told(), [format!("no_data opened {}", monday + 96)]);
}

#[test]
fn another_streaming_share_is_a_ticket_after_a_day() {
    let mut world = World::with_history(Settings::default(), streaming(100.0));
    // Calls that do not stream are charged the mean first token, so that OTPS stays 100 and nothing pages.
    // Each quarter of the day must have lost 15 % of the requests.
    world.repeat(287, streaming(84.0));
    assert!(world.told().is_empty());
    world.repeat(1, streaming(84.0));
    assert_eq!(world.told(), ["streaming_mix opened 287"]);
    world.repeat(288, streaming(100.0));
    assert_eq!(world.told(), ["streaming_mix opened 287", "streaming_mix closed 575"]);
}

#[test]
fn a_burst_of_calls_that_do_not_stream_is_nothing() {
    let mut world = World::with_history(Settings::default(), streaming(100.0));
    for _ in 0..4 {
        world.repeat(48, streaming(40.0)).repeat(240, streaming(100.0));
    }
    assert!(world.told().is_empty());
}

#[test]
fn a_few_slow_requests_are_a_ticket_after_two_hours_and_never_a_page() {
    let mut world = World::with_history(Settings::default(), minority(1.0));
    // Sums: 40,000 tokens in 85 x 4 s + 15 x 16 s = 580 s are 69 a second; the median user keeps 100.
    world.repeat(23, minority(4.0));
    assert!(world.told().is_empty());
    world.repeat(25, minority(4.0));
    assert_eq!(world.told(), ["slow_tail opened 23"]);
    world.repeat(36, minority(1.0));
    assert_eq!(world.told(), ["slow_tail opened 23", "slow_tail closed 71"]);
}

#[test]
fn a_week_of_too_few_requests_is_a_ticket() {
    let mut world = World::healthy();
    // One request a period: five in the widest window, of the ten that are asked for.
    world.repeat(6 * 288, Figures(5_000.0, 1_000.0, 400.0, 1.0).medians());
    assert!(world.told().is_empty());
    world.repeat(288, Figures(5_000.0, 1_000.0, 400.0, 1.0).medians());
    assert_eq!(world.told(), ["low_confidence opened 2015"]);
    world.repeat(3 * 288, HEALTHY.medians());
    assert_eq!(world.told(), ["low_confidence opened 2015", "low_confidence closed 2879"]);
}

#[test]
fn one_and_a_half_percent_a_day_is_erosion_and_no_page() {
    let mut world = World::with_history(Settings::default(), HEALTHY.whole());
    for day in 1..=14 {
        let speed = 100.0 * 0.985_f64.powi(day);
        world.repeat(288, Figures(1_000.0 + 400_000.0 / speed, 1_000.0, 400.0, 200.0).whole());
    }
    // 0.985 to the 11th is 0.847: that day is the first of 15 % and more, and the 13th the third.
    assert_eq!(world.told(), [format!("decode_erosion opened {}", 13 * 288 - 1)]);
    // Back for three days.
    world.repeat(3 * 288, HEALTHY.whole());
    assert_eq!(world.told()[1..], [format!("decode_erosion closed {}", 17 * 288 - 1)]);
}

#[test]
fn one_percent_a_day_for_sixty_days_is_erosion_and_no_page() {
    let mut world = World::with_history(Settings::default(), HEALTHY.whole());
    for day in 1..=60 {
        let speed = 100.0 * 0.99_f64.powi(day);
        world.repeat(288, Figures(1_000.0 + 400_000.0 / speed, 1_000.0, 400.0, 200.0).whole());
    }
    // 0.99 to the 17th is 0.843, the first day of 15 % and more; the 19th is the third. Then it is told every week.
    let said = |day: i64, what: &str| format!("decode_erosion {what} {}", day * 288 - 1);
    let mut expected = vec![said(19, "opened")];
    expected.extend([26, 33, 40, 47, 54].map(|day| said(day, "updated")));
    assert_eq!(world.told(), expected);
}

#[test]
fn a_first_token_that_creeps_by_little_every_week_is_held_against_the_oldest_days() {
    let mut world =
        World::with_history(Settings::default(), Figures(4_800.0, 800.0, 400.0, 200.0).with_prompt(3_000.0));
    // 1.5 % a day is 11 % a week, below the 15 % that show from week to week.
    for day in 1..=24 {
        let ttft = 800.0 * 1.015_f64.powi(day);
        world.repeat(288, Figures(ttft + 4_000.0, ttft, 400.0, 200.0).with_prompt(3_000.0));
    }
    // 1.015 to the 18th is 1.307: the first day of 30 %; the 20th is the third.
    assert_eq!(world.told(), [format!("queueing opened {}", 20 * 288 - 1)]);
}
