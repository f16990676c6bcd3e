//! The JSON that a CloudWatch alarm on metric math publishes, with the daemon's own fields under one key.
//!
//! The keys and their order are those of real notifications of 2025: lower-case `name` and `value` in dimensions,
//! times with `+0000`, the Region by its name. There is no `text` and no `attachments` beside them: consumers that
//! post to chat would take such a key for the whole message.

use domain::{
    AlarmState, Estimator, Evidence, Group, GroupPage, GroupResolve, Metric, PERIOD_SECONDS, Series, Slot,
    SnsPlan,
};
use serde::Serialize;

use super::{reason, region};
use crate::context::{Context, TEST};
use crate::deciding::{line, newest_breach};
use crate::gathered::by_traffic;
use crate::notice::{Named, Notice, SeriesNotice, hundredths};
use crate::{cut, moments};

/// The longest description of a CloudWatch alarm. Source: CloudWatch API reference, PutMetricAlarm.
const DESCRIPTION_CHARACTERS: usize = 1_024;
/// The longest name of a CloudWatch alarm is 255; a group is named well below it.
const GROUP_CHARACTERS: usize = 200;
/// More series are counted, not listed.
const SERIES: usize = 100;

/// What an alarm is about.
pub(super) struct About {
    /// The series whose figures it shows: of a group, one of it.
    pub(super) named: Named,
    /// The group, where the alarm is named after it.
    group: Option<String>,
    test: bool,
}

impl About {
    pub(super) fn of_series(series: &Series, test: bool) -> Self {
        Self { named: Named::of(series), group: None, test }
    }

    pub(super) fn of_group(group: &Group, shown: &Series, test: bool) -> Self {
        let group = cut::in_the_middle(group.as_str(), GROUP_CHARACTERS, "…");
        Self { named: Named::of(shown), group: Some(group), test }
    }

    fn of(notice: &Notice, shown: &Series) -> Self {
        match notice.group.as_ref().filter(|_| notice.of_group) {
            Some(group) => Self::of_group(group, shown, notice.test),
            None => Self::of_series(shown, notice.test),
        }
    }

    /// What stands before and after the part of the name that may be cut: `us-east-1 ` and the model, or nothing and the group.
    pub(super) fn name_parts(&self) -> (String, &str) {
        match &self.group {
            Some(group) => (String::new(), group),
            None => (format!("{} ", self.named.region), &self.named.model),
        }
    }

    /// A function of the series or of the group alone: what is keyed by the name of an alarm stays together over days, and a test
    /// apart from what is real.
    fn name(&self) -> String {
        let (region, what) = self.name_parts();
        let mark = if self.test { format!("{TEST} ") } else { String::new() };
        format!("{mark}otpsd {region}{what} OTPS")
    }

    /// `arn:aws:cloudwatch:us-east-1:111122223333:alarm:otpsd us-east-1 example.large-v1:0 OTPS`
    fn arn(&self) -> String {
        let (partition, named) = (region::partition(&self.named.region), &self.named);
        format!(
            "arn:{partition}:cloudwatch:{}:{}:alarm:{}",
            named.region,
            named.account_digits(),
            self.name()
        )
    }
}

/// What a page or a resolve says in the shape of an alarm.
pub(super) struct Said<'a> {
    pub(super) about: About,
    from: AlarmState,
    pub(super) to: AlarmState,
    reason: String,
    threshold: Option<f64>,
    of: (u8, u8),
    slot: Option<&'a Slot>,
    now: String,
}

/// A page, by the series with most traffic; `None` when it is about none.
pub(super) fn page<'a>(notice: &Notice, page: &'a GroupPage, context: &Context<'_>) -> Option<Said<'a>> {
    let first = *by_traffic(page).first()?;
    let evidence: &'a Evidence = first.evidence();
    let slot = newest_breach(evidence);
    let rule = context.rule_of(first.drop().series());
    let threshold = slot.and_then(|slot| line(slot, evidence.line, &rule));
    // Before there was a baseline, CloudWatch would have had no state to leave.
    let from = match slot.and_then(|slot| slot.baseline) {
        Some(_) => AlarmState::Ok,
        None => AlarmState::InsufficientData,
    };
    let about = About::of(notice, first.drop().series());
    let reason = reason::alarm(evidence, &rule, threshold, from)
        + &reason::others(page.pages.len(), &about.named.model);
    Some(Said {
        about,
        from,
        to: AlarmState::Alarm,
        reason,
        threshold,
        of: evidence.m_of_n,
        slot,
        now: moments::state_change(context.now),
    })
}

/// A resolve, by the series that was back last.
pub(super) fn resolve<'a>(notice: &Notice, resolve: &'a GroupResolve, context: &Context<'_>) -> Said<'a> {
    let last = &resolve.last;
    let rule = &context.rule_of(&last.incident.series);
    let slot = last.slots.iter().rev().find(|slot| slot.value().is_some());
    let threshold = slot.and_then(|slot| line(slot, Some(rule.page_below), rule));
    let about = About::of(notice, &last.incident.series);
    let reason = match &last.accepted {
        Some(_) => reason::accepted(threshold),
        None if last.unwatched => reason::unwatched(),
        None => reason::ok(&last.slots, rule, threshold),
    } + &reason::others(resolve.state.members.len(), &about.named.model);
    Said {
        about,
        from: AlarmState::Alarm,
        to: AlarmState::Ok,
        reason,
        threshold,
        of: (rule.datapoints_to_alarm, rule.evaluation_periods),
        slot,
        now: moments::state_change(context.now),
    }
}

impl Said<'_> {
    /// The body, with as much of the text, and as many series, as fit.
    pub(super) fn body(&self, notice: &Notice, plan: &SnsPlan, room: usize) -> String {
        let estimator = self.slot.map_or(Estimator::P50, |slot| slot.estimator);
        // Consumers insist on a number; a line that nobody knows does not occur with a rule that judged.
        let threshold = hundredths(self.threshold.unwrap_or(0.0));
        let trigger = Trigger::new(&self.about.named, estimator, self.of, threshold);
        let name = self.about.name();
        let description = cut::at_word(&notice.text, DESCRIPTION_CHARACTERS);
        let shown = self.shown(notice);
        let render = |series: usize, text: &str| {
            json(&Alarm {
                alarm_name: &name,
                alarm_description: &description,
                aws_account_id: self.about.named.account_digits(),
                alarm_configuration_updated_timestamp: &self.now,
                new_state_value: self.to.as_str(),
                new_state_reason: &self.reason,
                state_change_time: &self.now,
                region: region::name(&self.about.named.region),
                alarm_arn: self.about.arn(),
                old_state_value: self.from.as_str(),
                ok_actions: [&plan.topic_arn],
                alarm_actions: [&plan.topic_arn],
                insufficient_data_actions: [],
                trigger: &trigger,
                own: Own {
                    kind: notice.kind(),
                    test: notice.test,
                    cause: notice.cause,
                    key: notice.key.as_str(),
                    group: notice.group.as_ref().map(Group::as_str),
                    summary: &notice.summary,
                    shown: &shown,
                    members: notice.series.get(..series).unwrap_or(&notice.series),
                    members_left_out: notice.series.len().checked_sub(series).filter(|more| *more > 0),
                    link: notice.link.as_deref(),
                    text,
                },
            })
        };
        let mut series = notice.series.len().min(SERIES);
        while series > 1 && render(series, "").len() > room / 2 {
            series /= 2;
        }
        cut::to_fit(room, &notice.text, |text| render(series, text))
    }

    /// The series whose figures the alarm shows, with the times and the depth of the whole page.
    fn shown(&self, notice: &Notice) -> SeriesNotice {
        let of_alarm = notice.series.iter().find(|series| series.named == self.about.named);
        let mut shown = of_alarm.or_else(|| notice.series.first()).cloned().unwrap_or_default();
        shown.since = Some(notice.since.to_string());
        shown.until = notice.until.map(|until| until.to_string());
        shown.worst_ratio = notice.series.iter().filter_map(|series| series.worst_ratio).reduce(f64::min);
        shown
    }
}

fn json(alarm: &Alarm<'_>) -> String {
    serde_json::to_string(alarm).expect("texts and numbers can always be written")
}

/// A notification.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Alarm<'a> {
    alarm_name: &'a str,
    alarm_description: &'a str,
    #[serde(rename = "AWSAccountId")]
    aws_account_id: &'a str,
    /// The line is learned, so that it is as new as the judgement.
    alarm_configuration_updated_timestamp: &'a str,
    new_state_value: &'a str,
    new_state_reason: &'a str,
    state_change_time: &'a str,
    region: &'a str,
    alarm_arn: String,
    old_state_value: &'a str,
    #[serde(rename = "OKActions")]
    ok_actions: [&'a str; 1],
    alarm_actions: [&'a str; 1],
    insufficient_data_actions: [&'a str; 0],
    trigger: &'a Trigger<'a>,
    #[serde(rename = "otpsd")]
    own: Own<'a>,
}

/// What the alarm is on.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Trigger<'a> {
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
    fn new(names: &'a Named, estimator: Estimator, of: (u8, u8), threshold: f64) -> Self {
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
struct Own<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test: bool,
    cause: &'static str,
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    summary: &'a str,
    /// The series whose figures the alarm shows.
    #[serde(flatten)]
    shown: &'a SeriesNotice,
    members: &'a [SeriesNotice],
    #[serde(skip_serializing_if = "Option::is_none")]
    members_left_out: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    text: &'a str,
}
