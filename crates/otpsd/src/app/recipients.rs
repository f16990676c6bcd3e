//! Which channels of the plan are meant, by name or by where they lead.

use domain::{About, ChannelPlan, Labels, PageState, Plan};
use evaluator::Desk;
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

    /// Whom a ticket about a source goes to now, by name: nobody while `desk` mutes it. They are the channels of the first ticket
    /// route that takes it. When none does, because all of them ask for what a source does not have, those of the last
    /// one: somebody must be told.
    pub(crate) fn of_source(
        self,
        desk: &Desk<'_>,
        cause: domain::Cause,
        regions: &[&str],
        now: Timestamp,
    ) -> Vec<String> {
        let none = Labels::new();
        let about = About { series: None, regions, cause: cause.as_str(), labels: &none };
        if desk.muted(&about, now).is_some() {
            return Vec::new();
        }
        let routes = &self.plan.routes.ticket;
        let route = routes.iter().find(|route| route.takes(&about, now)).or_else(|| routes.last());
        let channels = route.into_iter().flat_map(|route| &route.channels);
        channels.filter_map(|name| self.named(name)).map(ChannelPlan::name).collect()
    }
}
