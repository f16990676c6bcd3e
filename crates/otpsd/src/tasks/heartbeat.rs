//! Says that the daemon watches, to somebody who raises the alarm when it does not.
//!
//! A heartbeat is about what was judged, not about a process that runs: it stops when a source cannot be read, when nothing is judged, or
//! when pages do not get through.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{PERIODS_PER_HOUR, Period, Series};
use jiff::{SignedDuration, Timestamp};
use notifier::heartbeat::{CloudWatch, Ping};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use web::{Readiness, Snapshot};

use crate::app::clock::Clock;
use crate::app::pulse::Pulses;

/// How often.
const EVERY: SignedDuration = SignedDuration::from_secs(60);
/// However fast the clock runs, no more often than this.
const SHORTEST_PAUSE: Duration = Duration::from_millis(500);
/// A series that was judged within so many periods is watched.
const FRESH: i64 = PERIODS_PER_HOUR / 4;
/// All heartbeats of one turn.
const LONGEST_ACT: Duration = Duration::from_secs(120);

/// Where heartbeats go.
#[derive(Default)]
pub(crate) struct Heartbeats {
    /// While everything is well.
    pub(crate) daemon: Option<Ping>,
    /// While a source is, by its name.
    pub(crate) sources: BTreeMap<String, Ping>,
    /// How many periods of each source were judged, as a metric.
    pub(crate) metric: Option<CloudWatch>,
}

impl Heartbeats {
    pub(crate) fn is_empty(&self) -> bool {
        self.daemon.is_none() && self.sources.is_empty() && self.metric.is_none()
    }
}

pub(crate) struct Heartbeat {
    pub(crate) heartbeats: Heartbeats,
    pub(crate) snapshots: watch::Receiver<Arc<Snapshot>>,
    pub(crate) clock: Clock,
    pub(crate) pulses: Pulses,
}

impl Heartbeat {
    /// Runs until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut seen = Seen::default();
        loop {
            let now = self.clock.now();
            let beat = async {
                let _act = self.pulses.begin("heartbeat", LONGEST_ACT);
                let snapshot = Arc::clone(&self.snapshots.borrow());
                self.beat(&snapshot, &mut seen, now).await;
                let next = now.saturating_add(EVERY).unwrap_or(now);
                tokio::join!(self.clock.sleep_until(next), tokio::time::sleep(SHORTEST_PAUSE));
            };
            tokio::select! {
                () = beat => {}
                () = stop.cancelled() => return,
            }
        }
    }

    async fn beat(&self, snapshot: &Snapshot, seen: &mut Seen, now: Timestamp) {
        let judged = judged(snapshot, now);
        // Where nothing is watched at all, nothing is wrong, and nobody would learn it.
        let is_whole = judged.values().all(|judged| judged.blind == 0 && judged.stale == 0)
            && judged.values().any(|judged| judged.fresh > 0);
        if let Some(ping) = &self.heartbeats.daemon
            && is_whole
            && Readiness::of(snapshot, now).is_ready()
        {
            said("the daemon", ping.ping().await);
        }
        for (source, judged) in judged {
            if let Some(ping) = self.heartbeats.sources.get(source)
                && judged.is_whole()
            {
                said(source, ping.ping().await);
            }
        }
        if let Some(metric) = &self.heartbeats.metric {
            for (source, periods) in seen.look(snapshot) {
                said(&source, metric.put(&source, periods as f64, now).await);
            }
        }
    }
}

/// Up to where each series had been judged at the last look.
#[derive(Debug, Default)]
struct Seen {
    judged: BTreeMap<Series, Period>,
}

impl Seen {
    /// How many periods of each source were judged since the last look; a source without any is left out. What is seen for the first
    /// time does not count: its history was read at once.
    fn look(&mut self, snapshot: &Snapshot) -> BTreeMap<String, i64> {
        let mut periods: BTreeMap<String, i64> = BTreeMap::new();
        for status in &snapshot.series {
            let before = self.judged.insert(status.series.clone(), status.judged_through);
            let new = before.map_or(0, |before| (status.judged_through - before).max(0));
            if new > 0 {
                *periods.entry(status.source.clone()).or_default() += new;
            }
        }
        periods
    }
}

/// What was judged of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Judged {
    /// Its Regions that could not be read lately.
    blind: usize,
    /// Its series that were judged lately,
    fresh: usize,
    /// and those that were not.
    stale: usize,
}

impl Judged {
    /// Every Region is read, and everything that is watched is judged. A source without series has nothing that could be.
    fn is_whole(self) -> bool {
        self.blind == 0 && self.stale == 0 && self.fresh > 0
    }
}

/// What was judged of each source.
fn judged(snapshot: &Snapshot, now: Timestamp) -> BTreeMap<&str, Judged> {
    let horizon = Period::last_ended(now) - FRESH;
    let mut all: BTreeMap<&str, Judged> = BTreeMap::new();
    for source in &snapshot.sources {
        let is_read = source.last_success.is_some_and(|last| Period::containing(last) >= horizon);
        all.entry(&source.name).or_default().blind += usize::from(!is_read);
    }
    for status in &snapshot.series {
        if let Some(judged) = all.get_mut(status.source.as_str()) {
            let is_fresh = status.judged_through >= horizon;
            judged.fresh += usize::from(is_fresh);
            judged.stale += usize::from(!is_fresh);
        }
    }
    all
}

fn said(what: &str, result: Result<(), String>) {
    if let Err(error) = result {
        tracing::warn!("the heartbeat of {what} was not heard: {error}");
    }
}
