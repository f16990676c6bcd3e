//! Every format, of whatever can be said.

use std::time::Duration;

use domain::{JiraPlan, NoticeKind, OpsItemPlan, WebhookPlan};

use super::json::{self, without_texts};
use super::*;
use crate::item::Item;

const FIFO: &str = "arn:aws:sns:us-east-1:111122223333:llm-pages.fifo";

pub(super) fn webhook() -> ChannelPlan {
    ChannelPlan::Webhook(WebhookPlan {
        name: "chat".to_owned(),
        url: Secret::new("https://hooks.example.com/services/T0/secret"),
        secret: Some(Secret::new("a secret of many characters")),
        delivery: DeliveryPlan::DEFAULT,
    })
}

fn opsitem() -> ChannelPlan {
    ChannelPlan::OpsItem(OpsItemPlan {
        name: "ops".to_owned(),
        region: "us-east-1".to_owned(),
        source: "otpsd".to_owned(),
        severity: 2,
        notification_arn: None,
        endpoint_url: None,
        profile: None,
        delivery: DeliveryPlan::DEFAULT,
    })
}

pub(super) fn jira() -> ChannelPlan {
    ChannelPlan::Jira(JiraPlan {
        name: "llm".to_owned(),
        url: "https://example.atlassian.net".to_owned(),
        project: "LLM".to_owned(),
        issue_type: "Task".to_owned(),
        user: None,
        token: Secret::new("a token"),
        labels: Vec::new(),
        reopen_within: Duration::from_secs(7 * 86_400),
        wont_fix: Vec::new(),
        delivery: DeliveryPlan::DEFAULT,
    })
}

/// Every channel, and every format of a topic.
fn channels() -> Vec<ChannelPlan> {
    let topics = SnsFormat::ALL.into_iter().flat_map(|format| [topic(format, TOPIC), topic(format, FIFO)]);
    topics.chain([pagerduty(), webhook(), opsitem(), jira(), log()]).collect()
}

/// Everything that can be said to a channel.
fn all_to(plan: &ChannelPlan, context: &Context<'_>) -> Vec<Message> {
    let held_page = sample::held();
    let quiet = [
        held(&held_page, plan, context, false),
        held(&held_page, plan, context, true),
        ticket(&tickets(TicketAction::Opened), plan, context),
        ticket(&tickets(TicketAction::Updated), plan, context),
        ticket(&tickets(TicketAction::Closed), plan, context),
        source_ticket(&sample::source_ticket(), plan, context),
    ];
    let loud = [
        page(&sample::paged(), plan, context),
        page(&sample::paged_group(), plan, context),
        resolve(&sample::resolved(), plan, context),
        resolve(&sample::resolved_group(), plan, context),
    ];
    loud.into_iter().chain(quiet.into_iter().flatten()).collect()
}

pub(super) fn tickets(action: TicketAction) -> Ticket {
    sample::ticket(Cause::PromptGrowth, action, sample::longer_prompt(), sample::prompt_findings())
}

fn around<T>(read: impl FnOnce(&Context<'_>) -> T) -> T {
    sample::around("2026-12-03T06:17:02Z", read)
}

#[test]
fn the_bodies_of_a_group_as_they_go_out() {
    let page_to = |plan: &ChannelPlan| {
        without_texts(&around(|context| page(&sample::paged_group(), plan, context).body))
    };
    assert_snapshot!("group_sns_alarm", page_to(&sns()));
    assert_snapshot!(
        "group_sns_chatbot",
        json::indented(&around(|context| page(
            &sample::paged_group(),
            &topic(SnsFormat::Chatbot, TOPIC),
            context
        )
        .body))
        .replace("\\n", "\n")
    );
    assert_snapshot!("group_pagerduty", page_to(&pagerduty()));
    assert_snapshot!("group_webhook", page_to(&webhook()));
    assert_snapshot!("group_item", page_to(&jira()));
    let resolve_to = |plan: &ChannelPlan| {
        without_texts(&around(|context| resolve(&sample::resolved_group(), plan, context).body))
    };
    assert_snapshot!("group_resolve_sns_alarm", resolve_to(&sns()));
    assert_snapshot!("group_resolve_webhook", resolve_to(&webhook()));
}

#[test]
fn what_is_told_of_tickets_and_sources_as_it_goes_out() {
    let mut bodies = Vec::new();
    around(|context| {
        for plan in [webhook(), topic(SnsFormat::Chatbot, TOPIC), jira()] {
            let about_a_page = held(&sample::held(), &plan, context, false);
            let about_a_series = ticket(&tickets(TicketAction::Updated), &plan, context);
            let about_a_source = source_ticket(&sample::source_ticket(), &plan, context);
            let all = [about_a_page, about_a_series, about_a_source].into_iter().flatten();
            bodies.extend(all.map(|message| format!("{}\n{}", message.id, without_texts(&message.body))));
        }
    });
    assert_snapshot!(bodies.join("\n\n"));
}

/// Contract: those who read alarms with types, and those who look for a state, see a page and its resolve as one alarm.
#[test]
fn the_alarm_of_a_group_is_one_from_page_to_resolve() {
    let (page, resolve) = around(|context| {
        (page(&sample::paged_group(), &sns(), context), resolve(&sample::resolved_group(), &sns(), context))
    });
    let typed = |message: &Message| serde_json::from_str::<CloudWatchAlarmPayload>(&message.body).unwrap();
    let (fires, ends) = (typed(&page), typed(&resolve));
    assert_eq!(fires.alarm_name, "otpsd us-east-1 OTPS");
    assert_eq!(ends.alarm_name, fires.alarm_name);
    assert_eq!(ends.alarm_arn, fires.alarm_arn);
    assert_eq!((fires.new_state_value.as_str(), ends.new_state_value.as_str()), ("ALARM", "OK"));
    assert!(
        fires.new_state_reason.ends_with(
            " This is us.anthropic.claude-sonnet-4-5-20250929-v1:0, one of 4 series of this page."
        )
    );
    assert_eq!(subject(&page), "ALARM: \"otpsd us-east-1 OTPS\" in US East (N. Virginia)");
    assert_eq!(subject(&resolve), "OK: \"otpsd us-east-1 OTPS\" in US East (N. Virginia)");
    let value: Value = serde_json::from_str(&page.body).unwrap();
    assert_eq!(value["otpsd"]["members"].as_array().unwrap().len(), 4);
    assert_eq!(value["otpsd"]["members"][3]["ratio"], 0.58);
    assert_eq!(value["otpsd"]["members"][2]["owner"], "team-support");
    assert!(page.attributes.contains(&("model".to_owned(), "several".to_owned())));
}

#[test]
fn one_that_joins_later_does_not_rename_the_alarm() {
    let mut resolved = sample::resolved();
    let mut late = resolved.state.members[0].clone();
    late.joined = "2026-12-03T06:22:02Z".parse().unwrap();
    late.series = Series::new("111122223333", "us-east-1", "example.large-v1:0");
    resolved.state.members.push(late);
    let message = around(|context| resolve(&resolved, &sns(), context));
    let alarm: CloudWatchAlarmPayload = serde_json::from_str(&message.body).unwrap();
    assert_eq!(alarm.alarm_name, NAME);
    assert!(message.summary.contains("all 2 series of 2 models"), "{}", message.summary);
}

#[test]
fn a_ticket_is_never_alarm_shaped_and_never_goes_to_pagerduty() {
    for plan in channels() {
        let messages = around(|context| all_to(&plan, context));
        let tickets: Vec<_> =
            messages.iter().filter(|message| matches!(message.kind, NoticeKind::Ticket(_))).collect();
        match plan {
            ChannelPlan::PagerDuty(_) => assert_eq!(tickets.len(), 0),
            _ => assert_eq!(tickets.len(), 6),
        }
        for ticket in tickets {
            for word in ["NewStateValue", "AlarmName", "Trigger", "event_action"] {
                assert!(!ticket.body.contains(word), "{}: {}", ticket.id, ticket.body);
            }
        }
    }
}

#[test]
fn what_sns_takes_is_what_is_said() {
    for plan in channels().into_iter().filter(|plan| matches!(plan, ChannelPlan::Sns(_))) {
        for message in around(|context| all_to(&plan, context)) {
            taken_by_sns(&message);
            assert!(message.attributes.len() <= 11, "raw delivery to SQS carries ten and no more");
        }
    }
}

#[test]
fn a_fifo_topic_keeps_the_order_of_a_page_and_tells_apart_what_is_said_of_it() {
    let plan = topic(SnsFormat::Alarm, FIFO);
    let messages = around(|context| all_to(&plan, context));
    let of = |message: &Message, name: &str| {
        message.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    };
    let mut seen = std::collections::BTreeSet::new();
    for message in &messages {
        assert_eq!(of(message, "MessageGroupId").as_deref(), Some(message.key.as_str()));
        let id = of(message, "MessageDeduplicationId").unwrap();
        assert!(id.len() == 64 && id.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
        seen.insert(id);
    }
    let ids: std::collections::BTreeSet<_> = messages.iter().map(|message| &message.id).collect();
    assert_eq!(seen.len(), ids.len(), "as many as there are messages");
    assert_eq!(of(&around(|context| page(&sample::paged(), &sns(), context)), "MessageGroupId"), None);
}

#[test]
fn a_repeat_is_the_same_message() {
    for plan in channels() {
        let (first, again) =
            (around(|context| all_to(&plan, context)), around(|context| all_to(&plan, context)));
        assert_eq!(first, again);
    }
}

#[test]
fn a_test_is_marked_wherever_it_is_read() {
    let (plan, around) = (sample::labelled(), sample::surroundings());
    let context = Context { test: true, ..Context::new(&plan, sample::told(), &around) };
    for plan in channels() {
        for message in all_to(&plan, &context) {
            assert!(message.summary.starts_with("[TEST] "), "{}", message.summary);
            assert!(!message.summary.contains("[TEST] ["), "{}", message.summary);
            assert!(message.body.contains("This is a test of otpsd: nothing is slow."), "{}", message.body);
            let Some((_, subject)) = message.attributes.first() else { continue };
            let alarm = message.body.contains("\"AlarmName\":\"[TEST] otpsd ");
            let marked =
                if alarm { subject.contains(": \"[TEST] otpsd ") } else { subject.starts_with("[TEST] ") };
            assert!(marked, "{subject}");
            assert!(message.attributes.contains(&("test".to_owned(), "true".to_owned())));
        }
    }
    // It must not be taken for the alarm of a real page, nor end one.
    assert!(!page(&sample::paged(), &sns(), &context).body.contains(&format!("\"AlarmName\":\"{NAME}\"")));
}

#[test]
fn subjects_without_an_alarm_say_what_it_is() {
    let subjects: Vec<String> = around(|context| {
        let text = topic(SnsFormat::Text, TOPIC);
        all_to(&text, context).iter().map(|message| subject(message).to_owned()).collect()
    });
    assert_snapshot!(subjects.join("\n"), @r"
    PAGE: us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 decodes 34 % slower: 41.0 of 62.0...
    PAGE: us-east-1 decodes 34 % slower (0.66): us.anthropic.claude-sonnet-4-5-20250929-v1:0 and 2...
    RESOLVED: us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 decodes at 0.98 of its...
    RESOLVED: us-east-1, all 4 series of 3 models; the last decodes at 0.98 of its baseline again;...
    TICKET: page held open, us-east-1
    TICKET: page held open, us-east-1 (closed)
    TICKET: prompt growth, us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0
    TICKET: prompt growth, us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 (still)
    TICKET: prompt growth, us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 (closed)
    TICKET: source failing, main
    ");
}

#[test]
fn a_tracker_finds_the_same_condition_again_and_every_page_apart() {
    let item = |message: Message| Item::of(&message).unwrap();
    around(|context| {
        let paged = item(page(&sample::paged_group(), &opsitem(), context));
        assert_eq!(paged.subject, None);
        assert_eq!(paged.labels, ["otpsd", "otps_drop", "us-east-1"]);
        assert_eq!(paged.fields["owner"], "team-support, team-platform");
        let opened = item(ticket(&tickets(TicketAction::Opened), &jira(), context).unwrap());
        let closed = item(ticket(&tickets(TicketAction::Closed), &jira(), context).unwrap());
        assert!(opened.subject.is_some());
        assert_eq!(opened.subject, closed.subject);
        let mut other = tickets(TicketAction::Opened);
        other.cause = Cause::Queueing;
        assert_ne!(item(ticket(&other, &jira(), context).unwrap()).subject, opened.subject);
    });
}

#[test]
fn markup_in_a_name_does_nothing() {
    let series = Series::new("111122223333", "us-east-1", "<!channel> ``` *x* <https://evil.example|click>");
    let hostile = sample::paged_of(sample::page_of(series, &Rule::default(), sample::evidence()));
    let body = around(|context| page(&hostile, &topic(SnsFormat::Chatbot, TOPIC), context).body);
    assert!(!body.contains(['<', '>', '*']), "{body}");
    let value: Value = serde_json::from_str(&body).unwrap();
    let description = value["content"]["description"].as_str().unwrap();
    assert_eq!(description.matches("```").count(), 2, "{description}");
    assert!(description.chars().count() < 3_000);
}

#[test]
fn hundreds_of_series_fit_every_receiver() {
    let mut group = sample::paged_group();
    for index in 0..300 {
        let series = Series::new("111122223333", "us-east-1", &format!("{index}{}", "\u{1}é".repeat(600)));
        group.pages.push(sample::page_of(series, &Rule::default(), sample::evidence()));
    }
    for plan in channels() {
        let message = around(|context| page(&group, &plan, context));
        if let ChannelPlan::Sns(_) = plan {
            taken_by_sns(&message);
        }
        assert!(message.body.len() <= 511 * 1_024, "{}: {} bytes", message.id, message.body.len());
        if !matches!(plan, ChannelPlan::Log { .. }) && message.body.starts_with('{') {
            serde_json::from_str::<Value>(&message.body).unwrap();
        }
        let beginning: String = message.summary.chars().take(150).collect();
        assert!(beginning.starts_with("us-east-1 ") && beginning.contains("(0.66): "), "{beginning}");
        let model = message.summary.split("(0.66): ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(beginning.contains(model), "{beginning}");
    }
}
