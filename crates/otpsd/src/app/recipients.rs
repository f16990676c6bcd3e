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
        self.channels(self.plan.routes.page.iter().find(|route| route.takes(series.model())))
    }

    /// The channels of the first ticket route that takes a series.
    pub(crate) fn of_ticket(self, series: &Series) -> impl Iterator<Item = &'a ChannelPlan> {
        self.channels(self.plan.routes.ticket.iter().find(|route| route.takes(series.model())))
    }

    /// The channels for tickets about sources. Routes match models, and a source has many: those of the first ticket route
    /// that takes all, or of the first one.
    pub(crate) fn of_source_ticket(self) -> impl Iterator<Item = &'a ChannelPlan> {
        let routes = &self.plan.routes.ticket;
        self.channels(routes.iter().find(|route| route.models.is_empty()).or_else(|| routes.first()))
    }

    /// The channel of that name, if it is still configured.
    pub(crate) fn named(self, name: &str) -> Option<&'a ChannelPlan> {
        self.plan.channels.iter().find(|channel| channel.name() == name)
    }

    fn channels(self, route: Option<&'a Route>) -> impl Iterator<Item = &'a ChannelPlan> {
        route.into_iter().flat_map(|route| &route.channels).filter_map(move |name| self.named(name))
    }
}
