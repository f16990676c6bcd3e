//! Every kind of channel, by its plan.

use std::time::Duration;

use aws_config::BehaviorVersion;
use aws_credential_types::Credentials;
use domain::{
    DeliveryPlan, JiraPlan, Key, Message, NoticeKind, OpsItemPlan, PagerDutyPlan, PagerDutySeverity, Secret,
    SnsFormat, SnsPlan, WebhookPlan,
};

use super::*;
use crate::fake::{Fake, Reply};
use crate::item::{Item, ItemAction};

/// Each secret of a plan.
const MARKERS: [&str; 5] = [
    "R0123456789abcdefghijklmnopqrstu",
    "hook-7c1d9e44aa",
    "sign-5b1e0d8c77",
    "tok-4f9a7c31d2e8",
    "FwoGZXIvYXdzEXAMPLE",
];

fn plans(url: &str) -> Vec<ChannelPlan> {
    let delivery = DeliveryPlan::DEFAULT;
    vec![
        ChannelPlan::Sns(SnsPlan {
            name: "ops".to_owned(),
            topic_arn: "arn:aws:sns:eu-west-1:111122223333:llm-pages".to_owned(),
            endpoint_url: Some(url.to_owned()),
            profile: None,
            format: SnsFormat::Alarm,
            delivery: delivery.clone(),
        }),
        ChannelPlan::PagerDuty(PagerDutyPlan {
            name: "oncall".to_owned(),
            routing_key: Secret::new(MARKERS[0]),
            url: url.to_owned(),
            severity: PagerDutySeverity::Critical,
            delivery: delivery.clone(),
        }),
        ChannelPlan::Webhook(WebhookPlan {
            name: "chat".to_owned(),
            url: Secret::new(format!("{url}/{}", MARKERS[1])),
            secret: Some(Secret::new(MARKERS[2])),
            delivery: delivery.clone(),
        }),
        ChannelPlan::OpsItem(OpsItemPlan {
            name: "ops".to_owned(),
            region: "eu-west-1".to_owned(),
            source: "otpsd".to_owned(),
            severity: 2,
            notification_arn: None,
            endpoint_url: Some(url.to_owned()),
            profile: None,
            delivery: delivery.clone(),
        }),
        ChannelPlan::Jira(JiraPlan {
            name: "llm".to_owned(),
            url: url.to_owned(),
            project: "LLM".to_owned(),
            issue_type: "Task".to_owned(),
            user: None,
            token: Secret::new(MARKERS[3]),
            labels: Vec::new(),
            reopen_within: Duration::from_secs(86_400),
            wont_fix: Vec::new(),
            delivery,
        }),
        ChannelPlan::Log { name: "all".to_owned() },
    ]
}

fn message(plan: &ChannelPlan) -> Message {
    let item = Item {
        action: ItemAction::Open,
        key: "otpsd-54dd9473edee387a".to_owned(),
        subject: None,
        title: "slow".to_owned(),
        text: "slow".to_owned(),
        labels: Vec::new(),
        fields: std::collections::BTreeMap::default(),
        link: None,
    };
    Message {
        id: "otpsd-54dd9473edee387a:page".to_owned(),
        channel: plan.name(),
        kind: NoticeKind::Page,
        key: Key::from_text("otpsd-54dd9473edee387a"),
        summary: "slow".to_owned(),
        body: item.body(),
        attributes: Vec::new(),
        created: Timestamp::UNIX_EPOCH,
        standby_for: None,
    }
}

fn aws() -> SdkConfig {
    let credentials = Credentials::new("AKIDEXAMPLE", MARKERS[4], Some(MARKERS[4].repeat(5)), None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

#[tokio::test]
async fn a_channel_is_called_as_its_plan_is() {
    for plan in plans("http://127.0.0.1:9") {
        assert_eq!(open(&plan).await.unwrap().name(), plan.name());
        assert_eq!(open_with(&plan, &aws()).await.unwrap().name(), plan.name());
    }
}

#[tokio::test]
async fn only_pagerduty_says_how_much_it_takes() {
    let mut limits = Vec::new();
    for plan in plans("http://127.0.0.1:9") {
        limits.push(open(&plan).await.unwrap().per_minute());
    }
    assert_eq!(limits, [None, Some(120), None, None, None, None]);
}

#[tokio::test]
async fn no_secret_is_seen_whatever_a_receiver_repeats_of_a_request() {
    for status in [400, 401, 403, 404, 429, 500] {
        let echo = Fake::start(move |request| {
            let sent = format!("{} {:?} {}", request.target, request.headers, request.body);
            Reply::With(status, Vec::new(), format!("{} {sent}", MARKERS.join(" ")))
        })
        .await;
        for plan in plans(&echo.url) {
            let channel = open_with(&plan, &aws()).await.unwrap();
            let Err(error) = channel.deliver(&message(&plan), None).await else {
                assert!(matches!(plan, ChannelPlan::Log { .. }));
                continue;
            };
            let shown = format!("{error:?} {plan:?}");
            // What a receiver makes up of the secrets of others is not this channel's to know.
            let own: Vec<&str> = MARKERS
                .into_iter()
                .filter(|marker| match &plan {
                    ChannelPlan::PagerDuty(_) => *marker == MARKERS[0],
                    ChannelPlan::Webhook(_) => *marker == MARKERS[1] || *marker == MARKERS[2],
                    ChannelPlan::Jira(_) => *marker == MARKERS[3],
                    _ => *marker == MARKERS[4],
                })
                .collect();
            for marker in own {
                assert!(!shown.contains(&marker[..12]), "{marker} of {}: {shown}", plan.name());
            }
        }
        assert!(echo.received().len() >= 5, "each was asked");
    }
}
