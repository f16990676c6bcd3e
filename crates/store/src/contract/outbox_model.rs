//! The outbox on a plain list.

use domain::{AuditRecord, Backlog, Message, NoticeKind, Outcome, Owed, OwedState};
use jiff::{SignedDuration, Timestamp};

/// Whether the page of a key to a channel is known to be closed.
pub(super) type Closed<'a> = &'a dyn Fn(&domain::Key, &str) -> bool;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    all: Vec<Entry>,
    pub(super) audit: Vec<AuditRecord>,
}

#[derive(Debug)]
struct Entry {
    message: Message,
    attempts: u32,
    state: OwedState,
    last_error: Option<String>,
    reference: Option<String>,
}

impl Entry {
    fn is_due(&self) -> bool {
        matches!(self.state, OwedState::Due(_))
    }

    fn is_withdrawn(&self) -> bool {
        matches!(self.state, OwedState::Withdrawn(_))
    }

    fn may_have_arrived(&self) -> bool {
        match self.state {
            OwedState::Delivered(_) => true,
            OwedState::Due(_) | OwedState::Withdrawn(_) => self.attempts > 0,
            OwedState::Refused(_) | OwedState::Standby => false,
        }
    }

    fn is_refused(&self) -> bool {
        matches!(self.state, OwedState::Refused(_))
    }
}

impl Outbox {
    pub(super) fn commit(&mut self, messages: Vec<Message>, begun: &[String], closed: Closed<'_>) {
        let first = self.all.len();
        for message in messages {
            if self.find(&message.id).is_none() {
                let state = match message.standby_for {
                    None => OwedState::Due(message.created),
                    Some(_) => OwedState::Standby,
                };
                let is_begun = message.standby_for.is_none() && begun.contains(&message.id);
                let attempts = u32::from(is_begun);
                self.all.push(Entry { message, attempts, state, last_error: None, reference: None });
            }
        }
        for at in first..self.all.len() {
            let entry = &self.all[at];
            let created = entry.message.created;
            match entry.message.standby_for.clone() {
                None if entry.message.kind == NoticeKind::Resolve && entry.is_due() => {
                    self.owe_resolve(at, created, closed);
                }
                Some(other) if entry.state == OwedState::Standby => {
                    if let Some(other) = self.find(&other)
                        && self.lets_go(other)
                    {
                        self.let_go(at, other, created, closed);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn begin(&mut self, ids: &[String]) {
        for at in ids.iter().filter_map(|id| self.find(id)).collect::<Vec<_>>() {
            self.first_attempt(at);
            self.all[at].attempts += 1;
        }
    }

    pub(super) fn record(&mut self, outcome: Outcome, closed: Closed<'_>) {
        let Some(at) = self.find(&outcome.id) else { return };
        let withdrawn = self.all[at].is_withdrawn();
        if !withdrawn && !self.all[at].is_due() {
            return;
        }
        self.first_attempt(at);
        let entry = &mut self.all[at];
        entry.attempts = entry.attempts.max(1);
        entry.last_error = outcome.error.or_else(|| entry.last_error.take());
        entry.reference = outcome.reference.or_else(|| entry.reference.take());
        match outcome.state {
            OwedState::Due(_) if withdrawn => {}
            OwedState::Standby => {}
            OwedState::Refused(time) => {
                entry.state = outcome.state;
                self.let_go_standbys(at, time, closed);
                if self.all[at].message.kind == NoticeKind::Page
                    && let Some(resolve) = self.unsent_resolve(at, Entry::is_due)
                    && !self.pages_of(resolve).into_iter().any(|page| self.all[page].may_have_arrived())
                {
                    self.withdraw(resolve, time, "its page was refused for good");
                    self.let_go_standbys(resolve, time, closed);
                }
            }
            state => entry.state = state,
        }
    }

    pub(super) fn due(&self, now: Timestamp, limit: usize, each: usize, except: &[String]) -> Vec<Owed> {
        let mut heads = self.heads();
        heads.retain(|(due, at)| *due <= now && !except.contains(&self.all[*at].message.channel));
        heads.sort_by_key(|(due, at)| {
            (matches!(self.all[*at].message.kind, NoticeKind::Ticket(_)), *due, *at)
        });
        let mut given = std::collections::BTreeMap::<&str, usize>::new();
        heads.retain(|(_, at)| {
            let given = given.entry(&self.all[*at].message.channel).or_default();
            *given += 1;
            *given <= each
        });
        heads.into_iter().take(limit).map(|(_, at)| self.owed(at)).collect()
    }

    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.heads().into_iter().map(|(due, _)| due).min()
    }

    pub(super) fn backlog(&self, now: Timestamp) -> Backlog {
        let week_ago = now - SignedDuration::from_hours(7 * 24);
        let refused = |entry: &&Entry| matches!(entry.state, OwedState::Refused(at) if at >= week_ago);
        let due = || self.all.iter().filter(|entry| entry.is_due());
        let pages = due().filter(|entry| entry.message.kind == NoticeKind::Page);
        Backlog {
            owed: due().count() as u64,
            refused: self.all.iter().filter(refused).count() as u64,
            oldest: due().map(|entry| entry.message.created).min(),
            oldest_page: pages.map(|entry| entry.message.created).min(),
        }
    }

    pub(super) fn messages(&self, limit: usize) -> Vec<Owed> {
        (0..self.all.len()).rev().take(limit).map(|at| self.owed(at)).collect()
    }

    /// Keys of which something is owed.
    pub(super) fn owed_keys(&self) -> impl Iterator<Item = &domain::Key> {
        self.all.iter().filter(|entry| entry.is_due()).map(|entry| &entry.message.key)
    }

    pub(super) fn forget(&mut self, horizon: Timestamp, open: &std::collections::BTreeSet<domain::Key>) {
        self.all.retain(|entry| {
            let over = match entry.state {
                OwedState::Due(_) => None,
                OwedState::Delivered(at) | OwedState::Refused(at) | OwedState::Withdrawn(at) => Some(at),
                OwedState::Standby => Some(entry.message.created),
            };
            over.is_none_or(|over| over >= horizon) || open.contains(&entry.message.key)
        });
        self.audit.retain(|record| record.at >= horizon);
    }

    fn owed(&self, at: usize) -> Owed {
        let Entry { message, attempts, state, last_error, .. } = &self.all[at];
        let earlier = self.all[..at].iter().rev().filter(|earlier| same(earlier, &self.all[at]));
        Owed {
            message: message.clone(),
            attempts: *attempts,
            state: state.clone(),
            last_error: last_error.clone(),
            reference: earlier.filter_map(|earlier| earlier.reference.clone()).next(),
        }
    }

    /// The first of each key and channel that is due, with the time at which it is.
    fn heads(&self) -> Vec<(Timestamp, usize)> {
        let first =
            |at: usize| !self.all[..at].iter().any(|older| older.is_due() && same(older, &self.all[at]));
        let due = self.all.iter().enumerate().filter_map(|(at, entry)| match entry.state {
            OwedState::Due(due) => Some((due, at)),
            _ => None,
        });
        due.filter(|(_, at)| first(*at)).collect()
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.all.iter().position(|entry| entry.message.id == id)
    }

    /// The pages of its key to its channel since the resolve before it.
    fn pages_of(&self, resolve: usize) -> Vec<usize> {
        let page = |entry: &Entry| entry.message.kind == NoticeKind::Page && same(entry, &self.all[resolve]);
        let first = self.resolve_before(resolve).unwrap_or(0);
        (first..resolve).filter(|at| page(&self.all[*at])).collect()
    }

    fn resolve_before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|before| self.is_resolve_of(*before, at))
    }

    fn is_resolve_of(&self, resolve: usize, of: usize) -> bool {
        let entry = &self.all[resolve];
        entry.message.kind == NoticeKind::Resolve
            && entry.state != OwedState::Standby
            && same(entry, &self.all[of])
    }

    fn unsent_resolve(&self, page: usize, state: fn(&Entry) -> bool) -> Option<usize> {
        let next = (page + 1..self.all.len()).find(|at| self.is_resolve_of(*at, page))?;
        (state(&self.all[next]) && self.all[next].attempts == 0).then_some(next)
    }

    fn first_attempt(&mut self, at: usize) {
        let entry = &self.all[at];
        if entry.message.kind == NoticeKind::Page
            && entry.is_withdrawn()
            && entry.attempts == 0
            && let Some(resolve) = self.unsent_resolve(at, Entry::is_withdrawn)
        {
            let created = self.all[resolve].message.created;
            self.all[resolve].state = OwedState::Due(created);
        }
    }

    fn owe_resolve(&mut self, resolve: usize, at: Timestamp, closed: Closed<'_>) {
        let pages = self.pages_of(resolve);
        if pages.is_empty() {
            if self.resolve_before(resolve).is_some() {
                self.withdraw(resolve, at, "its end was told before");
            }
            return;
        }
        // What stood by when it was withdrawn was with nobody, whoever claimed to have begun it.
        let may_have_arrived = pages.iter().any(|page| self.all[*page].may_have_arrived());
        for page in &pages {
            let why = match (&self.all[*page].state, self.all[*page].attempts) {
                (OwedState::Due(_), 1..) => {
                    "it had not arrived when the incident was over; its resolve is sent"
                }
                (OwedState::Due(_), 0) => "the incident was over before it was sent",
                (OwedState::Standby, _) => {
                    "the incident was over, and what it stood by for had not been refused"
                }
                _ => continue,
            };
            self.withdraw(*page, at, why);
        }
        if may_have_arrived {
            return;
        }
        if pages.iter().any(|page| self.all[*page].is_refused()) {
            self.withdraw(resolve, at, "its page was refused for good");
            self.let_go_standbys(resolve, at, closed);
        } else {
            self.withdraw(resolve, at, "its page was not sent");
        }
    }

    /// Refused for good, or the resolve of a page that was.
    fn lets_go(&self, at: usize) -> bool {
        let entry = &self.all[at];
        let of_refused = || self.pages_of(at).into_iter().any(|page| self.all[page].is_refused());
        entry.is_refused()
            || entry.is_withdrawn() && entry.message.kind == NoticeKind::Resolve && of_refused()
    }

    fn let_go_standbys(&mut self, other: usize, at: Timestamp, closed: Closed<'_>) {
        for standby in 0..self.all.len() {
            let entry = &self.all[standby];
            if entry.state == OwedState::Standby
                && entry.message.standby_for.as_ref() == Some(&self.all[other].message.id)
            {
                self.let_go(standby, other, at, closed);
            }
        }
    }

    fn let_go(&mut self, standby: usize, other: usize, at: Timestamp, closed: Closed<'_>) {
        let kind = self.all[standby].message.kind;
        if kind == NoticeKind::Page && self.is_over(standby, other, closed) {
            let why = "the incident was over when what it stood by for was refused";
            return self.withdraw(standby, at, why);
        }
        if kind == NoticeKind::Page && self.is_paged(standby) {
            return self.withdraw(standby, at, "it goes there already");
        }
        self.all[standby].state = OwedState::Due(at);
        if kind == NoticeKind::Resolve {
            self.owe_resolve(standby, at, closed);
        }
    }

    fn is_paged(&self, standby: usize) -> bool {
        let first = self.resolve_before(standby).unwrap_or(0);
        self.all.iter().enumerate().skip(first).any(|(at, entry)| {
            at != standby
                && entry.message.kind == NoticeKind::Page
                && same(entry, &self.all[standby])
                && (entry.is_due() || matches!(entry.state, OwedState::Delivered(_)))
        })
    }

    fn is_over(&self, standby: usize, other: usize, closed: Closed<'_>) -> bool {
        let key = &self.all[standby].message.key;
        let channels = [standby, other].map(|at| self.all[at].message.channel.as_str());
        let resolved = self.all[other + 1..].iter().any(|Entry { message, .. }| {
            message.kind == NoticeKind::Resolve
                && message.key == *key
                && channels.contains(&message.channel.as_str())
        });
        resolved || channels.iter().any(|channel| closed(key, channel))
    }

    fn withdraw(&mut self, at: usize, time: Timestamp, why: &str) {
        let Entry { message, state, .. } = &mut self.all[at];
        *state = OwedState::Withdrawn(time);
        self.audit.push(AuditRecord {
            at: time,
            who: "otpsd".to_owned(),
            act: "withdrawn".to_owned(),
            subject: message.key.to_string(),
            detail: format!("the {} to {}: {why}", message.kind.as_str(), message.channel),
        });
    }
}

/// Whether both are of the same key to the same channel.
fn same(a: &Entry, b: &Entry) -> bool {
    a.message.key == b.message.key && a.message.channel == b.message.channel
}
