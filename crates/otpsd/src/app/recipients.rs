//! Which channels of the plan are meant, by name or by where they lead.

use domain::{About, ChannelPlan, Labels, PageState, Plan, SourceTicket};
use jiff::Timestamp;

/// The channels of a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipients<'a> {
    plan: &'a Plan,
}

impl<'a> Recipients<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self { plan }
    }

    /// The channel of that name, if it is still configured.
    pub(crate) fn named(self, name: &str) -> Option<&'a ChannelPlan> {
        self.plan.channels.iter().find(|channel| channel.name() == name)
    }

    /// The channel that gets what `channel` refuses for good.
    pub(crate) fn fallback_of(self, channel: &ChannelPlan) -> Option<&'a ChannelPlan> {
        self.named(channel.delivery().fallback.as_deref()?)
    }

    /// The channel that leads to who got a page: that of its name, unless that leads elsewhere now, or else one that leads there.
    pub(crate) fn of_page_state(self, page: &PageState) -> Option<&'a ChannelPlan> {
        // Before receivers were written down, the name was all there was.
        let leads_there =
            |channel: &&ChannelPlan| page.receiver.is_empty() || channel.receiver() == page.receiver;
        self.named(&page.channel)
            .filter(leads_there)
            .or_else(|| self.plan.channels.iter().find(|channel| channel.receiver() == page.receiver))
    }

    /// The channels of the first ticket route that takes a ticket about a source. When none does, because all of them ask for what a
    /// source does not have, those of the last one: somebody must be told.
    pub(crate) fn of_source_ticket(
        self,
        ticket: &SourceTicket,
        now: Timestamp,
    ) -> impl Iterator<Item = &'a ChannelPlan> + use<'a> {
        let regions: Vec<&str> = ticket.regions.iter().map(String::as_str).collect();
        self.of_source(domain::Cause::SourceFailing, &regions, now)
    }

    /// The same of any cause that is about a source.
    pub(crate) fn of_source(
        self,
        cause: domain::Cause,
        regions: &[&str],
        now: Timestamp,
    ) -> impl Iterator<Item = &'a ChannelPlan> + use<'a> {
        let none = Labels::new();
        let about = About { series: None, regions, cause: cause.as_str(), labels: &none };
        let routes = &self.plan.routes.ticket;
        let route = routes.iter().find(|route| route.takes(&about, now)).or_else(|| routes.last());
        route.into_iter().flat_map(|route| &route.channels).filter_map(move |name| self.named(name))
    }
}
