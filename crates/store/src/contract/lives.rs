//! Random lives of a page to a channel and to the one that stands by for it: receivers that fail and refuse, a daemon that dies between
//! any two acts, and a resolve that comes at any moment. Whoever has the page gets its resolve; nobody gets the end of what he was never
//! to have; nobody is paged after the end.

use domain::{Ledger, Message, NoticeKind, Outcome, Owed, OwedState};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{message, owed, time};

const CHANNELS: [&str; 2] = ["sns.ops", "log.all"];

/// What happens next.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// The page becomes owed, if it is not yet.
    Page,
    /// Its resolve becomes owed, if there is a page.
    Resolve,
    /// The daemon asks what is due.
    Ask,
    /// It begins with the first of that, and dies before anything is sent.
    DieUnsent,
    /// It sends the first, which is taken or refused, and dies before it writes that down.
    DieSent,
    /// It sends the first, and gets no answer.
    Fail,
    /// It sends the first, which is taken or refused, and writes that down.
    Send,
}

/// Acts, and whether each of the two receivers refuses everything for good.
pub fn lives() -> impl Strategy<Value = (Vec<Act>, [bool; 2])> {
    let acts = vec![
        Act::Page,
        Act::Resolve,
        Act::Ask,
        Act::Ask,
        Act::Ask,
        Act::DieUnsent,
        Act::DieSent,
        Act::Fail,
        Act::Send,
        Act::Send,
    ];
    (vec(select(acts), 1..24), any::<[bool; 2]>())
}

/// Lives through the acts with an empty ledger; then everything is sent that still is to be.
///
/// # Panics
///
/// When somebody is told too much or too little.
pub async fn live(ledger: &dyn Ledger, acts: Vec<Act>, refuses: [bool; 2]) {
    let mut life =
        Life { ledger, refuses, asked: Vec::new(), told: [Vec::new(), Vec::new()], tried: [false; 2] };
    let (mut paged, mut resolved) = (false, false);
    for act in acts.into_iter().chain([Act::Page, Act::Resolve]) {
        match act {
            Act::Page if !paged => {
                paged = true;
                life.owe(NoticeKind::Page).await;
            }
            Act::Resolve if paged && !resolved => {
                resolved = true;
                life.owe(NoticeKind::Resolve).await;
            }
            Act::Page | Act::Resolve => {}
            act => life.act(act).await,
        }
    }
    // Each message can go once from here on.
    for _ in 0..4 {
        life.act(Act::Ask).await;
        while !life.asked.is_empty() {
            life.act(Act::Send).await;
        }
    }
    life.end().await;
}

struct Life<'a> {
    ledger: &'a dyn Ledger,
    refuses: [bool; 2],
    /// What the daemon is about to send.
    asked: Vec<Owed>,
    /// What each receiver took.
    told: [Vec<NoticeKind>; 2],
    /// Whether it was ever tried to page a receiver.
    tried: [bool; 2],
}

impl Life<'_> {
    async fn owe(&self, kind: NoticeKind) {
        let id = |channel: usize| format!("{}:{channel}", kind.as_str());
        let of = |channel: usize| message(&id(channel), CHANNELS[channel], kind, "k", 0);
        // The resolve is addressed to both: the ledger knows who has the page.
        let standby_for = (kind == NoticeKind::Page).then(|| id(0));
        let messages = vec![of(0), Message { standby_for, ..of(1) }];
        self.ledger.commit(owed(messages)).await.unwrap();
    }

    async fn act(&mut self, act: Act) {
        if matches!(act, Act::Ask) {
            self.asked = self.ledger.due(time(1), 9, 9, &[]).await.unwrap();
            return;
        }
        if self.asked.is_empty() {
            return;
        }
        let Message { id, channel, kind, .. } = self.asked.remove(0).message;
        let receiver = CHANNELS.iter().position(|name| *name == channel).unwrap();
        self.ledger.begin(vec![id.clone()]).await.unwrap();
        self.tried[receiver] |= kind == NoticeKind::Page;
        if matches!(act, Act::Send | Act::DieSent) && !self.refuses[receiver] {
            self.told[receiver].push(kind);
        }
        let state = match act {
            Act::Send if self.refuses[receiver] => OwedState::Refused(time(1)),
            Act::Send => OwedState::Delivered(time(1)),
            Act::Fail => OwedState::Due(time(1)),
            _ => return self.asked.clear(),
        };
        self.ledger.record(vec![Outcome { id, state, error: None, reference: None }]).await.unwrap();
    }

    async fn end(self) {
        assert_eq!(self.ledger.next_due().await.unwrap(), None, "everything is settled");
        let log = format!("{:?}, {:#?}", self.told, self.ledger.messages(9).await.unwrap());
        for (receiver, told) in self.told.iter().enumerate() {
            let pages = told.iter().take_while(|kind| **kind == NoticeKind::Page).count();
            let resolves = &told[pages..];
            assert!(!resolves.contains(&NoticeKind::Page), "{receiver} is paged after the end: {log}");
            assert!(pages == 0 || !resolves.is_empty(), "{receiver} waits for the end: {log}");
            assert!(resolves.is_empty() || self.tried[receiver], "{receiver} gets the end of nothing: {log}");
        }
        let told = |receiver: usize| !self.told[receiver].is_empty();
        assert!(self.refuses[0] || !told(1), "nothing stood in for a page that was not refused: {log}");
    }
}
