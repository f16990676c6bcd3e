//! What was said becomes incidents, pages and messages.

use std::collections::BTreeMap;

use domain::{
    AuditRecord, ChannelPlan, Commit, GapTicket, GroupPage, GroupResolve, HeldPage, Incident, IncidentRecord,
    Key, Message, PageState, Plan, Silence, SourceTicket, Surroundings, Ticket,
};
use evaluator::{Effect, Notice, Paging, Untold};
use jiff::Timestamp;
use notifier::{Context, render};

use crate::app::recipients::Recipients;

/// More fallbacks than that stand by for nobody.
const LONGEST_CHAIN: usize = 8;

/// What is needed to write messages.
pub(super) struct Owing<'a> {
    pub(super) plan: &'a Plan,
    pub(super) silences: &'a [Silence],
    pub(super) now: Timestamp,
    /// What else there is to see beside a page.
    pub(super) around: &'a dyn Fn(&GroupPage) -> Surroundings,
}

impl Owing<'_> {
    /// Adds what follows from notices.
    pub(super) fn notices(&self, notices: Vec<Notice>, paging: &mut Paging, commit: &mut Commit) {
        for notice in notices {
            match notice {
                Notice::Page(page) => {
                    let around = (self.around)(&page);
                    let context = Context::new(self.plan, self.now, &around);
                    let mut state = page.state.clone();
                    if let Some(channel) = self.recipients().named(&state.channel) {
                        let write = |channel: &ChannelPlan| Some(render::page(&page, channel, &context));
                        let messages = self.with_fallback(channel, write);
                        state.summary = messages.first().map(|one| one.summary.clone()).unwrap_or_default();
                        commit.outbox.extend(messages);
                        paging.summarize(&state.key, &state.channel, state.summary.clone());
                    }
                    commit.pages.push(state);
                }
                Notice::Changed(state) => commit.pages.push(*state),
                Notice::Resolve(resolve) => self.resolve(*resolve, commit),
                Notice::Held { held, channels } => self.held(&held, &channels, false, paging, commit),
                Notice::HeldOver { held, channels } => self.held(&held, &channels, true, paging, commit),
                Notice::Ticket { ticket, channels } => self.ticket(&ticket, &channels, paging, commit),
                Notice::Untold { incident, why } => {
                    let detail = format!("{}: nobody is told: {}", incident.series, self.why(&why));
                    commit.audit.push(self.audit(&incident, detail));
                }
                Notice::Forgotten { incident } => {
                    let detail = format!("{}: it is over, and nobody had been told", incident.series);
                    commit.audit.push(self.audit(&incident, detail));
                }
            }
        }
    }

    fn recipients(&self) -> Recipients<'_> {
        Recipients::new(self.plan)
    }

    /// A message to a channel, and those that stand by for it, each for the one before.
    fn with_fallback(
        &self,
        channel: &ChannelPlan,
        write: impl Fn(&ChannelPlan) -> Option<Message>,
    ) -> Vec<Message> {
        let Some(message) = write(channel) else { return Vec::new() };
        let first = message.channel.clone();
        let mut messages = vec![message];
        let mut next = self.recipients().fallback_of(channel);
        while let Some(fallback) = next.filter(|_| messages.len() <= LONGEST_CHAIN) {
            let Some(standby) = write(fallback) else { break };
            let before = messages.last().map(|message| message.id.clone());
            // Two channels may have the same fallback.
            let id = format!("{}:for:{first}", standby.id);
            messages.push(Message { id, standby_for: before, ..standby });
            next = self.recipients().fallback_of(fallback);
        }
        messages
    }

    /// The resolve goes to whoever got the page, by whatever name that is reached now.
    fn resolve(&self, resolve: GroupResolve, commit: &mut Commit) {
        let nothing = Surroundings::default();
        let context = Context::new(self.plan, self.now, &nothing);
        let state = &resolve.state;
        match self.recipients().of_page_state(state) {
            Some(channel) => {
                let write = |channel: &ChannelPlan| Some(render::resolve(&resolve, channel, &context));
                // The fallback is told if it got the page in its place, which the ledger knows.
                let mut messages = self.with_fallback(channel, write);
                if let Some(first) = messages.first_mut() {
                    first.channel.clone_from(&state.channel);
                }
                commit.outbox.extend(messages);
            }
            None => {
                commit.audit.push(self.lost(state));
                // A fallback may have got the page. It is told alone, and only if it did: without a page it is withdrawn.
                if let Some(fallback) =
                    self.recipients().named(&state.channel).and_then(|one| self.recipients().fallback_of(one))
                {
                    let message = render::resolve(&resolve, fallback, &context);
                    commit
                        .outbox
                        .push(Message { id: format!("{}:for:{}", message.id, state.channel), ..message });
                }
            }
        }
        commit.pages.push(resolve.state);
    }

    /// Nobody can be told any more that a page is over.
    fn lost(&self, state: &PageState) -> AuditRecord {
        let detail = format!(
            "the page to `{}` about {} is over, and no channel leads to its receiver any more: close it there by hand",
            state.channel, state.group
        );
        tracing::error!(key = %state.key, channel = %state.channel, "{detail}");
        AuditRecord {
            at: self.now,
            who: "otpsd".to_owned(),
            act: "untold".to_owned(),
            subject: state.key.to_string(),
            detail,
        }
    }

    fn ticket(&self, ticket: &Ticket, channels: &[String], paging: &Paging, commit: &mut Commit) {
        let nothing = Surroundings::default();
        let context = Context::new(self.plan, self.now, &nothing);
        let write = |channel: &ChannelPlan| render::ticket(ticket, channel, &context);
        let named = self.those(channels, &ticket.key);
        commit.outbox.extend(named.into_iter().flat_map(|channel| self.with_fallback(channel, write)));
        commit.filed.push(paging.filed_of(&ticket.key));
    }

    /// What is said of a source to these channels.
    pub(super) fn source_ticket(&self, ticket: &SourceTicket, channels: &[String]) -> Vec<Message> {
        let nothing = Surroundings::default();
        let context = Context::new(self.plan, self.now, &nothing);
        let write = |channel: &ChannelPlan| render::source_ticket(ticket, channel, &context);
        let named = self.those(channels, &ticket.key);
        named.into_iter().flat_map(|channel| self.with_fallback(channel, write)).collect()
    }

    /// What is said to these channels of what a source does not watch.
    pub(super) fn gap_ticket(&self, ticket: &GapTicket, channels: &[String]) -> Vec<Message> {
        let nothing = Surroundings::default();
        let context = Context::new(self.plan, self.now, &nothing);
        let write = |channel: &ChannelPlan| render::gap_ticket(ticket, channel, &context);
        let named = self.those(channels, &ticket.open.key);
        named.into_iter().flat_map(|channel| self.with_fallback(channel, write)).collect()
    }

    fn held(&self, held: &HeldPage, channels: &[String], over: bool, paging: &Paging, commit: &mut Commit) {
        let nothing = Surroundings::default();
        let context = Context::new(self.plan, self.now, &nothing);
        let write = |channel: &ChannelPlan| render::held(held, channel, &context, over);
        let key = evaluator::paging::held_key(&held.state.key);
        let named = self.those(channels, &key);
        commit.outbox.extend(named.into_iter().flat_map(|channel| self.with_fallback(channel, write)));
        commit.filed.push(paging.filed_of(&key));
        commit.pages.push(held.state.clone());
    }

    /// The channels of these names. One that is not configured any more cannot be told, and that is said.
    fn those(&self, channels: &[String], key: &Key) -> Vec<&ChannelPlan> {
        let named = |name: &String| {
            let channel = self.recipients().named(name);
            if channel.is_none() {
                tracing::warn!(%key, channel = name, "the ticket was filed with a channel that is not configured any more: it is not told");
            }
            channel
        };
        channels.iter().filter_map(named).collect()
    }

    /// Why nobody is told.
    fn why(&self, why: &Untold) -> String {
        match why {
            Untold::Observe => "`mode = \"observe\"` only judges".to_owned(),
            Untold::NoRoute => "no `[[route.page]]` takes it".to_owned(),
            Untold::Maintenance(name) => format!("maintenance window `{name}`"),
            Untold::Silenced(id) => match self.silences.iter().find(|silence| silence.id == *id) {
                Some(silence) => format!("silence {id} of {}: {}", silence.author, silence.comment),
                None => format!("silence {id}"),
            },
        }
    }

    fn audit(&self, incident: &Incident, detail: String) -> AuditRecord {
        AuditRecord {
            at: self.now,
            who: "otpsd".to_owned(),
            act: "untold".to_owned(),
            subject: incident.key.to_string(),
            detail,
        }
    }
}

/// The records of incidents that opened or ended. `summaries` holds what the pages of the open ones said.
pub(super) fn incidents(
    plan: &Plan,
    now: Timestamp,
    effects: &[Effect],
    summaries: &mut BTreeMap<Key, String>,
) -> Vec<IncidentRecord> {
    let mut records: BTreeMap<Key, IncidentRecord> = BTreeMap::new();
    for effect in effects {
        let record = match effect {
            Effect::Page(page) => {
                let incident = page.incident().clone();
                let summary = notifier::text::page::of_series(page, &plan.rule_of(&incident.series));
                summaries.insert(incident.key.clone(), summary.clone());
                IncidentRecord::opened(incident, summary, page.evidence().clone(), now)
            }
            Effect::Resolve(resolve) => {
                let incident = resolve.incident.clone();
                let summary = summaries.remove(&incident.key).unwrap_or_default();
                let resolved = Some(resolve.resolved);
                IncidentRecord { incident, summary, evidence: None, resolved, at: now }
            }
            Effect::Ended(_) | Effect::Ticket(_) | Effect::Transition(_) | Effect::Diagnose(_) => continue,
        };
        records.insert(record.incident.key.clone(), record);
    }
    records.into_values().collect()
}
