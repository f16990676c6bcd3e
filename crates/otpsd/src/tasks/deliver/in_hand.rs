//! Sends pages that could not be written down in time.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use domain::{Message, Retry};
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::{send, until};
use crate::app::delivery::backoff;
use crate::app::destinations::Destinations;
use crate::app::in_hand::InHand;

/// Messages that are under way to one channel at once.
const IN_FLIGHT: usize = 8;
/// Looked at least this often, should a wake-up ever be missed.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

pub(crate) struct SendInHand {
    pub(crate) in_hand: InHand,
    pub(crate) destinations: Destinations,
}

/// When a message that failed is tried again.
#[derive(Debug, Clone, Copy)]
struct Again {
    attempts: u32,
    at: Instant,
}

impl SendInHand {
    /// Runs until `stop`. What was not sent by then is told again after the restart, with the same keys.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut under_way: JoinSet<Result<(), Again>> = JoinSet::new();
        let mut busy: HashMap<Id, Message> = HashMap::new();
        let mut again: BTreeMap<String, Again> = BTreeMap::new();
        loop {
            let now = Instant::now();
            let overdue = self.in_hand.overdue();
            again.retain(|id, _| overdue.iter().any(|message| message.id == *id));
            for message in overdue {
                let waits = again.get(&message.id).is_some_and(|again| again.at > now);
                let of_channel = busy.values().filter(|one| one.channel == message.channel).count();
                if !waits && of_channel < IN_FLIGHT && self.in_hand.claim(&message) {
                    let attempts = again.remove(&message.id).map_or(0, |again| again.attempts);
                    let task = self.attempt(message.clone(), attempts, &mut under_way);
                    busy.insert(task, message);
                }
            }
            let retry = again.values().map(|again| again.at).filter(|at| *at > now).min();
            let next = [retry, self.in_hand.next(now), Some(now + LONGEST_WAIT)].into_iter().flatten().min();
            tokio::select! {
                Some(ended) = under_way.join_next_with_id() => {
                    let task = ended.as_ref().map_or_else(JoinError::id, |(task, _)| *task);
                    let Some(message) = busy.remove(&task) else { continue };
                    match ended {
                        Ok((_, Ok(()))) => self.in_hand.sent(&message.id),
                        Ok((_, Err(pause))) => {
                            again.insert(message.id.clone(), pause);
                        }
                        Err(error) => tracing::error!(key = %message.key, "sending from memory broke off: {error}"),
                    }
                    self.in_hand.release(&message);
                }
                () = until(next) => {}
                () = self.in_hand.changed() => {}
                () = stop.cancelled() => return,
            }
        }
    }

    fn attempt(&self, message: Message, attempts: u32, under_way: &mut JoinSet<Result<(), Again>>) -> Id {
        let destination = self.destinations.of(&message).cloned();
        let task = under_way.spawn(async move {
            let result = match destination {
                Ok(destination) => send(&destination, &message, None).await,
                Err(error) => Err(error),
            };
            let (channel, kind, key) = (&message.channel, message.kind.as_str(), &message.key);
            match result {
                Ok(_) => {
                    tracing::warn!(
                        %channel, kind, %key,
                        "sent from memory, since it cannot be written down: {}", message.summary
                    );
                    Ok(())
                }
                Err(error) => {
                    tracing::error!(%channel, kind, %key, hint = error.hint, "not sent from memory: {error}");
                    let pause = match error.retry {
                        Retry::After(least) => least.max(backoff(&message.id, attempts)),
                        // What is refused for good will be, once it is written down; until then it is not given up.
                        Retry::Backoff | Retry::Never => backoff(&message.id, attempts),
                    };
                    Err(Again { attempts: attempts + 1, at: Instant::now() + pause })
                }
            }
        });
        task.id()
    }
}
