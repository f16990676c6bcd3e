//! A page, a resolve or a ticket, about a series or a source, as a message to one channel.
//!
//! The id of a message is `{key}:{kind}:{channel}`, so that whoever renders the same thing again arrives at the same
//! message. A ticket is updated more than once: its updates add the period that decided.

use domain::{ChannelPlan, Key, Message, NoticeKind, Page, Resolve, SourceTicket, Ticket, TicketAction};

use crate::context::Context;
use crate::{pagerduty, sns, text};

/// The message of a page.
#[must_use]
pub fn page(page: &Page, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(plan) => sns::page(page, plan, context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::page(page, plan, context), Vec::new()),
        ChannelPlan::Log { .. } => (text::page::text(page, context), Vec::new()),
    };
    let kind = NoticeKind::Page;
    let key = &page.incident().key;
    Message {
        id: id(key, kind, plan),
        channel: plan.name(),
        kind,
        key: key.clone(),
        summary: text::page::summary(page, context.rule),
        body,
        attributes,
        created: context.now,
    }
}

/// The message of a resolve.
#[must_use]
pub fn resolve(resolve: &Resolve, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(plan) => sns::resolve(resolve, plan, context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::resolve(resolve, plan, context), Vec::new()),
        ChannelPlan::Log { .. } => (text::resolve::text(resolve, context), Vec::new()),
    };
    let kind = NoticeKind::Resolve;
    let key = &resolve.incident.key;
    Message {
        id: id(key, kind, plan),
        channel: plan.name(),
        kind,
        key: key.clone(),
        summary: text::resolve::summary(resolve),
        body,
        attributes,
        created: context.now,
    }
}

/// The message of a ticket, or `None` for a channel that exists to wake people: it takes no tickets.
#[must_use]
pub fn ticket(ticket: &Ticket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(_) => sns::ticket(ticket, context),
        ChannelPlan::PagerDuty(_) => return None,
        ChannelPlan::Log { .. } => (text::ticket::text(ticket, context), Vec::new()),
    };
    let kind = NoticeKind::Ticket(ticket.action);
    let mut id = id(&ticket.key, kind, plan);
    if ticket.action == TicketAction::Updated {
        id.push_str(&format!(":{}", ticket.decided));
    }
    Some(Message {
        id,
        channel: plan.name(),
        kind,
        key: ticket.key.clone(),
        summary: text::ticket::summary(ticket),
        body,
        attributes,
        created: context.now,
    })
}

/// The message of a ticket about a source, or `None` for a channel that exists to wake people.
#[must_use]
pub fn source_ticket(ticket: &SourceTicket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(_) => sns::source_ticket(ticket, context),
        ChannelPlan::PagerDuty(_) => return None,
        ChannelPlan::Log { .. } => (text::source::text(ticket, context), Vec::new()),
    };
    let kind = NoticeKind::Ticket(ticket.action());
    Some(Message {
        id: id(&ticket.key, kind, plan),
        channel: plan.name(),
        kind,
        key: ticket.key.clone(),
        summary: text::source::summary(ticket),
        body,
        attributes,
        created: context.now,
    })
}

fn id(key: &Key, kind: NoticeKind, plan: &ChannelPlan) -> String {
    format!("{key}:{}:{}", kind.as_str(), plan.name())
}

#[cfg(test)]
mod tests;
