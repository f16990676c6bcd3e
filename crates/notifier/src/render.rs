//! A page, its resolve, or a ticket, as a message to one channel.
//!
//! The id of a message is a function of what is said to whom, so that whoever renders the same thing again arrives at the same message:
//! `{key}:{kind}:{channel}` for tickets, with the period that decided at the end of an update, and `{key}:{kind}:{channel}@{told}` for
//! pages and resolves, where `told` is when the page became owed.

use domain::{ChannelPlan, GapTicket, GroupPage, GroupResolve, HeldPage, Message, SourceTicket, Ticket};

use crate::context::Context;
use crate::notice::Notice;
use crate::{pagerduty, sns, tracked};

/// The longest body that a webhook gets, in bytes: as much as SNS carries.
const WEBHOOK_BYTES: usize = 256 * 1_024;

/// A body, and attributes beside it.
type Parts = (String, Vec<(String, String)>);

/// The message of a page. The summary of its state need not be filled in yet.
#[must_use]
pub fn page(page: &GroupPage, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let notice = Notice::page(page, context);
    let parts = match plan {
        ChannelPlan::Sns(sns) => sns::page(&notice, page, (sns, &notice.id(plan)), context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::event(&notice, plan), Vec::new()),
        _ => told(&notice, plan),
    };
    message(notice, parts, plan)
}

/// The message of a resolve.
#[must_use]
pub fn resolve(resolve: &GroupResolve, plan: &ChannelPlan, context: &Context<'_>) -> Message {
    let notice = Notice::resolve(resolve, context);
    let parts = match plan {
        ChannelPlan::Sns(sns) => sns::resolve(&notice, resolve, (sns, &notice.id(plan)), context),
        ChannelPlan::PagerDuty(plan) => (pagerduty::event(&notice, plan), Vec::new()),
        _ => told(&notice, plan),
    };
    message(notice, parts, plan)
}

/// What is said when a page is held open only by series that cannot be seen, and, when `over`, that this has ended: a ticket with a key of
/// its own, or `None` for a channel that exists to wake people. Nobody is woken twice for one page.
#[must_use]
pub fn held(held: &HeldPage, plan: &ChannelPlan, context: &Context<'_>, over: bool) -> Option<Message> {
    quiet(Notice::held(held, over, context), plan)
}

/// The message of a ticket, or `None` for a channel that exists to wake people: it takes no tickets.
#[must_use]
pub fn ticket(ticket: &Ticket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    quiet(Notice::ticket(ticket, context), plan)
}

/// The message of a ticket about a source, or `None` for a channel that exists to wake people.
#[must_use]
pub fn source_ticket(ticket: &SourceTicket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    quiet(Notice::source_ticket(ticket, context), plan)
}

/// The message of a ticket about what of a source is not watched, or `None` for a channel that exists to wake people.
#[must_use]
pub fn gap_ticket(ticket: &GapTicket, plan: &ChannelPlan, context: &Context<'_>) -> Option<Message> {
    quiet(Notice::gap_ticket(ticket, context), plan)
}

/// What wakes nobody: no alarm, and nothing for PagerDuty.
fn quiet(notice: Notice, plan: &ChannelPlan) -> Option<Message> {
    if matches!(plan, ChannelPlan::PagerDuty(_)) {
        return None;
    }
    let parts = told(&notice, plan);
    Some(message(notice, parts, plan))
}

/// The formats that are the same for whatever is said.
fn told(notice: &Notice, plan: &ChannelPlan) -> Parts {
    match plan {
        ChannelPlan::Sns(sns) => sns::told(notice, sns, &notice.id(plan)),
        ChannelPlan::Webhook(_) => (notice.json(WEBHOOK_BYTES), Vec::new()),
        ChannelPlan::OpsItem(_) | ChannelPlan::Jira(_) => (tracked::item(notice).body(), Vec::new()),
        ChannelPlan::PagerDuty(_) | ChannelPlan::Log { .. } => (notice.text.clone(), Vec::new()),
    }
}

fn message(notice: Notice, (body, attributes): Parts, plan: &ChannelPlan) -> Message {
    Message {
        id: notice.id(plan),
        channel: plan.name(),
        kind: notice.kind,
        key: notice.key,
        summary: notice.summary,
        body,
        attributes,
        created: notice.time,
        standby_for: None,
    }
}

#[cfg(test)]
mod tests;
