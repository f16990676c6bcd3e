//! On the wire, against a fake on loopback that knows PagerDuty's limits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::{Cause, ChannelPlan, DeliveryPlan, PagerDutySeverity, Rule, Series, TicketAction};
use tracing_subscriber::fmt::MakeWriter;

use super::*;
use crate::fake::{Fake, Received, Reply, nobody};
use crate::{render, sample};

const KEY: &str = "R0123456789abcdefghijklmnopqrstu";

fn plan(url: &str) -> PagerDutyPlan {
    PagerDutyPlan {
        name: "oncall".to_owned(),
        routing_key: Secret::new(KEY),
        url: url.to_owned(),
        severity: PagerDutySeverity::Critical,
        delivery: DeliveryPlan::DEFAULT,
    }
}

fn channel(url: &str) -> PagerDutyChannel {
    within(Timeouts::DELIVERY, url)
}

fn within(timeouts: Timeouts, url: &str) -> PagerDutyChannel {
    PagerDutyChannel::open("pagerduty.oncall".to_owned(), &plan(url), timeouts).unwrap()
}

fn message() -> Message {
    sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
        render::page(&sample::paged(), &ChannelPlan::PagerDuty(plan("http://127.0.0.1")), context)
    })
}

/// The limits that public bug reports ran into: 400 for what real PagerDuty refuses.
fn strict(request: &Received) -> Reply {
    let event: Value = serde_json::from_str(&request.body).unwrap();
    let payload = &event["payload"];
    let severities = ["critical", "error", "warning", "info"];
    let good = event["routing_key"] == KEY
        && request.body.len() <= 512 * 1024
        && payload["summary"].as_str().is_some_and(|summary| summary.chars().count() <= 1024)
        && payload["severity"].as_str().is_some_and(|severity| severities.contains(&severity));
    Reply::status(if good { 202 } else { 400 })
}

#[tokio::test]
async fn a_page_is_taken_with_its_routing_key() {
    let fake = Fake::start(strict).await;
    channel(&fake.url).deliver(&message(), None).await.unwrap();
    let received = fake.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].headers["content-type"], "application/json");
    let event: Value = serde_json::from_str(&received[0].body).unwrap();
    assert_eq!(event["event_action"], "trigger");
    assert!(event["dedup_key"].is_string());
}

#[tokio::test]
async fn a_long_model_with_accents_and_emoji_is_taken_at_once() {
    let model = format!("arn:aws:bedrock:us-east-1:111122223333:{}", "é🐢".repeat(2_000));
    let page = sample::page_of(
        Series::new("111122223333", "us-east-1", &model),
        &Rule::default(),
        sample::evidence(),
    );
    let message = sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
        render::page(
            &sample::paged_of(page.clone()),
            &ChannelPlan::PagerDuty(plan("http://127.0.0.1")),
            context,
        )
    });
    let fake = Fake::start(strict).await;
    channel(&fake.url).deliver(&message, None).await.unwrap();
    let event: Value = serde_json::from_str(&fake.received()[0].body).unwrap();
    let beginning: String = event["payload"]["summary"].as_str().unwrap().chars().take(150).collect();
    assert!(
        beginning.starts_with("us-east-1 arn:aws:bedrock") && beginning.contains("(0.66)"),
        "{beginning}"
    );
    assert!(event["payload"]["custom_details"]["text"].as_str().unwrap().contains(&model));
}

#[tokio::test]
async fn three_times_too_many_and_then_taken() {
    let busy = Fake::start(|_| Reply::With(429, vec![("retry-after", "30".to_owned())], String::new())).await;
    for _ in 0..3 {
        let error = channel(&busy.url).deliver(&message(), None).await.unwrap_err();
        assert_eq!(error.retry, Retry::After(Duration::from_secs(30)));
    }
    assert_eq!(busy.received().len(), 3, "the channel itself tries once");
    let curt = Fake::start(|_| Reply::status(429)).await;
    let error = channel(&curt.url).deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::After(Duration::from_secs(60)), "it counts the calls of a minute");
    assert_eq!(channel(&curt.url).per_minute(), Some(120));
}

#[tokio::test]
async fn a_refusal_names_its_reason_without_the_key() {
    let fake = Fake::start(|request| {
        let event: Value = serde_json::from_str(&request.body).unwrap();
        let key = event["routing_key"].as_str().unwrap();
        let body = serde_json::json!({
            "status": "invalid key", "message": "Event object is invalid", "errors": [format!("{key} is unknown")]
        });
        Reply::With(400, Vec::new(), body.to_string())
    })
    .await;
    let error = channel(&fake.url).deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert!(error.message.ends_with("400: Event object is invalid; [secret] is unknown"), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Fake::start(|_| Reply::status(202)).await;
    let target = elsewhere.url.clone();
    let fake =
        Fake::start(move |_| Reply::With(307, vec![("location", target.clone())], String::new())).await;
    let error = channel(&fake.url).deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Backoff);
    assert!(elsewhere.received().is_empty(), "the routing key went where nobody configured it");
}

#[tokio::test]
async fn silence_and_a_closed_port_are_tried_again() {
    let fake = Fake::start(|_| Reply::Silence).await;
    let impatient = Timeouts { attempt: Duration::from_millis(100), ..Timeouts::DELIVERY };
    let silent = within(impatient, &fake.url).deliver(&message(), None).await.unwrap_err();
    let closed = channel(&nobody().await).deliver(&message(), None).await.unwrap_err();
    for (error, why) in [(silent, "timed out"), (closed, "refused")] {
        assert_eq!(error.retry, Retry::Backoff);
        assert!(error.message.starts_with("posting the event of pagerduty.oncall to 127.0.0.1: "), "{error}");
        assert!(error.message.contains(why), "{error}");
        assert!(error.hint.is_some());
    }
}

#[tokio::test]
async fn a_ticket_is_refused_and_nothing_is_sent() {
    let fake = Fake::start(strict).await;
    let ticket = Message { kind: NoticeKind::Ticket(TicketAction::Opened), ..message() };
    assert_eq!(channel(&fake.url).deliver(&ticket, None).await.unwrap_err().retry, Retry::Never);
    let damaged = Message { body: "{".to_owned(), ..message() };
    assert_eq!(channel(&fake.url).deliver(&damaged, None).await.unwrap_err().retry, Retry::Never);
    assert!(fake.received().is_empty());
    let rendered = sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
        let ticket = sample::ticket(Cause::Queueing, TicketAction::Opened, sample::usual(), Vec::new());
        render::ticket(&ticket, &ChannelPlan::PagerDuty(plan(&fake.url)), context)
    });
    assert_eq!(rendered, None);
}

#[tokio::test]
async fn the_key_is_in_no_message_no_error_and_no_log() {
    let log = Log::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let echo = Fake::start(|request| Reply::With(500, Vec::new(), request.body.clone())).await;
    let secret_url = format!("{}/?copy={KEY}", nobody().await);
    let errors = [
        channel(&echo.url).deliver(&message(), None).await.unwrap_err(),
        channel(&secret_url).deliver(&message(), None).await.unwrap_err(),
    ];
    drop(guard);
    for error in errors {
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
    assert!(!format!("{:?}", message()).contains(KEY));
    assert!(echo.received()[0].body.contains(KEY), "it was sent, so the other checks mean something");
    assert!(!log.text().is_empty());
    assert!(!log.text().contains(KEY), "{}", log.text());
}

#[test]
fn a_url_that_is_none_cannot_be_opened() {
    let timeouts = Timeouts::DELIVERY;
    let error =
        PagerDutyChannel::open("pagerduty.oncall".to_owned(), &plan("events"), timeouts).err().unwrap();
    assert_eq!(error.retry, Retry::Never);
    assert!(error.message.starts_with("opening pagerduty.oncall: its url cannot be read: "), "{error}");
    assert_eq!(error.hint.as_deref(), Some("correct `url` of [channel.pagerduty.oncall]"));
}

/// Everything that was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
