//! Under which names metrics are published.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Metric, Series};

/// Series that have a cache metric under its other name, and those that have it under its own.
///
/// AWS has used two spellings. Each series is asked under the one it has, under both while it changes from one to the
/// other, and under the metric's own name when nothing is known.
#[derive(Debug, Default)]
pub(super) struct Names {
    other: BTreeMap<Metric, BTreeSet<Series>>,
    own: BTreeMap<Metric, BTreeSet<Series>>,
}

impl Names {
    /// The metrics whose name may differ, with their other name.
    pub(super) fn doubtful() -> impl Iterator<Item = (Metric, &'static str)> {
        Metric::ALL.into_iter().filter_map(|metric| Some((metric, metric.other_name()?)))
    }

    /// Notes the series that have `metric` under its own name, and those that have it under the other one.
    pub(super) fn found(&mut self, metric: Metric, own: BTreeSet<Series>, other: BTreeSet<Series>) {
        self.own.insert(metric, own);
        self.other.insert(metric, other);
    }

    /// The names to ask under. The first one's values win.
    pub(super) fn of(&self, metric: Metric, series: &Series) -> Vec<&'static str> {
        let has = |found: &BTreeMap<Metric, BTreeSet<Series>>| {
            found.get(&metric).is_some_and(|all| all.contains(series))
        };
        match metric.other_name().filter(|_| has(&self.other)) {
            None => vec![metric.name()],
            Some(other) if has(&self.own) => vec![metric.name(), other],
            Some(other) => vec![other],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_asked_under_the_names_it_has() {
        let mut names = Names::default();
        let read = Metric::CacheReadInputTokens;
        let series = |model: &str| Series::new("111122223333", "us-east-1", model);
        let all = |models: [&str; 2]| models.map(series).into();
        names.found(read, all(["changing", "new"]), all(["old", "changing"]));
        assert_eq!(names.of(read, &series("new")), ["CacheReadInputTokens"]);
        assert_eq!(names.of(read, &series("unknown")), ["CacheReadInputTokens"]);
        assert_eq!(names.of(read, &series("old")), ["CacheReadInputTokenCount"]);
        assert_eq!(names.of(read, &series("changing")), ["CacheReadInputTokens", "CacheReadInputTokenCount"]);
        assert_eq!(names.of(Metric::CacheWriteInputTokens, &series("old")), ["CacheWriteInputTokens"]);
        assert_eq!(names.of(Metric::InputTokenCount, &series("old")), ["InputTokenCount"]);
        let of_another = Series::new("444455556666", "us-east-1", "old");
        assert_eq!(names.of(read, &of_another), ["CacheReadInputTokens"], "accounts move at their own time");
    }

    #[test]
    fn only_cache_metrics_are_doubtful() {
        let doubtful: Vec<_> = Names::doubtful().collect();
        assert_eq!(
            doubtful,
            [
                (Metric::CacheReadInputTokens, "CacheReadInputTokenCount"),
                (Metric::CacheWriteInputTokens, "CacheWriteInputTokenCount"),
            ]
        );
    }
}
