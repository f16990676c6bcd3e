//! The texts of pages and tickets, as the daemon would have written them.

use std::collections::BTreeMap;

use domain::{Group, GroupPage, Key, Member, PageState, Period, Plan, Series, Surroundings, Ticket};
use evaluator::Untold;
use jiff::Timestamp;
use notifier::{Context, text};
use web::report::{Message, Told};

use super::super::hindsight::{Episode, Filed, Hindsight};
use crate::surroundings::{LATELY, Look, of_group};

/// What is told of each incident.
pub(super) struct Texts<'a> {
    plan: &'a Plan,
    hindsight: &'a Hindsight,
    /// When each series had an open incident: from the period that opened it up to the one that ended it.
    slow: BTreeMap<&'a Series, Vec<(Period, Option<Period>)>>,
    /// The messages of pages, by the incident that stands first in them.
    messages: BTreeMap<&'a Key, Vec<Message>>,
    /// The incident that stands first in a page, by the key of the page.
    first: BTreeMap<&'a Key, &'a Key>,
}

impl<'a> Texts<'a> {
    /// Writes every page.
    pub(super) fn new(plan: &'a Plan, hindsight: &'a Hindsight) -> Self {
        let mut slow: BTreeMap<&Series, Vec<_>> = BTreeMap::new();
        for episode in &hindsight.episodes {
            let resolved = episode.resolve.as_ref().map(|resolve| resolve.resolved);
            slow.entry(&episode.page.incident().series).or_default().push((episode.opened(), resolved));
        }
        let mut texts = Self { plan, hindsight, slow, messages: BTreeMap::new(), first: BTreeMap::new() };
        for page in &hindsight.pages {
            let Some(opening) = page.pages.first() else { continue };
            let incident = &opening.incident().key;
            let text = texts.page(page);
            texts.first.entry(&page.state.key).or_insert(incident);
            let messages = texts.messages.entry(incident).or_default();
            match messages.iter_mut().find(|message| message.text == text) {
                Some(message) => message.to.push(page.state.channel.clone()),
                None => messages.push(Message { to: vec![page.state.channel.clone()], text }),
            }
        }
        texts
    }

    /// Who would have been told of an incident.
    pub(super) fn told(&self, episode: &Episode) -> Told {
        let incident = &episode.page.incident().key;
        if let Some(messages) = self.messages.get(incident) {
            return Told::Pages(messages.clone());
        }
        match episode.tellings.iter().find_map(|telling| self.first.get(&telling.page)) {
            Some(first) => Told::With((*first).clone()),
            None => self.nobody(episode),
        }
    }

    /// The same of an incident that stands alone: the page that it joined has its text here.
    pub(super) fn told_alone(&self, episode: &Episode) -> Told {
        match self.told(episode) {
            Told::With(first) => Told::Pages(self.messages.get(&first).cloned().unwrap_or_default()),
            told => told,
        }
    }

    /// Why nobody is told, and what would be said if somebody were.
    fn nobody(&self, episode: &Episode) -> Told {
        let why = episode.untold.as_ref().unwrap_or(&Untold::NoRoute);
        let text = self.page(&alone(episode, self.plan));
        Told::Nobody(why.to_string(), Message { to: Vec::new(), text })
    }

    fn page(&self, page: &GroupPage) -> String {
        let mut around = self.around(&page.state.group, page.state.told);
        let keys: Vec<&Key> = page.pages.iter().map(|page| &page.incident().key).collect();
        let those = self.hindsight.episodes.iter().filter(|one| keys.contains(&&one.page.incident().key));
        around.fell_back = those.filter_map(|episode| episode.fell_back.clone()).collect();
        text::page::text(page, &Context::new(self.plan, page.state.told, &around))
    }

    /// What is told when a ticket opens.
    pub(super) fn ticket(&self, filed: &Filed) -> Message {
        let nothing = Surroundings::default();
        let ticket: &Ticket = &filed.opened;
        let context = Context::new(self.plan, ticket.decided.end(), &nothing);
        Message { to: filed.channels.clone(), text: text::ticket::text(ticket, &context) }
    }

    /// How the rest of the fleet did, as far as the recording has it.
    fn around(&self, group: &Group, now: Timestamp) -> Surroundings {
        let last = Period::last_ended(now);
        let looks = self.hindsight.series.iter().map(|seen| Look {
            series: &seen.series,
            ratio: seen.ratios.newest(last - LATELY, last),
            is_slow: self.slow.get(&seen.series).is_some_and(|incidents| {
                let open = |(opened, resolved): &(Period, Option<Period>)| {
                    *opened <= last && resolved.is_none_or(|resolved| last < resolved)
                };
                incidents.iter().any(open)
            }),
        });
        of_group(group, self.plan, looks)
    }
}

/// The page of one incident by itself.
fn alone(episode: &Episode, plan: &Plan) -> GroupPage {
    let incident = episode.page.incident();
    let group = plan.group_by.group(&incident.series);
    let told = incident.opened.end();
    let member = Member {
        incident: incident.key.clone(),
        series: incident.series.clone(),
        onset: incident.onset,
        opened: incident.opened,
        joined: told,
        worst: incident.worst,
        recovered: None,
        resolved: None,
    };
    let state = PageState {
        key: Key::of_page(&group, incident.opened),
        channel: String::new(),
        receiver: String::new(),
        group,
        opened: incident.opened,
        told,
        summary: String::new(),
        members: vec![member],
        held_told: false,
        closed: None,
    };
    GroupPage { state, pages: vec![episode.page.clone()] }
}
