//! What sources reach: patterns that fit none of it are mistakes.

use domain::{CloudWatchPlan, Glob};

use crate::hint;
use crate::quote::quoted;
use crate::report::{At, Report};

/// What there is to match, as far as the sources say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach<'s> {
    sources: &'s [CloudWatchPlan],
}

impl<'s> Reach<'s> {
    /// `None` without a source.
    pub(crate) fn of(sources: &'s [CloudWatchPlan]) -> Option<Self> {
        (!sources.is_empty()).then_some(Self { sources })
    }

    /// Warns of a pattern that fits no Region that is read.
    pub(crate) fn region(self, report: &mut Report<'_>, glob: &str, at: At) {
        let regions = self.sources.iter().flat_map(|source| &source.regions).map(String::as_str);
        let message = || format!("no source reads a Region that fits {}", quoted(glob));
        one_of(report, (glob, at), regions.collect(), message);
    }

    /// Warns of a pattern that fits no account that is read, where all of them are known.
    pub(crate) fn account(self, report: &mut Report<'_>, glob: &str, at: At) {
        let known =
            |source: &'s CloudWatchPlan| source.account_id.as_deref().filter(|_| !source.linked_accounts);
        let accounts: Option<Vec<_>> = self.sources.iter().map(known).collect();
        let message = || format!("no source reads an account that fits {}", quoted(glob));
        if let Some(accounts) = accounts {
            one_of(report, (glob, at), accounts, message);
        }
    }

    /// Warns of a pattern that only models fit that no source watches.
    pub(crate) fn model(self, report: &mut Report<'_>, glob: &str, at: At) {
        let glob_of = Glob::new(glob);
        let may_watch = |source: &CloudWatchPlan| {
            let is_included =
                source.include.is_empty() || source.include.iter().any(|one| Glob::new(one).meets(glob_of));
            is_included && !source.ignore.iter().any(|one| Glob::new(one).covers(glob_of))
        };
        if !self.sources.iter().any(may_watch) {
            let message = format!("no source watches a model that fits {}", quoted(glob));
            report.warning(at, message).hint("`include` and `ignore` of the sources leave it out");
        }
    }
}

fn one_of(
    report: &mut Report<'_>,
    (glob, at): (&str, At),
    mut there: Vec<&str>,
    message: impl Fn() -> String,
) {
    if there.iter().any(|other| Glob::new(glob).matches(other)) {
        return;
    }
    there.sort_unstable();
    there.dedup();
    let draft = report.warning(at, message());
    draft.hint(match hint::nearest(glob, there.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("they read {}", hint::listed(&there, "and")),
    });
}
