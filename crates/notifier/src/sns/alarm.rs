//! The JSON that a CloudWatch alarm on metric math publishes, with the daemon's own fields under one key.
//!
//! The keys and their order are those of real notifications of 2025: lower-case `name` and `value` in dimensions,
//! times with `+0000`, the Region by its name. There is no `text` and no `attachments` beside them: consumers that
//! post to chat would take such a key for the whole message.

use domain::{Estimator, Metric, PERIOD_SECONDS};
use serde::Serialize;

use super::{Names, region};

/// A notification.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Alarm<'a> {
    pub(super) alarm_name: &'a str,
    pub(super) alarm_description: &'a str,
    #[serde(rename = "AWSAccountId")]
    pub(super) aws_account_id: &'a str,
    /// The line is learned, so that it is as new as the judgement.
    pub(super) alarm_configuration_updated_timestamp: &'a str,
    pub(super) new_state_value: &'a str,
    pub(super) new_state_reason: &'a str,
    pub(super) state_change_time: &'a str,
    pub(super) region: &'a str,
    pub(super) alarm_arn: String,
    pub(super) old_state_value: &'a str,
    #[serde(rename = "OKActions")]
    pub(super) ok_actions: [&'a str; 1],
    pub(super) alarm_actions: [&'a str; 1],
    pub(super) insufficient_data_actions: [&'a str; 0],
    pub(super) trigger: &'a Trigger<'a>,
    #[serde(rename = "otpsd")]
    pub(super) own: Own<'a>,
}

/// `arn:aws:cloudwatch:us-east-1:111122223333:alarm:otpsd us-east-1 example.large-v1:0 OTPS`
pub(super) fn arn(names: &Names) -> String {
    let partition = region::partition(&names.region);
    format!("arn:{partition}:cloudwatch:{}:{}:alarm:{}", names.region, names.account_digits(), names.alarm())
}

/// What the alarm is on.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Trigger<'a> {
    period: i64,
    evaluation_periods: u8,
    datapoints_to_alarm: u8,
    comparison_operator: &'static str,
    threshold: f64,
    treat_missing_data: &'static str,
    evaluate_low_sample_count_percentile: &'static str,
    metrics: [Query<'a>; 4],
}

impl<'a> Trigger<'a> {
    /// The published formula of OTPS, on the statistic of the estimator that decided.
    pub(super) fn new(names: &'a Names, estimator: Estimator, of: (u8, u8), threshold: f64) -> Self {
        let stat = match estimator {
            Estimator::P50 => "p50",
            Estimator::TokenWeighted => "Sum",
        };
        let metric = |id, metric: Metric| {
            Query::Metric(MetricQuery {
                id,
                metric_stat: MetricStat {
                    metric: MetricName {
                        dimensions: [Dimension { value: &names.model, name: "ModelId" }],
                        metric_name: metric.name(),
                        namespace: "AWS/Bedrock",
                    },
                    period: PERIOD_SECONDS,
                    stat,
                },
                return_data: false,
                account_id: names.account_digits(),
            })
        };
        Self {
            period: PERIOD_SECONDS,
            evaluation_periods: of.1,
            datapoints_to_alarm: of.0,
            comparison_operator: "LessThanThreshold",
            threshold,
            treat_missing_data: "missing",
            evaluate_low_sample_count_percentile: "",
            metrics: [
                Query::Expression(Expression {
                    expression: "m2 / (m1 - m3) * 1000",
                    id: "otps",
                    label: "OTPS",
                    return_data: true,
                }),
                metric("m1", Metric::InvocationLatency),
                metric("m2", Metric::OutputTokenCount),
                metric("m3", Metric::TimeToFirstToken),
            ],
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Query<'a> {
    Expression(Expression),
    Metric(MetricQuery<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Expression {
    expression: &'static str,
    id: &'static str,
    label: &'static str,
    return_data: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct MetricQuery<'a> {
    id: &'static str,
    metric_stat: MetricStat<'a>,
    return_data: bool,
    account_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct MetricStat<'a> {
    metric: MetricName<'a>,
    period: i64,
    stat: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct MetricName<'a> {
    dimensions: [Dimension<'a>; 1],
    metric_name: &'static str,
    namespace: &'static str,
}

#[derive(Serialize)]
struct Dimension<'a> {
    value: &'a str,
    name: &'static str,
}

/// What a CloudWatch alarm has no place for. What is not known is left out.
#[derive(Serialize)]
pub(super) struct Own<'a> {
    pub(super) kind: &'static str,
    pub(super) cause: &'static str,
    pub(super) key: &'a str,
    pub(super) summary: &'a str,
    pub(super) account: &'a str,
    pub(super) region: &'a str,
    pub(super) model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) estimator: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) otps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) otps_p50: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worst_ratio: Option<f64>,
    pub(super) since: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
    pub(super) text: &'a str,
}
