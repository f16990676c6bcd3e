//! Which calls and which data a fault concerns.

use domain::Metric;
use serde::{Deserialize, Serialize};

use super::Fault;

/// A fault, and the calls and data it concerns. What is not given fits all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaultRule {
    /// What goes wrong.
    pub fault: Fault,
    /// `GetMetricData`, `ListMetrics`, `PutMetricData`, `Publish`, `GetTopicAttributes`, `GetCallerIdentity`, `AssumeRole`,
    /// `AssumeRoleWithWebIdentity`, `ContainerCredentials`, `CreateOpsItem`, `UpdateOpsItem`, `GetOpsItem`, `DescribeOpsItems`, `enqueue` of PagerDuty, `webhook`, and of Jira `jira.search`,
    /// `jira.create`, `jira.edit` (of an issue, or of a property of it), `jira.comment`, `jira.transition`, `jira.read`, or
    /// `jira` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The Region of the credential scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The access key that signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_key: Option<String>,
    /// The topic, the role, the routing key, the path of a webhook, the key of a project or issue, or the id of an
    /// OpsItem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The metric, for faults of data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The `ModelId`, for faults of data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many calls it concerns; then it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Which share of the calls it concerns, 0 to 1: as if by lot, and each time the same ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

impl FaultRule {
    /// A fault of all calls.
    #[must_use]
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            operation: None,
            region: None,
            access_key: None,
            resource: None,
            metric: None,
            model: None,
            times: None,
            chance: None,
        }
    }

    /// Only of this operation.
    #[must_use]
    pub fn operation(self, operation: &str) -> Self {
        Self { operation: Some(operation.to_owned()), ..self }
    }

    /// Only in this Region.
    #[must_use]
    pub fn region(self, region: &str) -> Self {
        Self { region: Some(region.to_owned()), ..self }
    }

    /// Only for calls that were signed with this access key.
    #[must_use]
    pub fn access_key(self, access_key: &str) -> Self {
        Self { access_key: Some(access_key.to_owned()), ..self }
    }

    /// Only for this resource.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        Self { resource: Some(resource.to_owned()), ..self }
    }

    /// Only the data of this metric.
    #[must_use]
    pub fn metric(self, metric: Metric) -> Self {
        Self { metric: Some(metric.name().to_owned()), ..self }
    }

    /// Only the data of this model.
    #[must_use]
    pub fn model(self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self }
    }

    /// Only the next calls, so many.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Only a share of the calls, 0 to 1.
    #[must_use]
    pub fn chance(self, chance: f64) -> Self {
        Self { chance: Some(chance), ..self }
    }

    pub(super) fn fits(&self, site: &CallSite) -> bool {
        fn same(wanted: Option<&String>, is: &str) -> bool {
            wanted.is_none_or(|wanted| wanted == is)
        }
        self.times != Some(0)
            && self.operation.as_ref().is_none_or(|wanted| {
                *wanted == site.operation
                    || site.operation.split_once('.').is_some_and(|(family, _)| family == wanted)
            })
            && same(self.region.as_ref(), &site.region)
            && same(self.access_key.as_ref(), &site.access_key)
            && same(self.resource.as_ref(), site.resource.as_deref().unwrap_or_default())
    }

    pub(super) fn concerns(&self, metric: Metric, model: &str) -> bool {
        self.metric.as_ref().is_none_or(|name| Metric::from_name(name) == Some(metric))
            && self.model.as_ref().is_none_or(|wanted| wanted == model)
    }
}

impl From<Fault> for FaultRule {
    fn from(fault: Fault) -> Self {
        Self::new(fault)
    }
}

/// Which call it is, as far as faults and counters care.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CallSite {
    pub(crate) operation: String,
    pub(crate) region: String,
    pub(crate) access_key: String,
    pub(crate) resource: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loopback::Refusal;

    #[test]
    fn rules_are_written_in_json() {
        let rule: FaultRule = serde_json::from_str(
            r#"{"fault":{"throttle":{"retry-after-seconds":30}},"operation":"enqueue","times":3}"#,
        )
        .unwrap();
        let expected =
            FaultRule::new(Fault::Throttle { retry_after_seconds: Some(30) }).operation("enqueue").times(3);
        assert_eq!(rule, expected);
        let rule: FaultRule = serde_json::from_str(r#"{"fault":{"refuse":"expired-token"}}"#).unwrap();
        assert_eq!(rule.fault, Fault::Refuse(Refusal::ExpiredToken));
        let rule: FaultRule = serde_json::from_str(r#"{"fault":"hang"}"#).unwrap();
        assert_eq!(rule.fault, Fault::Hang);
        let rule: FaultRule =
            serde_json::from_str(r#"{"fault":{"status":{"code":503,"retry-after-seconds":7}}}"#).unwrap();
        assert_eq!(rule.fault, Fault::Status { code: 503, retry_after_seconds: Some(7) });
        assert!(serde_json::from_str::<FaultRule>(r#"{"fault":"hang","regoin":"us-east-1"}"#).is_err());
    }

    #[test]
    fn a_family_of_operations_has_a_name() {
        let fits = |wanted: &str, is: &str| {
            let site = CallSite { operation: is.to_owned(), ..CallSite::default() };
            FaultRule::new(Fault::Hang).operation(wanted).fits(&site)
        };
        assert!(fits("jira", "jira.create"));
        assert!(fits("jira.create", "jira.create"));
        assert!(!fits("jira.search", "jira.create"));
        assert!(!fits("jira.create", "jira"));
        assert!(!fits("jir", "jira.create"));
    }
}
