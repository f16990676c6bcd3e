//! A figure, period by period.

/// A figure over a test, from its start on. Before the start it is what it is first, after its end what it was last.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// Runs of periods, each with the number of periods up to its end.
    runs: Vec<(u32, Run)>,
    first: f64,
}

/// Some periods in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Run {
    /// The first value, and what every further one has more.
    Steps { from: f64, step: f64 },
    /// No value is published.
    Missing {
        /// What it is all the same: the last value before, or the first one at all.
        is: f64,
    },
}

/// A figure in one period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// What it is.
    pub is: f64,
    /// Whether it is published: a `_` was not written.
    pub is_published: bool,
}

impl Values {
    /// The same in every period.
    pub(super) fn constant(value: f64) -> Self {
        Self { runs: vec![(1, Run::Steps { from: value, step: 0.0 })], first: value }
    }

    /// Runs with their lengths, not all of them missing.
    pub(super) fn of(runs: Vec<(u32, Option<(f64, f64)>)>) -> Option<Self> {
        let first = runs.iter().find_map(|(_, run)| run.map(|(from, _)| from))?;
        let mut last = first;
        let mut end = 0_u32;
        let mut all = Vec::new();
        for (length, run) in runs {
            end = end.saturating_add(length);
            let run = match run {
                Some((from, step)) => {
                    last = step_by(from, step, length.saturating_sub(1));
                    Run::Steps { from, step }
                }
                None => Run::Missing { is: last },
            };
            all.push((end, run));
        }
        Some(Self { runs: all, first })
    }

    /// In how many periods it is written.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.runs.last().map_or(0, |(end, _)| *end)
    }

    /// Whether it is written in none, which never is so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it is so many periods after the start, or before it.
    #[must_use]
    pub fn at(&self, index: i64) -> Value {
        let Ok(index) = u32::try_from(index) else { return Value { is: self.first, is_published: true } };
        let index = index.min(self.len().saturating_sub(1));
        let place = self.runs.partition_point(|(end, _)| *end <= index);
        let begin = place.checked_sub(1).and_then(|before| self.runs.get(before)).map_or(0, |(end, _)| *end);
        match self.runs.get(place) {
            Some((_, Run::Steps { from, step })) => {
                Value { is: step_by(*from, *step, index - begin), is_published: true }
            }
            Some((_, Run::Missing { is })) => Value { is: *is, is_published: false },
            None => Value { is: self.first, is_published: false },
        }
    }
}

/// Multiplied and not summed up, so that no error adds up.
pub(super) fn step_by(from: f64, step: f64, times: u32) -> f64 {
    from + step * f64::from(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(is: f64) -> Value {
        Value { is, is_published: true }
    }

    #[test]
    fn it_is_what_it_was_first_before_and_last_after() {
        // 100 110, nothing in two, 70.
        let values = Values::of(vec![(2, Some((100.0, 10.0))), (2, None), (1, Some((70.0, 0.0)))]).unwrap();
        assert_eq!(values.len(), 5);
        let seen: Vec<_> = [-4_032, -1, 0, 1, 4, 5, 900].map(|index| values.at(index)).to_vec();
        assert_eq!(seen, [100.0, 100.0, 100.0, 110.0, 70.0, 70.0, 70.0].map(published));
        // What is not published goes on as it was.
        assert_eq!(values.at(2), Value { is: 110.0, is_published: false });
        assert_eq!(values.at(3), values.at(2));
    }

    #[test]
    fn what_begins_or_ends_without_a_value() {
        let begins = Values::of(vec![(1, None), (1, Some((50.0, 0.0)))]).unwrap();
        assert_eq!(begins.at(-1), published(50.0), "history has the first value that there is");
        assert_eq!(begins.at(0), Value { is: 50.0, is_published: false });
        let ends = Values::of(vec![(1, Some((50.0, 0.0))), (1, None)]).unwrap();
        assert_eq!(ends.at(9), Value { is: 50.0, is_published: false }, "it goes on without one");
        assert_eq!(Values::of(vec![(3, None)]), None);
        assert_eq!(Values::constant(2.0).at(7), published(2.0));
    }
}
