//! What is said to somebody, and what to nobody.

use std::collections::BTreeSet;

use domain::{Cause, Key, Member, Page, Period, Plan, Series, TicketAction};
use evaluator::{Effect, Notice};

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Page,
    Resolve,
    Ticket(Cause),
    TicketClosed(Cause),
}

/// Something that was said to somebody.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub(super) what: What,
    /// The period whose verdict led to it.
    pub(super) period: Period,
    /// Whom it is about, at least one.
    pub(super) series: Vec<Series>,
    /// Who was told.
    pub(super) channels: BTreeSet<String>,
    pub(super) summary: String,
}

/// Something that was said to nobody.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unsaid {
    pub(super) what: What,
    pub(super) period: Period,
    pub(super) series: Series,
    pub(super) why: String,
}

/// What a notice comes to.
pub(super) enum Told {
    /// Under this key.
    Somebody(Key, Said),
    Nobody(Vec<Unsaid>),
}

/// What a notice of a period comes to. The weekly reminder of a ticket that stands is nothing new.
pub(super) fn of(period: Period, notice: Notice, plan: &Plan) -> Told {
    let somebody = |what: What, key: Key, series: Vec<Series>, channels: Vec<String>, summary: String| {
        let channels = channels.into_iter().collect();
        Told::Somebody(key, Said { what, period, series, channels, summary })
    };
    let nobody = |what: What, series: Series, why: String| Unsaid { what, period, series, why };
    match notice {
        Notice::Page(page) => {
            let line =
                |page: &Page| notifier::text::page::of_series(page, &plan.rule_of(&page.incident().series));
            let summary = page.pages.first().map(line);
            let state = page.state;
            somebody(
                What::Page,
                state.key,
                of_all(&state.members),
                vec![state.channel],
                summary.unwrap_or_default(),
            )
        }
        Notice::Resolve(resolve) => {
            let summary = notifier::text::resolve::of_series(&resolve.last);
            let state = resolve.state;
            somebody(What::Resolve, state.key, of_all(&state.members), vec![state.channel], summary)
        }
        Notice::Ticket { ticket, channels } => {
            let what = match ticket.action {
                TicketAction::Opened => What::Ticket(ticket.cause),
                TicketAction::Closed => What::TicketClosed(ticket.cause),
                TicketAction::Updated => return Told::Nobody(Vec::new()),
            };
            let summary = notifier::text::ticket::summary(&ticket);
            somebody(what, ticket.key, vec![ticket.series], channels, summary)
        }
        // It is routed and filed as a ticket of this cause.
        Notice::Held { held, channels } => {
            let summary = "The page cannot end: what holds it open cannot be judged".to_owned();
            somebody(
                What::Ticket(Cause::NoData),
                held.state.key,
                of_all(&held.state.members),
                channels,
                summary,
            )
        }
        Notice::HeldOver { held, channels } => {
            let summary = "The page can end: what holds it open is judged again".to_owned();
            somebody(
                What::TicketClosed(Cause::NoData),
                held.state.key,
                of_all(&held.state.members),
                channels,
                summary,
            )
        }
        Notice::Untold { incident, why } => {
            Told::Nobody(vec![nobody(What::Page, incident.series, format!("nobody is told: {why}"))])
        }
        Notice::Forgotten { incident } => {
            let why = "nobody was told of its page".to_owned();
            Told::Nobody(vec![nobody(What::Resolve, incident.series, why)])
        }
        Notice::Changed(state) => {
            let joined = state.members.into_iter().filter(|member| member.joined == period.end());
            let why = "it joins the page of its group, which was told".to_owned();
            Told::Nobody(joined.map(|member| nobody(What::Page, member.series, why.clone())).collect())
        }
    }
}

fn of_all(members: &[Member]) -> Vec<Series> {
    members.iter().map(|member| member.series.clone()).collect()
}

/// Tickets that were opened, and of which no notice speaks.
pub(super) fn unfiled(period: Period, effects: &[Effect], notices: &[Notice]) -> Vec<Unsaid> {
    let is_told = |key: &Key| {
        let is_it = |notice: &Notice| matches!(notice, Notice::Ticket { ticket, .. } if ticket.key == *key);
        notices.iter().any(is_it)
    };
    let unsaid = |effect: &Effect| match effect {
        Effect::Ticket(ticket) if ticket.action == TicketAction::Opened && !is_told(&ticket.key) => {
            Some(Unsaid {
                what: What::Ticket(ticket.cause),
                period,
                series: ticket.series.clone(),
                why: "nobody is told: it is muted, or no route takes it".to_owned(),
            })
        }
        _ => None,
    };
    effects.iter().filter_map(unsaid).collect()
}
