//! Every text as a person reads it.

use domain::{Key, Period, Rule, SourceError};
use insta::assert_snapshot;
use jiff::Timestamp;

use super::*;
use crate::sample;

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

fn lines(ticket: &SourceTicket) -> String {
    let text =
        sample::with_context(&Rule::default(), "2026-12-03T06:02:00Z", |context| text(ticket, context));
    assert!(text.lines().all(|line| line == line.trim_end()));
    text
}

#[test]
fn a_role_that_is_denied() {
    assert_snapshot!(lines(&sample::source_ticket()));
}

#[test]
fn it_can_be_read_again() {
    let mut ticket = sample::source_ticket();
    (ticket.at, ticket.error) = (at("2026-12-03T07:35:00Z"), None);
    ticket.closed = Some(SourceClosed::Recovered);
    assert_snapshot!(lines(&ticket));
}

/// One Region of a source that never worked, over midnight.
#[test]
fn nothing_is_known_yet() {
    let since = at("2026-12-02T23:55:00Z");
    let mut ticket = sample::source_ticket();
    ticket.regions.truncate(1);
    (ticket.series, ticket.incidents, ticket.worked_until, ticket.since) = (0, 0, None, since);
    ticket.key = Key::of_source("main", ticket.act, ticket.failure, Period::containing(since));
    assert_snapshot!(lines(&ticket));
}

#[test]
fn models_that_may_not_be_listed() {
    let mut ticket = sample::source_ticket();
    ticket.act = SourceAct::Discover;
    ticket.error = Some(SourceError {
        failure: Failure::Denied,
        action: Some("cloudwatch:ListMetrics".to_owned()),
        message: "ListMetrics of source `main` in us-east-1 failed: AccessDenied".to_owned(),
        hint: Some("allow `cloudwatch:ListMetrics` to the credentials of the source".to_owned()),
    });
    assert_snapshot!(lines(&ticket));
}

#[test]
fn every_kind_says_what_it_is_and_what_to_do() {
    let mut all = Vec::new();
    for failure in Failure::ALL {
        let mut ticket = sample::source_ticket();
        ticket.failure = failure;
        ticket.error = ticket.error.map(|error| SourceError { failure, hint: None, ..error });
        all.push(format!("{}\n  {}", summary(&ticket), steps(&ticket).join("\n  ")));
    }
    assert_snapshot!(all.join("\n"));
}

#[test]
fn every_end_says_why() {
    let mut all = Vec::new();
    for act in SourceAct::ALL {
        for why in [SourceClosed::Recovered, SourceClosed::FailsOtherwise, SourceClosed::NotConfigured] {
            let mut ticket = sample::source_ticket();
            (ticket.act, ticket.closed, ticket.at) = (act, Some(why), at("2026-12-04T07:35:00Z"));
            all.push(format!("{}\n  {}", summary(&ticket), ended(&ticket)));
        }
    }
    assert_snapshot!(all.join("\n"));
}
