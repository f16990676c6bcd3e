//! What holds between routes, channels and the purpose: tickets wake nobody, and a daemon has somebody to tell.

use std::collections::BTreeMap;

use domain::Mode;

use crate::channel::{Channel, Kind};
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::route::Read;
use crate::{Purpose, Severity};

/// A ticket never goes to PagerDuty, and never to a topic that gets pages, by whichever name.
pub(crate) fn tickets_wake_nobody(
    report: &mut Report<'_>,
    channels: &[Channel],
    pages: &[Read],
    tickets: &[Read],
) {
    let channel = |name: &str| channels.iter().find(|channel| channel.name == name);
    let topic = |name: &str| match channel(name).map(|channel| &channel.kind) {
        Some(Kind::Sns(arn)) => arn.as_deref(),
        _ => None,
    };
    let page_recipients = || pages.iter().flat_map(|route| &route.channels);
    let mut paged_topics: BTreeMap<&str, &(String, At)> = BTreeMap::new();
    for recipient in page_recipients() {
        if let Some(arn) = topic(&recipient.0) {
            paged_topics.entry(arn).or_insert(recipient);
        }
    }
    for (name, at) in tickets.iter().flat_map(|route| &route.channels) {
        if channel(name).is_some_and(|channel| channel.kind == Kind::PagerDuty) {
            let draft =
                report.error(*at, format!("a ticket wakes nobody, so it cannot go to {}", quoted(name)));
            draft.hint("send tickets to the log, or to an SNS topic of their own");
            if let Some((_, page_at)) = page_recipients().find(|(other, _)| other == name) {
                draft.see(*page_at, "it gets pages here");
            }
        } else if let Some((page_name, page_at)) = topic(name).and_then(|arn| paged_topics.get(arn)) {
            let through =
                if page_name == name { String::new() } else { format!(" through {}", quoted(page_name)) };
            let message = format!(
                "a ticket wakes nobody, so it cannot go to {}: its topic gets pages{through}",
                quoted(name)
            );
            let draft = report.error(*at, message);
            draft
                .hint("send tickets to the log, or to an SNS topic of their own")
                .see(*page_at, "it gets pages here");
        }
    }
}

/// What a daemon needs beyond what is written, and what nobody would get.
pub(crate) fn somebody_is_told(
    report: &mut Report<'_>,
    (purpose, mode): (Purpose, Mode),
    sources: usize,
    channels: &[Channel],
    (pages, tickets): (&[Read], &[Read]),
) {
    if purpose == Purpose::Backtest {
        return;
    }
    if sources == 0 {
        let severity = if purpose == Purpose::Run { Severity::Error } else { Severity::Warning };
        report
            .add(severity, None, "there is no source, so that nothing can be watched".to_owned())
            .hint("add a table `[source.cloudwatch.main]`; only `otpsd backtest` works without");
    }
    if mode == Mode::Page {
        if pages.is_empty() && (sources > 0 || purpose == Purpose::Run) {
            report
                .add(
                    Severity::Error,
                    None,
                    "there is no `[[route.page]]`, so that nobody can be paged".to_owned(),
                )
                .hint("add one, or write `mode = \"observe\"` in `[alarm]`");
        }
        if tickets.is_empty() && !pages.is_empty() {
            report
                .add(
                    Severity::Warning,
                    None,
                    "there is no `[[route.ticket]]`, so that nobody gets tickets".to_owned(),
                )
                .hint("a ticket tells of a slow creep and of sources that fail");
        }
        for (routes, what) in [(pages, "pages nobody"), (tickets, "has tickets for nobody")] {
            if let Some(last) = routes.last().filter(|_| !routes.iter().any(Read::takes_all)) {
                let message = format!("no route takes every model: the rest {what}");
                report.warning(last.at, message).hint("end with a route without `models`");
            }
        }
    }
    for channel in channels.iter().filter(|channel| channel.kind != Kind::Unknown) {
        let is_used = |routes: &[Read]| {
            routes.iter().any(|route| route.channels.iter().any(|(name, _)| *name == channel.name))
        };
        if !is_used(pages) && !is_used(tickets) {
            report.warning(channel.at, format!("no route sends anything to {}", quoted(&channel.name)));
        }
    }
}
