//! How the sources are doing, as the last polls left it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::{Series, SourceError};
use jiff::Timestamp;
use web::snapshot::{SourceFailure, SourceStatus};

/// How the sources are doing.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    status: BTreeMap<Place, SourceStatus>,
    series: BTreeMap<Series, String>,
    last_evaluation: Option<Timestamp>,
}

/// A source in a Region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) source: String,
    pub(crate) region: String,
}

impl Sources {
    /// A poisoned lock holds plain values that are whole at every moment.
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A source that will be polled.
    pub(crate) fn configured(&self, place: &Place, settle_delay: Duration) {
        let status = SourceStatus {
            name: place.source.clone(),
            region: place.region.clone(),
            last_success: None,
            failure: None,
            limited: None,
            settle_delay,
        };
        self.inner().status.insert(place.clone(), status);
    }

    /// A poll ended at `now`.
    pub(crate) fn polled(&self, place: &Place, now: Timestamp, result: Result<(), &SourceError>) {
        if let Some(status) = self.inner().status.get_mut(place) {
            match result {
                Ok(()) => {
                    status.last_success = Some(now);
                    status.failure = None;
                }
                Err(error) => {
                    let since = status.failure.as_ref().map_or(now, |failure| failure.since);
                    status.failure = Some(SourceFailure {
                        failure: error.failure,
                        message: error.message.clone(),
                        hint: error.hint.clone(),
                        since,
                    });
                }
            }
        }
    }

    /// A source has these series.
    pub(crate) fn has(&self, place: &Place, series: &[Series]) {
        let mut inner = self.inner();
        for one in series {
            inner.series.insert(one.clone(), place.source.clone());
        }
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

    /// The source that has a series.
    pub(crate) fn of(&self, series: &Series) -> String {
        self.inner().series.get(series).cloned().unwrap_or_default()
    }
}
