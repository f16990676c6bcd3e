//! What a series is judged by, key by key, and where each of the values comes from.

use std::fmt;

use domain::{Labelling, Method, Mode, Override, Plan, Rule, RulePatch, Series};
use toml::Value;

use crate::matching::covers;
use crate::{Origin, Origins};

/// One key of what holds for a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// The key, as configuration writes it: `page-below`, `labels.owner`.
    pub key: String,
    /// The value, as TOML writes it: `0.8`, `"observe"`.
    pub value: String,
    /// Where it is written; `None` for a default.
    pub origin: Option<Origin>,
    /// The `[override.NAME]` that it is written in; `None` for `[alarm]` and for a default.
    pub by: Option<String>,
    /// What changed it, when the value that was written, or is the default, does not go together with another one.
    pub clamp: Option<Clamp>,
}

/// Why a value is not the one that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clamp {
    /// What was written, or is the default, as TOML writes it.
    pub written: String,
    /// The key that it must not be above, or below.
    pub bound: &'static str,
    /// Whether the value was raised to that bound; else it was lowered to it.
    pub is_raised: bool,
}

impl fmt::Display for Clamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.is_raised { "raised" } else { "lowered" };
        write!(f, "{how} from {} by `{}`", self.written, self.bound)
    }
}

/// Every key of the rule of a series that has a value, in the order of the reference. It says what [`Plan::rule_of`] does.
/// `origins` are those of the plan.
#[must_use]
pub fn effective(plan: &Plan, origins: &Origins, series: &Series) -> Vec<Effective> {
    let about = plan.overrides.iter().filter(|one| one.is_about(series)).collect();
    let whole = Whole { plan, origins, about, rule: plan.rule_of(series) };
    KEYS.iter().filter_map(|key| whole.effective(key)).collect()
}

/// The labels of a series, in their order, with the override that gives each of them. Keys are written `labels.owner`.
#[must_use]
pub fn effective_labels(plan: &Plan, origins: &Origins, series: &Series) -> Vec<Effective> {
    let label = |(key, value): (String, String)| {
        let gives = |one: &&Labelling| {
            one.labels.get(&key) == Some(&value)
                && Labelling::of(std::slice::from_ref(one), series).contains_key(&key)
        };
        let by = plan.labels.iter().find(gives).map(|one| one.name.clone());
        let key = format!("labels.{key}");
        let origin = by.as_ref().and_then(|name| origins.of(&format!("override.{name}"), &key)).cloned();
        Effective { key, value: Value::String(value).to_string(), origin, by, clamp: None }
    };
    plan.labels_of(series).into_iter().map(label).collect()
}

/// A key of a rule: its name, its value in a rule, and whether a patch sets the part of the rule that it belongs to.
struct Key {
    name: &'static str,
    value: fn(&Rule) -> Option<Value>,
    is_set: fn(&RulePatch) -> bool,
}

/// In the order of the reference.
const KEYS: [Key; 16] = [
    Key { name: "mode", value: |rule| word(mode(rule.mode)), is_set: |patch| patch.mode.is_some() },
    Key {
        name: "method",
        value: |rule| {
            word(match rule.method {
                Method::Threshold => "threshold",
                Method::Anomaly { .. } => "anomaly",
            })
        },
        is_set: sets_method,
    },
    Key {
        name: "page-below",
        value: |rule| Some(Value::Float(rule.page_below)),
        is_set: |patch| patch.page_below.is_some(),
    },
    Key {
        name: "page-below-otps",
        value: |rule| rule.page_below_otps.map(Value::Float),
        is_set: |patch| patch.page_below_otps.is_some(),
    },
    Key {
        name: "anomaly-deviations",
        value: |rule| band(rule).map(|(deviations, _)| Value::Float(deviations)),
        is_set: sets_method,
    },
    Key {
        name: "anomaly-below",
        value: |rule| band(rule).map(|(_, below)| Value::Float(below)),
        is_set: sets_method,
    },
    Key {
        name: EVALUATION_PERIODS,
        value: |rule| whole(rule.evaluation_periods),
        is_set: |patch| patch.evaluation_periods.is_some(),
    },
    Key {
        name: DATAPOINTS_TO_ALARM,
        value: |rule| whole(rule.datapoints_to_alarm),
        is_set: |patch| patch.datapoints_to_alarm.is_some(),
    },
    Key {
        name: "treat-missing-data",
        value: |rule| word(rule.missing_data.as_str()),
        is_set: |patch| patch.missing_data.is_some(),
    },
    Key {
        name: "estimator",
        value: |rule| word(rule.estimator.as_str()),
        is_set: |patch| patch.estimator.is_some(),
    },
    Key {
        name: "min-samples",
        value: |rule| whole(rule.min_samples),
        is_set: |patch| patch.min_samples.is_some(),
    },
    Key {
        name: WIDEST_WINDOW,
        value: |rule| whole(rule.widest_window),
        is_set: |patch| patch.widest_window.is_some(),
    },
    Key {
        name: "noise-sigmas",
        value: |rule| Some(Value::Float(rule.noise_sigmas)),
        is_set: |patch| patch.noise_sigmas.is_some(),
    },
    Key {
        name: RECOVER_ABOVE,
        value: |rule| Some(Value::Float(rule.recover_above)),
        is_set: |patch| patch.recover_above.is_some(),
    },
    Key {
        name: "recover-datapoints",
        value: |rule| whole(rule.recover_datapoints),
        is_set: |patch| patch.recover_datapoints.is_some(),
    },
    Key {
        name: "learn-from",
        value: |rule| rule.learn_from.as_deref().and_then(word),
        is_set: |patch| patch.learn_from.is_some(),
    },
];

const EVALUATION_PERIODS: &str = "evaluation-periods";
const DATAPOINTS_TO_ALARM: &str = "datapoints-to-alarm";
const WIDEST_WINDOW: &str = "widest-window";
const RECOVER_ABOVE: &str = "recover-above";

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Page => "page",
        Mode::Observe => "observe",
    }
}

fn band(rule: &Rule) -> Option<(f64, f64)> {
    match rule.method {
        Method::Threshold => None,
        Method::Anomaly { deviations, below } => Some((deviations, below)),
    }
}

fn sets_method(patch: &RulePatch) -> bool {
    patch.method.is_some()
}

fn word(text: &str) -> Option<Value> {
    Some(Value::String(text.to_owned()))
}

#[expect(clippy::unnecessary_wraps, reason = "every key has a value of this type")]
fn whole(number: impl Into<i64>) -> Option<Value> {
    Some(Value::Integer(number.into()))
}

/// What decides about one series.
struct Whole<'p> {
    plan: &'p Plan,
    origins: &'p Origins,
    /// The overrides that are about it, in their order.
    about: Vec<&'p Override>,
    rule: Rule,
}

impl Whole<'_> {
    fn effective(&self, key: &Key) -> Option<Effective> {
        let value = (key.value)(&self.rule)?;
        let by = self.writer(key);
        let table = by.map_or_else(|| "alarm".to_owned(), |one| format!("override.{}", one.name));
        let origin = self.origins.of(&table, key.name).cloned();
        let written = match (by, &origin) {
            (Some(one), _) => (key.value)(&one.patch.apply(self.plan.rule.clone())),
            (None, Some(_)) => (key.value)(&self.plan.rule),
            (None, None) => (key.value)(&Rule::default()),
        };
        let clamp = written.filter(|written| *written != value).and_then(|written| clamp(key.name, &written));
        Some(Effective {
            key: key.name.to_owned(),
            value: value.to_string(),
            origin,
            by: by.map(|one| one.name.clone()),
            clamp,
        })
    }

    /// The override that has the key itself, if it is one. The first that sets the part of the rule decides; what it does not write
    /// itself it has from a wider one, or from `[alarm]`.
    fn writer(&self, key: &Key) -> Option<&Override> {
        let first = self.about.iter().find(|one| (key.is_set)(&one.patch))?;
        let writes =
            |one: &&&Override| self.origins.of(&format!("override.{}", one.name), key.name).is_some();
        let wider = |one: &&&Override| covers(&one.matcher, &first.matcher, true);
        std::iter::once(first).chain(self.about.iter().filter(wider)).find(writes).copied()
    }
}

/// Why a value of a key is not what was written.
fn clamp(key: &str, written: &Value) -> Option<Clamp> {
    let (bound, is_raised) = match key {
        DATAPOINTS_TO_ALARM | WIDEST_WINDOW => (EVALUATION_PERIODS, false),
        RECOVER_ABOVE => ("page-below", true),
        _ => return None,
    };
    Some(Clamp { written: written.to_string(), bound, is_raised })
}
