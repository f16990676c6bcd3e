//! What is said, before it is cut to the format of any receiver: every wire body is a projection of one of these.
//!
//! # Layout
//!
//! - `series`: a series as receivers get it, with its labels and figures.
//! - `document`: the whole as the daemon's own JSON.

mod document;
mod series;

use domain::{
    Acceptance, Cause, ChannelPlan, GapTicket, Group, GroupPage, GroupResolve, HeldPage, Key, NoticeKind,
    PAGE_CAUSE, SourceTicket, Terms, Ticket, TicketAction,
};
use jiff::Timestamp;

pub(crate) use series::{Named, SeriesNotice, hundredths};

use crate::context::Context;
use crate::gathered::{began_with_several, by_traffic, onset};
use crate::text;

/// What is said of a page or a ticket.
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    /// What it is.
    pub(crate) kind: NoticeKind,
    /// The page or ticket.
    pub(crate) key: Key,
    /// What tells this message from others of its key and kind: the end of its id.
    pub(crate) mark: String,
    /// What the same condition is called whenever it comes back: the parts of a name. A page has none.
    pub(crate) subject: Vec<String>,
    /// Why.
    pub(crate) cause: &'static str,
    /// The group of a page.
    pub(crate) group: Option<Group>,
    /// It is about a page that is held open.
    pub(crate) is_held: bool,
    /// It is named after the group, not after the series that it began with.
    pub(crate) of_group: bool,
    /// One line.
    pub(crate) summary: String,
    /// The whole text.
    pub(crate) text: String,
    /// What to do, in order.
    pub(crate) steps: Vec<String>,
    /// Where the chart is.
    pub(crate) link: Option<String>,
    /// When it became owed.
    pub(crate) time: Timestamp,
    /// Since when it lasts.
    pub(crate) since: Timestamp,
    /// Until when it lasted, once it is over.
    pub(crate) until: Option<Timestamp>,
    /// The series that it is about, most important first.
    pub(crate) series: Vec<SeriesNotice>,
    /// The source that it is about.
    pub(crate) source: Option<SourceTicket>,
    /// The terms of latency in the reference days and now, of a ticket.
    pub(crate) terms: Option<(Terms, Terms)>,
    /// The level of now was accepted.
    pub(crate) accepted: Option<Acceptance>,
    /// Nothing is slow: it is a test.
    pub(crate) test: bool,
}

impl Notice {
    /// A page.
    pub(crate) fn page(page: &GroupPage, context: &Context<'_>) -> Self {
        let state = &page.state;
        Self {
            kind: NoticeKind::Page,
            key: state.key.clone(),
            mark: format!("@{}", state.told),
            subject: Vec::new(),
            cause: PAGE_CAUSE,
            group: Some(state.group.clone()),
            is_held: false,
            of_group: page.pages.len() > 1,
            summary: text::page::summary(page, context),
            text: text::page::text(page, context),
            steps: text::page::steps(page, context),
            link: text::page::link(page, context),
            time: context.now,
            since: onset(state).start(),
            until: None,
            series: by_traffic(page).into_iter().map(|page| SeriesNotice::slow(page, context)).collect(),
            source: None,
            terms: None,
            accepted: None,
            test: context.test,
        }
    }

    /// The resolve of a page.
    pub(crate) fn resolve(resolve: &GroupResolve, context: &Context<'_>) -> Self {
        let (state, last) = (&resolve.state, &resolve.last);
        let (since, until) = text::resolve::span(resolve);
        let of_group = began_with_several(state);
        // The series that names it comes first, as it did in the page.
        let mut series: Vec<SeriesNotice> =
            state.members.iter().map(|member| SeriesNotice::back(member, last, context)).collect();
        if series.is_empty() {
            series.push(SeriesNotice::ended(last, context));
        }
        Self {
            kind: NoticeKind::Resolve,
            key: state.key.clone(),
            mark: format!("@{}", state.told),
            subject: Vec::new(),
            cause: PAGE_CAUSE,
            group: Some(state.group.clone()),
            is_held: false,
            of_group,
            summary: text::resolve::summary(resolve, context),
            text: text::resolve::text(resolve, context),
            steps: Vec::new(),
            link: text::resolve::link(resolve, context),
            time: context.now,
            since,
            until: Some(until),
            series,
            source: None,
            terms: None,
            accepted: last.accepted.clone(),
            test: context.test,
        }
    }

    /// A page that is held open by what cannot be seen, or, when `over`, that this has ended.
    pub(crate) fn held(held: &HeldPage, over: bool, context: &Context<'_>) -> Self {
        let state = &held.state;
        Self {
            kind: NoticeKind::Ticket(if over { TicketAction::Closed } else { TicketAction::Opened }),
            key: held_key(&state.key),
            mark: String::new(),
            subject: vec!["held".to_owned(), state.group.to_string()],
            // What cannot be seen is what it is about, and how it is routed.
            cause: Cause::NoData.as_str(),
            group: Some(state.group.clone()),
            is_held: true,
            of_group: true,
            summary: text::held::summary(held, over, context),
            text: text::held::text(held, over, context),
            steps: if over { Vec::new() } else { text::held::steps().to_vec() },
            link: context.link_to_page(&state.key),
            time: context.now,
            since: onset(state).start(),
            until: over.then_some(held.at),
            series: state.open().map(|member| SeriesNotice::unseen(member, context)).collect(),
            source: None,
            terms: None,
            accepted: None,
            test: context.test,
        }
    }

    /// A ticket about a series.
    pub(crate) fn ticket(ticket: &Ticket, context: &Context<'_>) -> Self {
        let over = ticket.action == TicketAction::Closed;
        Self {
            kind: NoticeKind::Ticket(ticket.action),
            key: ticket.key.clone(),
            mark: match ticket.action {
                TicketAction::Updated => format!(":{}", ticket.decided),
                TicketAction::Opened | TicketAction::Closed => String::new(),
            },
            subject: vec![ticket.cause.as_str().to_owned(), ticket.series.to_string()],
            cause: ticket.cause.as_str(),
            group: None,
            is_held: false,
            of_group: false,
            summary: context.marked(text::ticket::summary(ticket)),
            text: text::ticket::text(ticket, context),
            steps: if over { Vec::new() } else { text::ticket::steps(ticket, context) },
            link: context.link_to(&ticket.series),
            time: context.now,
            since: ticket.opened.end(),
            until: over.then(|| ticket.decided.end()),
            series: vec![SeriesNotice::plain(&ticket.series, context)],
            source: None,
            terms: Some((ticket.usual, ticket.now)),
            accepted: None,
            test: context.test,
        }
    }

    /// A ticket about a source.
    pub(crate) fn source_ticket(ticket: &SourceTicket, context: &Context<'_>) -> Self {
        let over = ticket.closed.is_some();
        Self {
            kind: NoticeKind::Ticket(ticket.action()),
            key: ticket.key.clone(),
            mark: String::new(),
            subject: [
                Cause::SourceFailing.as_str(),
                &ticket.source,
                ticket.act.as_str(),
                ticket.failure.as_str(),
            ]
            .map(str::to_owned)
            .to_vec(),
            cause: Cause::SourceFailing.as_str(),
            group: None,
            is_held: false,
            of_group: false,
            summary: context.marked(text::source::summary(ticket)),
            text: text::source::text(ticket, context),
            steps: if over { Vec::new() } else { text::source::steps(ticket) },
            link: context.link(),
            time: context.now,
            since: ticket.since,
            until: over.then_some(ticket.at),
            series: Vec::new(),
            source: Some(ticket.clone()),
            terms: None,
            accepted: None,
            test: context.test,
        }
    }

    /// A ticket about what of a source is not watched.
    pub(crate) fn gap_ticket(ticket: &GapTicket, context: &Context<'_>) -> Self {
        let (over, open) = (ticket.action == TicketAction::Closed, &ticket.open);
        let cause = open.gap.cause().as_str();
        Self {
            kind: NoticeKind::Ticket(ticket.action),
            key: open.key.clone(),
            mark: match ticket.action {
                TicketAction::Updated => format!(":{}", ticket.at),
                TicketAction::Opened | TicketAction::Closed => String::new(),
            },
            subject: [cause, &ticket.source, open.gap.subject()].map(str::to_owned).to_vec(),
            cause,
            group: None,
            is_held: false,
            of_group: false,
            summary: context.marked(text::coverage::summary(ticket)),
            text: text::coverage::text(ticket, context),
            steps: if over { Vec::new() } else { text::coverage::steps(ticket) },
            link: context.link(),
            time: context.now,
            since: open.since,
            until: over.then_some(ticket.at),
            series: text::coverage::series(ticket).map(|one| SeriesNotice::plain(one, context)).collect(),
            source: None,
            terms: None,
            accepted: None,
            test: context.test,
        }
    }

    /// The id of the message to a channel.
    pub(crate) fn id(&self, plan: &ChannelPlan) -> String {
        format!("{}:{}:{}{}", self.key, self.kind.as_str(), plan.name(), self.mark)
    }

    /// What it is in a word, as attributes and JSON write it.
    pub(crate) const fn kind(&self) -> &'static str {
        match self.kind {
            NoticeKind::Page => "page",
            NoticeKind::Resolve => "resolve",
            NoticeKind::Ticket(_) => "ticket",
        }
    }

    /// What is said of it.
    pub(crate) const fn action(&self) -> &'static str {
        match self.kind {
            NoticeKind::Page => TicketAction::Opened.as_str(),
            NoticeKind::Resolve => TicketAction::Closed.as_str(),
            NoticeKind::Ticket(action) => action.as_str(),
        }
    }

    /// The text up to its steps, for receivers that have a place of their own for these.
    pub(crate) fn before_steps(&self) -> &str {
        let title = [text::DO_NOW, text::DO_IN_ORDER].into_iter();
        let before = title.filter_map(|title| self.text.split_once(&format!("\n\n{title}\n")));
        before.map(|(before, _)| before).next().filter(|_| !self.steps.is_empty()).unwrap_or(&self.text)
    }

    /// The Region that it is about; none when it is about several.
    pub(crate) fn region(&self) -> Option<&str> {
        if let Some(source) = &self.source {
            return match &source.regions[..] {
                [region] => Some(region),
                _ => None,
            };
        }
        let first = self.series.first()?.named.region.as_str();
        self.series.iter().all(|series| series.named.region == first).then_some(first)
    }

    /// The model that it is about; none when it is named after a group or about a source.
    pub(crate) fn model(&self) -> Option<&str> {
        let first = self.series.first()?;
        (!self.of_group).then_some(first.named.model.as_str())
    }

    /// As the daemon's own JSON, of at most so many bytes.
    pub(crate) fn json(&self, limit: usize) -> String {
        document::json(self, limit)
    }
}

/// The key of the ticket about a page that is held open, as whoever files it knows it: it is no message of the page itself, whose
/// receivers would take it for its end.
pub(crate) fn held_key(page: &Key) -> Key {
    Key::from_text(format!("{page}-held"))
}
