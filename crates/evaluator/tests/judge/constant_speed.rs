//! One decode speed that never changes, whatever the replies are like: nobody is told anything, and no datapoint is absurd.

use domain::{
    AlarmState, Estimator, Metric, MissingReason, PERIODS_PER_DAY, Reading, Slot, Statistics, Verdict,
};
use evaluator::Settings;

use crate::world::{World, series};

/// One request: milliseconds to the first token, tokens, and milliseconds of decoding.
#[derive(Debug, Clone, Copy)]
struct Request {
    ttft: f64,
    tokens: f64,
    decode: f64,
}

/// What a source publishes of the requests of a period.
fn reading(requests: &[Request]) -> Reading {
    let of = |figure: fn(&Request) -> f64| {
        let mut values: Vec<f64> = requests.iter().map(figure).collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let p50 = if values.len() % 2 == 1 {
            values[middle]
        } else {
            f64::midpoint(values[middle - 1], values[middle])
        };
        Statistics {
            p50: Some(p50),
            p95: Some(values[(values.len() - 1) * 95 / 100]),
            sum: Some(values.iter().sum()),
            sample_count: Some(values.len() as f64),
        }
    };
    let mut reading = Reading::default();
    *reading.of_mut(Metric::InvocationLatency) = of(|request| request.ttft + request.decode);
    *reading.of_mut(Metric::TimeToFirstToken) = of(|request| request.ttft);
    *reading.of_mut(Metric::OutputTokenCount) = of(|request| request.tokens);
    reading
}

/// Numbers that look random and are the same on every machine.
struct Dice(u64);

impl Dice {
    /// Uniform in 0..1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let h = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((h ^ (h >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Log-normal around `middle`; twelve uniform numbers add up to a normal one.
    fn around(&mut self, middle: f64, spread: f64) -> f64 {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        middle * (spread * normal).exp()
    }

    /// A request of so many tokens at 60 a second, give or take 28 %.
    fn at_sixty(&mut self, tokens: f64) -> Request {
        let tokens = tokens.round().max(2.0);
        Request { ttft: self.around(500.0, 0.35), tokens, decode: tokens / self.around(60.0, 0.28) * 1_000.0 }
    }

    /// A chat: half of the replies are a line of forty tokens, half a page of 450.
    fn chat(&mut self) -> Request {
        let tokens = if self.uniform() < 0.5 { self.around(40.0, 0.4) } else { self.around(450.0, 0.2) };
        self.at_sixty(tokens)
    }

    /// Completions of a dozen tokens, and one in forty of two hundred: such a one is half of what its period decodes.
    fn completion(&mut self) -> Request {
        let tokens = if self.uniform() < 0.025 { self.around(400.0, 0.5) } else { self.around(12.0, 0.6) };
        self.at_sixty(tokens)
    }
}

/// Five weeks from nothing, with every verdict of the days after the first three.
fn five_weeks(mut period: impl FnMut() -> Reading) -> (World, Vec<Slot>) {
    let mut world = World::new(Settings::default());
    let mut slots = Vec::new();
    for k in 0..35 * PERIODS_PER_DAY {
        world.period(Some(period()));
        if k >= 4 * PERIODS_PER_DAY {
            slots.extend(world.engine.slots(&series()).last());
        }
    }
    (world, slots)
}

/// How far the largest of some values lies above the smallest.
fn range(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().fold(0.0, f64::max) / values.fold(f64::INFINITY, f64::min)
}

#[test]
fn replies_of_two_kinds_are_no_slow_host() {
    for requests in [5, 20, 50] {
        let mut dice = Dice(requests as u64);
        let drawn = |dice: &mut Dice| -> Vec<Request> { (0..requests).map(|_| dice.chat()).collect() };
        // The same hour again and again, and requests drawn anew for every period.
        let hour: Vec<Vec<Request>> = (0..12).map(|_| drawn(&mut dice)).collect();
        let mut tiles = hour.iter().cycle();
        for (kind, (world, slots)) in [
            ("tiled", five_weeks(|| reading(tiles.next().unwrap()))),
            ("drawn", five_weeks(|| reading(&drawn(&mut dice)))),
        ] {
            assert!(world.told().is_empty(), "{requests} {kind}: {:?}", world.told());
            assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Ok);
            // The ratio of the medians is all over the place, which is why it does not decide but where every hour is the same.
            let p50 = slots.iter().filter_map(|slot| slot.otps?.p50);
            assert!(range(p50.clone()) > 1.2, "{requests} {kind}: {}", range(p50));
            let by_sums = |slot: &Slot| slot.estimator == Estimator::TokenWeighted;
            assert!(kind == "tiled" || slots.iter().all(by_sums), "{requests}");
            assert!(slots.iter().all(|slot| !matches!(slot.verdict, Verdict::Missing(_))));
        }
    }
}

#[test]
fn a_long_reply_among_short_ones_is_no_slow_host() {
    // A few slow long ones in a row can look like a host, but rarely: once in ten months is the goal.
    let mut pages = Vec::new();
    for (requests, seed) in [5, 20, 50].into_iter().flat_map(|requests| (0..8).map(move |k| (requests, k))) {
        let mut dice = Dice(1_000 * seed + requests);
        let (world, slots) =
            five_weeks(|| reading(&(0..requests).map(|_| dice.completion()).collect::<Vec<_>>()));
        assert!(
            slots.iter().any(|slot| slot.verdict == Verdict::Breaching),
            "some periods are slow by chance"
        );
        pages.extend(world.told().into_iter().filter(|told| !told.starts_with("resolve")));
    }
    assert!(pages.len() <= 2, "in twenty-four months: {pages:?}");
}

#[test]
fn short_replies_that_are_cut_off_do_not_explode() {
    // Replies of up to 150 tokens, most of them cut off there, some of eight; the first token after 240 to 820 ms; 40 tokens a
    // second, give or take 4 %.
    let request = |dice: &mut Dice| {
        let tokens = if dice.uniform() < 0.7 { 150.0 } else { (8.0 + 144.0 * dice.uniform()).round() };
        let speed = 40.0 * (0.96 + 0.08 * dice.uniform());
        Request { ttft: 240.0 + 580.0 * dice.uniform(), tokens, decode: tokens / speed * 1_000.0 }
    };
    for requests in [1, 5, 20, 50] {
        let mut dice = Dice(40 + requests);
        let (world, slots) =
            five_weeks(|| reading(&(0..requests).map(|_| request(&mut dice)).collect::<Vec<_>>()));
        for slot in &slots {
            let sums = slot.otps.unwrap().token_weighted.unwrap();
            assert!((38.3..41.7).contains(&sums), "{requests}: {slot:?}");
            // Medians of different requests: of latency and of the first token, which is up to an eighth of it. What they make of
            // few requests may be far off, and is no speed that a host has for all that.
            let p50 = slot.otps.unwrap().p50.unwrap();
            assert!((20.0..80.0).contains(&p50), "{requests}: {slot:?}");
        }
        if requests == 1 {
            assert!(slots.iter().all(|s| s.verdict == Verdict::Missing(MissingReason::TooFewSamples)));
            assert!(world.told()[0].starts_with("low_confidence opened"), "{:?}", world.told());
        } else {
            assert!(world.told().is_empty(), "{requests}: {:?}", world.told());
        }
    }
}

#[test]
fn a_whole_answer_at_once_is_no_speed() {
    // Every reply of 120 tokens comes within 0.8 ms of its first token: 150,000 tokens a second.
    let at_once = Request { ttft: 2_000.0, tokens: 120.0, decode: 0.8 };
    let (world, slots) = five_weeks(|| reading(&[at_once; 20]));
    assert!(slots.iter().all(|slot| slot.verdict == Verdict::Missing(MissingReason::Implausible)));
    assert_eq!(world.engine.state(&series()).unwrap().state, AlarmState::Learning);
    // Three of twenty hardly move the other seventeen: 2,400 tokens in 17 x 2 s and 2.4 ms are 71 a second, from 60.
    let usual = Request { ttft: 500.0, tokens: 120.0, decode: 2_000.0 };
    let mut mixed = vec![usual; 20];
    mixed[..3].fill(at_once);
    let (world, slots) = five_weeks(|| reading(&mixed));
    let sums = slots[0].otps.unwrap().token_weighted.unwrap();
    assert!((sums - 2_400.0 / (17.0 * 2.0 + 0.0024)).abs() < 0.01, "{sums}");
    assert!(world.told().is_empty(), "{:?}", world.told());
}
