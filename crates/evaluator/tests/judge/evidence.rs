//! Three slow datapoints are a suspicion: how much evidence a page takes, and whose.

use domain::{EstimatorChoice, MissingReason, Verdict};
use evaluator::{Outlook, Settings};

use crate::watches::{minority, streaming};
use crate::world::{Figures, HEALTHY, SLOW, World, series};

/// Twenty requests of 400 tokens, at such a share of 100 tokens a second.
fn twenty(share: f64) -> domain::Reading {
    Figures(1_000.0 + 4_000.0 / share, 1_000.0, 400.0, 20.0).whole()
}

/// Two weeks that are 7 % faster and slower in turn: ln(1.07) x 1.4826 = 0.1003 is a standard deviation of twenty requests.
fn noisy(noise_sigmas: f64) -> World {
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::TokenWeighted;
    settings.rule.noise_sigmas = noise_sigmas;
    let mut world = World::new(settings);
    for _ in 0..7 * 288 {
        world.repeat(1, twenty(1.07)).repeat(1, twenty(1.0 / 1.07));
    }
    world
}

#[test]
fn a_page_is_surer_than_its_datapoints() {
    // ln(0.85) - ln(0.72) = 0.166. Of n requests a standard deviation is 0.1003 x sqrt(20 / n): 0.0449 of 100, 0.0410 of 120. Four
    // of them, twice what a datapoint takes, are 0.179 and 0.164: the sixth period decides.
    let mut world = noisy(2.0);
    world.repeat(12, twenty(0.72));
    assert_eq!(world.told(), ["page 5"]);
    // With one for a datapoint a page takes two: 0.116 of sixty requests.
    let mut world = noisy(1.0);
    world.repeat(12, twenty(0.72));
    assert_eq!(world.told(), ["page 2"]);
    // With three it takes six: 0.166 / 6 = 0.0277, which 262 requests leave open; fourteen periods hold 280.
    let mut world = noisy(3.0);
    world.repeat(20, twenty(0.72));
    assert_eq!(world.told(), ["page 13"]);
}

#[test]
fn a_datapoint_is_improbable_too() {
    // In turn 60 % faster than the other: ln(1.6) / 2 = 0.235 around the middle, so that 0.348 is a standard deviation of twenty
    // requests and 0.697 are two. Half of the speed (0.693) is below 80 %, and is no news.
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::TokenWeighted;
    let mut world = World::new(settings);
    for _ in 0..7 * 288 {
        world.repeat(1, twenty(1.6_f64.sqrt())).repeat(1, twenty(1.6_f64.sqrt().recip()));
    }
    world.repeat(3, twenty(0.5));
    let verdicts: Vec<_> = world.engine.slots(&series()).iter().map(|slot| slot.verdict).collect();
    assert_eq!(verdicts[2..], [Verdict::Within; 3], "{:?}", world.engine.slots(&series()));
    world.repeat(1, twenty(0.4));
    assert_eq!(world.engine.slots(&series()).last().unwrap().verdict, Verdict::Breaching, "0.92");
}

#[test]
fn a_tail_that_becomes_a_slow_host_pages_by_what_is_slow() {
    // An hour in which fifteen of a hundred requests are slow, then all of them: the surest stretch is that of the slow ones, and
    // it looks like a host.
    let mut world = World::with_history(Settings::default(), minority(1.0));
    let mut slow = Figures(9_000.0, 1_000.0, 400.0, 100.0).whole();
    slow.of_mut(domain::Metric::InvocationLatency).p95 = Some(9_000.0);
    slow.of_mut(domain::Metric::TimeToFirstToken).p95 = Some(1_000.0);
    slow.of_mut(domain::Metric::OutputTokenCount).p95 = Some(400.0);
    world.repeat(12, minority(4.0)).repeat(3, slow);
    assert_eq!(world.told(), ["page 14"]);
}

#[test]
fn a_tail_is_no_page_where_the_sums_decide() {
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::TokenWeighted;
    let mut world = World::with_history(settings, minority(1.0));
    // 69 tokens a second by the sums: every period breaches, and the median user keeps 100.
    world.repeat(30, minority(4.0));
    assert!(world.engine.slots(&series()).iter().all(|slot| slot.verdict == Verdict::Breaching));
    assert_eq!(world.told(), ["slow_tail opened 23"]);
    let outlook = world.engine.explain(&series()).unwrap().outlook;
    assert!(matches!(outlook, Outlook::Withheld(weighed) if weighed.slow_tail), "{outlook:?}");
}

#[test]
fn what_is_neither_clearly_a_tail_nor_a_host_is_not_told() {
    // 70 tokens a second by the sums, which lost 0.357, and 80 by the medians: of the 0.214 by which the two part in a tail, 0.134.
    // The 95th percentile waits longer than by the sums by so much of another 0.214.
    let reading = |more: f64| {
        let wait = 4_000.0 / 0.7;
        let mut reading = minority(1.0);
        let latency = reading.of_mut(domain::Metric::InvocationLatency);
        latency.p50 = Some(6_000.0);
        latency.sum = Some(100.0 * (1_000.0 + wait));
        latency.p95 = Some(1_000.0 + wait * (0.214 * more).exp());
        reading
    };
    // The mean of 0.624 and so much: 0.36 is nearer to a host, 0.5 is neither, 0.65 is a tail.
    for (more, told) in [(0.1, vec!["page 2"]), (0.376, vec![]), (0.676, vec!["slow_tail opened 23"])] {
        let mut settings = Settings::default();
        settings.rule.estimator = EstimatorChoice::TokenWeighted;
        let mut world = World::with_history(settings, minority(1.0));
        world.repeat(30, reading(more));
        assert_eq!(world.told(), told, "{more}");
    }
}

#[test]
fn a_slot_shows_what_its_window_holds() {
    // Six requests a period: a window of two. 800 tokens in 4 s and 8 s are 66.7 a second by the sums.
    let six = |latency: f64| Figures(latency, 1_000.0, 400.0, 6.0).whole();
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::TokenWeighted;
    let mut world = World::with_history(settings.clone(), six(5_000.0));
    world.repeat(1, six(9_000.0));
    let slot = *world.engine.slots(&series()).last().unwrap();
    assert_eq!((slot.window, slot.samples), (2, 12.0));
    assert!((slot.value().unwrap() - 66.67).abs() < 0.01, "{slot:?}");
    assert!((slot.otps.unwrap().p50.unwrap() - 50.0).abs() < 0.01, "the other one is that of the period");
    // Five, and ten are asked for: two periods hold them.
    let five = |latency: f64| Figures(latency, 1_000.0, 400.0, 5.0).whole();
    let mut world = World::with_history(settings, five(5_000.0));
    world.repeat(1, five(9_000.0));
    let slot = *world.engine.slots(&series()).last().unwrap();
    assert_eq!((slot.window, slot.samples), (2, 10.0));
    // Thirty: medians have no sums, so theirs is the mean of the logarithms. The root of 100 x 50 is 70.7.
    let thirty = |latency: f64| Figures(latency, 1_000.0, 400.0, 30.0).whole();
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::P50;
    let mut world = World::with_history(settings, thirty(5_000.0));
    world.repeat(1, thirty(9_000.0));
    let slot = *world.engine.slots(&series()).last().unwrap();
    assert_eq!((slot.window, slot.samples), (2, 60.0));
    assert!((slot.value().unwrap() - 70.71).abs() < 0.01, "{slot:?}");
}

#[test]
fn what_cannot_be_judged_says_why() {
    let verdict = |world: &World| world.engine.slots(&series()).last().unwrap().verdict;
    // Half of the requests do not stream: 50 x 1 s are charged to 350 s of decoding, a seventh of them.
    for estimator in [EstimatorChoice::P50, EstimatorChoice::TokenWeighted, EstimatorChoice::Auto] {
        let mut settings = Settings::default();
        settings.rule.estimator = estimator;
        let mut world = World::with_history(settings, streaming(100.0));
        let mut half = streaming(50.0);
        half.of_mut(domain::Metric::InvocationLatency).sum = Some(450_000.0);
        world.repeat(1, half);
        assert_eq!(verdict(&world), Verdict::Missing(MissingReason::StreamingShift), "{estimator:?}");
    }
    // Sums alone where the medians are asked for.
    let mut settings = Settings::default();
    settings.rule.estimator = EstimatorChoice::P50;
    let mut world = World::with_history(settings, HEALTHY.whole());
    let mut sums = SLOW.whole();
    for metric in domain::Metric::DECODE {
        sums.of_mut(metric).p50 = None;
    }
    world.repeat(5, sums);
    assert_eq!(verdict(&world), Verdict::Missing(MissingReason::IncompleteInputs));
    assert!(world.told().is_empty());
    // By itself the rule takes what is there.
    let mut world = World::with_history(Settings::default(), HEALTHY.whole());
    world.repeat(3, sums);
    assert_eq!((verdict(&world), world.told()), (Verdict::Breaching, vec!["page 2".to_owned()]));
}

#[test]
fn a_recovery_on_its_line_is_one() {
    let mut world = World::healthy();
    world.periods(&[SLOW; 3]).repeat(3, Figures(1_000.0 + 400.0 / 0.085, 1_000.0, 400.0, 200.0).medians());
    assert_eq!(world.told(), ["page 2", "resolve 5"]);
    let mut world = World::healthy();
    world.periods(&[SLOW; 3]).repeat(9, Figures(1_000.0 + 400.0 / 0.084_9, 1_000.0, 400.0, 200.0).medians());
    assert_eq!(world.told(), ["page 2"]);
}

#[test]
fn a_recovery_may_hold_a_period_that_is_not_surely_slow() {
    // 0.80 is below 0.85, and with 2.5 standard deviations of twenty requests (0.25) it may be 1.03. Three periods took 3.07 for 3:
    // 0.978, which 2.5 standard deviations of sixty (0.145) leave above 0.8.
    let mut world = noisy(2.0);
    world.repeat(6, twenty(0.6));
    assert_eq!(world.told(), ["page 2"]);
    for share in [1.1, 0.8, 1.1] {
        world.repeat(1, twenty(share));
    }
    assert_eq!(world.told(), ["page 2", "resolve 8"]);
    // 0.45 is surely slow: 0.58 at most. What was before it does not count.
    let mut world = noisy(2.0);
    world.repeat(6, twenty(0.6));
    for share in [1.4, 1.4, 0.45, 1.4, 1.4] {
        world.repeat(1, twenty(share));
    }
    assert_eq!(world.told(), ["page 2"]);
    world.repeat(1, twenty(1.4));
    assert_eq!(world.told(), ["page 2", "resolve 11"]);
}

#[test]
fn a_recovery_is_surer_than_a_datapoint() {
    // ln(0.9) - ln(0.8) = 0.118 takes 2.5 standard deviations of 0.047: 91 requests. The fifth period makes it a hundred.
    let mut world = noisy(2.0);
    world.repeat(6, twenty(0.6)).repeat(12, twenty(0.9));
    assert_eq!(world.told(), ["page 2", "resolve 10"]);
}

#[test]
fn a_recovery_rests_on_twenty_requests_or_twice_what_a_datapoint_takes() {
    let story = |min_samples: u32, requests: f64| {
        let few = |latency: f64| Figures(latency, 1_000.0, 400.0, requests).whole();
        let mut settings = Settings::default();
        settings.rule.estimator = EstimatorChoice::TokenWeighted;
        settings.rule.min_samples = min_samples;
        let mut world = World::with_history(settings, few(5_000.0));
        world.repeat(48, few(9_000.0)).repeat(12, few(5_000.0));
        world.told().last().unwrap().clone()
    };
    // Three periods of five are fifteen, four are twenty.
    assert_eq!(story(10, 5.0), "resolve 51");
    // With five to a datapoint it is ten: four periods of three.
    assert_eq!(story(5, 3.0), "resolve 51");
    assert_eq!(story(5, 4.0), "resolve 50");
}
