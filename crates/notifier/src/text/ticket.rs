//! The text of a ticket.
//!
//! # Layout
//!
//! - `headline`: what happened, in a line, by cause.
//! - `meaning`: what that means, by cause.
//! - `steps`: what to do, in the order in which it helps, by cause.
//! - `table`: every term, then and now.

mod headline;
mod meaning;
mod steps;
mod table;

use domain::{Cause, Ticket, TicketAction};

use super::{DO_IN_ORDER, findings, heading, identity};
use crate::context::Context;
use crate::moments::{day, day_and_clock};
use crate::sheet::Sheet;

/// One line: what changed, by how much, and where.
///
/// `First token +41 %: prompts grew +53 %, OTPS steady (us-west-2 example.large-v1:0)`
#[must_use]
pub fn summary(ticket: &Ticket) -> String {
    let place = heading::place(&ticket.series);
    match ticket.action {
        TicketAction::Opened => format!("{} ({place})", headline::standing(ticket)),
        TicketAction::Updated => format!("Still: {} ({place})", headline::standing(ticket)),
        TicketAction::Closed => format!("Closed: {} ({place})", headline::closed(ticket)),
    }
}

/// The whole text.
#[must_use]
pub fn text(ticket: &Ticket, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &context.marked(summary(ticket)), context);
    sheet.paragraph(&standing(ticket));
    sheet.gap();
    if ticket.action == TicketAction::Closed {
        sheet.paragraph("Its reason is gone. Nothing to do.");
    } else {
        sheet.paragraph(&meaning::meaning(ticket));
        if let Some(days) = days(ticket, context) {
            sheet.paragraph(&days);
        }
    }
    sheet.gap();
    heading::series(&mut sheet, &ticket.series, context);
    table::terms(&mut sheet, &ticket.usual, &ticket.now);
    if about_latency(ticket.cause) {
        identity::identity(&mut sheet, "reference", &ticket.usual, &ticket.now);
    }
    if ticket.action != TicketAction::Closed {
        findings::given(&mut sheet, &ticket.findings);
        sheet.list(DO_IN_ORDER, &steps(ticket, context));
        sheet.gap();
        sheet.paragraph(&meaning::end(ticket, context));
    }
    heading::footer(&mut sheet, context.link_to(&ticket.series), &ticket.key);
    sheet.finish()
}

/// What to do, in the order in which it helps.
pub(crate) fn steps(ticket: &Ticket, context: &Context<'_>) -> Vec<String> {
    let runbook = heading::runbook([&ticket.series], context);
    runbook.into_iter().chain(steps::steps(ticket)).collect()
}

/// Whether the terms of latency are what the ticket is about.
fn about_latency(cause: Cause) -> bool {
    match cause {
        Cause::PromptGrowth
        | Cause::CacheRegression
        | Cause::Queueing
        | Cause::LongerResponses
        | Cause::DecodeErosion
        | Cause::LevelShift => true,
        Cause::SlowTail
        | Cause::NoData
        | Cause::SourceFailing
        | Cause::StreamingMix
        | Cause::LowConfidence
        | Cause::ModelMissing
        | Cause::SeriesLimit
        | Cause::CostLimit => false,
    }
}

/// Since when, as of when, and that it wakes nobody.
fn standing(ticket: &Ticket) -> String {
    let opened = ticket.opened.end();
    let decided = ticket.decided.end();
    let when = match ticket.action {
        TicketAction::Opened => format!("opened {}", day_and_clock(opened)),
        TicketAction::Updated => {
            format!("opened {}, figures of {}", day_and_clock(opened), day_and_clock(decided))
        }
        TicketAction::Closed => {
            format!("opened {}, closed {}", day(opened), day_and_clock(decided))
        }
    };
    format!("Ticket {}, {when}. It pages nobody.", ticket.cause)
}

/// `3 of the last 5 days show it, each against the same day a week before or the oldest days that are kept (+15 % or more).` It is
/// why a ticket was opened; one that stands is compared with its reference alone.
fn days(ticket: &Ticket, context: &Context<'_>) -> Option<String> {
    let (evidence, looked) = ticket.days;
    if looked == 0 || ticket.action != TicketAction::Opened {
        return None;
    }
    let against = match ticket.cause {
        Cause::PromptGrowth | Cause::CacheRegression | Cause::Queueing | Cause::LongerResponses => format!(
            ", each against the same day a week before or the oldest days that are kept ({:+.0} % or more)",
            context.ticket_rule().growth * 100.0
        ),
        Cause::DecodeErosion => format!(
            ", each against the oldest days that are kept (-{:.0} % or more)",
            context.ticket_rule().erosion * 100.0
        ),
        _ => String::new(),
    };
    Some(match (evidence, looked) {
        (_, 1) => format!("The last 24 hours show it{against}."),
        (evidence, looked) if evidence == looked => {
            format!("Each of the last {looked} days shows it{against}.")
        }
        (1, looked) => format!("1 of the last {looked} days shows it{against}."),
        (evidence, looked) => format!("{evidence} of the last {looked} days show it{against}."),
    })
}
