//! Drains the outbox. It only sends what the ledger owes, and writes down what came of it.
//!
//! A message is written down as begun before it is handed to its channel, so that nobody believes of one that was under way in a
//! crash that it was never sent. Where that cannot be written, a page goes all the same.
//!
//! # Layout
//!
//! - `schedule`: how much may go to each channel at once.
//! - `in_hand`: pages that could not be written down.

pub(crate) mod in_hand;
mod schedule;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{
    DeliveryError, Ledger, LedgerError, Message, NoticeKind, Outcome, Owed, OwedState, Receipt, Retry,
};
use jiff::SignedDuration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::schedule::Schedule;
use crate::app::clock::Clock;
use crate::app::delivery::outcome;
use crate::app::destinations::{Destination, Destinations};
use crate::app::in_hand::InHand;
use crate::app::pulse::Pulses;

/// Messages that are looked at in one go,
const BATCH: usize = 512;
/// and of these to one channel: as many as may be under way to it at most.
const EACH: usize = 64;
/// An attempt that takes longer is given up: the channels' own limits are shorter.
const LONGEST_ATTEMPT: Duration = Duration::from_secs(30);
/// How long to wait after the ledger could not be read or written.
const LEDGER_PAUSE: Duration = Duration::from_secs(1);
/// Looked at least this often, should a wake-up ever be missed.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(60);

pub(crate) struct Deliver {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) destinations: Destinations,
    pub(crate) metrics: Arc<web::Metrics>,
    pub(crate) clock: Clock,
    pub(crate) in_hand: InHand,
    /// Something was delivered or failed.
    pub(crate) changed: Arc<Notify>,
    pub(crate) pulses: Pulses,
}

/// What came of one attempt.
struct Attempt {
    owed: Owed,
    result: Result<Receipt, DeliveryError>,
}

/// What is under way.
#[derive(Default)]
struct UnderWay {
    attempts: JoinSet<Attempt>,
    schedule: Schedule,
    /// What could not be written down yet. Until it is, these messages look owed, and are not.
    unrecorded: Vec<Outcome>,
    /// Of these it was not even written down that they were begun.
    unbegun: BTreeSet<String>,
}

impl Deliver {
    /// Runs until `stop`; then what is under way is waited for, and no more begun.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut under_way = UnderWay::default();
        loop {
            if stop.is_cancelled() && under_way.attempts.is_empty() {
                return;
            }
            let mut pause = None;
            if !stop.is_cancelled()
                && let Err(error) = self.go_on(&mut under_way).await
            {
                tracing::error!(%error, hint = error.hint, "the outbox cannot be read or written");
                pause = Some(LEDGER_PAUSE);
            }
            let next = under_way.schedule.next();
            tokio::select! {
                Some(first) = under_way.attempts.join_next() => {
                    let mut ended = vec![first];
                    while let Some(one) = under_way.attempts.try_join_next() {
                        ended.push(one);
                    }
                    self.ended(ended.into_iter().flatten().collect(), &mut under_way).await;
                }
                () = self.in_hand.owed(), if pause.is_none() => {}
                () = self.until_due(), if pause.is_none() && !stop.is_cancelled() => {}
                () = until(next), if next.is_some() && !stop.is_cancelled() => {}
                () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {}
                () = stop.cancelled(), if !stop.is_cancelled() => {}
            }
        }
    }

    /// Writes down what could not be, and begins what may be.
    async fn go_on(&self, under_way: &mut UnderWay) -> Result<(), LedgerError> {
        let recorded = self.record(under_way).await;
        let now = Instant::now();
        let full = under_way.schedule.full(now);
        let due = self.ledger.due(self.clock.now(), BATCH, EACH, &full).await?;
        let mut admitted = Vec::new();
        for owed in due {
            let message = &owed.message;
            let is_recorded = under_way.unrecorded.iter().all(|outcome| outcome.id != message.id);
            // What is in hand was, or is being, sent from there.
            if !is_recorded || self.in_hand.has(&message.id) {
                continue;
            }
            let destination = self.destinations.of(message).cloned();
            let limits = limits(destination.as_ref().ok());
            if under_way.schedule.begin(&message.channel, &message.key, limits, now) {
                admitted.push((owed, destination));
            }
        }
        if admitted.is_empty() {
            return recorded;
        }
        let ids = admitted.iter().map(|(owed, _)| owed.message.id.clone()).collect();
        let begun = self.ledger.begin(ids).await;
        for (owed, destination) in admitted {
            let wakes = matches!(owed.message.kind, NoticeKind::Page | NoticeKind::Resolve);
            match &begun {
                Err(_) if !wakes => under_way.schedule.end(&owed.message.channel, &owed.message.key),
                Err(_) => {
                    under_way.unbegun.insert(owed.message.id.clone());
                    self.attempt(owed, destination, &mut under_way.attempts);
                }
                Ok(()) => self.attempt(owed, destination, &mut under_way.attempts),
            }
        }
        recorded.and(begun)
    }

    fn attempt(
        &self,
        owed: Owed,
        destination: Result<Destination, DeliveryError>,
        attempts: &mut JoinSet<Attempt>,
    ) {
        let act = self.pulses.begin(format!("deliver to {}", owed.message.channel), LONGEST_ATTEMPT * 2);
        attempts.spawn(async move {
            let _act = act;
            let result = match destination {
                Ok(destination) => send(&destination, &owed.message, owed.reference.as_deref()).await,
                Err(error) => Err(error),
            };
            Attempt { owed, result }
        });
    }

    async fn ended(&self, ended: Vec<Attempt>, under_way: &mut UnderWay) {
        for Attempt { owed, result } in ended {
            let message = &owed.message;
            let outcome = outcome(&owed, &result, self.clock.now());
            let counted = match outcome.state {
                OwedState::Delivered(_) => web::DeliveryOutcome::Delivered,
                OwedState::Refused(_) => web::DeliveryOutcome::Refused,
                OwedState::Due(_) | OwedState::Standby | OwedState::Withdrawn(_) => {
                    web::DeliveryOutcome::Failed
                }
            };
            self.metrics.delivered(&message.channel, message.kind, counted);
            say(&owed, &result, &outcome);
            under_way.schedule.end(&message.channel, &message.key);
            under_way.unrecorded.push(outcome);
        }
        if let Err(error) = self.record(under_way).await {
            tracing::error!(%error, hint = error.hint, "what came of a delivery cannot be written down yet");
        }
        self.changed.notify_one();
    }

    /// Writes down what came of attempts. Until the ledger takes it, it is kept, and none of these messages is sent again.
    async fn record(&self, under_way: &mut UnderWay) -> Result<(), LedgerError> {
        if under_way.unrecorded.is_empty() {
            return Ok(());
        }
        let unbegun: Vec<String> = under_way.unbegun.iter().cloned().collect();
        if !unbegun.is_empty() {
            self.ledger.begin(unbegun).await?;
            under_way.unbegun.clear();
        }
        self.ledger.record(under_way.unrecorded.clone()).await?;
        under_way.unrecorded.clear();
        Ok(())
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

/// Hands a message to its channel, once.
pub(super) async fn send(
    destination: &Destination,
    message: &Message,
    reference: Option<&str>,
) -> Result<Receipt, DeliveryError> {
    match tokio::time::timeout(LONGEST_ATTEMPT, destination.channel.deliver(message, reference)).await {
        Ok(result) => result,
        Err(_) => Err(DeliveryError {
            retry: Retry::Backoff,
            message: format!("{}: no answer within {} s", message.channel, LONGEST_ATTEMPT.as_secs()),
            hint: None,
        }),
    }
}

/// What a channel takes. One that there is not takes a message to refuse it.
fn limits(destination: Option<&Destination>) -> (usize, Option<u32>) {
    destination.map_or((1, None), |one| (one.in_flight, one.channel.per_minute()))
}

async fn until(next: Option<Instant>) {
    if let Some(next) = next {
        tokio::time::sleep_until(next.into()).await;
    }
}

fn say(owed: &Owed, result: &Result<Receipt, DeliveryError>, outcome: &Outcome) {
    let message = &owed.message;
    let (channel, kind, key) = (&message.channel, message.kind.as_str(), &message.key);
    match result {
        Ok(receipt) => {
            let reference = receipt.reference.as_deref();
            tracing::info!(%channel, kind, %key, reference, "delivered: {}", message.summary);
        }
        Err(error) if matches!(outcome.state, OwedState::Refused(_)) => {
            let why = outcome.error.as_deref().unwrap_or(&error.message);
            tracing::error!(%channel, kind, %key, hint = error.hint, "refused for good: {why}");
        }
        Err(error) => {
            let attempts = owed.attempts + 1;
            tracing::warn!(%channel, kind, %key, attempts, hint = error.hint, "not delivered yet: {error}");
        }
    }
}
