//! What one figure is expected to be, given another.

use domain::Period;

use crate::noise::{FLOOR, Noise};
use crate::robust::{median, spread};

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

/// The expected `y` at an `x`, learned as medians of `y` in equally filled stretches of `x`, joined by straight lines; and the
/// noise there.
///
/// The medians of latency and of tokens come from different requests, so that their ratio moves with the mix of short and
/// long replies. At one and the same median reply it hardly moves: what is left is the host. Between two kinds of replies it
/// is anybody's guess, which is why the noise is learned by stretch too.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// By `x`, strictly rising.
    knots: Vec<Knot>,
    /// Variance of `y` that more requests do not reduce.
    lasting: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    x: f64,
    y: f64,
    /// Variance of `y` for a single request's worth of evidence.
    sampling: f64,
}

/// Stretches of `x`. Enough to follow a bend, few enough for each to hold days of data.
const STRETCHES: usize = 12;
/// Fewer rows than this in a stretch say nothing.
const FEWEST_IN_A_STRETCH: usize = 20;

impl Conditional {
    /// Learns from rows in order of time; `None` from too few.
    #[must_use]
    pub fn learn(rows: &[Pair]) -> Option<Self> {
        let mut sorted = rows.to_vec();
        sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.period.cmp(&b.period)));
        let size = (rows.len() / STRETCHES).max(FEWEST_IN_A_STRETCH);
        let mut knots: Vec<Knot> = Vec::with_capacity(STRETCHES + 1);
        for stretch in sorted.chunks(size).filter(|stretch| stretch.len() >= FEWEST_IN_A_STRETCH) {
            let x = stretch[stretch.len() / 2].x;
            let y = median(&mut stretch.iter().map(|row| row.y).collect::<Vec<_>>())?;
            match knots.last_mut() {
                Some(last) if x <= last.x => last.y = f64::midpoint(last.y, y),
                _ => knots.push(Knot { x, y, sampling: 0.0 }),
            }
        }
        if knots.is_empty() {
            return None;
        }
        let mut learned = Self { knots, lasting: 0.0 };
        let left: Vec<(Period, f64, f64)> =
            rows.iter().map(|row| (row.period, row.y - learned.expected(row.x), row.samples)).collect();
        let noise = Noise::learn(&left);
        learned.lasting = noise.lasting;
        let mut from = 0;
        for index in 0..learned.knots.len() {
            // Each knot's own rows: up to half way to the next one.
            let until = match learned.knots.get(index + 1) {
                Some(next) => {
                    let middle = f64::midpoint(learned.knots[index].x, next.x);
                    sorted.partition_point(|row| row.x < middle)
                }
                None => sorted.len(),
            };
            let mut scaled: Vec<f64> = sorted[from..until]
                .iter()
                .map(|row| (row.y - learned.expected(row.x)) * row.samples.max(1.0).sqrt())
                .collect();
            let own = spread(&mut scaled, 0.0).unwrap_or(0.0).powi(2);
            // All of it counts as sampling: what lasts has been counted already, and counting it twice errs toward doubt.
            learned.knots[index].sampling = own;
            from = until;
        }
        Some(learned)
    }

    /// The expected `y`; beyond what was seen, that of the nearest `x` that was.
    #[must_use]
    pub fn expected(&self, x: f64) -> f64 {
        self.at(x, |knot| knot.y)
    }

    /// Variance of `y` around it for a single request's worth of evidence.
    #[must_use]
    pub fn sampling_variance(&self, x: f64) -> f64 {
        self.at(x, |knot| knot.sampling).max(FLOOR * FLOOR)
    }

    /// Variance of `y` that more requests do not reduce.
    #[must_use]
    pub fn lasting_variance(&self) -> f64 {
        self.lasting
    }

    fn at(&self, x: f64, of: impl Fn(&Knot) -> f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.x < x);
        match (after.checked_sub(1).map(|before| &self.knots[before]), self.knots.get(after)) {
            (Some(a), Some(b)) => of(a) + (of(b) - of(a)) * (x - a.x) / (b.x - a.x),
            (Some(knot), None) | (None, Some(knot)) => of(knot),
            (None, None) => 0.0,
        }
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
        assert!(level.sampling_variance(1.0) < 1e-4 && level.lasting_variance() < 1e-12);
    }

    #[test]
    fn the_noise_is_that_of_the_place() {
        // Below 600 every second row strays by 0.1, above by 0.5; at 4 requests a row.
        let stray = |k: f64| if k % 2.0 == 0.0 { 1.0 } else { -1.0 } * if k < 600.0 { 0.1 } else { 0.5 };
        let learned = Conditional::learn(&pairs(1_200, 4.0, |k| (k, stray(k)))).unwrap();
        // A MAD of 0.1 is a sigma of 0.148, and of a single request twice that.
        assert!((learned.sampling_variance(200.0).sqrt() - 0.297).abs() < 0.02);
        assert!((learned.sampling_variance(1_000.0).sqrt() - 1.483).abs() < 0.08);
    }

    #[test]
    fn half_of_the_rows_of_a_stretch_may_be_anything() {
        let rows = pairs(1_200, 1.0, |k| (k, if k % 3.0 == 0.0 { 50.0 } else { 1.0 }));
        assert_eq!(Conditional::learn(&rows).unwrap().expected(600.0), 1.0);
    }
}
