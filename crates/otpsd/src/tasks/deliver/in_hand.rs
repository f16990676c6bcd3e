//! Sends pages that could not be written down in time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use domain::{Message, Retry};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{send, until};
use crate::app::delivery::backoff;
use crate::app::destinations::Destinations;
use crate::app::in_hand::InHand;

/// Messages that are under way at once.
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
        let mut under_way: JoinSet<(Message, Result<(), Again>)> = JoinSet::new();
        let mut busy: Vec<String> = Vec::new();
        let mut again: BTreeMap<String, Again> = BTreeMap::new();
        loop {
            let now = Instant::now();
            let overdue = self.in_hand.overdue();
            again.retain(|id, _| overdue.iter().any(|message| message.id == *id));
            for message in overdue {
                let waits = again.get(&message.id).is_some_and(|again| again.at > now);
                if !waits && under_way.len() < IN_FLIGHT && !busy.contains(&message.id) {
                    busy.push(message.id.clone());
                    let attempts = again.get(&message.id).map_or(0, |again| again.attempts);
                    self.attempt(message, attempts, &mut under_way);
                }
            }
            let retry = again.values().map(|again| again.at).min();
            let waits = self.in_hand.next().filter(|next| *next > now);
            let next = [retry, waits, Some(now + LONGEST_WAIT)].into_iter().flatten().min();
            tokio::select! {
                Some(ended) = under_way.join_next() => {
                    let Ok((message, result)) = ended else { busy.clear(); continue };
                    busy.retain(|id| *id != message.id);
                    match result {
                        Ok(()) => self.in_hand.sent(&message.id),
                        Err(pause) => {
                            again.insert(message.id, pause);
                        }
                    }
                }
                () = until(next) => {}
                () = self.in_hand.changed() => {}
                () = stop.cancelled() => return,
            }
        }
    }

    fn attempt(
        &self,
        message: Message,
        attempts: u32,
        under_way: &mut JoinSet<(Message, Result<(), Again>)>,
    ) {
        let destination = self.destinations.of(&message).cloned();
        under_way.spawn(async move {
            let result = match destination {
                Ok(destination) => send(&destination, &message, None).await,
                Err(error) => Err(error),
            };
            let (channel, kind, key) = (&message.channel, message.kind.as_str(), &message.key);
            let result = match result {
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
            };
            (message, result)
        });
    }
}
