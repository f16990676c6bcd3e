//! The wire bodies: the contract with those who already read CloudWatch alarms, and the limits of the receivers.

use aws_lambda_events::event::sns::CloudWatchAlarmPayload;
use domain::{
    Cause, DeliveryPlan, Page, PagerDutyPlan, PagerDutySeverity, Rule, Secret, Series, SnsFormat, SnsPlan,
    TicketAction,
};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::sample;

mod docs;
mod formats;
mod json;

const TOPIC: &str = "arn:aws:sns:us-east-1:111122223333:llm-pages";
const NAME: &str = "otpsd us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 OTPS";

fn topic(format: SnsFormat, arn: &str) -> ChannelPlan {
    ChannelPlan::Sns(SnsPlan {
        name: "ops".to_owned(),
        topic_arn: arn.to_owned(),
        endpoint_url: None,
        profile: None,
        format,
        delivery: DeliveryPlan::DEFAULT,
    })
}

fn sns() -> ChannelPlan {
    topic(SnsFormat::Alarm, TOPIC)
}

fn pagerduty() -> ChannelPlan {
    ChannelPlan::PagerDuty(PagerDutyPlan {
        name: "oncall".to_owned(),
        routing_key: Secret::new("R0123456789abcdefghijklmnopqrstu"),
        url: "https://events.pagerduty.com/v2/enqueue".to_owned(),
        severity: PagerDutySeverity::Critical,
        delivery: DeliveryPlan::DEFAULT,
    })
}

fn log() -> ChannelPlan {
    ChannelPlan::Log { name: "all".to_owned() }
}

fn page_to(plan: &ChannelPlan, the_page: &Page) -> Message {
    sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
        page(&sample::paged_of(the_page.clone()), plan, context)
    })
}

fn resolve_to(plan: &ChannelPlan) -> Message {
    sample::with_context(&Rule::default(), "2026-12-03T09:02:00Z", |context| {
        resolve(&sample::resolved(), plan, context)
    })
}

fn pretty(message: &Message) -> String {
    // Through a value the keys would be sorted; their order is part of the contract.
    let raw: Vec<String> = message.body.replace("\\n", "\\n\n").split("\",\"").map(str::to_owned).collect();
    raw.join("\",\n\"")
}

fn subject(message: &Message) -> &str {
    &message.attributes[0].1
}

#[test]
fn a_typed_consumer_reads_the_page() {
    let message = page_to(&sns(), &sample::page());
    let alarm: CloudWatchAlarmPayload = serde_json::from_str(&message.body).unwrap();
    assert_eq!(alarm.alarm_name, NAME);
    assert_eq!(alarm.aws_account_id, "111122223333");
    assert_eq!((alarm.old_state_value.as_str(), alarm.new_state_value.as_str()), ("OK", "ALARM"));
    assert_eq!(
        alarm.new_state_reason,
        "Threshold Crossed: 3 out of the last 5 datapoints were less than the threshold (49.6). The most recent \
         datapoints which crossed the threshold: [41.0 (03/12/26 06:10:00), 40.2 (03/12/26 06:05:00), 43.1 \
         (03/12/26 05:55:00)] (minimum 3 datapoints for OK -> ALARM transition)."
    );
    assert_eq!(alarm.state_change_time, "2026-12-03T06:17:02.000+0000");
    assert_eq!(alarm.region, "US East (N. Virginia)");
    assert_eq!(alarm.alarm_arn, format!("arn:aws:cloudwatch:us-east-1:111122223333:alarm:{NAME}"));
    let description = alarm.alarm_description;
    let one_line = description.replace('\n', " ");
    assert!(one_line.starts_with(&message.summary) && description.ends_with('…'), "{description}");
    assert!((1_000..=1_024).contains(&description.chars().count()), "{}", description.chars().count());
    let trigger = alarm.trigger;
    assert_eq!((trigger.period, trigger.evaluation_periods), (300, 5));
    assert_eq!(trigger.comparison_operator, "LessThanThreshold");
    assert_eq!(trigger.threshold, 49.6, "0.80 x 62.0");
    assert_eq!(trigger.treat_missing_data, "missing");
    let ids: Vec<&str> = trigger.metrics.iter().map(|metric| metric.id.as_str()).collect();
    assert_eq!(ids, ["otps", "m1", "m2", "m3"]);
    assert_eq!(trigger.metrics[0].expression.as_deref(), Some("m2 / (m1 - m3) * 1000"));
    assert!(trigger.metrics[0].return_data && !trigger.metrics[1].return_data);
    let stat = trigger.metrics[3].metric_stat.as_ref().unwrap();
    assert_eq!(stat.metric.metric_name.as_deref(), Some("TimeToFirstToken"));
    assert_eq!((stat.stat.as_str(), stat.period), ("p50", 300));
    assert_eq!(stat.metric.dimensions[0].name, "ModelId");
    assert_eq!(stat.metric.dimensions[0].value, sample::MODEL);
}

#[test]
fn a_typed_consumer_reads_the_resolve() {
    let message = resolve_to(&sns());
    let alarm: CloudWatchAlarmPayload = serde_json::from_str(&message.body).unwrap();
    assert_eq!(alarm.alarm_name, NAME);
    assert_eq!((alarm.old_state_value.as_str(), alarm.new_state_value.as_str()), ("ALARM", "OK"));
    assert_eq!(
        alarm.new_state_reason,
        "Threshold Crossed: 3 out of the last 3 datapoints were not less than the threshold (49.6). The most recent \
         datapoints: [60.8 (03/12/26 08:55:00), 60.3 (03/12/26 08:50:00), 57.1 (03/12/26 08:45:00)] (minimum 3 \
         datapoints for ALARM -> OK transition)."
    );
    assert_eq!(subject(&message), format!("OK: \"{NAME}\" in US East (N. Virginia)"));
}

#[test]
fn the_bodies_as_they_go_out() {
    assert_snapshot!("sns_page", pretty(&page_to(&sns(), &sample::page())));
    assert_snapshot!("sns_resolve", pretty(&resolve_to(&sns())));
    assert_snapshot!("pagerduty_page", pretty(&page_to(&pagerduty(), &sample::page())));
    assert_snapshot!("pagerduty_resolve", pretty(&resolve_to(&pagerduty())));
}

#[test]
fn keys_stand_in_the_order_of_real_notifications_and_none_hijacks_a_chat() {
    let body = page_to(&sns(), &sample::page()).body;
    let order = [
        "AlarmName",
        "AlarmDescription",
        "AWSAccountId",
        "AlarmConfigurationUpdatedTimestamp",
        "NewStateValue",
        "NewStateReason",
        "StateChangeTime",
        "Region",
        "AlarmArn",
        "OldStateValue",
        "OKActions",
        "AlarmActions",
        "InsufficientDataActions",
        "Trigger",
        "Period",
        "EvaluationPeriods",
        "DatapointsToAlarm",
        "ComparisonOperator",
        "Threshold",
        "TreatMissingData",
        "EvaluateLowSampleCountPercentile",
        "Metrics",
    ];
    let places: Vec<usize> = order.iter().map(|key| body.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
    let value: Value = serde_json::from_str(&body).unwrap();
    let top = value.as_object().unwrap();
    assert_eq!(top.len(), 15);
    assert!(!top.contains_key("text") && !top.contains_key("attachments"));
}

#[test]
fn a_learning_series_comes_from_insufficient_data() {
    let rule = Rule { page_below_otps: Some(45.0), ..Rule::default() };
    let mut evidence = sample::evidence();
    evidence.line = None;
    for slot in &mut evidence.slots {
        slot.baseline = None;
    }
    let page_of = sample::page_of(sample::series(), &rule, evidence);
    let message = sample::with_context(&rule, "2026-12-03T06:17:02Z", |context| {
        page(&sample::paged_of(page_of), &sns(), context)
    });
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!(body["OldStateValue"], "INSUFFICIENT_DATA");
    assert_eq!(body["Trigger"]["Threshold"], 45.0);
    assert!(body["NewStateReason"].as_str().unwrap().contains("for INSUFFICIENT_DATA -> ALARM transition"));
    assert_eq!(body["otpsd"].get("ratio"), None, "there is none");
    assert_eq!(body["otpsd"]["otps"], 41.0);
}

#[test]
fn a_line_that_moves_with_the_hour_is_said_to_move() {
    let mut evidence = sample::evidence();
    evidence.slots[1].baseline = Some(62.4);
    let page_of = sample::page_of(sample::series(), &Rule::default(), evidence);
    let body: Value = serde_json::from_str(&page_to(&sns(), &page_of).body).unwrap();
    let reason = body["NewStateReason"].as_str().unwrap();
    assert!(reason.ends_with(" The threshold is learned and moves with the hour."), "{reason}");
}

#[test]
fn an_id_is_a_function_of_what_is_said_to_whom() {
    let key = sample::paged().state.key;
    assert_eq!(page_to(&sns(), &sample::page()).id, format!("{key}:page:sns.ops@2026-12-03T06:17:02Z"));
    assert_eq!(resolve_to(&log()).id, format!("{key}:resolve:log.all@2026-12-03T06:17:02Z"));
    let ticket_id = |action| {
        let the_ticket = sample::ticket(Cause::Queueing, action, sample::usual(), Vec::new());
        let id = sample::with_context(&Rule::default(), "2026-12-07T00:02:00Z", |context| {
            ticket(&the_ticket, &sns(), context).unwrap().id
        });
        id.replace(the_ticket.key.as_str(), "KEY")
    };
    assert_eq!(ticket_id(TicketAction::Opened), "KEY:ticket_opened:sns.ops");
    assert_eq!(ticket_id(TicketAction::Updated), "KEY:ticket_updated:sns.ops:2026-12-06T23:55:00Z");
    assert_eq!(ticket_id(TicketAction::Closed), "KEY:ticket_closed:sns.ops");
}

#[test]
fn a_ticket_about_a_source_has_no_model_and_wakes_nobody() {
    let the_ticket = sample::source_ticket();
    let render = |plan: &ChannelPlan, the_ticket: &SourceTicket| {
        sample::with_context(&Rule::default(), "2026-12-03T06:02:00Z", |context| {
            source_ticket(the_ticket, plan, context)
        })
    };
    assert_eq!(render(&pagerduty(), &the_ticket), None);
    let message = render(&sns(), &the_ticket).unwrap();
    taken_by_sns(&message);
    let attributes: Vec<_> =
        message.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let expected = [
        "Subject=TICKET: source failing, main",
        "kind=ticket",
        "state=opened",
        "cause=source_failing",
        "source=main",
        "region=-",
    ];
    assert_eq!(attributes, expected);
    assert_eq!(message.id, format!("{}:ticket_opened:sns.ops", the_ticket.key));
    assert!(!message.body.contains("NewStateValue"));

    let mut closed = the_ticket.clone();
    closed.closed = Some(domain::SourceClosed::Recovered);
    closed.regions.truncate(1);
    let message = render(&sns(), &closed).unwrap();
    assert_eq!(subject(&message), "TICKET: source failing, main (closed)");
    assert_eq!(message.attributes[5].1, "eu-central-1");
    assert_eq!(message.id, format!("{}:ticket_closed:sns.ops", closed.key));
    let message = render(&log(), &closed).unwrap();
    assert_eq!(message.attributes, []);

    closed.source = "é\n".repeat(200_000);
    taken_by_sns(&render(&sns(), &closed).unwrap());
}

#[test]
fn the_log_gets_the_text() {
    let message = page_to(&log(), &sample::page());
    let one_line = message.body.replace('\n', " ");
    assert!(one_line.starts_with(&format!("{}  The model host", message.summary)), "{}", message.body);
    assert!(message.attributes.is_empty());
}

fn taken_by_sns(message: &Message) {
    let attributes: usize =
        message.attributes[1..].iter().map(|(name, value)| name.len() + 6 + value.len()).sum();
    assert!(message.body.len() + attributes <= 262_144, "{} bytes", message.body.len() + attributes);
    assert!(
        subject(message).len() < 100 && subject(message).chars().all(|c| !c.is_control() && c.is_ascii())
    );
    assert!(
        message.attributes.iter().all(|(_, value)| !value.is_empty() && !value.contains(char::is_control))
    );
}

#[test]
fn a_model_of_any_length_fits_every_receiver() {
    for model in ["\u{1}".repeat(400_000), "🐢".repeat(100_000), "x".repeat(600_000), "\n".to_owned()] {
        let series = Series::new("111122223333", "us-east-1", &model);
        let page_of = sample::page_of(series.clone(), &Rule::default(), sample::evidence());
        let message = page_to(&sns(), &page_of);
        taken_by_sns(&message);
        let alarm: CloudWatchAlarmPayload = serde_json::from_str(&message.body).unwrap();
        assert_eq!(alarm.new_state_value, "ALARM");
        let event = page_to(&pagerduty(), &page_of).body;
        assert!(event.len() <= 511 * 1_024, "{}", event.len());
        serde_json::from_str::<Value>(&event).unwrap();
        let mut the_ticket =
            sample::ticket(Cause::Queueing, TicketAction::Opened, sample::usual(), Vec::new());
        the_ticket.series = series;
        let message = sample::with_context(&Rule::default(), "2026-12-07T00:02:00Z", |context| {
            ticket(&the_ticket, &sns(), context).unwrap()
        });
        taken_by_sns(&message);
    }
}

#[test]
fn the_body_keeps_a_name_that_the_subject_cannot() {
    let model = format!(" modèle – 🐢\nlarge{}", "é".repeat(123));
    let page_of = sample::page_of(
        Series::new("111122223333", "eu-west-1", &model),
        &Rule::default(),
        sample::evidence(),
    );
    let message = page_to(&sns(), &page_of);
    taken_by_sns(&message);
    assert!(
        subject(&message).starts_with("ALARM: \"otpsd eu-west-1  mod_le _ _ large"),
        "{}",
        subject(&message)
    );
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!(body["AlarmName"], format!("otpsd eu-west-1 {model} OTPS"));
    assert_eq!(body["otpsd"]["model"], model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_series_is_taken_by_sns(account in ".{0,20}", region in ".{0,40}", model in any::<String>()) {
        let page_of =
            sample::page_of(Series::new(&account, &region, &model), &Rule::default(), sample::evidence());
        let message = page_to(&sns(), &page_of);
        taken_by_sns(&message);
        prop_assert!(serde_json::from_str::<CloudWatchAlarmPayload>(&message.body).is_ok());
    }
}
