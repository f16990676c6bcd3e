//! What telling depends on beside the incidents: the configuration, the silences and the sight of the moment.

use domain::{About, ChannelPlan, Labels, Mode, PAGE_CAUSE, Period, Plan, Route, Series, Silence};
use jiff::Timestamp;

use super::Untold;

/// What telling depends on beside the incidents, as it is at the moment of a step.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// The configuration.
    pub plan: &'a Plan,
    /// The silences; those that do not hold may be among them.
    pub silences: &'a [Silence],
    /// The last period of a series with a verdict that is not Missing; `None` when nothing is known of it, as after a restart.
    pub seen: &'a dyn Fn(&Series) -> Option<Period>,
}

impl<'a> Desk<'a> {
    /// Why nobody is told of something at `now`, whatever the routes say.
    #[must_use]
    pub fn muted(&self, about: &About<'_>, now: Timestamp) -> Option<Untold> {
        // A source that cannot be read matters as soon as one of its series might page.
        let only_observes = match about.series {
            Some(series) => self.plan.rule_of(series).mode == Mode::Observe,
            None => self.plan.only_observes(),
        };
        if only_observes {
            return Some(Untold::Observe);
        }
        if let Some(silence) = self.silences.iter().find(|one| one.holds(now) && one.matcher.takes(about)) {
            return Some(Untold::Silenced(silence.id.clone()));
        }
        let window =
            self.plan.maintenance.iter().find(|one| one.window.contains(now) && one.is_about(about))?;
        Some(Untold::Maintenance(window.name.clone()))
    }

    /// The channels of a page about a series.
    pub(super) fn of_page(&self, series: &Series, now: Timestamp) -> Result<Vec<&'a ChannelPlan>, Untold> {
        self.of(&self.plan.routes.page, series, PAGE_CAUSE, now)
    }

    /// The channels of a ticket about a series.
    pub(super) fn of_ticket(
        &self,
        series: &Series,
        cause: &str,
        now: Timestamp,
    ) -> Result<Vec<String>, Untold> {
        let channels = self.of(&self.plan.routes.ticket, series, cause, now)?;
        Ok(channels.into_iter().map(ChannelPlan::name).collect())
    }

    fn of(
        &self,
        routes: &'a [Route],
        series: &Series,
        cause: &str,
        now: Timestamp,
    ) -> Result<Vec<&'a ChannelPlan>, Untold> {
        let labels = self.plan.labels_of(series);
        let regions = [series.region()];
        let about = About { series: Some(series), regions: &regions, cause, labels: &labels };
        if let Some(why) = self.muted(&about, now) {
            return Err(why);
        }
        let channels = routed(self.plan, routes, &about, now);
        if channels.is_empty() { Err(Untold::NoRoute) } else { Ok(channels) }
    }

    /// Whether a series is muted for a cause.
    pub(super) fn mutes(&self, series: &Series, cause: &str, now: Timestamp) -> bool {
        let labels = self.plan.labels_of(series);
        let regions = [series.region()];
        self.muted(&About { series: Some(series), regions: &regions, cause, labels: &labels }, now).is_some()
    }
}

/// The channels of the first route that takes something at `now`, in the order of the route, each once.
#[must_use]
pub fn routed<'a>(
    plan: &'a Plan,
    routes: &'a [Route],
    about: &About<'_>,
    now: Timestamp,
) -> Vec<&'a ChannelPlan> {
    let route = routes.iter().find(|route| route.takes(about, now));
    let names = route.map_or(&[][..], |route| &route.channels);
    let first = |(index, name): &(usize, &String)| !names[..*index].contains(name);
    names
        .iter()
        .enumerate()
        .filter(first)
        .filter_map(|(_, name)| plan.channels.iter().find(|channel| channel.name() == *name))
        .collect()
}

/// The channels that a page about a series goes to at a moment, if nothing mutes it.
pub(super) fn page_channels<'a>(plan: &'a Plan, series: &Series, at: Timestamp) -> Vec<&'a ChannelPlan> {
    let labels: Labels = plan.labels_of(series);
    let regions = [series.region()];
    let about = About { series: Some(series), regions: &regions, cause: PAGE_CAUSE, labels: &labels };
    routed(plan, &plan.routes.page, &about, at)
}
