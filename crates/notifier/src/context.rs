//! What a rendering needs beside the thing itself.

use domain::{Key, Plan, Rule, Series, Surroundings, TicketRule};
use jiff::Timestamp;

/// What stands before every line of a test.
pub(crate) const TEST: &str = "[TEST]";

/// The longest address that every receiver and browser takes.
const LINK_BYTES: usize = 2_000;

/// What a rendering needs beside the thing itself. Of the plan it reads the rules, the labels and the address of the status page, and
/// no secret.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The configuration.
    pub plan: &'a Plan,
    /// When the message becomes owed.
    pub now: Timestamp,
    /// What else there is to see; only pages show it.
    pub surroundings: &'a Surroundings,
    /// It is a test of the way to a reader, and says so wherever it is read.
    pub test: bool,
}

impl<'a> Context<'a> {
    /// What a message of the ordinary kind needs.
    #[must_use]
    pub const fn new(plan: &'a Plan, now: Timestamp, surroundings: &'a Surroundings) -> Self {
        Self { plan, now, surroundings, test: false }
    }

    /// The rule that judged a series.
    pub(crate) fn rule_of(&self, series: &Series) -> Rule {
        self.plan.rule_of(series)
    }

    /// The rule that files tickets.
    pub(crate) const fn ticket_rule(&self) -> &'a TicketRule {
        &self.plan.ticket_rule
    }

    /// A line as its readers get it: that of a test says so before anything else.
    pub(crate) fn marked(&self, line: String) -> String {
        if self.test { format!("{TEST} {line}") } else { line }
    }

    /// Where a reader finds the chart of a series: of one whose name no address can carry, that of all.
    pub(crate) fn link_to(&self, series: &Series) -> Option<String> {
        let own = self.address().map(|url| format!("{url}/series/{}", path(&series.to_string())));
        own.filter(|link| link.len() <= LINK_BYTES).or_else(|| self.link())
    }

    /// Where a reader finds a page of several series while it is open: its place on the page of everything.
    pub(crate) fn link_to_page(&self, key: &Key) -> Option<String> {
        self.link().map(|link| format!("{link}#page-{key}"))
    }

    /// Where a reader finds everything: what is about several series has no page of its own.
    pub(crate) fn link(&self) -> Option<String> {
        self.address().map(|url| format!("{url}/"))
    }

    fn address(&self) -> Option<&'a str> {
        self.plan.daemon.public_url.as_deref().map(|url| url.trim_end_matches('/'))
    }
}

/// A series as part of an address: a slash stays one, and whatever could end or change the path is written by its bytes.
fn path(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                out.push(byte.into());
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_link_leads_to_the_series_below_any_prefix() {
        let mut plan = sample::plan(&Rule::default());
        let around = Surroundings::default();
        let link = |plan: &Plan, series: &Series| Context::new(plan, sample::told(), &around).link_to(series);
        let arn = Series::new("111122223333", "us-east-1", "arn:aws:bedrock:x/a b+c?d#é%");
        plan.daemon.public_url = Some("https://ops.example.com/otpsd/".to_owned());
        assert_eq!(
            link(&plan, &arn).unwrap(),
            "https://ops.example.com/otpsd/series/111122223333/us-east-1/arn:aws:bedrock:x/a%20b%2Bc%3Fd%23%C3%A9%25"
        );
        assert_eq!(
            Context::new(&plan, sample::told(), &around).link().unwrap(),
            "https://ops.example.com/otpsd/"
        );
        let endless = Series::new("111122223333", "us-east-1", &"é".repeat(1_000));
        assert_eq!(link(&plan, &endless).unwrap(), "https://ops.example.com/otpsd/");
        plan.daemon.public_url = None;
        assert_eq!(link(&plan, &arn), None, "no link is made up");
    }
}
