//! Incidents that are told together: they join the open page of their group, or begin one.

use std::collections::BTreeMap;

use domain::{ChannelPlan, Group, Key, Member, Page, PageState, Period, Plan};
use jiff::Timestamp;

use super::telling::Told;
use super::{PageId, Paging, Step};

/// A page that begins.
struct Beginning<'a> {
    channel: &'a ChannelPlan,
    pages: Vec<Page>,
}

impl Paging {
    /// Puts each incident into one page for each of its channels.
    pub(super) fn group(&mut self, now: Timestamp, plan: &Plan, mut told: Vec<Told<'_>>, step: &mut Step) {
        // The first to open may keep a page open that the next ones then join.
        told.sort_by_key(|one| (one.incident().opened, one.incident().series.clone()));
        let mut beginnings: BTreeMap<(String, Group), Beginning<'_>> = BTreeMap::new();
        for one in &told {
            let incident = one.incident();
            let group = plan.group_by.group(&incident.series);
            for &channel in &one.channels {
                let name = channel.name();
                if let Some(id) = self.open_page(&name, &group, incident.opened) {
                    self.join(now, &id, &one.page);
                    step.changed.insert(id);
                } else {
                    let new = || Beginning { channel, pages: Vec::new() };
                    beginnings.entry((name, group.clone())).or_insert_with(new).pages.push(one.page.clone());
                }
            }
        }
        for ((name, group), beginning) in beginnings {
            let (id, pages) = self.begin(now, plan, name, group, beginning);
            step.begun.insert(id, pages);
        }
    }

    /// The page of a group to a channel that was open when an incident opened: some of it still is, or ended in this very step and not
    /// before that period.
    fn open_page(&self, channel: &str, group: &Group, opened: Period) -> Option<PageId> {
        let takes = |page: &PageState| {
            page.channel == channel
                && page.group == *group
                && page.members.iter().any(|member| member.resolved.is_none_or(|resolved| resolved >= opened))
        };
        self.pages.iter().find(|(_, page)| takes(page)).map(|(id, _)| id.clone())
    }

    fn join(&mut self, now: Timestamp, id: &PageId, page: &Page) {
        if let Some(state) = self.pages.get_mut(id) {
            state.members.push(member(now, page));
            self.pages_of.entry(page.incident().key.clone()).or_default().push(id.clone());
        }
    }

    fn begin(
        &mut self,
        now: Timestamp,
        plan: &Plan,
        name: String,
        group: Group,
        beginning: Beginning<'_>,
    ) -> (PageId, Vec<Page>) {
        let Beginning { channel, mut pages } = beginning;
        let traffic = |page: &Page| page.evidence().now.samples;
        pages.sort_by(|a, b| {
            let series = |page: &Page| page.incident().series.clone();
            traffic(b).total_cmp(&traffic(a)).then_with(|| series(a).cmp(&series(b)))
        });
        let first = pages.iter().map(|page| page.incident().opened).min();
        let first = first.unwrap_or_else(|| Period::containing(now));
        let opened = self.first_of_chain(plan, &group, &name, first);
        let id = (self.free_key(&group, &name, opened), name);
        let state = PageState {
            key: id.0.clone(),
            channel: id.1.clone(),
            receiver: channel.receiver(),
            group,
            opened,
            told: now,
            summary: String::new(),
            members: pages.iter().map(|page| member(now, page)).collect(),
            held_told: false,
            closed: None,
        };
        self.open(id.clone(), state);
        (id, pages)
    }

    /// The key of the page of a group that a period opened. Where a channel was told of that one already, as when an incident was silenced while
    /// the others of its slump came and went, it is the key of the first later period that it was not told of.
    fn free_key(&self, group: &Group, channel: &str, opened: Period) -> Key {
        let mut period = opened;
        loop {
            let id = (Key::of_page(group, period), channel.to_owned());
            if !self.pages.contains_key(&id) && !self.closed.contains_key(&id) {
                return id.0;
            }
            period = period + 1;
        }
    }
}

fn member(now: Timestamp, page: &Page) -> Member {
    let incident = page.incident();
    Member {
        incident: incident.key.clone(),
        series: incident.series.clone(),
        onset: incident.onset,
        opened: incident.opened,
        joined: now,
        worst: incident.worst,
        recovered: None,
        resolved: None,
    }
}
