//! What some series are judged by instead: `[override.NAME]`.

use crate::{About, EstimatorChoice, Labels, Matcher, Method, MissingData, Mode, Rule, Series};

/// The parts of a rule that an override sets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RulePatch {
    /// [`Rule::mode`]
    pub mode: Option<Mode>,
    /// [`Rule::method`], with what belongs to it.
    pub method: Option<Method>,
    /// [`Rule::page_below`]
    pub page_below: Option<f64>,
    /// [`Rule::page_below_otps`], which an override can set and not take away.
    pub page_below_otps: Option<f64>,
    /// [`Rule::evaluation_periods`]
    pub evaluation_periods: Option<u8>,
    /// [`Rule::datapoints_to_alarm`]
    pub datapoints_to_alarm: Option<u8>,
    /// [`Rule::missing_data`]
    pub missing_data: Option<MissingData>,
    /// [`Rule::estimator`]
    pub estimator: Option<EstimatorChoice>,
    /// [`Rule::min_samples`]
    pub min_samples: Option<u32>,
    /// [`Rule::widest_window`]
    pub widest_window: Option<u8>,
    /// [`Rule::noise_sigmas`]
    pub noise_sigmas: Option<f64>,
    /// [`Rule::recover_above`]
    pub recover_above: Option<f64>,
    /// [`Rule::recover_datapoints`]
    pub recover_datapoints: Option<u8>,
    /// [`Rule::learn_from`], which an override can set and not take away.
    pub learn_from: Option<String>,
}

impl RulePatch {
    /// The rule with these parts in place of its own, whether they go together or not.
    #[must_use]
    pub fn apply(&self, rule: Rule) -> Rule {
        Rule {
            mode: self.mode.unwrap_or(rule.mode),
            method: self.method.unwrap_or(rule.method),
            page_below: self.page_below.unwrap_or(rule.page_below),
            page_below_otps: self.page_below_otps.or(rule.page_below_otps),
            evaluation_periods: self.evaluation_periods.unwrap_or(rule.evaluation_periods),
            datapoints_to_alarm: self.datapoints_to_alarm.unwrap_or(rule.datapoints_to_alarm),
            missing_data: self.missing_data.unwrap_or(rule.missing_data),
            estimator: self.estimator.unwrap_or(rule.estimator),
            min_samples: self.min_samples.unwrap_or(rule.min_samples),
            widest_window: self.widest_window.unwrap_or(rule.widest_window),
            noise_sigmas: self.noise_sigmas.unwrap_or(rule.noise_sigmas),
            recover_above: self.recover_above.unwrap_or(rule.recover_above),
            recover_datapoints: self.recover_datapoints.unwrap_or(rule.recover_datapoints),
            learn_from: self.learn_from.clone().or(rule.learn_from),
        }
    }
}

/// What some series are judged by instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// The name of the `[override.NAME]`.
    pub name: String,
    /// Whose rule it is. Its causes and labels are empty; what the source stands for is in it.
    pub matcher: Matcher,
    /// The source that its `match` names.
    pub source: Option<String>,
    /// What it sets.
    pub patch: RulePatch,
}

impl Override {
    /// Whether it is about a series.
    #[must_use]
    pub fn is_about(&self, series: &Series) -> bool {
        let (labels, regions) = (Labels::new(), [series.region()]);
        self.matcher.takes(&About { series: Some(series), regions: &regions, cause: "", labels: &labels })
    }

    /// The rule of a series, [fitted](Rule::fitted). Of two overrides that set one part the first holds. A model that its own override
    /// names to learn from learns from itself alone.
    #[must_use]
    pub fn rule_of(all: &[Self], rule: &Rule, series: &Series) -> Rule {
        let mut about = all.iter().rev().filter(|one| one.is_about(series)).peekable();
        if about.peek().is_none() {
            return rule.clone();
        }
        let mut rule = about.fold(rule.clone(), |rule, one| one.patch.apply(rule)).fitted();
        rule.learn_from = rule.learn_from.filter(|model| model != series.model());
        rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(model: &str, patch: RulePatch) -> Override {
        let matcher = Matcher { models: vec![model.to_owned()], ..Matcher::default() };
        Override { name: model.to_owned(), matcher, source: None, patch }
    }

    fn rule_of(all: &[Override], model: &str) -> Rule {
        Override::rule_of(all, &Rule::default(), &Series::new("111122223333", "us-east-1", model))
    }

    #[test]
    fn the_first_that_sets_a_part_holds_and_the_rest_stays() {
        let all = [
            over("*haiku*", RulePatch { page_below: Some(0.7), ..RulePatch::default() }),
            over(
                "us.*",
                RulePatch {
                    page_below: Some(0.6),
                    mode: Some(Mode::Observe),
                    page_below_otps: Some(25.0),
                    ..RulePatch::default()
                },
            ),
        ];
        let haiku = rule_of(&all, "us.haiku");
        let expected =
            Rule { page_below: 0.7, mode: Mode::Observe, page_below_otps: Some(25.0), ..Rule::default() };
        assert_eq!(haiku, expected);
        assert_eq!(rule_of(&all, "us.sonnet").page_below, 0.6);
        assert_eq!(rule_of(&all, "eu.haiku"), Rule { page_below: 0.7, ..Rule::default() });
        assert_eq!(rule_of(&all, "eu.sonnet"), Rule::default());
    }

    #[test]
    fn a_model_learns_from_another_and_never_from_itself() {
        let from = |model: &str| RulePatch { learn_from: Some(model.to_owned()), ..RulePatch::default() };
        let all = [over("*-v2", from("haiku-v1")), over("haiku*", from("sonnet-v1"))];
        for (model, sibling) in
            [("haiku-v2", Some("haiku-v1")), ("haiku-v1", Some("sonnet-v1")), ("sonnet-v1", None)]
        {
            assert_eq!(rule_of(&all, model).learn_from.as_deref(), sibling, "{model}");
        }
        let own = [over("*", from("haiku-v1"))];
        assert_eq!(rule_of(&own, "haiku-v1"), Rule::default());
        assert_eq!(rule_of(&own, "haiku-v2").learn_from.as_deref(), Some("haiku-v1"));
    }

    #[test]
    fn what_does_not_go_together_can_still_be_met() {
        let all = [
            over("*", RulePatch { evaluation_periods: Some(2), ..RulePatch::default() }),
            over("*", RulePatch { page_below: Some(0.9), ..RulePatch::default() }),
        ];
        let rule = rule_of(&all, "any");
        assert_eq!((rule.datapoints_to_alarm, rule.evaluation_periods, rule.widest_window), (2, 2, 2));
        assert_eq!((rule.page_below, rule.recover_above), (0.9, 0.9));
    }
}
