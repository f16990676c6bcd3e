//! How the sources are doing, as the last polls left it, and which source has which series.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{CloudWatchPlan, LeftOut, Plan, Series, SourceAct, SourceError, SourcePlan};
use evaluator::coverage;
use jiff::Timestamp;
use web::snapshot::{ReadingHistory, SourceFailure, SourceStatus};

/// How the sources are doing.
#[derive(Debug)]
pub(crate) struct Sources {
    plan: Arc<Plan>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    status: BTreeMap<Place, SourceStatus>,
    series: BTreeMap<Series, String>,
    /// Whose series the sources have, as they said.
    accounts: BTreeMap<Place, String>,
    last_evaluation: Option<Timestamp>,
}

/// A source in a Region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) source: String,
    pub(crate) region: String,
}

/// What a poll came to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sight<'a> {
    /// All of it worked.
    Whole,
    /// It was read, and this did not work.
    InPart(SourceAct, &'a SourceError),
    /// Nothing was read.
    Blind(&'a SourceError),
}

impl<'a> Sight<'a> {
    /// What did not work.
    pub(crate) fn trouble(self) -> Option<(SourceAct, &'a SourceError)> {
        match self {
            Self::Whole => None,
            Self::InPart(act, error) => Some((act, error)),
            Self::Blind(error) => Some((SourceAct::Read, error)),
        }
    }
}

impl Sources {
    pub(crate) fn new(plan: Arc<Plan>) -> Self {
        Self { plan, inner: Mutex::default() }
    }

    /// A poisoned lock holds plain values that are whole at every moment.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A source that will be polled, and when it last was, as far as the ledger knows.
    pub(crate) fn configured(&self, place: &Place, settle_delay: Duration, last_success: Option<Timestamp>) {
        let status = SourceStatus {
            name: place.source.clone(),
            region: place.region.clone(),
            last_success,
            failure: None,
            limited: None,
            settle_delay,
            history: None,
        };
        self.inner().status.insert(place.clone(), status);
    }

    /// A poll ended at `now`.
    pub(crate) fn polled(&self, place: &Place, now: Timestamp, sight: Sight<'_>) {
        if let Some(status) = self.inner().status.get_mut(place) {
            let (failed, limited) = (status.failure.take(), status.limited.take());
            match sight {
                Sight::Whole => status.last_success = Some(now),
                Sight::InPart(_, error) => {
                    status.last_success = Some(now);
                    status.limited = Some(failure(error, limited, now));
                }
                Sight::Blind(error) => status.failure = Some(failure(error, failed, now)),
            }
        }
    }

    /// A source has these series.
    pub(crate) fn has<'a>(&self, place: &Place, series: impl IntoIterator<Item = &'a Series>) {
        let mut inner = self.inner();
        for one in series {
            inner.series.insert(one.clone(), place.source.clone());
        }
    }

    /// Whether a source has any series.
    pub(crate) fn has_any(&self, source: &str) -> bool {
        self.inner().series.values().any(|one| one == source)
    }

    /// History is being read at a place, and has been of so many of its series.
    pub(crate) fn reads_history(&self, place: &Place, read: usize, of: usize) {
        self.set_history(place, Some(ReadingHistory { read, of }));
    }

    /// There is none left to be read at a place.
    pub(crate) fn has_read_history(&self, place: &Place) {
        self.set_history(place, None);
    }

    fn set_history(&self, place: &Place, history: Option<ReadingHistory>) {
        if let Some(status) = self.inner().status.get_mut(place) {
            status.history = history;
        }
    }

    /// How far the reading of history is over all places where it is being read; `None` where it is at none.
    pub(crate) fn history(&self) -> Option<ReadingHistory> {
        let inner = self.inner();
        let reading = inner.status.values().filter_map(|status| status.history);
        reading.reduce(|all, one| ReadingHistory { read: all.read + one.read, of: all.of + one.of })
    }

    /// Of new series of a source, those that it has from now on, as `max-series` leaves room over all its Regions, and those that are left
    /// out.
    pub(crate) fn take_up(&self, plan: &CloudWatchPlan, new: Vec<LeftOut>) -> (Vec<Series>, Vec<LeftOut>) {
        let mut inner = self.inner();
        let watched = inner.series.values().filter(|source| **source == plan.name).count();
        let room = usize::try_from(plan.max_series).unwrap_or(usize::MAX).saturating_sub(watched);
        let (taken, left_out) = coverage::taken_up(plan, new, room);
        for one in &taken {
            inner.series.insert(one.clone(), plan.name.clone());
        }
        (taken, left_out)
    }

    /// How many more series of a source may be watched.
    pub(crate) fn room(&self, plan: &CloudWatchPlan) -> usize {
        let watched = self.inner().series.values().filter(|source| **source == plan.name).count();
        usize::try_from(plan.max_series).unwrap_or(usize::MAX).saturating_sub(watched)
    }

    /// How many series a source has in each Region.
    pub(crate) fn by_region(&self, source: &str) -> BTreeMap<String, usize> {
        let mut regions = BTreeMap::new();
        for (series, _) in self.inner().series.iter().filter(|(_, of)| *of == source) {
            *regions.entry(series.region().to_owned()).or_default() += 1;
        }
        regions
    }

    /// What a poll brought has been judged.
    pub(crate) fn evaluated(&self, now: Timestamp) {
        self.inner().last_evaluation = Some(now);
    }

    pub(crate) fn last_evaluation(&self) -> Option<Timestamp> {
        self.inner().last_evaluation
    }

    pub(crate) fn status(&self) -> Vec<SourceStatus> {
        self.inner().status.values().cloned().collect()
    }

    /// A source has said whose series it has in a Region. Says whether it was the last that had not.
    pub(crate) fn belongs(&self, place: &Place, account: &str) -> bool {
        let mut inner = self.inner();
        let before = inner.accounts.insert(place.clone(), account.to_owned());
        before.is_none() && inner.status.keys().all(|place| inner.accounts.contains_key(place))
    }

    /// Whether any source could have a series. One that has not said whose it has, and is not configured to be of an account, may be of
    /// any; so may one that has those of linked accounts too.
    pub(crate) fn could_watch(&self, series: &Series) -> bool {
        !self.could(series).is_empty()
    }

    /// Whether a source is the only one that could have a series.
    pub(crate) fn alone_could(&self, source: &str, series: &Series) -> bool {
        matches!(self.could(series)[..], [only] if only.name() == source)
    }

    fn could(&self, series: &Series) -> Vec<&SourcePlan> {
        let inner = self.inner();
        let could = |SourcePlan::CloudWatch(plan): &&SourcePlan| {
            let place = Place { source: plan.name.clone(), region: series.region().to_owned() };
            let account =
                plan.account_id.as_deref().or_else(|| inner.accounts.get(&place).map(String::as_str));
            (plan.linked_accounts || account.is_none_or(|account| account == series.account()))
                && plan.regions.iter().any(|one| one == series.region())
                && plan.watches(series.model())
        };
        self.plan.sources.iter().filter(could).collect()
    }

    /// The source that has a series. One that no source has claimed since the start, because none could be asked yet, is of
    /// the only source that could have it; where there are several, nobody knows.
    pub(crate) fn of(&self, series: &Series) -> String {
        if let Some(source) = self.inner().series.get(series) {
            return source.clone();
        }
        match self.could(series)[..] {
            [only] => only.name().to_owned(),
            _ => String::new(),
        }
    }
}

fn failure(error: &SourceError, before: Option<SourceFailure>, now: Timestamp) -> SourceFailure {
    SourceFailure {
        failure: error.failure,
        message: error.message.clone(),
        hint: error.hint.clone(),
        since: before.map_or(now, |before| before.since),
    }
}
