//! Pages that are owed and not yet written down. When no commit succeeds for a while they are sent from here, with the keys that they
//! will have once they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::{Key, Message, NoticeKind};
use jiff::Timestamp;
use tokio::sync::Notify;

/// How long a page waits to be written down before it is sent all the same.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Messages in hand, and who sends what.
#[derive(Debug, Clone, Default)]
pub(crate) struct InHand {
    inner: Arc<Mutex<Inner>>,
    changed: Arc<Notify>,
    owed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Inner {
    /// By id.
    held: BTreeMap<String, Held>,
    /// Keys at channels of which something is under way.
    claimed: BTreeSet<(String, Key)>,
}

#[derive(Debug)]
struct Held {
    message: Message,
    /// In the order in which they became owed.
    place: u64,
    since: Instant,
    /// It was handed to its channel.
    begun: bool,
    /// It was taken.
    sent: bool,
}

fn name(message: &Message) -> (String, Key) {
    (message.channel.clone(), message.key.clone())
}

impl InHand {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Each change is one insertion, removal or mark.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what wakes people, or says that it is over, until it is [`InHand::let_go`]. What is in hand already stays as it is. What
    /// stands by is not owed.
    pub(crate) fn take<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) {
        self.take_at(messages, Instant::now());
    }

    fn take_at<'m>(&self, messages: impl IntoIterator<Item = &'m Message>, now: Instant) {
        let mut inner = self.inner();
        let wakes = |kind| matches!(kind, NoticeKind::Page | NoticeKind::Resolve);
        for message in messages.into_iter().filter(|one| wakes(one.kind) && one.standby_for.is_none()) {
            let place = inner.held.values().map(|held| held.place + 1).max().unwrap_or(0);
            inner.held.entry(message.id.clone()).or_insert_with(|| Held {
                message: message.clone(),
                place,
                since: now,
                begun: false,
                sent: false,
            });
        }
        drop(inner);
        self.changed.notify_one();
    }

    /// Of some messages, the ids of those that were handed to their channels from here, whatever came of it.
    pub(crate) fn begun_of<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) -> Vec<String> {
        self.those(messages, |held| held.begun)
    }

    /// Of some messages, the ids of those that were taken.
    pub(crate) fn sent_of<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) -> Vec<String> {
        self.those(messages, |held| held.sent)
    }

    fn those<'m>(
        &self,
        messages: impl IntoIterator<Item = &'m Message>,
        are: fn(&Held) -> bool,
    ) -> Vec<String> {
        let inner = self.inner();
        let is = |message: &&Message| inner.held.get(&message.id).is_some_and(are);
        messages.into_iter().filter(is).map(|message| message.id.clone()).collect()
    }

    /// Lets go of what was written down: the outbox has it from now on.
    pub(crate) fn let_go<'m>(&self, ids: impl IntoIterator<Item = &'m str>) {
        let mut inner = self.inner();
        for id in ids {
            inner.held.remove(id);
        }
        drop(inner);
        self.owed.notify_one();
    }

    /// Claims a key at a channel for the outbox; `false` while something of it is under way. What is in hand is newer than what the
    /// outbox has of its key, which therefore waits until it is written down, and withdrawn where it should be.
    pub(crate) fn claim_for_outbox(&self, message: &Message) -> bool {
        let (mut inner, name) = (self.inner(), name(message));
        let is_in_hand =
            inner.held.values().any(|held| (&held.message.channel, &held.message.key) == (&name.0, &name.1));
        !is_in_hand && inner.claimed.insert(name)
    }

    /// The same for what is in hand. From now on its receiver may have it.
    pub(crate) fn claim(&self, message: &Message) -> bool {
        let mut inner = self.inner();
        let claimed = inner.claimed.insert(name(message));
        if claimed && let Some(held) = inner.held.get_mut(&message.id) {
            held.begun = true;
        }
        claimed
    }

    /// What was claimed for a message is free again.
    pub(crate) fn release(&self, message: &Message) {
        self.inner().claimed.remove(&name(message));
        self.changed.notify_one();
    }

    /// Returns once the outbox got something since the last time.
    pub(crate) async fn owed(&self) {
        self.owed.notified().await;
    }

    /// What has waited too long and was not sent, oldest first: of each key to a channel the oldest alone, so that a resolve does not
    /// overtake its page.
    pub(crate) fn overdue(&self) -> Vec<Message> {
        self.overdue_at(Instant::now())
    }

    fn overdue_at(&self, now: Instant) -> Vec<Message> {
        let inner = self.inner();
        let mut waiting: Vec<&Held> = inner.held.values().filter(|held| !held.sent).collect();
        waiting.sort_by_key(|held| held.place);
        let mut overdue: Vec<Message> = Vec::new();
        for held in waiting {
            let message = &held.message;
            let is_head =
                !overdue.iter().any(|one| (&one.channel, &one.key) == (&message.channel, &message.key));
            if is_head && now.duration_since(held.since) >= LONGEST_WAIT {
                overdue.push(message.clone());
            }
        }
        overdue
    }

    /// When the next one after `now` will have waited too long.
    pub(crate) fn next(&self, now: Instant) -> Option<Instant> {
        let inner = self.inner();
        let waiting = inner.held.values().filter(|held| !held.sent).map(|held| held.since + LONGEST_WAIT);
        waiting.filter(|at| *at > now).min()
    }

    /// It was taken.
    pub(crate) fn sent(&self, id: &str) {
        if let Some(held) = self.inner().held.get_mut(id) {
            held.sent = true;
        }
    }

    /// How many there are that were not sent.
    pub(crate) fn len(&self) -> usize {
        self.inner().held.values().filter(|held| !held.sent).count()
    }

    /// When the oldest that was not sent became owed.
    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        self.inner().held.values().filter(|held| !held.sent).map(|held| held.message.created).min()
    }

    /// Returns once something was taken in hand, or became free, since the last time.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str, kind: NoticeKind, channel: &str) -> Message {
        Message {
            id: id.to_owned(),
            channel: channel.to_owned(),
            kind,
            key: Key::from_text("otpsd-1"),
            summary: String::new(),
            body: String::new(),
            attributes: Vec::new(),
            created: Timestamp::UNIX_EPOCH,
            standby_for: None,
        }
    }

    fn ids(messages: &[Message]) -> Vec<&str> {
        messages.iter().map(|message| message.id.as_str()).collect()
    }

    #[test]
    fn a_page_that_is_not_written_down_in_time_is_overdue_until_it_is_sent() {
        let (hand, start) = (InHand::default(), Instant::now());
        let page = message("page", NoticeKind::Page, "sns.ops");
        let ticket = message("ticket", NoticeKind::Ticket(domain::TicketAction::Opened), "sns.ops");
        hand.take_at([&page, &ticket], start);
        assert_eq!(hand.next(start), Some(start + LONGEST_WAIT));
        assert!(hand.overdue_at(start + Duration::from_millis(4_999)).is_empty());
        assert_eq!(ids(&hand.overdue_at(start + LONGEST_WAIT)), ["page"], "a ticket can wait");
        // Failing again does not make it wait again.
        hand.take_at([&page], start + LONGEST_WAIT);
        assert_eq!(ids(&hand.overdue_at(start + LONGEST_WAIT)), ["page"]);
        assert!(hand.begun_of([&page]).is_empty() && hand.claim(&page));
        assert_eq!(
            hand.begun_of([&page, &ticket]),
            ["page"],
            "its receiver may have it, whatever it answers"
        );
        assert!(!hand.claim(&page), "one at a time");
        hand.release(&page);
        hand.sent("page");
        assert!(hand.overdue_at(start + LONGEST_WAIT).is_empty());
        assert_eq!(hand.sent_of([&page, &ticket]), ["page"], "what was sent is recorded as such");
        assert!(!hand.claim_for_outbox(&page), "until it is recorded nobody sends it again");
        hand.let_go(["page"]);
        assert!(hand.claim_for_outbox(&page) && !hand.claim_for_outbox(&page));
    }

    #[test]
    fn a_resolve_waits_for_its_page() {
        let (hand, start) = (InHand::default(), Instant::now());
        let page = message("b page", NoticeKind::Page, "sns.ops");
        let resolve = message("a resolve", NoticeKind::Resolve, "sns.ops");
        let other = message("c resolve", NoticeKind::Resolve, "pagerduty.oncall");
        hand.take_at([&page, &resolve, &other], start);
        let late = start + LONGEST_WAIT;
        assert_eq!(ids(&hand.overdue_at(late)), ["b page", "c resolve"]);
        hand.sent("b page");
        assert_eq!(ids(&hand.overdue_at(late)), ["a resolve", "c resolve"]);
    }

    #[test]
    fn what_is_written_in_time_is_nobodys_business() {
        let (hand, start) = (InHand::default(), Instant::now());
        let page = message("page", NoticeKind::Page, "sns.ops");
        hand.take_at([&page], start);
        assert!(hand.sent_of([&page]).is_empty());
        hand.let_go(["page"]);
        assert!(hand.overdue_at(start + LONGEST_WAIT).is_empty());
        assert_eq!(hand.next(start), None);
    }
}
