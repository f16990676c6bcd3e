//! The history of single series, again and again.

use std::collections::BTreeMap;

use domain::{Plan, Row, Series};
use poller::{Recording, RecordingBuilder};

use super::super::hindsight::Hindsight;
use super::super::progress::Progress;
use super::super::replaying::{self, Detail};
use super::super::two::Two;
use super::super::watched::Watched;
use super::differences::Difference;

/// The history of each of some series by itself.
pub(super) fn recordings(recording: &Recording, series: &[Series]) -> BTreeMap<Series, Recording> {
    if series.is_empty() {
        return BTreeMap::new();
    }
    let all = recording.series();
    let mut builders: BTreeMap<usize, RecordingBuilder> = series
        .iter()
        .filter_map(|one| all.binary_search(one).ok())
        .map(|place| (place, RecordingBuilder::default()))
        .collect();
    for rows in recording.periods() {
        let period = rows.period();
        for (place, reading) in rows.rows() {
            if let Some(builder) = builders.get_mut(&place) {
                builder.add(&Row { series: all[place].clone(), period, reading });
            }
        }
    }
    builders.into_iter().map(|(place, builder)| (all[place].clone(), builder.finish())).collect()
}

/// One series under two configurations, and what lies between them.
pub(super) struct Alone<'a> {
    pub(super) two: &'a Two<'a>,
    pub(super) history: &'a Recording,
    pub(super) progress: &'a Progress,
}

impl Alone<'_> {
    /// With one difference put back, and all else as it is now.
    pub(super) fn put_back(&self, series: &Series, one: &Difference) -> Hindsight {
        let (old, mut plan) = (of_one(self.two.old.plan, series), of_one(self.two.new.plan, series));
        one.copy(&old, &mut plan);
        self.replay(&plan)
    }

    /// With one difference put in, and all else as it was before.
    pub(super) fn put_in(&self, series: &Series, one: &Difference) -> Hindsight {
        let (mut plan, new) = (of_one(self.two.old.plan, series), of_one(self.two.new.plan, series));
        one.copy(&new, &mut plan);
        self.replay(&plan)
    }

    fn replay(&self, plan: &Plan) -> Hindsight {
        let watched = Watched::all(self.history.series());
        replaying::replay(plan, self.history, &watched, self.two.span, Detail::Said, self.progress)
    }
}

/// A plan for one series alone: its rule is the rule.
fn of_one(plan: &Plan, series: &Series) -> Plan {
    Plan { rule: plan.rule_of(series), overrides: Vec::new(), ..plan.clone() }
}
