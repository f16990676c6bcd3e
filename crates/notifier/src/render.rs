//! A page, a resolve or a ticket, about a series or a source, as a message to one channel.
//!
//! The id of a message is `{key}:{kind}:{channel}`, so that whoever renders the same thing again arrives at the same
//! message. A ticket is updated more than once: its updates add the period that decided.

use domain::{
    ChannelPlan, GroupPage, GroupResolve, HeldPage, Key, Message, NoticeKind, SourceTicket, Ticket,
    TicketAction,
};

use crate::context::Context;
use crate::{pagerduty, sns, text};

/// The message of a page.
#[must_use]
pub fn page(page: &GroupPage, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let first = &page.pages[0];
    let (body, attributes) = match plan {
        ChannelPlan::Sns(plan) => sns::page(first, plan, context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::page(first, plan, context), Vec::new()),
        _ => (text::page::text(first, context), Vec::new()),
    };
    let kind = NoticeKind::Page;
    let key = &page.state.key;
    Message {
        id: format!("{}@{}", id(key, kind, plan), page.state.told),
        channel: plan.name(),
        kind,
        key: key.clone(),
        summary: text::page::summary(page, context),
        body,
        attributes,
        created: context.now,
        standby_for: None,
    }
}

/// The message of a resolve.
#[must_use]
pub fn resolve(resolve: &GroupResolve, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let last = &resolve.last;
    let (body, attributes) = match plan {
        ChannelPlan::Sns(plan) => sns::resolve(last, plan, context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::resolve(last, plan, context), Vec::new()),
        _ => (text::resolve::text(last, context), Vec::new()),
    };
    let kind = NoticeKind::Resolve;
    let key = &resolve.state.key;
    Message {
        id: format!("{}@{}", id(key, kind, plan), resolve.state.told),
        channel: plan.name(),
        kind,
        key: key.clone(),
        summary: text::resolve::summary(resolve),
        body,
        attributes,
        created: context.now,
        standby_for: None,
    }
}

/// What is said when a page is held open only by series that cannot be seen, and, when `over`, that this has ended: a ticket with a key of
/// its own, or `None` for a channel that exists to wake people. Nobody is woken twice for one page.
#[must_use]
pub fn held(_: &HeldPage, _: &ChannelPlan, _: &Context<'_>, _: bool) -> Option<Message> {
    None
}

/// The message of a ticket, or `None` for a channel that exists to wake people: it takes no tickets.
#[must_use]
pub fn ticket(ticket: &Ticket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(_) => sns::ticket(ticket, context),
        ChannelPlan::PagerDuty(_) => return None,
        _ => (text::ticket::text(ticket, context), Vec::new()),
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
        standby_for: None,
    })
}

/// The message of a ticket about a source, or `None` for a channel that exists to wake people.
#[must_use]
pub fn source_ticket(ticket: &SourceTicket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    let (body, attributes) = match plan {
        ChannelPlan::Sns(_) => sns::source_ticket(ticket, context),
        ChannelPlan::PagerDuty(_) => return None,
        _ => (text::source::text(ticket, context), Vec::new()),
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
        standby_for: None,
    })
}

fn id(key: &Key, kind: NoticeKind, plan: &ChannelPlan) -> String {
    format!("{key}:{}:{}", kind.as_str(), plan.name())
}

#[cfg(test)]
mod tests;
