//! What one figure is expected to be, given another.

use domain::Period;

use crate::noise::Noise;
use crate::robust::median;

/// One row to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// When.
    pub period: Period,
    /// What is given.
    pub x: f64,
    /// What is to be expected.
    pub y: f64,
    /// How many requests it is about.
    pub samples: f64,
}

/// The expected `y` at an `x`, learned as medians of `y` in equally filled stretches of `x`, joined by straight lines.
///
/// The medians of latency and of tokens come from different requests, so that their ratio moves with the mix of short and
/// long replies. At one and the same median reply it hardly moves: what is left is the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// By `x`, strictly rising.
    knots: Vec<(f64, f64)>,
    noise: Noise,
}

/// Stretches of `x`. Enough to follow a bend, few enough for each to hold days of data.
const STRETCHES: usize = 12;
/// Fewer rows than this in a stretch say nothing.
const FEWEST_IN_A_STRETCH: usize = 20;

impl Conditional {
    /// Learns from rows in order of time; `None` from too few.
    #[must_use]
    pub fn learn(rows: &[Pair]) -> Option<Self> {
        let mut sorted: Vec<(f64, f64)> = rows.iter().map(|row| (row.x, row.y)).collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let size = (rows.len() / STRETCHES).max(FEWEST_IN_A_STRETCH);
        let mut knots: Vec<(f64, f64)> = Vec::with_capacity(STRETCHES + 1);
        for stretch in sorted.chunks(size).filter(|stretch| stretch.len() >= FEWEST_IN_A_STRETCH) {
            let x = median(&mut stretch.iter().map(|row| row.0).collect::<Vec<_>>())?;
            let y = median(&mut stretch.iter().map(|row| row.1).collect::<Vec<_>>())?;
            match knots.last_mut() {
                Some(last) if x <= last.0 => last.1 = f64::midpoint(last.1, y),
                _ => knots.push((x, y)),
            }
        }
        if knots.is_empty() {
            return None;
        }
        let mut learned = Self { knots, noise: Noise { lasting: 0.0, sampling: 0.0 } };
        let left: Vec<(Period, f64, f64)> =
            rows.iter().map(|row| (row.period, row.y - learned.expected(row.x), row.samples)).collect();
        learned.noise = Noise::learn(&left);
        Some(learned)
    }

    /// The expected `y`; beyond what was seen, that of the nearest `x` that was.
    #[must_use]
    pub fn expected(&self, x: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.0 < x);
        match (after.checked_sub(1).map(|before| self.knots[before]), self.knots.get(after)) {
            (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
            (Some((_, y)), None) | (None, Some(&(_, y))) => y,
            (None, None) => 0.0,
        }
    }

    /// The noise of `y` around it.
    #[must_use]
    pub fn noise(&self) -> Noise {
        self.noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: i64, samples: f64, of: impl Fn(f64) -> (f64, f64)) -> Vec<Pair> {
        (0..count)
            .map(|k| {
                let (x, y) = of(k as f64);
                Pair { period: Period::from_index(k), x, y, samples }
            })
            .collect()
    }

    #[test]
    fn a_bend_is_followed_and_the_ends_are_level() {
        let rows = pairs(1_200, 100.0, |k| (k / 200.0, (k / 200.0 - 3.0).abs()));
        let learned = Conditional::learn(&rows).unwrap();
        assert!((learned.expected(1.0) - 2.0).abs() < 0.02);
        assert!((learned.expected(5.0) - 2.0).abs() < 0.02);
        assert_eq!(learned.expected(-9.0), learned.expected(0.0));
        assert_eq!(learned.expected(99.0), learned.expected(6.0));
    }

    #[test]
    fn constants_and_nothing() {
        assert_eq!(Conditional::learn(&[]), None);
        assert_eq!(Conditional::learn(&pairs(19, 3.0, |_| (1.0, 2.0))), None);
        let level = Conditional::learn(&pairs(400, 3.0, |_| (1.0, 2.0))).unwrap();
        assert_eq!(level.expected(1.0), 2.0);
        assert_eq!(level.expected(7.0), 2.0);
        assert!((level.noise().sigma(50.0) - crate::noise::FLOOR).abs() < 1e-12);
    }

    #[test]
    fn half_of_the_rows_of_a_stretch_may_be_anything() {
        let rows = pairs(1_200, 1.0, |k| (k, if k % 3.0 == 0.0 { 50.0 } else { 1.0 }));
        assert_eq!(Conditional::learn(&rows).unwrap().expected(600.0), 1.0);
    }
}
