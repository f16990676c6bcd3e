//! Whether every task still gets on: each names the moment by which what it does now must be over.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What every task is at, and until when.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pulses {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    acts: BTreeMap<u64, (String, Instant)>,
}

/// An act that is under way; dropped when it is over, however it ended.
#[derive(Debug)]
pub(crate) struct Act {
    pulses: Pulses,
    id: u64,
}

impl Pulses {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Each change is one insertion or removal.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an act that must be over within `limit`. A failure is an end like any other: a peer that is down is no
    /// reason to be restarted.
    pub(crate) fn begin(&self, name: impl Into<String>, limit: Duration) -> Act {
        self.begin_at(name, limit, Instant::now())
    }

    fn begin_at(&self, name: impl Into<String>, limit: Duration, now: Instant) -> Act {
        let mut inner = self.inner();
        let id = inner.next;
        inner.next += 1;
        inner.acts.insert(id, (name.into(), now + limit));
        Act { pulses: self.clone(), id }
    }

    /// The acts that should have been over.
    pub(crate) fn late(&self) -> Vec<String> {
        self.late_at(Instant::now())
    }

    fn late_at(&self, now: Instant) -> Vec<String> {
        self.inner()
            .acts
            .values()
            .filter(|(_, deadline)| *deadline < now)
            .map(|(name, _)| name.clone())
            .collect()
    }
}

impl Drop for Act {
    fn drop(&mut self) {
        self.pulses.inner().acts.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_late_after_its_limit_until_it_ends() {
        let pulses = Pulses::default();
        let start = Instant::now();
        let second = Duration::from_secs(1);
        let slow = pulses.begin_at("poll main us-east-1", 10 * second, start);
        let fast = pulses.begin_at("deliver", 20 * second, start);
        assert!(pulses.late_at(start + 10 * second).is_empty());
        assert_eq!(pulses.late_at(start + 11 * second), ["poll main us-east-1"]);
        drop(slow);
        assert!(pulses.late_at(start + 11 * second).is_empty());
        assert_eq!(pulses.late_at(start + 21 * second), ["deliver"]);
        drop(fast);
        assert!(pulses.late_at(start + 99 * second).is_empty());
    }
}
