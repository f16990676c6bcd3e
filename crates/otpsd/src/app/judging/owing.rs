//! What was said becomes incidents and messages.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Commit, IncidentRecord, Key, Mode, Plan, SourceTicket, TicketAction};
use evaluator::Effect;
use jiff::Timestamp;

use crate::app::recipients::Recipients;

/// Who got the pages of the open incidents, and what they said. Kept in memory, so that nothing has to be asked of the
/// ledger between a decision and its commit.
#[derive(Debug, Default)]
pub(super) struct Told {
    pages: BTreeMap<Key, Page>,
}

/// What was said when an incident opened.
#[derive(Debug, Clone, Default)]
struct Page {
    channels: Vec<String>,
    summary: String,
}

impl Told {
    /// An incident that was open before the start.
    pub(super) fn remember(&mut self, key: Key, channels: Vec<String>, summary: String) {
        self.pages.insert(key, Page { channels, summary });
    }

    /// Adds what follows from the effects of one step. What began and ended within it (the daemon was blind, or not there) is
    /// written down, and told nobody: there is nothing left to wake up for.
    pub(super) fn owe(&mut self, plan: &Plan, now: Timestamp, effects: &[Effect], commit: &mut Commit) {
        let (context, recipients) = (context(plan, now), Recipients::new(plan));
        let sends = plan.rule.mode == Mode::Page;
        let over = over_already(effects);
        for effect in effects {
            match effect {
                Effect::Page(page) => {
                    let incident = page.incident();
                    let summary = notifier::text::page::summary(page, &plan.rule);
                    let sends = sends && !over.contains(&incident.key);
                    let channels = recipients.of_page(&incident.series).filter(|_| sends);
                    let messages: Vec<_> =
                        channels.map(|one| notifier::render::page(page, one, &context)).collect();
                    let channels = messages.iter().map(|message| message.channel.clone()).collect();
                    self.remember(incident.key.clone(), channels, summary.clone());
                    commit.incidents.push(IncidentRecord::opened(incident.clone(), summary, now));
                    commit.outbox.extend(messages);
                }
                Effect::Resolve(resolve) => {
                    let told = self.pages.remove(&resolve.incident.key).unwrap_or_default();
                    for name in &told.channels {
                        match recipients.named(name) {
                            Some(channel) => {
                                commit.outbox.push(notifier::render::resolve(resolve, channel, &context));
                            }
                            None => tracing::warn!(
                                channel = %name, key = %resolve.incident.key,
                                "the page went to a channel that is not configured any more, so its resolve cannot"
                            ),
                        }
                    }
                    commit.incidents.push(IncidentRecord {
                        incident: resolve.incident.clone(),
                        summary: told.summary,
                        resolved: Some(resolve.resolved),
                        at: now,
                    });
                }
                Effect::Ticket(ticket) => {
                    let sends = sends && !over.contains(&ticket.key);
                    let channels = recipients.of_ticket(&ticket.series).filter(|_| sends);
                    commit
                        .outbox
                        .extend(channels.filter_map(|one| notifier::render::ticket(ticket, one, &context)));
                }
                Effect::Transition(_) | Effect::Diagnose(_) => {}
            }
        }
    }
}

/// Adds what is to be told of sources.
pub(super) fn owe_source_tickets(plan: &Plan, now: Timestamp, tickets: &[SourceTicket], commit: &mut Commit) {
    let context = context(plan, now);
    for ticket in tickets.iter().filter(|_| plan.rule.mode == Mode::Page) {
        let channels = Recipients::new(plan).of_source_ticket();
        commit
            .outbox
            .extend(channels.filter_map(|one| notifier::render::source_ticket(ticket, one, &context)));
    }
}

fn context(plan: &Plan, now: Timestamp) -> notifier::Context<'_> {
    notifier::Context {
        public_url: plan.daemon.public_url.as_deref(),
        now,
        rule: &plan.rule,
        ticket_rule: &plan.ticket_rule,
    }
}

/// The incidents and tickets that open and end in the same step.
fn over_already(effects: &[Effect]) -> BTreeSet<Key> {
    let opened: BTreeSet<&Key> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Page(page) => Some(&page.incident().key),
            Effect::Ticket(ticket) if ticket.action == TicketAction::Opened => Some(&ticket.key),
            _ => None,
        })
        .collect();
    let ended = effects.iter().filter_map(|effect| match effect {
        Effect::Resolve(resolve) => Some(&resolve.incident.key),
        Effect::Ticket(ticket) if ticket.action == TicketAction::Closed => Some(&ticket.key),
        _ => None,
    });
    ended.filter(|key| opened.contains(key)).cloned().collect()
}
