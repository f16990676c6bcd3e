//! What holds between routes, channels and the purpose: tickets wake nobody, and a daemon has somebody to tell.

use domain::{Mode, Secret};

use crate::channel::{Channel, Kind};
use crate::fallback::find;
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::route::Read;
use crate::{Purpose, Severity};

const ELSEWHERE: &str = "send tickets to Jira, OpsCenter, the log, or a topic of their own";

/// A channel that gets something, and the place that says so: a route, or the fallback of a channel that gets it first.
#[derive(Debug, Clone, Copy)]
struct Recipient<'c> {
    channel: &'c Channel,
    at: At,
    /// The channel whose fallback it is.
    stands_in_for: Option<&'c Channel>,
}

/// Everything that routes reach, directly and as a fallback.
fn reached<'c>(channels: &'c [Channel], routes: &[Read]) -> Vec<Recipient<'c>> {
    let named = routes.iter().flat_map(|route| &route.channels);
    let mut all: Vec<_> = named
        .filter_map(|(name, at)| {
            Some(Recipient { channel: find(channels, name)?, at: *at, stands_in_for: None })
        })
        .collect();
    let mut next = 0;
    while let Some(recipient) = all.get(next).copied() {
        next += 1;
        let Some((name, at)) = &recipient.channel.fallback else { continue };
        // Two routes to a channel lead to its fallback once.
        let is_new = all.iter().all(|other| other.at != *at);
        if let Some(channel) = find(channels, name).filter(|_| is_new) {
            all.push(Recipient { channel, at: *at, stands_in_for: Some(recipient.channel) });
        }
    }
    all
}

/// A ticket never goes to PagerDuty, and never to a topic or an address that gets pages, by whichever name, and not as a fallback.
pub(crate) fn tickets_wake_nobody(
    report: &mut Report<'_>,
    channels: &[Channel],
    pages: &[Read],
    tickets: &[Read],
) {
    let pages = reached(channels, pages);
    for ticket in reached(channels, tickets) {
        let channel = ticket.channel;
        let stands_in = match ticket.stands_in_for {
            Some(first) => format!(", the fallback of {}", quoted(&first.name)),
            None => String::new(),
        };
        let refusal =
            format!("a ticket wakes nobody, so it cannot go to {}{stands_in}", quoted(&channel.name));
        if channel.kind == Kind::PagerDuty {
            let draft = report.error(ticket.at, refusal).hint(ELSEWHERE);
            if let Some(page) = pages.iter().find(|page| page.channel.name == channel.name) {
                draft.see(page.at, "it gets pages here");
            }
        } else if let Some(listener) = channel.kind.listener() {
            let is_paged =
                |page: &&Recipient<'_>| channel.leads.is_some() && page.channel.leads == channel.leads;
            let Some(page) = pages.iter().find(is_paged) else { continue };
            let by_name = if page.channel.name == channel.name {
                String::new()
            } else {
                format!(" through {}", quoted(&page.channel.name))
            };
            let draft = report.error(ticket.at, format!("{refusal}: its {listener} gets pages{by_name}"));
            if page.stands_in_for.is_some() {
                draft.see(page.at, "it gets pages here, as a fallback");
                draft.hint("choose a fallback that gets no tickets, or send tickets elsewhere");
            } else {
                draft.see(page.at, "it gets pages here").hint(ELSEWHERE);
            }
        } else if let Some((topic, at)) = &channel.notifies {
            let topic = Some((Kind::Sns, Secret::new(topic)));
            if let Some(page) = pages.iter().find(|page| page.channel.leads == topic) {
                let message = format!(
                    "a ticket wakes nobody, so {} cannot notify a topic that gets pages",
                    quoted(&channel.name)
                );
                let draft = report.error(*at, message);
                draft.hint("notify another topic, or leave it out").see(page.at, "it gets pages here");
            }
        }
    }
}

/// Two channels that lead to one receiver are one to that receiver: it knows a page by its key alone.
pub(crate) fn receivers_differ(report: &mut Report<'_>, channels: &[Channel]) {
    let mut ordered: Vec<_> = channels.iter().filter(|channel| channel.leads.is_some()).collect();
    ordered.sort_by_key(|channel| channel.at);
    for (index, channel) in ordered.iter().enumerate() {
        let Some(first) = ordered.iter().take(index).find(|first| first.leads == channel.leads) else {
            continue;
        };
        let message =
            format!("{} leads to the same receiver as {}", quoted(&channel.name), quoted(&first.name));
        report
            .warning(channel.at, message)
            .hint("messages to both arrive twice, and the resolve of one closes the page of the other")
            .see(first.at, "the same receiver");
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
        the_rest(report, pages, true);
        the_rest(report, tickets, false);
    }
    // Of a route whose channels cannot be read, nobody knows whom it would reach.
    if pages.iter().chain(tickets).any(|route| route.channels.is_empty()) {
        return;
    }
    let (pages, tickets) = (reached(channels, pages), reached(channels, tickets));
    for channel in channels.iter().filter(|channel| channel.kind != Kind::Unknown) {
        let is_used = |all: &[Recipient<'_>]| all.iter().any(|one| one.channel.name == channel.name);
        if !is_used(&pages) && !is_used(&tickets) {
            report.warning(channel.at, format!("no route sends anything to {}", quoted(&channel.name)));
        }
    }
}

/// Warns when no route takes everything.
fn the_rest(report: &mut Report<'_>, routes: &[Read], is_page: bool) {
    // Of a route that cannot be read, nobody knows what it would take.
    let has_rest = routes.iter().all(|route| route.is_known() && !route.takes_all(is_page));
    let Some(last) = routes.last().filter(|_| has_rest) else { return };
    let what = if is_page { "pages nobody" } else { "has tickets for nobody" };
    // What takes every series, and still not every ticket.
    if !is_page && routes.iter().any(|route| route.takes_all(true)) {
        let message = "no route takes tickets about sources: they have no model and no account";
        report.warning(last.at, message).hint("leave out `models = [\"*\"]` and `accounts = [\"*\"]`");
        return;
    }
    let message = format!("no route takes everything: the rest {what}");
    report.warning(last.at, message).hint("end with a route that has nothing but `channels`");
}
