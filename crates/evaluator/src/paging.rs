//! From what was judged to who is told of it.
//!
//! [`Paging`] stands between the engine and the channels. It puts incidents together into pages, one for each group and channel, holds
//! back what is muted, picks the channels, and sees to it that whatever is said later of a page or a ticket goes to exactly those that were
//! told. It has no clock and sends nothing. docs/design/paging.md says why it decides as it does.
//!
//! # Layout
//!
//! - `desk`: mutes and routes, by the plan and the silences of the moment.
//! - `notice`: what is said.
//! - `intake`: effects are taken in, all of a step before anything is told.
//! - `telling`: every open incident that nobody was told of is looked at again.
//! - `grouping`: it joins the open page of its group, or begins one.
//! - `chain`: which period a page was opened by, when history was read at once.
//! - `held`: pages that only unseen series hold open.
//! - `tickets`: what never pages.

mod chain;
mod desk;
mod grouping;
mod held;
mod intake;
mod notice;
mod telling;
mod tickets;

use std::collections::{BTreeMap, BTreeSet};

use domain::{Filed, GroupPage, Key, Page, PageState, Resolve, Series, Ticket};
use jiff::{SignedDuration, Timestamp};

use self::chain::Episode;
pub use self::desk::{Desk, routed};
pub use self::held::{HELD_AFTER, held_key};
pub use self::notice::{Notice, Untold};
use crate::Effect;

/// For so long the key of a page that is over is not given to another one to the same channel. An incident can be told long after it
/// opened, when a silence ends or a source answers again; history that is read at once reaches back 35 days.
pub const KEY_KEPT: SignedDuration = SignedDuration::from_hours(40 * 24);

/// A page by its key and channel.
type PageId = (Key, String);

/// Decides who is told of what. What it remembers is written down by whoever acts on its notices, and given back by
/// [`Paging::restore`].
#[derive(Debug, Clone, Default)]
pub struct Paging {
    /// The open pages.
    pages: BTreeMap<PageId, PageState>,
    /// The open pages that an incident is in.
    pages_of: BTreeMap<Key, Vec<PageId>>,
    /// When pages that are over closed, for [`KEY_KEPT`].
    closed: BTreeMap<PageId, Timestamp>,
    /// The open incidents that nobody was told of.
    waiting: BTreeMap<Key, Waiting>,
    /// What ended in history that was read at once.
    episodes: Vec<Episode>,
    /// The open tickets that nobody was told of, as they would be told now.
    unfiled: BTreeMap<Key, Ticket>,
    /// The channels that were told of a ticket.
    filed: BTreeMap<Key, Vec<String>>,
    /// Series of open pages of which the desk knows no verdict, and since when it was asked.
    blind: BTreeMap<Series, Timestamp>,
}

/// An open incident that nobody was told of.
#[derive(Debug, Clone)]
struct Waiting {
    page: Page,
    /// Why, by the last look.
    why: Option<Untold>,
    /// The reasons that were said.
    said: Vec<Untold>,
    /// It waited before a restart: the reason of the first look was said then.
    restored: bool,
}

/// What one step does to pages and incidents.
#[derive(Debug, Default)]
struct Step {
    /// The page of each incident, of pages that begin.
    begun: BTreeMap<PageId, Vec<Page>>,
    /// Pages that somebody joined or left, or of which something else is to be written down.
    changed: BTreeSet<PageId>,
    /// The resolve of the member that ended last, of pages that somebody left.
    left: BTreeMap<PageId, Resolve>,
    /// What is said of tickets, and to whom.
    tickets: Vec<(Ticket, Vec<String>)>,
    /// What is said after all of that.
    rest: Vec<Notice>,
}

impl Paging {
    /// Takes up what was written down: the pages, those that closed within [`KEY_KEPT`] among them; the tickets that were filed; the
    /// pages of all open incidents; and all open tickets, as [`crate::Engine::standing_tickets`] gives them.
    pub fn restore(
        &mut self,
        pages: Vec<PageState>,
        filed: Vec<Filed>,
        standing: Vec<Page>,
        tickets: Vec<Ticket>,
    ) {
        for page in pages {
            let id = (page.key.clone(), page.channel.clone());
            match page.closed {
                Some(closed) => {
                    self.closed.insert(id, closed);
                }
                None => self.open(id, page),
            }
        }
        self.filed.extend(filed.into_iter().map(|one| (one.key, one.channels)));
        for page in standing {
            self.wait_for(page, true);
        }
        for ticket in tickets {
            if !self.filed.contains_key(&ticket.key) {
                self.unfiled.insert(ticket.key.clone(), ticket);
            }
        }
    }

    /// Takes in what the engine said, and says what follows. Without effects it is a tick: time alone may end a silence or a window.
    /// Asking twice for one moment says nothing twice.
    ///
    /// Notices come in this order: pages, changes and resolves, each by key and channel, what is said of held pages and of tickets, by
    /// key, and what nobody is told, by incident.
    pub fn step(&mut self, now: Timestamp, desk: &Desk<'_>, effects: &[Effect]) -> Vec<Notice> {
        self.closed.retain(|_, closed| now.duration_since(*closed) < KEY_KEPT);
        self.forget_episodes(now);
        let mut step = Step::default();
        self.take_in(now, desk, effects, &mut step);
        self.tell(now, desk, &mut step);
        self.tell_tickets(now, desk, &mut step);
        let over = self.close(now, &step);
        let held = self.look_for_held(now, desk, &over, &mut step);
        self.notices(step, over, held)
    }

    /// What a page said in one line, once whoever renders it knows: it stays with the page.
    pub fn summarize(&mut self, key: &Key, channel: &str, summary: String) {
        if let Some(page) = self.pages.get_mut(&(key.clone(), channel.to_owned())) {
            page.summary = summary;
        }
    }

    /// The pages that are open, by key and channel.
    pub fn pages(&self) -> impl Iterator<Item = &PageState> {
        self.pages.values()
    }

    /// The open incidents that nobody was told of, by key, and why.
    pub fn untold(&self) -> impl Iterator<Item = (&Page, &Untold)> {
        self.waiting.values().filter_map(|waiting| Some((&waiting.page, waiting.why.as_ref()?)))
    }

    /// The tickets that were filed and not closed, by key.
    pub fn filed(&self) -> impl Iterator<Item = Filed> {
        self.filed.iter().map(|(key, channels)| Filed { key: key.clone(), channels: channels.clone() })
    }

    /// Who was told of a ticket; nobody, once it is closed.
    #[must_use]
    pub fn filed_of(&self, key: &Key) -> Filed {
        Filed { key: key.clone(), channels: self.filed.get(key).cloned().unwrap_or_default() }
    }

    /// A page is open.
    fn open(&mut self, id: PageId, page: PageState) {
        for member in &page.members {
            self.pages_of.entry(member.incident.clone()).or_default().push(id.clone());
        }
        self.pages.insert(id, page);
    }

    /// An incident is open: somebody is to be told, unless it is in a page.
    fn wait_for(&mut self, page: Page, restored: bool) {
        let key = page.incident().key.clone();
        if !self.pages_of.contains_key(&key) {
            let waiting = Waiting { page, why: None, said: Vec::new(), restored };
            self.waiting.entry(key).or_insert(waiting);
        }
    }

    /// The pages whose last member ended are over.
    fn close(&mut self, now: Timestamp, step: &Step) -> BTreeMap<PageId, PageState> {
        let mut over = BTreeMap::new();
        for id in step.left.keys() {
            let Some(mut page) = self.pages.remove(id) else { continue };
            if page.open().next().is_some() {
                self.pages.insert(id.clone(), page);
                continue;
            }
            page.closed = Some(now);
            for member in &page.members {
                self.pages_of.remove(&member.incident);
            }
            self.closed.insert(id.clone(), now);
            over.insert(id.clone(), page);
        }
        over
    }

    /// What a step did, in the words of notices.
    fn notices(&self, step: Step, over: BTreeMap<PageId, PageState>, held: Vec<Notice>) -> Vec<Notice> {
        let Step { mut begun, changed, mut left, tickets, rest } = step;
        let mut notices = Vec::new();
        let mut changes = Vec::new();
        for (id, state) in &self.pages {
            if let Some(pages) = begun.remove(id) {
                notices.push(Notice::Page(Box::new(GroupPage { state: state.clone(), pages })));
            } else if changed.contains(id) {
                changes.push(Notice::Changed(Box::new(state.clone())));
            }
        }
        notices.extend(changes);
        notices.extend(over.into_iter().filter_map(|(id, state)| {
            let last = left.remove(&id)?;
            Some(Notice::Resolve(Box::new(domain::GroupResolve { state, last })))
        }));
        notices.extend(held);
        notices.extend(
            tickets
                .into_iter()
                .map(|(ticket, channels)| Notice::Ticket { ticket: Box::new(ticket), channels }),
        );
        notices.extend(rest);
        notices
    }
}
