//! The readings of one series that are still needed, in little memory.

use std::collections::VecDeque;

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Statistic};

/// What is kept of a reading: single precision, `NaN` where there is nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    values: [f32; KEPT.len()],
}

/// The statistics that judgement and diagnosis use. The p95 figures are for graphs, and stay at the edges.
const KEPT: [(Metric, Statistic); 14] = [
    (Metric::InvocationLatency, Statistic::P50),
    (Metric::InvocationLatency, Statistic::Sum),
    (Metric::InvocationLatency, Statistic::SampleCount),
    (Metric::TimeToFirstToken, Statistic::P50),
    (Metric::TimeToFirstToken, Statistic::Sum),
    (Metric::TimeToFirstToken, Statistic::SampleCount),
    (Metric::OutputTokenCount, Statistic::P50),
    (Metric::OutputTokenCount, Statistic::Sum),
    (Metric::InputTokenCount, Statistic::P50),
    (Metric::InputTokenCount, Statistic::Sum),
    (Metric::CacheReadInputTokens, Statistic::Sum),
    (Metric::CacheWriteInputTokens, Statistic::Sum),
    (Metric::InvocationThrottles, Statistic::Sum),
    (Metric::InvocationServerErrors, Statistic::Sum),
];

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $index:literal;)*) => {
        impl Point { $($(#[$doc])* pub(crate) fn $name(&self) -> Option<f64> { self.column($index) })* }
    };
}

columns! {
    latency_p50 = 0;
    latency_sum = 1;
    /// Requests: every one has a latency.
    samples = 2;
    ttft_p50 = 3;
    ttft_sum = 4;
    /// Requests that streamed: only they have a time to first token.
    streamed = 5;
    output_p50 = 6;
    output_sum = 7;
    input_p50 = 8;
    input_sum = 9;
    cache_read = 10;
    cache_write = 11;
    throttles = 12;
    server_errors = 13;
}

impl Point {
    const EMPTY: Self = Self { values: [f32::NAN; KEPT.len()] };

    /// Non-finite values are nothing: they come from no honest source.
    fn column(&self, index: usize) -> Option<f64> {
        let value = self.values[index];
        value.is_finite().then(|| f64::from(value))
    }

    /// Lays what `reading` has over what is here. Says whether anything changed.
    fn lay(&mut self, reading: &Reading) -> bool {
        let mut changed = false;
        for (slot, (metric, statistic)) in self.values.iter_mut().zip(KEPT) {
            if let Some(value) = reading.get(metric, statistic) {
                let value = value as f32;
                changed |= value.to_bits() != slot.to_bits();
                *slot = value;
            }
        }
        changed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.iter().all(|value| !value.is_finite())
    }
}

/// A series holds no more periods than CloudWatch does: 63 days of five minutes, and a week of margin.
const MOST_PERIODS: i64 = 70 * PERIODS_PER_DAY;

/// A contiguous stretch of points.
#[derive(Debug, Clone)]
pub(crate) struct History {
    first: Period,
    points: VecDeque<Point>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { first: Period::from_index(0), points: VecDeque::new() }
    }

    /// The first period that is held.
    pub(crate) fn first(&self) -> Option<Period> {
        (!self.points.is_empty()).then_some(self.first)
    }

    /// The first period after those that are held.
    fn end(&self) -> Period {
        self.first + self.points.len() as i64
    }

    pub(crate) fn get(&self, period: Period) -> Option<&Point> {
        usize::try_from(period - self.first).ok().and_then(|index| self.points.get(index))
    }

    /// Points from `from` up to and without `until`, as far as they are held.
    pub(crate) fn range(
        &self,
        from: Period,
        until: Period,
    ) -> impl Iterator<Item = (Period, &Point)> + Clone {
        let start = (from - self.first).clamp(0, self.points.len() as i64);
        let stop = (until - self.first).clamp(start, self.points.len() as i64);
        let first = self.first;
        self.points
            .range(start as usize..stop as usize)
            .zip(start..)
            .map(move |(point, k)| (first + k, point))
    }

    /// Lays a reading over what is held of its period. Says whether that changed anything; a period too far before the
    /// others changes nothing.
    pub(crate) fn lay(&mut self, period: Period, reading: &Reading) -> bool {
        if self.points.is_empty() || period - self.end() >= MOST_PERIODS {
            self.points.clear();
            self.first = period;
        }
        if period < self.first {
            if self.end() - period > MOST_PERIODS {
                return false;
            }
            while self.first > period {
                self.points.push_front(Point::EMPTY);
                self.first = self.first - 1;
            }
        }
        while self.end() <= period {
            self.points.push_back(Point::EMPTY);
        }
        self.forget_before(self.end() - MOST_PERIODS);
        let index = (period - self.first) as usize;
        self.points[index].lay(reading)
    }
}

impl History {
    /// Forgets what is older than `period`.
    pub(crate) fn forget_before(&mut self, period: Period) {
        while self.first < period && self.points.pop_front().is_some() {
            self.first = self.first + 1;
        }
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
    }

    #[test]
    fn what_is_not_finite_is_nothing() {
        let mut history = History::new();
        history.lay(at(0), &reading(f64::INFINITY));
        assert_eq!(history.get(at(0)).unwrap().latency_p50(), None);
        assert!(history.get(at(0)).unwrap().is_empty());
    }
}
