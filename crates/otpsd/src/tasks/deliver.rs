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

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{
    DeliveryError, Ledger, LedgerError, Message, NoticeKind, Outcome, Owed, OwedState, Receipt, Retry,
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;
use tokio::task::{Id, JoinError, JoinSet};
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

/// What is under way.
#[derive(Default)]
struct UnderWay {
    attempts: JoinSet<Result<Receipt, DeliveryError>>,
    /// What each of them sends.
    messages: HashMap<Id, Owed>,
    schedule: Schedule,
    /// What could not be written down yet, by the id of its message.
    unrecorded: BTreeMap<String, Unrecorded>,
    /// When messages that failed are tried again.
    retries: BTreeSet<Timestamp>,
    /// The latest time that was seen: what was due stays so when the clock is set back.
    latest: Option<Timestamp>,
    /// The ledger could not be read or written the last time.
    failing: bool,
}

/// What came of attempts, as long as it could not be written down.
struct Unrecorded {
    outcome: Outcome,
    /// Attempts that were not even written down as begun.
    unbegun: u32,
}

impl UnderWay {
    /// Whether a message may be tried at `now`, as far as is known of attempts that could not be written down.
    fn may_try(&self, id: &str, now: Timestamp) -> bool {
        match self.unrecorded.get(id).map(|one| &one.outcome.state) {
            None => true,
            Some(OwedState::Due(at)) => *at <= now,
            Some(_) => false,
        }
    }
}

impl Deliver {
    /// Runs until `stop`; then what is under way is waited for, and no more begun.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut under_way = UnderWay::default();
        loop {
            // Looked at once a turn: between two looks it may be told to stop, and then nothing would be waited for but more work.
            let stopping = stop.is_cancelled();
            if stopping && under_way.attempts.is_empty() {
                return;
            }
            if !stopping {
                let done = self.go_on(&mut under_way).await;
                self.note(done, &mut under_way);
            }
            let pause = under_way.failing.then_some(LEDGER_PAUSE);
            let next = under_way.schedule.next();
            tokio::select! {
                Some(first) = under_way.attempts.join_next_with_id() => {
                    let mut ended = vec![first];
                    while let Some(one) = under_way.attempts.try_join_next_with_id() {
                        ended.push(one);
                    }
                    self.ended(ended, &mut under_way).await;
                }
                () = self.in_hand.owed(), if pause.is_none() => {}
                () = self.until_due(&under_way.retries), if pause.is_none() && !stopping => {}
                () = until(next), if next.is_some() && !stopping => {}
                () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {}
                () = stop.cancelled(), if !stopping => {}
            }
        }
    }

    /// Says when the ledger ceases to do its part, and when it does it again.
    fn note(&self, done: Result<(), LedgerError>, under_way: &mut UnderWay) {
        match done {
            Ok(()) if under_way.failing => tracing::info!("the outbox can be read and written again"),
            Ok(()) => {}
            Err(error) if !under_way.failing => {
                tracing::error!(%error, hint = error.hint, "the outbox cannot be read or written");
                under_way.failing = true;
                return;
            }
            Err(_) => return,
        }
        under_way.failing = false;
    }

    /// Writes down what could not be, and begins what may be.
    async fn go_on(&self, under_way: &mut UnderWay) -> Result<(), LedgerError> {
        let recorded = self.record(under_way).await;
        let shown = self.clock.now();
        let now = under_way.latest.map_or(shown, |latest| latest.max(shown));
        under_way.latest = Some(now);
        under_way.retries = under_way.retries.split_off(&now);
        let moment = Instant::now();
        let full = under_way.schedule.full(moment);
        let due = self.ledger.due(now, BATCH, EACH, &full).await?;
        let mut admitted = Vec::new();
        for owed in due {
            let message = &owed.message;
            if !under_way.may_try(&message.id, now) {
                continue;
            }
            let destination = self.destinations.of(message).cloned();
            let limits = limits(destination.as_ref().ok());
            if !under_way.schedule.takes(&message.channel, limits, moment)
                || !self.in_hand.claim_for_outbox(message)
            {
                continue;
            }
            under_way.schedule.begin(&message.channel);
            admitted.push((owed, destination));
        }
        if admitted.is_empty() {
            return recorded;
        }
        let ids = admitted.iter().map(|(owed, _)| owed.message.id.clone()).collect();
        let begun = self.ledger.begin(ids).await;
        for (owed, destination) in admitted {
            let wakes = matches!(owed.message.kind, NoticeKind::Page | NoticeKind::Resolve);
            if begun.is_err() && !wakes {
                under_way.schedule.end(&owed.message.channel);
                self.in_hand.release(&owed.message);
            } else {
                self.attempt(owed, destination, begun.is_ok(), under_way);
            }
        }
        recorded.and(begun)
    }

    fn attempt(
        &self,
        mut owed: Owed,
        destination: Result<Destination, DeliveryError>,
        begun: bool,
        under_way: &mut UnderWay,
    ) {
        if !begun {
            // Until it can be written down, what is known of it is kept here, so that it is counted in the end.
            let failed = Outcome {
                id: owed.message.id.clone(),
                state: owed.state.clone(),
                error: None,
                reference: None,
            };
            let unrecorded = under_way.unrecorded.entry(owed.message.id.clone());
            unrecorded.or_insert(Unrecorded { outcome: failed, unbegun: 0 }).unbegun += 1;
        }
        owed.attempts +=
            under_way.unrecorded.get(&owed.message.id).map_or(0, |one| one.unbegun.saturating_sub(1));
        let act = self.pulses.begin(format!("deliver to {}", owed.message.channel), LONGEST_ATTEMPT * 2);
        let (message, reference) = (owed.message.clone(), owed.reference.clone());
        let task = under_way.attempts.spawn(async move {
            let _act = act;
            match destination {
                Ok(destination) => send(&destination, &message, reference.as_deref()).await,
                Err(error) => Err(error),
            }
        });
        under_way.messages.insert(task.id(), owed);
    }

    async fn ended(&self, ended: Vec<Ended>, under_way: &mut UnderWay) {
        for one in ended {
            let task = one.as_ref().map_or_else(JoinError::id, |(task, _)| *task);
            let Some(owed) = under_way.messages.remove(&task) else { continue };
            let message = &owed.message;
            let result = one.map_or_else(|error| Err(broke_off(&error)), |(_, result)| result);
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
            if let OwedState::Due(at) = outcome.state {
                under_way.retries.insert(at);
            }
            under_way.schedule.end(&message.channel);
            self.in_hand.release(message);
            let unbegun = under_way.unrecorded.get(&message.id).map_or(0, |one| one.unbegun);
            under_way.unrecorded.insert(message.id.clone(), Unrecorded { outcome, unbegun });
        }
        let recorded = self.record(under_way).await;
        self.note(recorded, under_way);
        self.changed.notify_one();
    }

    /// Writes down what came of attempts. Until the ledger takes it, it is kept.
    async fn record(&self, under_way: &mut UnderWay) -> Result<(), LedgerError> {
        let is_under_way = |id: &String| under_way.messages.values().any(|owed| owed.message.id == *id);
        let ready: Vec<String> =
            under_way.unrecorded.keys().filter(|id| !is_under_way(id)).cloned().collect();
        if ready.is_empty() {
            return Ok(());
        }
        let unbegun: Vec<String> =
            ready.iter().filter(|id| under_way.unrecorded[*id].unbegun > 0).cloned().collect();
        if !unbegun.is_empty() {
            self.ledger.begin(unbegun.clone()).await?;
            for id in unbegun {
                if let Some(one) = under_way.unrecorded.get_mut(&id) {
                    one.unbegun = 0;
                }
            }
        }
        let outcomes = ready.iter().map(|id| under_way.unrecorded[id].outcome.clone()).collect();
        self.ledger.record(outcomes).await?;
        under_way.unrecorded.retain(|id, _| !ready.contains(id));
        Ok(())
    }

    /// Until the next retry, or until something else becomes due.
    async fn until_due(&self, retries: &BTreeSet<Timestamp>) {
        let now = self.clock.now();
        let latest = now.saturating_add(LONGEST_WAIT).unwrap_or(now);
        let owed = self.ledger.next_due().await.ok().flatten();
        // What is due already waits for its channel to be free, which is told by a join.
        let next = owed.into_iter().chain(retries.iter().copied()).filter(|at| *at > now).min();
        self.clock.sleep_until(next.map_or(latest, |next| next.min(latest))).await;
    }
}

/// How an attempt ended.
type Ended = Result<(Id, Result<Receipt, DeliveryError>), JoinError>;

fn broke_off(error: &JoinError) -> DeliveryError {
    DeliveryError {
        retry: Retry::Backoff,
        message: format!("the channel broke off: {error}"),
        hint: Some("this is a bug of otpsd; its log has the panic".to_owned()),
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
