//! Which sources, and which periods.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    CloudWatchPlan, ExitCode, MetricSet, PERIOD_SECONDS, Period, Plan, Secret, Series, SourcePlan, Span,
};
use jiff::{SignedDuration, Timestamp};

use crate::commands::failed;

/// Who is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Everybody(
    /// Also models that do not stream, and those that `include` and `ignore` leave out.
    pub(crate) bool,
);

/// Who was read before, by the place of the Region in [`super::Outcome::regions`].
pub(crate) type Known = BTreeMap<usize, BTreeSet<Series>>;

/// What is to be read.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Where from, in the order of the configuration.
    pub(crate) sources: Vec<CloudWatchPlan>,
    /// How far back from the end.
    pub(crate) since: SignedDuration,
    /// The end: what had settled then.
    pub(crate) until: Timestamp,
    pub(crate) metrics: MetricSet,
    pub(crate) everybody: Everybody,
    /// Who is not read again.
    pub(crate) known: Known,
}

impl Wanted {
    /// All that a source of a configuration has of the last while, or all that all of them have; or says why that cannot be
    /// asked for.
    pub(crate) fn of(
        plan: &Plan,
        source: Option<&str>,
        since: SignedDuration,
        until: Option<Timestamp>,
    ) -> Result<Self, ExitCode> {
        let all: Vec<&CloudWatchPlan> =
            plan.sources.iter().map(|SourcePlan::CloudWatch(source)| source).collect();
        let sources: Vec<CloudWatchPlan> = all
            .iter()
            .filter(|plan| source.is_none_or(|name| plan.name == name))
            .map(|&plan| plan.clone())
            .collect();
        if sources.is_empty() {
            let names: Vec<&str> = all.iter().map(|plan| plan.name.as_str()).collect();
            let what = source.map_or_else(
                || "the configuration has no source".to_owned(),
                |name| format!("the configuration has no source {name:?}"),
            );
            let hint = match names.as_slice() {
                [] => "a source is a table [source.cloudwatch.NAME]".to_owned(),
                names => format!("it has {}", names.join(", ")),
            };
            return Err(failed(&what, Some(&hint)));
        }
        for source in &sources {
            let external_id = source.role.as_ref().and_then(|role| role.external_id.as_ref());
            // A look at a configuration puts an empty one in the place of one that is not there.
            if external_id.is_some_and(|id: &Secret| id.expose().is_empty()) {
                let what = format!(
                    "the `external-id` of source `{}` is not there, and its role asks for it",
                    source.name
                );
                let hint = "set the variable or the file that it names";
                return Err(failed(&what, Some(hint)));
            }
        }
        let until = until.unwrap_or_else(Timestamp::now);
        let (metrics, everybody, known) = (MetricSet::All, Everybody(false), Known::new());
        Ok(Self { sources, since, until, metrics, everybody, known })
    }

    /// The periods of a source: whole ones, that had settled at the end.
    pub(crate) fn span(&self, plan: &CloudWatchPlan) -> Span {
        let settle_delay = SignedDuration::try_from(plan.settle_delay).unwrap_or(SignedDuration::ZERO);
        let settled = Timestamp::now().min(self.until).saturating_sub(settle_delay);
        let until = Period::containing(settled.unwrap_or(self.until));
        Span { from: until - self.since.as_secs() / PERIOD_SECONDS, until }
    }
}
