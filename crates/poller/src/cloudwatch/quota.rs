//! How much an account may be asked for in a Region.
//!
//! CloudWatch gives an account so many calls and so many datapoints a second in each Region, and everybody shares them:
//! dashboards, exporters, people. So a part of it is left to them, calls wait for their turn before they are made, and
//! where AWS throttles all the same, because others ask too or the account has less, everything slows down at once and
//! comes back bit by bit: additive increase, multiplicative decrease, as TCP does.
//!
//! Source of the figures: Amazon CloudWatch service quotas ("GetMetricData", "ListMetrics"); they are the same in all
//! Regions. The datapoints of a call are those that it could have, and not those that it has: that is how AWS counts.

mod bucket;
mod throttles;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::{Failure, SourceError};

use self::bucket::Bucket;
pub(super) use self::throttles::Throttles;

/// Calls of `GetMetricData` a second.
const CALLS: f64 = 500.0;
/// Calls of `ListMetrics` a second.
const LISTINGS: f64 = 25.0;
/// Datapoints a second of calls that begin within the last three hours.
const RECENT_DATAPOINTS: f64 = 180_000.0;
/// Datapoints a second of calls that begin before that.
const OLD_DATAPOINTS: f64 = 396_000.0;
/// Periods in three hours. A longer call begins before that, whenever now is; a shorter one is counted as if it did not,
/// which is the smaller quota.
const RECENT_PERIODS: i64 = 36;

/// The part of the quotas that is used when nobody is throttled.
const PART: f64 = 0.8;
/// What is left of the pace after it was throttled.
const CUT: f64 = 0.5;
/// However often: 20 calls a second, and some datapoints.
const LEAST: f64 = 1.0 / 16.0;
/// How long the pace takes from nothing to all.
const RECOVERY: Duration = Duration::from_secs(60);
/// Turns of a call that is throttled each time, each of which is several attempts. After that it is the next poll's.
const TURNS: u32 = 4;
/// Throttles within this time are one: calls that were under way together say the same.
const ONE_CUT: Duration = Duration::from_secs(1);

/// The quotas of all accounts and Regions. Sources of the same account share theirs.
#[derive(Debug, Clone)]
pub struct Quotas {
    of: Arc<Mutex<Of>>,
    /// Seconds of quota that pass in one of the wall's.
    rate: f64,
}

/// Those of the wall's clock.
impl Default for Quotas {
    fn default() -> Self {
        Self::at_rate(1.0)
    }
}

/// By account and Region.
type Of = BTreeMap<(String, String), Arc<Quota>>;

/// How an account is asked in a Region, for metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// The account.
    pub account: String,
    /// The Region.
    pub region: String,
    /// The part of the usual pace that is gone at: 1, and less after AWS throttled.
    pub share: f64,
    /// Attempts of calls that AWS throttled since the last time that somebody asked here.
    pub throttled: u64,
    /// How long calls have waited for their turn since then, all together.
    pub waited: Duration,
}

impl Quotas {
    /// Those of a clock that runs so many times as fast as the wall's: a day that is rehearsed in a minute may ask in
    /// that minute for what a day may. `rate` is above 0.
    #[must_use]
    pub fn at_rate(rate: f64) -> Self {
        Self { of: Arc::default(), rate }
    }

    /// The quota of an account in a Region.
    pub(super) fn of(&self, account: &str, region: &str) -> Arc<Quota> {
        let mut all = self.lock();
        let key = (account.to_owned(), region.to_owned());
        Arc::clone(all.entry(key).or_insert_with(|| Arc::new(Quota::new(self.rate, Instant::now()))))
    }

    /// How all of them are asked now, in order. What was counted is counted anew from here.
    #[must_use]
    pub fn paces(&self) -> Vec<Pace> {
        let now = Instant::now();
        let pace = |((account, region), quota): (&(String, String), &Arc<Quota>)| {
            let (share, throttled, waited) = quota.take_counts(now);
            Pace { account: account.clone(), region: region.clone(), share, throttled, waited }
        };
        self.lock().iter().map(pace).collect()
    }

    /// What is in there is whole at every moment.
    fn lock(&self) -> MutexGuard<'_, Of> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// A call of `ListMetrics`.
    Listing,
    /// A call of `GetMetricData`.
    Data {
        /// Over so many periods.
        periods: i64,
        /// With so many queries.
        queries: usize,
    },
    /// A further page of the same.
    Page,
}

/// How often a call took its turn in vain.
#[derive(Debug, Default)]
pub(super) struct Turns {
    throttled: u32,
}

impl Turns {
    /// A call that was throttled, with all the attempts that the SDK makes by itself, takes another turn, at the slower pace
    /// that there is now; so often at most. Any other error is one.
    pub(super) fn again_after(&mut self, error: SourceError) -> Result<(), SourceError> {
        self.throttled += 1;
        if error.failure == Failure::Throttled && self.throttled < TURNS { Ok(()) } else { Err(error) }
    }
}

/// The quota of one account in one Region.
#[derive(Debug)]
pub(super) struct Quota {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    calls: Bucket,
    listings: Bucket,
    recent: Bucket,
    old: Bucket,
    /// The part of the pace at `at`.
    share: f64,
    at: Instant,
    last_cut: Option<Instant>,
    throttled: u64,
    waited: Duration,
    /// How long the pace takes from nothing to all.
    recovery: Duration,
}

impl Quota {
    fn new(rate: f64, now: Instant) -> Self {
        let bucket = |a_second: f64| Bucket::new(a_second * PART * rate, now);
        let state = State {
            calls: bucket(CALLS),
            listings: bucket(LISTINGS),
            recent: bucket(RECENT_DATAPOINTS),
            old: bucket(OLD_DATAPOINTS),
            share: 1.0,
            at: now,
            last_cut: None,
            throttled: 0,
            waited: Duration::ZERO,
            recovery: RECOVERY.div_f64(rate),
        };
        Self { state: Mutex::new(state) }
    }

    /// Takes its turn: how long to wait until the call may be made.
    pub(super) fn take(&self, what: Take, now: Instant) -> Duration {
        let mut state = self.lock();
        state.recover(now);
        let share = state.share;
        let wait = match what {
            Take::Listing => state.listings.take(1.0, share, now),
            Take::Page => state.calls.take(1.0, share, now),
            Take::Data { periods, queries } => {
                let datapoints = periods.max(0) as f64 * queries as f64;
                let of_call = state.calls.take(1.0, share, now);
                let bucket = if periods > RECENT_PERIODS { &mut state.old } else { &mut state.recent };
                of_call.max(bucket.take(datapoints, share, now))
            }
        };
        state.waited += wait;
        wait
    }

    /// AWS throttled an attempt.
    pub(super) fn throttled(&self, now: Instant) {
        let mut state = self.lock();
        state.throttled += 1;
        state.recover(now);
        if state.last_cut.is_none_or(|last| now.saturating_duration_since(last) >= ONE_CUT) {
            state.share = (state.share * CUT).max(LEAST);
            state.last_cut = Some(now);
            // What had been saved up is what AWS did not have.
            let State { calls, listings, recent, old, .. } = &mut *state;
            for bucket in [calls, listings, recent, old] {
                bucket.spend(now);
            }
        }
    }

    fn take_counts(&self, now: Instant) -> (f64, u64, Duration) {
        let mut state = self.lock();
        state.recover(now);
        (state.share, std::mem::take(&mut state.throttled), std::mem::take(&mut state.waited))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The pace comes back with time.
    fn recover(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at);
        self.share = (self.share + passed.as_secs_f64() / self.recovery.as_secs_f64()).min(1.0);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten queries over 35 days: one page.
    const HISTORY: Take = Take::Data { periods: 10_080, queries: 10 };

    fn seconds(wait: Duration) -> f64 {
        wait.as_secs_f64()
    }

    #[test]
    fn a_poll_does_not_wait_and_a_history_is_read_at_the_pace_of_the_quota() {
        let now = Instant::now();
        let quota = Quota::new(1.0, now);
        // 0.8 of 396,000 a second are three pages of 100,800 at once, and then one in a third of a second.
        let waits: Vec<f64> = (0..6).map(|_| seconds(quota.take(HISTORY, now))).collect();
        assert_eq!(waits[..3], [0.0, 0.0, 0.0]);
        let expected = (4.0 * 100_800.0 - 316_800.0) / 316_800.0;
        assert!((waits[3] - expected).abs() < 1e-9, "{waits:?}");
        assert!((waits[5] - waits[4] - 100_800.0 / 316_800.0).abs() < 1e-9, "{waits:?}");
        // What is recent has a quota of its own.
        assert_eq!(quota.take(Take::Data { periods: 4, queries: 500 }, now), Duration::ZERO);
    }

    #[test]
    fn calls_and_listings_are_counted_too() {
        let now = Instant::now();
        let quota = Quota::new(1.0, now);
        let mut pages = (0..401).map(|_| seconds(quota.take(Take::Page, now)));
        assert_eq!(pages.by_ref().take(400).sum::<f64>(), 0.0);
        assert!((pages.next().unwrap() - 1.0 / 400.0).abs() < 1e-9);
        let listings: Vec<f64> = (0..21).map(|_| seconds(quota.take(Take::Listing, now))).collect();
        assert_eq!(listings[19], 0.0);
        assert!((listings[20] - 0.05).abs() < 1e-9, "{}", listings[20]);
    }

    #[test]
    fn throttling_halves_the_pace_at_once_and_time_brings_it_back() {
        let now = Instant::now();
        let quota = Quota::new(1.0, now);
        quota.throttled(now);
        quota.throttled(now + Duration::from_millis(100));
        let at = now + Duration::from_millis(100);
        let (share, throttled, _) = quota.take_counts(at);
        assert!((share - 0.5 - 0.1 / 60.0).abs() < 1e-9, "one cut for those under way together: {share}");
        assert_eq!(throttled, 2);
        // Nothing is saved up: a page takes its time at half the pace.
        let wait = seconds(quota.take(HISTORY, at));
        assert!((0.5..0.7).contains(&wait), "{wait}");
        // Half a minute later it is whole again.
        assert_eq!(quota.take_counts(now + Duration::from_secs(31)).0, 1.0);
        assert_eq!(quota.take_counts(now + Duration::from_secs(31)).1, 0, "counted once");
    }

    #[test]
    fn however_often_it_is_throttled_something_is_asked() {
        let now = Instant::now();
        let quota = Quota::new(1.0, now);
        for second in 0..100 {
            quota.throttled(now + Duration::from_secs(second));
        }
        let at = now + Duration::from_secs(99);
        assert!((quota.take_counts(at).0 - LEAST).abs() < 1e-9);
        // A page of history in five seconds, a poll of 41 models in a fifth of one.
        assert!((4.0..6.0).contains(&seconds(quota.take(HISTORY, at))));
        assert!(seconds(quota.take(Take::Data { periods: 4, queries: 492 }, at)) < 0.25);
    }

    #[test]
    fn on_a_clock_that_runs_faster_a_second_of_quota_is_over_sooner() {
        let now = Instant::now();
        // Twenty listings a second, on a clock of ten seconds a second.
        let quota = Quota::new(10.0, now);
        let listings: Vec<f64> = (0..201).map(|_| seconds(quota.take(Take::Listing, now))).collect();
        assert_eq!(listings[199], 0.0);
        assert!((listings[200] - 0.005).abs() < 1e-9, "{}", listings[200]);
        // Half a minute of that clock after a cut the pace is whole again.
        quota.throttled(now);
        assert_eq!(quota.take_counts(now + Duration::from_secs(3)).0, 1.0);
    }

    #[test]
    fn sources_of_an_account_share_its_quota_and_nobody_elses() {
        let quotas = Quotas::default();
        let [one, same, other, elsewhere] = [
            ("111122223333", "us-east-1"),
            ("111122223333", "us-east-1"),
            ("444455556666", "us-east-1"),
            ("111122223333", "eu-west-1"),
        ]
        .map(|(account, region)| quotas.of(account, region));
        one.throttled(Instant::now());
        assert!(Arc::ptr_eq(&one, &same));
        assert!(!Arc::ptr_eq(&one, &other) && !Arc::ptr_eq(&one, &elsewhere));
        let paces = quotas.paces();
        let throttled: Vec<_> =
            paces.iter().map(|pace| (pace.account.as_str(), pace.region.as_str(), pace.throttled)).collect();
        assert_eq!(
            throttled,
            [
                ("111122223333", "eu-west-1", 0),
                ("111122223333", "us-east-1", 1),
                ("444455556666", "us-east-1", 0)
            ]
        );
    }
}
