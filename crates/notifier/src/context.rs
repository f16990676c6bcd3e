//! What a rendering needs beside the thing itself.

use domain::{Rule, TicketRule};
use jiff::Timestamp;

/// What a rendering needs beside the thing itself. It holds no secrets.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The address of the status page as its readers know it; without one, messages have no link.
    pub public_url: Option<&'a str>,
    /// When the message became owed.
    pub now: Timestamp,
    /// The rule that judged.
    pub rule: &'a Rule,
    /// The rule that files tickets.
    pub ticket_rule: &'a TicketRule,
}

impl Context<'_> {
    /// Where a reader finds the chart. There is one page for all series, so every message has the same link.
    pub(crate) fn link(&self) -> Option<String> {
        self.public_url.map(|url| format!("{}/", url.trim_end_matches('/')))
    }
}
