//! Whether a series is seen at all. What is not seen is unknown, and never shown as healthy.

use domain::{MissingReason, PERIOD_SECONDS, Verdict};
use jiff::{SignedDuration, Timestamp};

use crate::snapshot::{SeriesStatus, Snapshot};

/// Periods without a completed evaluation, or without a successful poll of a source, after which neither counts any
/// more. Three: one that failed, one that was tried again, and one to spare.
pub const STALE_AFTER_PERIODS: i64 = 3;

/// [`STALE_AFTER_PERIODS`] as time.
pub(crate) const STALE_AFTER: SignedDuration =
    SignedDuration::from_secs(STALE_AFTER_PERIODS * PERIOD_SECONDS);

/// Whether a series is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Its source was read, and the newest readings were judged.
    Seen,
    /// Nobody knows how it is. The time is the last moment at which somebody did, if there was one.
    NotSeen(Option<Timestamp>),
}

impl Sight {
    /// Whether `status` is seen at `now`.
    pub(crate) fn of(snapshot: &Snapshot, status: &SeriesStatus, now: Timestamp) -> Self {
        let judged = status.judged_through.end();
        let source = snapshot
            .sources
            .iter()
            .find(|source| source.name == status.source && source.region == status.series.region());
        let Some(source) = source else { return Self::NotSeen(Some(judged)) };
        if source.failure.is_some() || source.last_success.is_none() {
            return Self::NotSeen(Some(source.last_success.unwrap_or(judged)));
        }
        if matches!(status.current(), Some(slot) if slot.verdict == Verdict::Missing(MissingReason::NotSeen))
        {
            return Self::NotSeen(last_known(status));
        }
        let settle = SignedDuration::try_from(source.settle_delay).unwrap_or(SignedDuration::MAX);
        if now.duration_since(judged) > STALE_AFTER.saturating_add(settle) {
            return Self::NotSeen(Some(judged));
        }
        Self::Seen
    }

    /// Whether it is.
    pub(crate) const fn is_seen(self) -> bool {
        matches!(self, Self::Seen)
    }
}

/// The end of the newest period that the source did answer for.
fn last_known(status: &SeriesStatus) -> Option<Timestamp> {
    let answered =
        status.slots.iter().rev().find(|slot| slot.verdict != Verdict::Missing(MissingReason::NotSeen));
    answered.map(|slot| slot.period).or(status.last_data).map(domain::Period::end)
}
