//! Drains the outbox. It only sends what the ledger owes, and writes down what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use domain::{Channel, DeliveryError, Ledger, Outcome, Owed, OwedState, Retry};
use jiff::SignedDuration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::clock::Clock;
use crate::app::delivery::outcome;
use crate::app::pulse::Pulses;

/// Messages that are looked at in one go.
const BATCH: usize = 500;
/// An attempt that takes longer is given up: the channels' own limits are shorter.
const LONGEST_ATTEMPT: Duration = Duration::from_secs(30);
/// How long to wait after the ledger could not be read or written.
const LEDGER_PAUSE: Duration = Duration::from_secs(1);
/// Looked at least this often, should a wake-up ever be missed.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(60);

pub(crate) struct Deliver {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) channels: BTreeMap<String, Arc<dyn Channel>>,
    pub(crate) metrics: Arc<web::Metrics>,
    pub(crate) clock: Clock,
    /// Something became owed.
    pub(crate) owed: Arc<Notify>,
    /// Something was delivered or failed.
    pub(crate) changed: Arc<Notify>,
    pub(crate) pulses: Pulses,
}

/// What came of one attempt.
struct Attempt {
    owed: Owed,
    result: Result<(), DeliveryError>,
}

impl Deliver {
    /// Runs until `stop`; then what is under way is waited for, and no more begun.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut under_way: JoinSet<Attempt> = JoinSet::new();
        // One message at a time to one channel: its order is kept, and a slow receiver holds up nobody else.
        let mut busy: BTreeSet<String> = BTreeSet::new();
        loop {
            if stop.is_cancelled() && under_way.is_empty() {
                return;
            }
            let mut pause = None;
            if !stop.is_cancelled() {
                match self.ledger.due(self.clock.now(), BATCH).await {
                    Ok(due) => {
                        for owed in due {
                            if busy.insert(owed.message.channel.clone()) {
                                self.begin(owed, &mut under_way);
                            }
                        }
                    }
                    Err(error) => {
                        tracing::error!(%error, hint = error.hint, "the outbox cannot be read");
                        pause = Some(LEDGER_PAUSE);
                    }
                }
            }
            tokio::select! {
                Some(attempt) = under_way.join_next() => {
                    if let Ok(attempt) = attempt {
                        busy.remove(&attempt.owed.message.channel);
                        self.ended(&attempt).await;
                    } else {
                        // A channel that panicked: its message is still owed.
                        busy.clear();
                    }
                }
                () = self.owed.notified(), if pause.is_none() => {}
                () = self.until_due(), if pause.is_none() && !stop.is_cancelled() => {}
                () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {}
                () = stop.cancelled(), if !stop.is_cancelled() => {}
            }
        }
    }

    fn begin(&self, owed: Owed, under_way: &mut JoinSet<Attempt>) {
        let channel = self.channels.get(&owed.message.channel).map(Arc::clone);
        let act = self.pulses.begin(format!("deliver to {}", owed.message.channel), LONGEST_ATTEMPT * 2);
        under_way.spawn(async move {
            let _act = act;
            let result = match channel {
                Some(channel) => {
                    match tokio::time::timeout(LONGEST_ATTEMPT, channel.deliver(&owed.message)).await {
                        Ok(result) => result,
                        Err(_) => Err(timed_out(&owed)),
                    }
                }
                None => Err(not_configured(&owed)),
            };
            Attempt { owed, result }
        });
    }

    async fn ended(&self, attempt: &Attempt) {
        let Attempt { owed, result } = attempt;
        let message = &owed.message;
        let written = outcome(owed, result.as_ref().copied(), self.clock.now());
        let counted = match written.state {
            OwedState::Delivered(_) => web::DeliveryOutcome::Delivered,
            OwedState::Due(_) => web::DeliveryOutcome::Failed,
            OwedState::Refused(_) => web::DeliveryOutcome::Refused,
        };
        self.metrics.delivered(&message.channel, message.kind, counted);
        let (channel, kind, key) = (&message.channel, message.kind.as_str(), &message.key);
        match result {
            Ok(()) => tracing::info!(%channel, kind, %key, "delivered: {}", message.summary),
            Err(error) if error.retry == Retry::Never => {
                tracing::error!(%channel, kind, %key, hint = error.hint, "refused for good: {error}");
            }
            Err(error) => {
                let attempts = owed.attempts + 1;
                tracing::warn!(%channel, kind, %key, attempts, hint = error.hint, "not delivered yet: {error}");
            }
        }
        self.write(written).await;
        self.changed.notify_one();
    }

    /// Writes an outcome down. Where the ledger cannot, the message stays owed, and is sent again with the same key.
    async fn write(&self, outcome: Outcome) {
        if let Err(error) = self.ledger.record(vec![outcome]).await {
            tracing::error!(%error, hint = error.hint, "what came of a delivery cannot be written down");
            tokio::time::sleep(LEDGER_PAUSE).await;
        }
    }

    async fn until_due(&self) {
        let now = self.clock.now();
        let latest = now.saturating_add(LONGEST_WAIT).unwrap_or(now);
        let due = self.ledger.next_due().await.ok().flatten().unwrap_or(latest);
        // What is due already waits for its channel to be free, which is told by a join.
        let due = if due <= now { latest } else { due.min(latest) };
        self.clock.sleep_until(due).await;
    }
}

fn timed_out(owed: &Owed) -> DeliveryError {
    DeliveryError {
        retry: Retry::Backoff,
        message: format!("{}: no answer within {} s", owed.message.channel, LONGEST_ATTEMPT.as_secs()),
        hint: None,
    }
}

fn not_configured(owed: &Owed) -> DeliveryError {
    DeliveryError {
        retry: Retry::Never,
        message: format!("channel `{}` is not configured any more", owed.message.channel),
        hint: Some("configure it again under the same name, and restart".to_owned()),
    }
}
