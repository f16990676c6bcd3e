//! Rules as people write them on a command line: `late,seconds=600,model=example.large-v1:0`.

use std::fmt;
use std::str::FromStr;

use domain::Metric;

use super::{Fault, FaultRule, Refusal};

/// Every name, with the parameters that it takes and what they are when they are not given.
const NAMES: &[(&str, &[(&str, &str)])] = &[
    ("throttle", &[("retry-after-seconds", "")]),
    ("internal", &[]),
    ("unavailable", &[]),
    ("denied", &[]),
    ("kms-access-denied", &[]),
    ("kms-disabled", &[]),
    ("expired-token", &[]),
    ("unknown-key", &[]),
    ("clock-skew", &[]),
    ("slow", &[("milliseconds", "2000")]),
    ("slow-reply", &[("milliseconds", "2000")]),
    ("hang", &[]),
    ("hang-up", &[]),
    ("trickle", &[("milliseconds", "1000")]),
    ("malformed", &[]),
    ("status", &[("code", "502"), ("retry-after-seconds", "")]),
    ("lose-reply", &[]),
    ("cut-reply", &[]),
    ("small-pages", &[("datapoints", "100")]),
    ("fail-results", &[]),
    ("shuffle-results", &[]),
    ("unknown-ids", &[]),
    ("late", &[("seconds", "600"), ("share", "0.5")]),
    ("revised", &[("seconds", "600"), ("factor", "1.5")]),
    ("missing", &[]),
];

/// Which calls and data a rule concerns.
const SCOPE: [&str; 8] =
    ["operation", "region", "access-key", "resource", "metric", "model", "times", "chance"];

/// Operations that are served.
const OPERATIONS: [&str; 21] = [
    "GetMetricData",
    "ListMetrics",
    "PutMetricData",
    "Publish",
    "GetCallerIdentity",
    "AssumeRole",
    "AssumeRoleWithWebIdentity",
    "ContainerCredentials",
    "CreateOpsItem",
    "UpdateOpsItem",
    "GetOpsItem",
    "DescribeOpsItems",
    "enqueue",
    "webhook",
    "jira",
    "jira.search",
    "jira.create",
    "jira.edit",
    "jira.comment",
    "jira.transition",
    "jira.read",
];

/// Why a text is no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseFaultRuleError(String);

impl fmt::Display for ParseFaultRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseFaultRuleError {}

/// `NAME[,KEY=VALUE]...`: the name of a fault, its parameters where they are to differ from the usual ones, and which
/// calls and data it concerns. A refusal is named by itself: `denied`, `unavailable`.
impl FromStr for FaultRule {
    type Err = ParseFaultRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let Some((name, parameters)) = NAMES.iter().find(|(known, _)| *known == name) else {
            return refuse(format!("no fault `{name}`; there are {}", list(NAMES.iter().map(|it| it.0))));
        };
        let mut fields = Fields { parameters, given: Vec::new() };
        for part in parts {
            let Some((key, value)) = part.split_once('=') else {
                return refuse(format!("`{part}` is not KEY=VALUE"));
            };
            fields.take(name, key, value)?;
        }
        let rule = Self::new(fields.fault(name)?);
        fields.scoped(rule)
    }
}

fn refuse<T>(why: String) -> Result<T, ParseFaultRuleError> {
    Err(ParseFaultRuleError(why))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// What is written after the name.
struct Fields<'a> {
    parameters: &'static [(&'static str, &'static str)],
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    fn take(&mut self, name: &str, key: &'a str, value: &'a str) -> Result<(), ParseFaultRuleError> {
        let own = self.parameters.iter().map(|(key, _)| *key);
        if !own.clone().chain(SCOPE).any(|known| known == key) {
            return refuse(format!("`{name}` knows no `{key}`, only {}", list(own.chain(SCOPE))));
        }
        if self.given.iter().any(|(known, _)| *known == key) {
            return refuse(format!("`{key}` is given twice"));
        }
        let known: Option<&[&str]> = match key {
            "operation" => Some(&OPERATIONS),
            _ => None,
        };
        // A rule that fits nothing would look like one that works.
        if let Some(known) = known.filter(|known| !known.contains(&value)) {
            return refuse(format!("no {key} `{value}`; there are {}", list(known.iter().copied())));
        }
        if key == "metric" && Metric::from_name(value).is_none() {
            let known = list(Metric::ALL.into_iter().map(Metric::name));
            return refuse(format!("no metric `{value}`; there are {known}"));
        }
        self.given.push((key, value));
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// A parameter, or what it usually is.
    fn number<T: FromStr>(&self, key: &str) -> Result<T, ParseFaultRuleError> {
        let usual = self.parameters.iter().find(|(known, _)| *known == key).map_or("", |(_, usual)| usual);
        let value = self.get(key).unwrap_or(usual);
        value.parse().or_else(|_| refuse(format!("`{key}={value}` is not a number that fits")))
    }

    fn fault(&self, name: &str) -> Result<Fault, ParseFaultRuleError> {
        Ok(match name {
            "throttle" => Fault::Throttle { retry_after_seconds: self.wait()? },
            "internal" => Fault::Refuse(Refusal::Internal),
            "unavailable" => Fault::Refuse(Refusal::Unavailable),
            "denied" => Fault::Refuse(Refusal::Denied),
            "kms-access-denied" => Fault::Refuse(Refusal::KmsAccessDenied),
            "kms-disabled" => Fault::Refuse(Refusal::KmsDisabled),
            "expired-token" => Fault::Refuse(Refusal::ExpiredToken),
            "unknown-key" => Fault::Refuse(Refusal::UnknownKey),
            "clock-skew" => Fault::Refuse(Refusal::ClockSkew),
            "slow" => Fault::Slow { milliseconds: self.number("milliseconds")? },
            "slow-reply" => Fault::SlowReply { milliseconds: self.number("milliseconds")? },
            "hang" => Fault::Hang,
            "hang-up" => Fault::HangUp,
            "trickle" => Fault::Trickle { milliseconds: self.number("milliseconds")? },
            "malformed" => Fault::Malformed,
            "status" => Fault::Status { code: self.number("code")?, retry_after_seconds: self.wait()? },
            "lose-reply" => Fault::LoseReply,
            "cut-reply" => Fault::CutReply,
            "small-pages" => Fault::SmallPages { datapoints: self.number("datapoints")? },
            "fail-results" => Fault::FailResults,
            "shuffle-results" => Fault::ShuffleResults,
            "unknown-ids" => Fault::UnknownIds,
            "late" => Fault::Late { seconds: self.number("seconds")?, share: self.finite("share")? },
            "revised" => Fault::Revised { seconds: self.number("seconds")?, factor: self.finite("factor")? },
            _ => Fault::Missing,
        })
    }

    fn wait(&self) -> Result<Option<u64>, ParseFaultRuleError> {
        self.get("retry-after-seconds").map(|_| self.number("retry-after-seconds")).transpose()
    }

    fn finite(&self, key: &str) -> Result<f64, ParseFaultRuleError> {
        let value: f64 = self.number(key)?;
        if value.is_finite() { Ok(value) } else { refuse(format!("`{key}={value}` is not finite")) }
    }

    fn scoped(&self, rule: FaultRule) -> Result<FaultRule, ParseFaultRuleError> {
        let text = |key| self.get(key).map(str::to_owned);
        let times = self.get("times").map(|_| self.number("times")).transpose()?;
        Ok(FaultRule {
            operation: text("operation"),
            region: text("region"),
            access_key: text("access-key"),
            resource: text("resource"),
            metric: text("metric"),
            model: text("model"),
            times,
            chance: self.get("chance").map(|_| self.finite("chance")).transpose()?,
            ..rule
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> FaultRule {
        text.parse().unwrap()
    }

    fn refused(text: &str) -> String {
        text.parse::<FaultRule>().unwrap_err().to_string()
    }

    #[test]
    fn a_name_is_a_rule_for_every_call() {
        assert_eq!(rule("throttle"), FaultRule::new(Fault::Throttle { retry_after_seconds: None }));
        assert_eq!(rule("denied"), FaultRule::new(Fault::Refuse(Refusal::Denied)));
        assert_eq!(rule("late"), FaultRule::new(Fault::Late { seconds: 600, share: 0.5 }));
        assert_eq!(rule("missing"), FaultRule::new(Fault::Missing));
        for (name, _) in NAMES {
            rule(name);
        }
    }

    #[test]
    fn every_fault_that_json_knows_has_a_name() {
        for (name, _) in NAMES {
            let json = serde_json::to_value(rule(name).fault).unwrap();
            let written = json.as_str().or_else(|| json["refuse"].as_str());
            let written = written.or_else(|| Some(json.as_object()?.keys().next()?.as_str())).unwrap();
            assert_eq!(written, *name, "{json}");
        }
        // One line for each fault but refusals, and one for each of those.
        assert_eq!(NAMES.len(), 17 + 8);
    }

    #[test]
    fn parameters_and_scope_follow_in_any_order() {
        assert_eq!(
            rule("throttle,operation=enqueue,retry-after-seconds=30,times=3"),
            FaultRule::new(Fault::Throttle { retry_after_seconds: Some(30) }).operation("enqueue").times(3)
        );
        assert_eq!(
            rule("revised,metric=OutputTokenCount,factor=0.5,model=us.example.sonnet-large-v1:0"),
            FaultRule::new(Fault::Revised { seconds: 600, factor: 0.5 })
                .metric(Metric::OutputTokenCount)
                .model("us.example.sonnet-large-v1:0")
        );
        assert_eq!(
            rule("status,code=503,retry-after-seconds=7,operation=jira"),
            FaultRule::new(Fault::Status { code: 503, retry_after_seconds: Some(7) }).operation("jira")
        );
        let topic = "arn:aws:sns:us-east-1:111122223333:llm-pages";
        assert_eq!(
            rule(&format!("hang, region=us-east-1, resource={topic}, access-key=AKIAEXAMPLE")),
            FaultRule::new(Fault::Hang).region("us-east-1").resource(topic).access_key("AKIAEXAMPLE")
        );
    }

    #[test]
    fn what_would_fit_nothing_is_refused_with_what_there_is() {
        assert!(refused("thorttle").starts_with("no fault `thorttle`; there are throttle, internal,"));
        assert!(refused("").starts_with("no fault ``"));
        assert_eq!(
            refused("hang,seconds=3"),
            "`hang` knows no `seconds`, only operation, region, access-key, resource, metric, model, times, chance"
        );
        assert_eq!(refused("hang,operation"), "`operation` is not KEY=VALUE");
        assert!(refused("hang,operation=getMetricData").starts_with("no operation `getMetricData`"));
        assert!(refused("missing,metric=Latency").contains("there are InvocationLatency,"));
        assert_eq!(refused("hang,times=1,times=2"), "`times` is given twice");
        assert_eq!(refused("late,seconds=soon"), "`seconds=soon` is not a number that fits");
        assert_eq!(refused("hang,times=-1"), "`times=-1` is not a number that fits");
        assert_eq!(refused("late,share=nan"), "`share=NaN` is not finite");
    }
}
