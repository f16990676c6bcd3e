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

#[cfg(test)]
mod tests {
    use super::*;

    fn of_source_ticket(routes: &str) -> Vec<String> {
        let text = format!(
            "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n[channel.log.a]\n[channel.log.b]\n\
             [[route.page]]\nchannels = [\"log.a\"]\n{routes}"
        );
        let file = config::File { path: "test.toml".into(), text };
        let plan = config::read(&[file], config::Purpose::Run, &config::ProcessEnvironment).plan.unwrap();
        Recipients::new(&plan).of_source_ticket().map(ChannelPlan::name).collect()
    }

    #[test]
    fn a_source_has_no_model_to_be_routed_by() {
        let some = "[[route.ticket]]\nmodels = [\"*haiku*\"]\nchannels = [\"log.a\"]\n";
        let all = "[[route.ticket]]\nchannels = [\"log.b\"]\n";
        assert_eq!(of_source_ticket(&format!("{some}{all}")), ["log.b"], "the route that takes all");
        assert_eq!(of_source_ticket(some), ["log.a"], "somebody must be told");
        assert!(of_source_ticket("").is_empty());
    }
}
