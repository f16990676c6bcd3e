//! Looks now and then whether somebody is to be told of what stands: silences and windows end, and what could not be written is tried again.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;

use crate::app::clock::Clock;
use crate::app::judging::Judging;
use crate::app::pulse::Pulses;

/// How often: whoever waits for the end of a silence does not wait much longer for the page.
const EVERY: SignedDuration = SignedDuration::from_secs(15);
/// However fast the clock runs, no more often than this.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// While the ledger cannot be written.
const AFTER_A_FAILURE: Duration = Duration::from_secs(1);
/// A tick judges nothing new.
const LONGEST_ACT: Duration = Duration::from_secs(60);

pub(crate) struct Tick {
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) clock: Clock,
    /// There is something new to show.
    pub(crate) changed: Arc<Notify>,
    pub(crate) pulses: Pulses,
}

impl Tick {
    /// Runs until `stop`.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut failed = false;
        loop {
            let now = self.clock.now();
            let ticked = {
                let mut judging = self.judging.lock().await;
                let _act = self.pulses.begin("tick", LONGEST_ACT);
                judging.tick(now).await
            };
            match ticked {
                Ok(told) => {
                    if told || failed {
                        self.changed.notify_one();
                    }
                    failed = false;
                }
                Err(error) => {
                    if !failed {
                        tracing::error!(hint = error.hint, "{error}");
                        self.changed.notify_one();
                    }
                    failed = true;
                }
            }
            let pause = async {
                if failed {
                    tokio::time::sleep(AFTER_A_FAILURE).await;
                } else {
                    let next = now.saturating_add(EVERY).unwrap_or(now);
                    tokio::join!(self.clock.sleep_until(next), tokio::time::sleep(SHORTEST_PAUSE));
                }
            };
            tokio::select! {
                () = pause => {}
                () = stop.cancelled() => return,
            }
        }
    }
}
