//! Who gets what, by the routes of the plan.

use domain::{ChannelPlan, Plan, Route, Series};

/// The routes of a plan with their channels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipients<'a> {
    plan: &'a Plan,
}

impl<'a> Recipients<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self { plan }
    }

    /// The channels of the first page route that takes a series.
    pub(crate) fn of_page(self, series: &Series) -> impl Iterator<Item = &'a ChannelPlan> {
        self.first(&self.plan.routes.page, series)
    }

    /// The channels of the first ticket route that takes a series.
    pub(crate) fn of_ticket(self, series: &Series) -> impl Iterator<Item = &'a ChannelPlan> {
        self.first(&self.plan.routes.ticket, series)
    }

    /// The channel of that name, if it is still configured.
    pub(crate) fn named(self, name: &str) -> Option<&'a ChannelPlan> {
        self.plan.channels.iter().find(|channel| channel.name() == name)
    }

    fn first(self, routes: &'a [Route], series: &Series) -> impl Iterator<Item = &'a ChannelPlan> {
        let route = routes.iter().find(|route| route.takes(series.model()));
        route.into_iter().flat_map(|route| &route.channels).filter_map(move |name| self.named(name))
    }
}
