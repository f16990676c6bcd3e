//! Which calls were made, and what AWS would have billed for them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::Serialize;

use super::clock;
use super::fault::CallSite;

/// How many calls are remembered one by one.
const RECENT_CALLS_MAX: usize = 10_000;

/// One call that was answered, or given up by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallRecord {
    /// When it arrived, by the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub at: Timestamp,
    /// As in [`FaultRule::operation`](super::FaultRule::operation).
    pub operation: String,
    /// The Region of the credential scope; empty for what is not of AWS.
    pub region: String,
    /// The access key that signed; empty for what is not of AWS.
    pub access_key: String,
    /// As in [`FaultRule::resource`](super::FaultRule::resource).
    pub resource: Option<String>,
    /// The HTTP status of the answer, also of one that was lost on its way; 0 while there is none.
    pub status: u16,
    /// `StartTime` and `EndTime` of a `GetMetricData` that was carried out, in Unix seconds.
    pub window: Option<(i64, i64)>,
    /// As [`CallTotals::billed_metrics`], of this call alone.
    pub billed_metrics: u64,
}

/// The sums over all calls of an operation in a Region.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CallTotals {
    /// See [`CallRecord::operation`].
    pub operation: String,
    /// See [`CallRecord::region`].
    pub region: String,
    /// Calls that arrived, whatever became of them.
    pub calls: u64,
    /// Calls that were answered with another status than 2xx.
    pub refused: u64,
    /// Metric data queries that were answered.
    pub queries: u64,
    /// Metrics that were answered, as AWS bills them: up to five statistics of one metric in a call are one.
    pub billed_metrics: u64,
    /// Datapoints that were given.
    pub datapoints: u64,
}

/// What a call was about, for the sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Volume {
    pub(crate) window: Option<(i64, i64)>,
    pub(crate) queries: u64,
    pub(crate) billed_metrics: u64,
    pub(crate) datapoints: u64,
}

/// The calls so far.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    totals: BTreeMap<(String, String), CallTotals>,
    recent: VecDeque<CallRecord>,
    /// Number of the first call in `recent`, so that a call can be found when it is answered.
    first: u64,
}

/// A call that has arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallNumber(u64);

impl Calls {
    pub(crate) fn arrived(&self, at: Timestamp, site: &CallSite) -> CallNumber {
        let mut state = self.lock();
        state.totals_of(site).calls += 1;
        if state.recent.len() == RECENT_CALLS_MAX {
            state.recent.pop_front();
            state.first += 1;
        }
        state.recent.push_back(CallRecord {
            at,
            operation: site.operation.clone(),
            region: site.region.clone(),
            access_key: site.access_key.clone(),
            resource: site.resource.clone(),
            status: 0,
            window: None,
            billed_metrics: 0,
        });
        CallNumber(state.first + state.recent.len() as u64 - 1)
    }

    pub(crate) fn answered(&self, call: CallNumber, site: &CallSite, status: u16, volume: Volume) {
        let mut state = self.lock();
        let totals = state.totals_of(site);
        totals.refused += u64::from(!(200..300).contains(&status));
        totals.queries += volume.queries;
        totals.billed_metrics += volume.billed_metrics;
        totals.datapoints += volume.datapoints;
        let place = call.0.checked_sub(state.first).and_then(|place| usize::try_from(place).ok());
        if let Some(record) = place.and_then(|place| state.recent.get_mut(place)) {
            (record.status, record.window) = (status, volume.window);
            record.billed_metrics = volume.billed_metrics;
        }
    }

    pub(crate) fn totals(&self) -> Vec<CallTotals> {
        self.lock().totals.values().cloned().collect()
    }

    pub(crate) fn recent(&self) -> Vec<CallRecord> {
        self.lock().recent.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn totals_of(&mut self, site: &CallSite) -> &mut CallTotals {
        self.totals.entry((site.operation.clone(), site.region.clone())).or_insert_with(|| CallTotals {
            operation: site.operation.clone(),
            region: site.region.clone(),
            ..CallTotals::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_finds_its_call_even_when_old_ones_are_forgotten() {
        let calls = Calls::default();
        let site = CallSite { operation: "ListMetrics".to_owned(), ..CallSite::default() };
        let forgotten = calls.arrived(Timestamp::UNIX_EPOCH, &site);
        let mut last = forgotten;
        for _ in 0..RECENT_CALLS_MAX {
            last = calls.arrived(Timestamp::UNIX_EPOCH, &site);
        }
        calls.answered(forgotten, &site, 200, Volume::default());
        calls.answered(last, &site, 503, Volume::default());
        let recent = calls.recent();
        assert_eq!(recent.len(), RECENT_CALLS_MAX);
        assert_eq!(recent.iter().filter(|call| call.status != 0).count(), 1);
        assert_eq!(recent.last().map(|call| call.status), Some(503));
        let totals = calls.totals();
        assert_eq!((totals[0].calls, totals[0].refused), (10_001, 1));
    }
}
