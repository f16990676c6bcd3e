//! What every series is judged by.

use domain::{Labelling, Learning, Maintenance, Method, Override, Plan, Rule, Series, Span, TicketRule};

/// A band is as wide as the noise of two weeks; of less it would be a guess.
const DAYS_OF_A_BAND: u16 = 14;

/// What series are judged by: all of them, or, as `Settings::of` gives it, one.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// When it pages.
    pub rule: Rule,
    /// What some series are judged by instead.
    pub overrides: Vec<Override>,
    /// What it learns from.
    pub learning: Learning,
    /// When creep becomes a ticket.
    pub ticket_rule: TicketRule,
    /// Maintenance windows: what happens in them is judged, and trains nothing.
    pub maintenance: Vec<Maintenance>,
    /// Labels of series, which those windows may ask for.
    pub labels: Vec<Labelling>,
}

impl From<&Plan> for Settings {
    fn from(plan: &Plan) -> Self {
        Self {
            rule: plan.rule.clone(),
            overrides: plan.overrides.clone(),
            learning: plan.learning.clone(),
            ticket_rule: plan.ticket_rule.clone(),
            maintenance: plan.maintenance.clone(),
            labels: plan.labels.clone(),
        }
    }
}

impl Settings {
    /// What one series is judged by.
    pub(crate) fn of(&self, series: &Series) -> Self {
        Self { rule: Override::rule_of(&self.overrides, &self.rule, series), ..self.clone() }.completed()
    }

    /// The same with what the method of the rule asks for: a band is refused, and the series stays LEARNING, until two weeks
    /// of history are there.
    pub(crate) fn completed(mut self) -> Self {
        if matches!(self.rule.method, Method::Anomaly { .. }) {
            self.learning.min_days = self.learning.min_days.max(DAYS_OF_A_BAND);
            self.learning.history_days = self.learning.history_days.max(DAYS_OF_A_BAND);
        }
        self
    }

    /// The parts of a span in which a maintenance window about a series was open.
    pub(crate) fn maintained(&self, series: &Series, span: Span) -> Vec<Span> {
        if self.maintenance.is_empty() {
            return Vec::new();
        }
        let labels = Labelling::of(&self.labels, series);
        let windows = self.maintenance.iter().filter(|one| one.is_about_series(series, &labels));
        windows.flat_map(|one| one.window.spans(span)).collect()
    }
}
