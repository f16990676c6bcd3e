//! Keeps the ledger from growing.

use std::sync::Arc;

use domain::{Ledger, PERIODS_PER_DAY, Period};
use jiff::SignedDuration;
use tokio_util::sync::CancellationToken;

use crate::app::clock::Clock;

/// Readings are kept as long as CloudWatch keeps five-minute data: older ones nothing could be compared with.
const KEEP_PERIODS: i64 = 63 * PERIODS_PER_DAY;
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
            tokio::select! {
                () = self.clock.sleep_until(now.saturating_add(EVERY).unwrap_or(now)) => {}
                () = stop.cancelled() => return,
            }
        }
    }
}
