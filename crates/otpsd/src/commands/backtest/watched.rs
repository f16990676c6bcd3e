//! Which series of a recording the sources of a configuration would read.

use domain::{Plan, Series, SourcePlan, UNKNOWN_ACCOUNT};

/// Which series of a recording are judged, by their place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Watched {
    places: Vec<bool>,
    /// The sources read none of them.
    pub(super) elsewhere: bool,
}

impl Watched {
    /// Those that a source reads. A configuration without a source, or whose sources read none of them, is tried on all: the recording is of
    /// another fleet then, or made up.
    pub(super) fn of(plan: &Plan, series: &[Series]) -> Self {
        let places: Vec<bool> = series.iter().map(|one| reads(plan, one)).collect();
        if plan.sources.is_empty() || !places.contains(&true) {
            let elsewhere = !plan.sources.is_empty() && !series.is_empty();
            return Self { places: vec![true; series.len()], elsewhere };
        }
        Self { places, elsewhere: false }
    }

    pub(super) fn takes(&self, place: usize) -> bool {
        self.places.get(place).copied().unwrap_or_default()
    }

    /// How many are not judged.
    pub(super) fn left_out(&self) -> usize {
        self.places.iter().filter(|taken| !**taken).count()
    }
}

/// Whether a source reads a series: its Region, its account as far as both are known, and its model.
fn reads(plan: &Plan, series: &Series) -> bool {
    plan.sources.iter().any(|SourcePlan::CloudWatch(source)| {
        let is_of_account = series.account() == UNKNOWN_ACCOUNT
            || source.linked_accounts
            || source.account_id.as_deref().is_none_or(|account| account == series.account());
        is_of_account
            && source.regions.iter().any(|region| region == series.region())
            && source.watches(series.model())
    })
}
