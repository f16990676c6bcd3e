//! The parts of a plan that can be put back by themselves.

use domain::{Plan, Rule};

/// A part of a plan for one series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A key of the rule, as configuration writes it.
    Rule(String),
    /// A key of `[baseline]`.
    Learning(&'static str),
    /// A maintenance window, by its name.
    Window(String),
    /// Labels of series.
    Labels,
    /// Who gets pages, and the channels that there are.
    Routes,
    /// Which incidents are one page.
    GroupBy,
}

impl Part {
    /// Copies the part from one plan to another.
    pub(super) fn copy(&self, from: &Plan, into: &mut Plan) {
        match self {
            Self::Rule(key) => rule_key(key, &from.rule, &mut into.rule),
            Self::Learning(key) => {
                let (from, into) = (&from.learning, &mut into.learning);
                match *key {
                    "history" => into.history_days = from.history_days,
                    "min-history" => into.min_days = from.min_days,
                    "min-datapoints" => into.min_datapoints = from.min_datapoints,
                    "seasonal" => into.seasonal = from.seasonal,
                    _ => into.never_train.clone_from(&from.never_train),
                }
            }
            Self::Window(name) => {
                into.maintenance.retain(|one| one.name != *name);
                into.maintenance.extend(from.maintenance.iter().filter(|one| one.name == *name).cloned());
            }
            Self::Labels => into.labels.clone_from(&from.labels),
            Self::Routes => {
                into.routes.page.clone_from(&from.routes.page);
                into.channels.clone_from(&from.channels);
            }
            Self::GroupBy => into.group_by = from.group_by,
        }
    }
}

fn rule_key(key: &str, from: &Rule, into: &mut Rule) {
    match key {
        "mode" => into.mode = from.mode,
        "method" | "anomaly-deviations" | "anomaly-below" => into.method = from.method,
        "page-below" => into.page_below = from.page_below,
        "page-below-otps" => into.page_below_otps = from.page_below_otps,
        "evaluation-periods" => into.evaluation_periods = from.evaluation_periods,
        "datapoints-to-alarm" => into.datapoints_to_alarm = from.datapoints_to_alarm,
        "treat-missing-data" => into.missing_data = from.missing_data,
        "estimator" => into.estimator = from.estimator,
        "min-samples" => into.min_samples = from.min_samples,
        "widest-window" => into.widest_window = from.widest_window,
        "noise-sigmas" => into.noise_sigmas = from.noise_sigmas,
        "recover-above" => into.recover_above = from.recover_above,
        "recover-datapoints" => into.recover_datapoints = from.recover_datapoints,
        "learn-from" => into.learn_from.clone_from(&from.learn_from),
        _ => debug_assert!(false, "a key of the rule that cannot be put back: {key}"),
    }
}

#[cfg(test)]
mod tests {
    use config::Origins;
    use domain::Series;

    use super::*;

    /// Every key that a rule has can be put back: each is another one in a rule where all are.
    #[test]
    fn every_key_of_a_rule_can_be_put_back() {
        let text = "[override.all]\nmatch = { model = \"*\" }\nmode = \"observe\"\nmethod = \"anomaly\"\npage-below = 0.5\n\
             page-below-otps = 9.0\nevaluation-periods = 7\ndatapoints-to-alarm = 4\ntreat-missing-data = \"missing\"\n\
             estimator = \"p50\"\nmin-samples = 11\nwidest-window = 4\nnoise-sigmas = 1.0\nrecover-above = 0.9\n\
             recover-datapoints = 4\nlearn-from = \"m\"\n";
        let file = config::File { path: "a.toml".into(), text: text.to_owned() };
        let read = |files: &[config::File]| {
            let outcome = config::read(files, config::Purpose::Backtest, &config::ProcessEnvironment);
            outcome.plan.unwrap_or_else(|| panic!("{:?}", outcome.problems))
        };
        let (mut other, mut plan) = (read(&[file]), read(&[]));
        let series = Series::new("-", "-", "-");
        let keys = config::effective(&other, &Origins::default(), &series);
        other.rule = other.rule_of(&series);
        for one in &keys {
            Part::Rule(one.key.clone()).copy(&other, &mut plan);
        }
        assert_eq!((plan.rule, keys.len()), (other.rule, 16));
    }
}
