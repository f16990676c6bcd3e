//! The readings of one series that are still needed, in little memory.

use std::collections::VecDeque;

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Statistic, Tier};

use crate::narrow;

/// What is kept of a reading, in 48 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// What OTPS is computed from: single precision, so that a value on a line is on it; `NaN` where there is nothing.
    wide: [f32; WIDE.len()],
    /// What explains, and counts: two bytes each.
    narrow: [u16; NARROW.len()],
    /// What is rarely there, or told roughly: a byte each.
    tiny: [u8; TINY.len()],
    /// Requests that a tier served, a byte each: told as a share, too.
    served: [u8; TIERS.len()],
}

const WIDE: [(Metric, Statistic); 6] = [
    (Metric::InvocationLatency, Statistic::P50),
    (Metric::InvocationLatency, Statistic::Sum),
    (Metric::TimeToFirstToken, Statistic::P50),
    (Metric::TimeToFirstToken, Statistic::Sum),
    (Metric::OutputTokenCount, Statistic::P50),
    (Metric::OutputTokenCount, Statistic::Sum),
];

const NARROW: [(Metric, Statistic); 9] = [
    (Metric::InvocationLatency, Statistic::SampleCount),
    (Metric::TimeToFirstToken, Statistic::SampleCount),
    (Metric::InvocationLatency, Statistic::P95),
    (Metric::TimeToFirstToken, Statistic::P95),
    (Metric::OutputTokenCount, Statistic::P95),
    (Metric::InputTokenCount, Statistic::P50),
    (Metric::InputTokenCount, Statistic::Sum),
    (Metric::CacheReadInputTokens, Statistic::Sum),
    (Metric::CacheWriteInputTokens, Statistic::Sum),
];

const TINY: [(Metric, Statistic); 3] = [
    (Metric::InvocationThrottles, Statistic::Sum),
    (Metric::InvocationServerErrors, Statistic::Sum),
    (Metric::EstimatedTpmQuotaUsage, Statistic::Sum),
];

/// What the default tier served is the rest.
const TIERS: [Tier; 3] = [Tier::Reserved, Tier::Priority, Tier::Flex];

macro_rules! columns {
    ($get:ident: $($(#[$doc:meta])* $name:ident = $index:literal;)*) => {
        impl Point { $($(#[$doc])* pub(crate) fn $name(&self) -> Option<f64> { self.$get($index) })* }
    };
}

columns! { wide:
    latency_p50 = 0;
    latency_sum = 1;
    ttft_p50 = 2;
    ttft_sum = 3;
    output_p50 = 4;
    output_sum = 5;
}

columns! { narrow:
    /// Requests: every one has a latency.
    samples = 0;
    /// Requests that streamed: only they have a time to first token.
    streamed = 1;
    latency_p95 = 2;
    ttft_p95 = 3;
    output_p95 = 4;
    input_p50 = 5;
    input_sum = 6;
    cache_read = 7;
    cache_write = 8;
}

columns! { tiny:
    throttles = 0;
    server_errors = 1;
    /// Tokens of the quota of tokens a minute, about.
    quota_tokens = 2;
}

columns! { tier:
    reserved = 0;
    priority = 1;
    flex = 2;
}

impl Point {
    const EMPTY: Self = Self {
        wide: [f32::NAN; WIDE.len()],
        narrow: [narrow::NOTHING; NARROW.len()],
        tiny: [narrow::TINY_NOTHING; TINY.len()],
        served: [narrow::TINY_NOTHING; TIERS.len()],
    };

    /// Non-finite values are nothing: they come from no honest source.
    fn wide(&self, index: usize) -> Option<f64> {
        let value = self.wide[index];
        value.is_finite().then(|| f64::from(value))
    }

    fn narrow(&self, index: usize) -> Option<f64> {
        narrow::unpack(self.narrow[index])
    }

    fn tiny(&self, index: usize) -> Option<f64> {
        narrow::unpack_tiny(self.tiny[index])
    }

    fn tier(&self, index: usize) -> Option<f64> {
        narrow::unpack_tiny(self.served[index])
    }

    /// Lays what `reading` has over what is here. Says whether anything changed.
    fn lay(&mut self, reading: &Reading) -> bool {
        let mut changed = false;
        for (held, (metric, statistic)) in self.wide.iter_mut().zip(WIDE) {
            if let Some(value) = reading.get(metric, statistic) {
                let value = value as f32;
                changed |= value.to_bits() != held.to_bits();
                *held = value;
            }
        }
        for (held, (metric, statistic)) in self.narrow.iter_mut().zip(NARROW) {
            if let Some(value) = reading.get(metric, statistic) {
                let value = narrow::pack(value);
                changed |= value != *held;
                *held = value;
            }
        }
        for (held, (metric, statistic)) in self.tiny.iter_mut().zip(TINY) {
            if let Some(value) = reading.get(metric, statistic) {
                let value = narrow::pack_tiny(value);
                changed |= value != *held;
                *held = value;
            }
        }
        if Tier::ALL.iter().any(|tier| reading.served(*tier).is_some()) {
            // CloudWatch has nothing of a tier that served none.
            for (held, tier) in self.served.iter_mut().zip(TIERS) {
                let known = narrow::unpack_tiny(*held).unwrap_or(0.0);
                let value = narrow::pack_tiny(reading.served(tier).unwrap_or(known));
                changed |= value != *held;
                *held = value;
            }
        }
        changed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wide.iter().all(|value| !value.is_finite())
            && self.narrow.iter().all(|&code| code == narrow::NOTHING)
            && self.tiny.iter().chain(&self.served).all(|&code| code == narrow::TINY_NOTHING)
    }
}

/// A series holds no more periods than CloudWatch does: 63 days of five minutes, and a week of margin.
const MOST_PERIODS: i64 = 70 * PERIODS_PER_DAY;
/// Points are held by the quarter of a day: what is forgotten is given back in small pieces, and nothing is ever moved.
const BLOCK: i64 = PERIODS_PER_DAY / 4;

type Block = [Point; BLOCK as usize];

/// A contiguous stretch of points.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// The first period that is held, and the first after the last.
    first: Period,
    end: Period,
    /// Quarters of days, the first one containing `first`.
    blocks: VecDeque<Box<Block>>,
}

fn block_of(period: Period) -> i64 {
    period.index().div_euclid(BLOCK)
}

impl History {
    pub(crate) fn new() -> Self {
        Self { first: Period::from_index(0), end: Period::from_index(0), blocks: VecDeque::new() }
    }

    /// The first period that is held.
    pub(crate) fn first(&self) -> Option<Period> {
        (self.first < self.end).then_some(self.first)
    }

    pub(crate) fn get(&self, period: Period) -> Option<&Point> {
        (self.first <= period && period < self.end).then(|| self.held(period))
    }

    /// The point of a period that is held.
    fn held(&self, period: Period) -> &Point {
        let block = (block_of(period) - block_of(self.first)) as usize;
        &self.blocks[block][period.index().rem_euclid(BLOCK) as usize]
    }

    /// Points from `from` up to and without `until`, as far as they are held.
    pub(crate) fn range(
        &self,
        from: Period,
        until: Period,
    ) -> impl Iterator<Item = (Period, &Point)> + Clone {
        let start = from.max(self.first).index();
        let stop = until.min(self.end).index();
        (start..stop).map(|index| {
            let period = Period::from_index(index);
            (period, self.held(period))
        })
    }

    /// Lays a reading over what is held of its period. Says whether that changed anything; a period too far before the
    /// others changes nothing.
    pub(crate) fn lay(&mut self, period: Period, reading: &Reading) -> bool {
        if self.first == self.end || period - self.end >= MOST_PERIODS {
            self.blocks.clear();
            self.blocks.push_back(Box::new([Point::EMPTY; BLOCK as usize]));
            (self.first, self.end) = (period, period + 1);
        }
        if period < self.first {
            if self.end - period > MOST_PERIODS {
                return false;
            }
            for _ in block_of(period)..block_of(self.first) {
                self.blocks.push_front(Box::new([Point::EMPTY; BLOCK as usize]));
            }
            self.first = period;
        }
        if period >= self.end {
            for _ in block_of(self.end - 1)..block_of(period) {
                self.blocks.push_back(Box::new([Point::EMPTY; BLOCK as usize]));
            }
            self.end = period + 1;
            self.forget_before(self.end - MOST_PERIODS);
        }
        let block = (block_of(period) - block_of(self.first)) as usize;
        self.blocks[block][period.index().rem_euclid(BLOCK) as usize].lay(reading)
    }

    /// Forgets what is older than `period`.
    pub(crate) fn forget_before(&mut self, period: Period) {
        if period <= self.first {
            return;
        }
        let period = period.min(self.end);
        if period == self.end {
            self.blocks.clear();
        } else {
            let gone = (block_of(period) - block_of(self.first)) as usize;
            self.blocks.drain(..gone);
            // What is left of the first block must be empty should the stretch ever grow back over it.
            let kept = period.index().rem_euclid(BLOCK) as usize;
            if let Some(block) = self.blocks.front_mut() {
                block[..kept].fill(Point::EMPTY);
            }
        }
        self.first = period;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(latency: f64) -> Reading {
        let mut reading = Reading::default();
        reading.of_mut(Metric::InvocationLatency).p50 = Some(latency);
        reading
    }

    fn at(index: i64) -> Period {
        Period::from_index(index)
    }

    #[test]
    fn any_order_gives_the_same_stretch() {
        let mut history = History::new();
        for index in [5, 3, 8] {
            assert!(history.lay(at(index), &reading(index as f64)));
        }
        assert!(!history.lay(at(5), &reading(5.0)), "the same again is no change");
        let held: Vec<_> = history.range(at(0), at(100)).map(|(p, x)| (p.index(), x.latency_p50())).collect();
        let expected = vec![(3, Some(3.0)), (4, None), (5, Some(5.0)), (6, None), (7, None), (8, Some(8.0))];
        assert_eq!(held, expected);
        assert!(history.get(at(4)).unwrap().is_empty() && history.get(at(2)).is_none());
    }

    #[test]
    fn blocks_do_not_show() {
        let mut history = History::new();
        for index in [700, 100, 71, 72, 1_000] {
            history.lay(at(index), &reading(index as f64));
        }
        let held: Vec<i64> = history
            .range(at(-9), at(9_999))
            .filter(|(_, point)| !point.is_empty())
            .map(|(p, point)| {
                assert_eq!(point.latency_p50(), Some(p.index() as f64));
                p.index()
            })
            .collect();
        assert_eq!(held, [71, 72, 100, 700, 1_000]);
        history.forget_before(at(73));
        history.lay(at(72), &reading(1.0));
        assert_eq!(history.range(at(0), at(101)).filter(|(_, p)| !p.is_empty()).count(), 2);
    }

    #[test]
    fn what_is_old_is_forgotten() {
        let mut history = History::new();
        for index in 0..5 {
            history.lay(at(index), &reading(1.0));
        }
        history.forget_before(at(2));
        assert_eq!(history.first(), Some(at(2)));
        let late = at(2 + MOST_PERIODS);
        assert!(history.lay(late, &reading(2.0)));
        assert_eq!(history.first(), Some(at(3)), "the oldest make room");
        assert!(!history.lay(at(0), &reading(2.0)), "too old");
        assert!(history.lay(at(1_000_000), &reading(2.0)), "a long silence forgets what was before");
        assert_eq!(history.first(), Some(at(1_000_000)));
        history.forget_before(at(2_000_000));
        assert_eq!(history.first(), None);
        assert!(history.lay(at(3), &reading(2.0)), "and it can begin anew");
        assert_eq!(history.first(), Some(at(3)));
    }

    #[test]
    fn where_any_tier_is_read_the_others_served_none() {
        let mut history = History::new();
        history.lay(at(0), &reading(1.0));
        let tiers = |history: &History| {
            let point = history.get(at(0)).unwrap();
            [point.reserved(), point.priority(), point.flex()]
        };
        assert_eq!(tiers(&history), [None; 3]);
        let mut served = Reading::default();
        served.set_served(Tier::Default, Some(90.0));
        assert!(history.lay(at(0), &served));
        assert_eq!(tiers(&history), [Some(0.0); 3]);
        served.set_served(Tier::Priority, Some(12.0));
        assert!(history.lay(at(0), &served) && !history.lay(at(0), &served));
        assert_eq!(tiers(&history), [Some(0.0), Some(12.0), Some(0.0)]);
        assert!(!history.lay(at(0), &reading(1.0)), "a read without tiers says nothing of them");
    }

    #[test]
    fn what_is_not_finite_is_nothing() {
        let mut history = History::new();
        history.lay(at(0), &reading(f64::INFINITY));
        assert_eq!(history.get(at(0)).unwrap().latency_p50(), None);
        assert!(history.get(at(0)).unwrap().is_empty());
    }

    #[test]
    fn two_weeks_stay_under_210_kib() {
        let mut history = History::new();
        for index in 0..20 * PERIODS_PER_DAY {
            history.lay(at(index), &reading(1.0));
            history.forget_before(at(index) - 15 * PERIODS_PER_DAY);
        }
        let bytes = history.blocks.len() * size_of::<Block>()
            + history.blocks.capacity() * size_of::<Box<Block>>()
            + size_of::<History>();
        assert!(bytes < 210 * 1_024, "{bytes}");
    }
}
