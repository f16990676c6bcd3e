//! Pages that only unseen series hold open. Absence resolves nothing, so such a page may stand for ever, and nobody can tell by looking
//! at it: after some hours somebody is told, as a ticket.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Cause, HeldPage, Key, Member, PageState, Period};
use jiff::{SignedDuration, Timestamp};

use super::{Desk, Notice, PageId, Paging, Step};

/// A page is held when none of its open incidents could be judged for so long. A quiet night or a deployment without traffic is shorter; and whoever
/// is on call should learn within a shift that the page cannot end by itself.
pub const HELD_AFTER: SignedDuration = SignedDuration::from_hours(3);

/// What is said of a held page is filed as a ticket under this key.
#[must_use]
pub fn held_key(page: &Key) -> Key {
    Key::from_text(format!("{page}-held"))
}

impl Paging {
    /// What is to be said of held pages: once for each key, whatever number of channels got the page.
    pub(super) fn look_for_held(
        &mut self,
        now: Timestamp,
        desk: &Desk<'_>,
        over: &BTreeMap<PageId, PageState>,
        step: &mut Step,
    ) -> Vec<Notice> {
        self.look_for_blind(now, desk);
        let mut said = Vec::new();
        let keys: BTreeSet<Key> = self.pages.keys().chain(over.keys()).map(|(key, _)| key.clone()).collect();
        for key in keys {
            let open = self.pages_of_key(&key);
            match self.filed.get(&held_key(&key)).cloned() {
                Some(channels) => {
                    if open.iter().filter_map(|id| self.pages.get(id)).all(|page| is_seen(now, desk, page)) {
                        self.filed.remove(&held_key(&key));
                        let state = self.pages.iter().chain(over).find(|((of, _), _)| *of == key);
                        said.extend(state.map(|(_, state)| {
                            let held = Box::new(told(now, desk, state));
                            Notice::HeldOver { held, channels }
                        }));
                    }
                }
                None => said.extend(self.tell_held(now, desk, &open, step)),
            }
        }
        said
    }

    /// The open pages of a key, by channel.
    fn pages_of_key(&self, key: &Key) -> Vec<PageId> {
        let from = (key.clone(), String::new());
        self.pages.range(from..).map(|(id, _)| id.clone()).take_while(|(of, _)| of == key).collect()
    }

    /// Says of the open pages of a key that are held, that they are.
    fn tell_held(
        &mut self,
        now: Timestamp,
        desk: &Desk<'_>,
        open: &[PageId],
        step: &mut Step,
    ) -> Option<Notice> {
        let page = |id: &PageId| self.pages.get(id).filter(|page| self.is_held(now, desk, page));
        let held: Vec<&PageId> = open.iter().filter(|id| page(id).is_some()).collect();
        let first = *held.iter().find(|id| page(id).is_some_and(|page| !page.held_told))?;
        let series = &self.pages.get(first)?.open().next()?.series;
        let channels = desk.of_ticket(series, Cause::NoData.as_str(), now).ok()?;
        for id in held {
            if let Some(page) = self.pages.get_mut(id) {
                page.held_told = true;
                if id != first {
                    step.changed.insert(id.clone());
                }
            }
        }
        self.filed.insert(held_key(&first.0), channels.clone());
        let state = self.pages.get(first)?;
        Some(Notice::Held { held: Box::new(told(now, desk, state)), channels })
    }

    /// Whether nothing of what holds a page open could be judged for [`HELD_AFTER`].
    fn is_held(&self, now: Timestamp, desk: &Desk<'_>, page: &PageState) -> bool {
        page.open().all(|member| {
            let known = last_seen(desk, member);
            let asked = self.blind.get(&member.series).copied();
            now.duration_since(asked.map_or(known, |asked| asked.max(known))) >= HELD_AFTER
        })
    }

    /// Of series that nothing is known of, the time counts from when they were first asked for.
    fn look_for_blind(&mut self, now: Timestamp, desk: &Desk<'_>) {
        let mut blind = BTreeMap::new();
        for member in self.pages.values().flat_map(PageState::open) {
            if (desk.seen)(&member.series).is_none() {
                let since = self.blind.get(&member.series).copied().unwrap_or(now);
                blind.insert(member.series.clone(), since);
            }
        }
        self.blind = blind;
    }
}

/// Whether something that holds a page open could be judged lately. That nothing is known of it is no reason to say so.
fn is_seen(now: Timestamp, desk: &Desk<'_>, page: &PageState) -> bool {
    page.open().any(|member| now.duration_since(last_seen(desk, member)) < HELD_AFTER)
}

/// When a series could be judged last, as far as it is known: the period that opened its incident was.
fn last_seen(desk: &Desk<'_>, member: &Member) -> Timestamp {
    (desk.seen)(&member.series).map_or(member.opened, |seen| seen.max(member.opened)).end()
}

fn told(now: Timestamp, desk: &Desk<'_>, state: &PageState) -> HeldPage {
    let seen: Option<Period> = state.open().filter_map(|member| (desk.seen)(&member.series)).max();
    HeldPage { state: state.clone(), seen, at: now }
}
