//! Two overrides that set one key for a series that is watched. Of patterns that only may meet, the configuration cannot say
//! before the series is there; then it is said once in the log, and shown for as long as it is so.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use config::{Conflict, Origins, conflicts};
use domain::{Plan, Series};
use web::snapshot::OverrideConflict;

/// What is known of the series that were looked at last.
pub(crate) struct Conflicts {
    plan: Arc<Plan>,
    origins: Arc<Origins>,
    series: BTreeSet<Series>,
    found: BTreeMap<Conflict, Whose>,
    /// What the log says already.
    told: BTreeSet<Conflict>,
}

/// The series that it is about: how many, and the first.
struct Whose {
    count: usize,
    first: Series,
}

impl Conflicts {
    pub(crate) fn new(plan: Arc<Plan>, origins: Arc<Origins>) -> Self {
        let (series, found, told) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        Self { plan, origins, series, found, told }
    }

    /// Looks at the series that are watched now. What is found for the first time is logged.
    pub(crate) fn look<'a>(&mut self, series: impl Iterator<Item = &'a Series> + Clone) {
        let is_known = || {
            series.clone().count() == self.series.len() && series.clone().all(|one| self.series.contains(one))
        };
        if self.plan.overrides.len() < 2 || is_known() {
            return;
        }
        self.series = series.cloned().collect();
        self.found.clear();
        for one in &self.series {
            for conflict in conflicts(&self.plan, &self.origins, one) {
                let whose =
                    self.found.entry(conflict).or_insert_with(|| Whose { count: 0, first: one.clone() });
                whose.count += 1;
            }
        }
        for (conflict, whose) in &self.found {
            if self.told.insert(conflict.clone()) {
                tracing::warn!(
                    series = %whose.first, count = whose.count,
                    hint = "set it in one of them, or match so that no series is in both",
                    "two overrides set one key for a series: {conflict}"
                );
            }
        }
    }

    /// What is shown of them.
    pub(crate) fn status(&self) -> Vec<OverrideConflict> {
        let shown = |(conflict, whose): (&Conflict, &Whose)| OverrideConflict {
            what: conflict.to_string(),
            series: whose.count,
            example: whose.first.clone(),
        };
        self.found.iter().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use config::{File, ProcessEnvironment, Purpose, read};

    use super::*;

    const TEXT: &str = "[override.americas]\nmatch = { model = \"us.*\" }\npage-below = 0.7\n\
                        [override.small]\nmatch = { model = \"*haiku*\" }\nmin-samples = 20\npage-below = 0.6\n";

    #[test]
    fn what_two_set_for_a_series_is_known_once_it_is_watched_and_only_while_it_is() {
        let file = File { path: "otpsd.toml".into(), text: TEXT.to_owned() };
        let outcome = read(&[file], Purpose::Backtest, &ProcessEnvironment);
        assert_eq!(outcome.problems, [], "the patterns do not say whether they meet");
        let mut conflicts = Conflicts::new(Arc::new(outcome.plan.unwrap()), Arc::new(outcome.origins));
        let series = ["eu.haiku", "us.haiku-4", "us.haiku-5", "us.sonnet"]
            .map(|model| Series::new("111122223333", "us-east-1", model));
        conflicts.look([&series[0], &series[3]].into_iter());
        assert_eq!(conflicts.status(), []);
        conflicts.look(series.iter());
        let shown = OverrideConflict {
            what: "`page-below` of `[override.americas]` at otpsd.toml:3 holds, not `page-below` of \
                   `[override.small]` at otpsd.toml:7"
                .to_owned(),
            series: 2,
            example: series[1].clone(),
        };
        assert_eq!(conflicts.status(), [shown]);
        assert_eq!(conflicts.told.len(), 1);
        conflicts.look(series[..1].iter());
        assert_eq!(conflicts.status(), []);
        conflicts.look(series.iter());
        assert_eq!((conflicts.status().len(), conflicts.told.len()), (1, 1), "the log has it already");
    }
}
