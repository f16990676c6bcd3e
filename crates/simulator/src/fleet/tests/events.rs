//! Each kind of event does what it says, and nothing else: the same requests are drawn with and without it.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series, Span};

use super::{Summary, is_about, summary};
use crate::fleet::{Event, EventKind, Fleet, ModelSpec, PromptCache, RequestClass, Tokens};

fn spec() -> ModelSpec {
    ModelSpec::steady(Series::new("", "us-east-1", "m"), 300.0, 60.0)
}

/// The hour before its end, without an event of ten hours and with it.
fn compared(spec: &ModelSpec, kind: EventKind, magnitude: f64) -> (Summary, Summary) {
    let origin = Period::first_of_day(20_000);
    let (from, until) = (origin + 100, origin + 220);
    let hour = Span { from: until - PERIODS_PER_HOUR, until };
    let run = |events| {
        let fleet = Fleet::new(11, origin, 2 * PERIODS_PER_DAY, vec![spec.clone()], events);
        let after = summary(&fleet, &spec.series, Span { from: until + 12, until: until + 24 });
        (summary(&fleet, &spec.series, hour), after)
    };
    let (usual, usual_after) = run(Vec::new());
    let event = Event { series: spec.series.clone(), kind, from, until, magnitude };
    let (changed, changed_after) = run(vec![event]);
    if kind != EventKind::Erosion {
        assert_eq!(usual_after, changed_after, "{} is over when it is over", kind.as_str());
    }
    (usual, changed)
}

#[test]
fn slowdowns_take_their_share_of_the_speed_and_leave_the_rest() {
    for kind in
        [EventKind::Slowdown, EventKind::LongSlowdown, EventKind::LevelShift, EventKind::Dip, EventKind::Grey]
    {
        let (usual, slow) = compared(&spec(), kind, 0.35);
        assert!(
            is_about(slow.token_weighted, usual.token_weighted, 0.65, 0.02),
            "{kind:?} {usual:?} {slow:?}"
        );
        assert!(is_about(slow.p50_ratio, usual.p50_ratio, 0.65, 0.02), "{kind:?} {usual:?} {slow:?}");
        let rest = |summary: Summary| (summary.requests, summary.ttft_ms, summary.output, summary.input);
        assert_eq!(rest(slow), rest(usual), "{kind:?}");
    }
    let (usual, fast) = compared(&spec(), EventKind::LevelShift, -0.4);
    assert!(is_about(fast.token_weighted, usual.token_weighted, 1.4, 0.02), "{usual:?} {fast:?}");
}

#[test]
fn most_requests_slow_hits_the_median_user_and_a_minority_does_not() {
    // Four of five take twice as long: 1.8 times the time for the same tokens.
    let (usual, most) = compared(&spec(), EventKind::MostRequestsSlow, 0.5);
    assert!(is_about(most.token_weighted, usual.token_weighted, 1.0 / 1.8, 0.02), "{usual:?} {most:?}");
    assert!(most.p50_ratio < 0.65 * usual.p50_ratio, "{usual:?} {most:?}");
    // 15 of a hundred take five times as long: 1.6 times the time.
    let (usual, tail) = compared(&spec(), EventKind::SlowMinority, 0.8);
    assert!(is_about(tail.token_weighted, usual.token_weighted, 1.0 / 1.6, 0.03), "{usual:?} {tail:?}");
    assert!(tail.p50_ratio > 0.8 * usual.p50_ratio, "{usual:?} {tail:?}");
    assert!(tail.latency_p95_ms > 1.5 * usual.latency_p95_ms, "{usual:?} {tail:?}");
}

#[test]
fn erosion_takes_its_share_at_the_end_and_keeps_it() {
    let origin = Period::first_of_day(20_000);
    let series = spec().series;
    let (from, until) = (origin + 100, origin + 220);
    let event = Event { series: series.clone(), kind: EventKind::Erosion, from, until, magnitude: 0.24 };
    let fleet = Fleet::new(11, origin, 2 * PERIODS_PER_DAY, vec![spec()], vec![event]);
    let of = |at: Period| summary(&fleet, &series, Span { from: at, until: at + 12 }).token_weighted;
    let before = of(from - 20);
    assert!(is_about(of(until + 100), before, 0.76, 0.03), "{before} {}", of(until + 100));
    // Half of the way: the square root of 0.76.
    assert!(is_about(of(origin + 154), before, 0.87, 0.03), "{before} {}", of(origin + 154));
}

#[test]
fn longer_answers_leave_the_speed_alone() {
    for kind in [EventKind::LongerResponses, EventKind::ChattySpell] {
        let (usual, long) = compared(&spec(), kind, 0.6);
        assert!(is_about(long.output, usual.output, 1.6, 0.01), "{kind:?} {usual:?} {long:?}");
        assert!(
            is_about(long.token_weighted, usual.token_weighted, 1.0, 0.01),
            "{kind:?} {usual:?} {long:?}"
        );
        assert_eq!(long.ttft_ms, usual.ttft_ms);
    }
}

#[test]
fn longer_prompts_delay_the_first_token_only() {
    // 240 of the 580 ms go with the prompt: twice the prompt is 1.41 times the first token.
    for kind in [EventKind::BigPromptsSpell, EventKind::PromptGrowth] {
        let (usual, big) = compared(&spec(), kind, 1.0);
        assert!(is_about(big.input, usual.input, 2.0, 0.1), "{kind:?} {usual:?} {big:?}");
        assert!(is_about(big.ttft_ms, usual.ttft_ms, 1.41, 0.06), "{kind:?} {usual:?} {big:?}");
        assert!(is_about(big.token_weighted, usual.token_weighted, 1.0, 0.001), "{kind:?} {usual:?} {big:?}");
    }
}

#[test]
fn a_queue_delays_the_first_token_and_nothing_explains_it() {
    let (usual, queued) = compared(&spec(), EventKind::Queueing, 0.8);
    // The hour before the end is at 95 % of the growth.
    assert!(is_about(queued.ttft_ms, usual.ttft_ms, 1.76, 0.06), "{usual:?} {queued:?}");
    assert_eq!((queued.input, queued.output, queued.requests), (usual.input, usual.output, usual.requests));
    assert!(is_about(queued.token_weighted, usual.token_weighted, 1.0, 0.001), "{usual:?} {queued:?}");
}

#[test]
fn a_lost_cache_moves_tokens_and_delays_the_first_one() {
    for writes in [true, false] {
        let cache = PromptCache { prefix_share: 0.8, hit_share: 0.9, writes };
        let spec = ModelSpec { cache: Some(cache), ..spec() };
        let (usual, lost) = compared(&spec, EventKind::CacheRegression, 1.0);
        let prompt = |summary: Summary| summary.input_sum + summary.cache_read_sum + summary.cache_write_sum;
        assert_eq!(prompt(lost), prompt(usual), "the prompts are the same");
        // By hand: 0.8 x 0.9 of the prompt is read from the cache, and nothing any more.
        assert!(is_about(usual.cache_read_sum, prompt(usual), 0.72, 0.01), "{usual:?}");
        assert_eq!(lost.cache_read_sum, 0.0);
        let written = if writes { 0.8 } else { 0.0 };
        assert!(is_about(lost.cache_write_sum, prompt(usual), written, 0.01), "{lost:?}");
        assert!(is_about(lost.input_sum, prompt(usual), 1.0 - written, 0.01), "{lost:?}");
        assert!(lost.ttft_ms > 1.3 * usual.ttft_ms, "{usual:?} {lost:?}");
    }
}

#[test]
fn requests_that_do_not_stream_lack_a_first_token_and_nothing_else() {
    for kind in [EventKind::StreamingShift, EventKind::NonstreamingBurst] {
        let (usual, changed) = compared(&spec(), kind, 0.4);
        assert_eq!(usual.streamed, usual.requests);
        assert!(is_about(changed.streamed, usual.streamed, 0.6, 0.02), "{kind:?} {usual:?} {changed:?}");
        let rest = |summary: Summary| {
            (summary.requests, summary.output, summary.input, summary.input_sum, summary.latency_p95_ms)
        };
        assert_eq!(rest(changed), rest(usual), "{kind:?}");
    }
}

#[test]
fn silence_is_no_requests() {
    for kind in [EventKind::Gap, EventKind::WentSilent] {
        let (usual, silent) = compared(&spec(), kind, 1.0);
        assert!(usual.requests > 3_000.0);
        assert_eq!((silent.requests, silent.throttles), (0.0, 0.0));
    }
}

#[test]
fn traffic_comes_and_goes_and_a_busy_host_is_a_little_slower() {
    let mut busy = spec();
    busy.decode.load_exponent = 0.06;
    busy.throttle_share = 0.01;
    let (usual, trough) = compared(&busy, EventKind::TrafficTrough, 0.9);
    assert!(is_about(trough.requests, usual.requests, 0.1, 0.02), "{usual:?} {trough:?}");
    let (usual, surge) = compared(&busy, EventKind::LoadSurge, 2.0);
    assert!(is_about(surge.requests, usual.requests, 3.0, 0.1), "{usual:?} {surge:?}");
    // 3 to the power of -0.06.
    assert!(is_about(surge.token_weighted, usual.token_weighted, 0.936, 0.02), "{usual:?} {surge:?}");
    // Three times the requests, and of each nine times the throttles.
    assert!(is_about(usual.throttles, usual.requests, 0.01, 0.005), "{usual:?}");
    assert!(is_about(surge.throttles, surge.requests, 0.09, 0.02), "{surge:?}");
}

#[test]
fn a_mix_that_flips_moves_the_ratio_of_medians_and_not_the_speed() {
    let class = |weight, output, input| RequestClass {
        weight,
        output: Tokens { median: output, sigma: 0.3 },
        input: Tokens { median: input, sigma: 0.4 },
    };
    // Short answers to long prompts, and long ones to short prompts.
    let mixed = ModelSpec { classes: vec![class(0.38, 80.0, 6_000.0), class(0.62, 450.0, 800.0)], ..spec() };
    let (usual, flipped) = compared(&mixed, EventKind::MixShift, 1.1);
    assert!(is_about(flipped.token_weighted, usual.token_weighted, 1.0, 0.05), "{usual:?} {flipped:?}");
    assert!(flipped.p50_ratio < 0.85 * usual.p50_ratio, "{usual:?} {flipped:?}");
}
