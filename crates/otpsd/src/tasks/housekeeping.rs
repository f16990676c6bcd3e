//! Keeps the ledger from growing.

use std::sync::Arc;

use domain::{Ledger, PERIODS_PER_DAY, Period};
use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::app::clock::Clock;

/// Readings are kept as long as CloudWatch keeps five-minute data: older ones nothing could be compared with.
const KEEP_PERIODS: i64 = 63 * PERIODS_PER_DAY;
/// What is over is kept for a year: somebody will ask whether it was like this at the same time last year.
const KEEP_CLOSED: SignedDuration = SignedDuration::from_hours(366 * 24);
/// How often to look.
const EVERY: SignedDuration = SignedDuration::from_hours(6);

pub(crate) struct Housekeeping {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) clock: Clock,
}

impl Housekeeping {
    /// Runs until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        loop {
            let now = self.clock.now();
            let horizon = Period::containing(now) - KEEP_PERIODS;
            if let Err(error) = self.ledger.forget_readings(horizon).await {
                tracing::warn!(hint = error.hint, "old readings could not be forgotten: {error}");
            }
            let closed = now.saturating_sub(KEEP_CLOSED).unwrap_or(Timestamp::MIN);
            if let Err(error) = self.ledger.forget_closed(closed).await {
                tracing::warn!(hint = error.hint, "what has long been over could not be forgotten: {error}");
            }
            tokio::select! {
                () = self.clock.sleep_until(now.saturating_add(EVERY).unwrap_or(now)) => {}
                () = stop.cancelled() => return,
            }
        }
    }
}
