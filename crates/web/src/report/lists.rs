//! What is a row of a table: tickets, near misses, series.

use domain::{Series, UNKNOWN_ACCOUNT};

use super::incident::{Badge, after, dated, why};
use super::model::{Coverage, Message, NearMiss, SeriesLine, Ticket};
use super::words::Part;
use crate::figures::{NONE, ratio};
use crate::times::{When, length};

/// `us-east-1 · 111122223333`, or the Region alone where the account is not known.
pub(super) fn place(series: &Series) -> String {
    match series.account() {
        UNKNOWN_ACCOUNT => series.region().to_owned(),
        account => format!("{} · {account}", series.region()),
    }
}

/// `98.9 %`, never rounded up to all of it.
pub(super) fn share(coverage: Coverage) -> String {
    if coverage.with_requests == 0 {
        return NONE.to_owned();
    }
    let percent = coverage.judged as f64 / coverage.with_requests as f64 * 100.0;
    if coverage.judged == coverage.with_requests {
        "100 %".to_owned()
    } else {
        format!("{:.1} %", (percent * 10.0).floor() / 10.0)
    }
}

/// One ticket.
pub(super) struct TicketRow<'a> {
    pub(super) opened: When,
    pub(super) closed: Option<When>,
    pub(super) stood: Option<String>,
    pub(super) cause: &'static str,
    pub(super) model: &'a str,
    pub(super) place: String,
    pub(super) summary: &'a str,
    pub(super) message: &'a Message,
    pub(super) key: String,
    pub(super) badge: Option<Badge>,
    pub(super) why: Vec<Vec<Part<'a>>>,
}

impl<'a> TicketRow<'a> {
    /// The row of `ticket`.
    pub(super) fn new(ticket: &'a Ticket) -> Self {
        let opened = ticket.opened;
        Self {
            opened: dated(opened + 1),
            closed: ticket.closed.map(|closed| after(closed.end(), opened.end())),
            stood: ticket.closed.map(|closed| length(closed.start().duration_since(opened.start()))),
            cause: ticket.cause.as_str(),
            model: ticket.series.model(),
            place: place(&ticket.series),
            summary: &ticket.summary,
            message: &ticket.message,
            key: ticket.key.to_string(),
            badge: ticket.difference.as_ref().map(Badge::of),
            why: why(ticket.difference.as_ref()),
        }
    }
}

/// What came close to paging.
pub(super) struct NearRow<'a> {
    pub(super) when: When,
    pub(super) model: &'a str,
    pub(super) place: String,
    pub(super) count: String,
    pub(super) ratio: String,
    pub(super) why: &'a str,
}

impl<'a> NearRow<'a> {
    /// The row of `near`.
    pub(super) fn new(near: &'a NearMiss) -> Self {
        Self {
            when: dated(near.period),
            model: near.series.model(),
            place: place(&near.series),
            count: format!("{} of {}, {} page", near.breaching, near.of, near.needed),
            // There is no line that it must not be rounded up to: it did not page.
            ratio: ratio(near.ratio, 0.0),
            why: &near.why,
        }
    }
}

/// One series.
pub(super) struct SeriesRow<'a> {
    pub(super) model: &'a str,
    pub(super) place: String,
    pub(super) judged_from: Option<When>,
    pub(super) share: String,
    pub(super) pages: usize,
    pub(super) tickets: usize,
    pub(super) note: Option<&'a str>,
}

impl<'a> SeriesRow<'a> {
    /// The row of `line`, with how many incidents and tickets it had.
    pub(super) fn new(line: &'a SeriesLine, pages: usize, tickets: usize) -> Self {
        Self {
            model: line.series.model(),
            place: place(&line.series),
            judged_from: line.judged_from.map(dated),
            share: share(line.coverage),
            pages,
            tickets,
            note: line.note.as_deref(),
        }
    }
}
