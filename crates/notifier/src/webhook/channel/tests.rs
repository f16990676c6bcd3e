//! On the wire, against a fake on loopback.

use std::time::Duration;

use domain::{DeliveryPlan, Key, NoticeKind};

use super::*;
use crate::fake::{Fake, Received, Reply, nobody};

const TOKEN: &str = "tok-4f9a7c31d2e8";
const SECRET: &str = "sign-5b1e0d8c77aa";
const BODY: &str = "{\"key\":\"otpsd-54dd9473edee387a\",\"text\":\"42 tok/s – slow\"}";

fn now() -> Timestamp {
    "1994-11-06T08:49:00Z".parse().unwrap()
}

fn channel_at(url: &str, timeouts: Timeouts, secret: Option<&str>) -> WebhookChannel {
    let plan = WebhookPlan {
        name: "chat".to_owned(),
        url: Secret::new(url),
        secret: secret.map(Secret::new),
        delivery: DeliveryPlan::DEFAULT,
    };
    WebhookChannel::open("webhook.chat".to_owned(), &plan, timeouts, now).unwrap()
}

fn channel(url: &str) -> WebhookChannel {
    channel_at(url, Timeouts::DELIVERY, Some(SECRET))
}

fn message() -> Message {
    Message {
        id: "otpsd-54dd9473edee387a:page:webhook.chat@2026-12-03T06:17:02Z".to_owned(),
        channel: "webhook.chat".to_owned(),
        kind: NoticeKind::Page,
        key: Key::from_text("otpsd-54dd9473edee387a"),
        summary: "slow".to_owned(),
        body: BODY.to_owned(),
        attributes: Vec::new(),
        created: now(),
        standby_for: None,
    }
}

#[tokio::test]
async fn a_message_arrives_signed_and_named() {
    let fake = Fake::start(|_| Reply::status(204)).await;
    let url = format!("{}/hooks/{TOKEN}?source=otpsd", fake.url);
    assert_eq!(channel(&url).deliver(&message(), None).await, Ok(Receipt::default()));
    let [request] = &fake.received()[..] else { panic!("one attempt is one request") };
    assert_eq!(request.method, "POST");
    assert_eq!(request.target, format!("/hooks/{TOKEN}?source=otpsd"));
    assert_eq!(request.body, BODY);
    let header = |name: &str| request.headers[name].to_str().unwrap();
    assert_eq!(header("content-type"), "application/json");
    assert_eq!(header("user-agent"), format!("otpsd/{}", env!("CARGO_PKG_VERSION")));
    assert_eq!(header("otpsd-key"), "otpsd-54dd9473edee387a");
    assert_eq!(header("otpsd-kind"), "page");
    assert_eq!(header("otpsd-delivery"), message().id);
    // printf '784111740.%s' BODY | openssl dgst -sha256 -hmac SECRET
    assert_eq!(
        header("otpsd-signature"),
        "t=784111740,v1=adb25afa258c8f70ccf362a377b2b900b750acf10f2f82c88d24be218109aa7e"
    );
}

#[tokio::test]
async fn without_a_secret_nothing_is_signed() {
    let fake = Fake::start(|_| Reply::status(200)).await;
    channel_at(&fake.url, Timeouts::DELIVERY, None).deliver(&message(), None).await.unwrap();
    assert!(!fake.received()[0].headers.contains_key("otpsd-signature"));
}

#[tokio::test]
async fn a_repeat_is_recognised_after_an_answer_that_came_too_late() {
    let fake = Fake::start(|_| Reply::Silence).await;
    let impatient = Timeouts { attempt: Duration::from_millis(100), ..Timeouts::DELIVERY };
    let channel = channel_at(&fake.url, impatient, None);
    for _ in 0..2 {
        let error = channel.deliver(&message(), None).await.unwrap_err();
        assert_eq!(error.retry, Retry::Backoff);
        assert!(error.message.contains("timed out"), "{error}");
    }
    let ids: Vec<_> =
        fake.received().iter().map(|request| request.headers["otpsd-delivery"].clone()).collect();
    assert_eq!(ids, [message().id.as_str(), message().id.as_str()]);
}

#[tokio::test]
async fn a_pause_is_kept_in_seconds_and_by_date() {
    for (header, seconds) in [("30", 30), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("86400", 3_600)] {
        let busy =
            move |_: &Received| Reply::With(503, vec![("retry-after", header.to_owned())], String::new());
        let fake = Fake::start(busy).await;
        let error = channel(&fake.url).deliver(&message(), None).await.unwrap_err();
        assert_eq!(error.retry, Retry::After(Duration::from_secs(seconds)), "{header}");
    }
}

#[tokio::test]
async fn a_redirect_is_final_and_not_followed() {
    let elsewhere = Fake::start(|_| Reply::status(200)).await;
    let target = elsewhere.url.clone();
    let fake =
        Fake::start(move |_| Reply::With(307, vec![("location", target.clone())], String::new())).await;
    let error = channel(&fake.url).deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert!(elsewhere.received().is_empty(), "the message went where nobody configured it");
}

#[tokio::test]
async fn huge_and_broken_reasons_are_cut_and_bear() {
    let huge = Fake::start(|_| Reply::With(500, Vec::new(), "busy ".repeat(1_000_000))).await;
    let error = channel(&huge.url).deliver(&message(), None).await.unwrap_err();
    assert!(error.message.chars().count() < 500, "{}", error.message.len());
    let garbled = Fake::start(|_| Reply::Bytes(400, Vec::new(), vec![0xff, 0xfe, b'n', b'o'])).await;
    let error = channel(&garbled.url).deliver(&message(), None).await.unwrap_err();
    assert!(error.message.ends_with("400: \u{fffd}\u{fffd}no"), "{error}");
}

#[tokio::test]
async fn what_is_taken_is_taken_whatever_is_said_about_it() {
    let fake = Fake::start(|_| Reply::Bytes(200, Vec::new(), vec![0xff; 4_000_000])).await;
    assert!(channel(&fake.url).deliver(&message(), None).await.is_ok());
}

#[tokio::test]
async fn neither_token_nor_secret_is_ever_seen() {
    for status in [400, 500] {
        let echo = Fake::start(move |request| {
            Reply::With(status, Vec::new(), format!("{} {:?} {SECRET}", request.target, request.headers))
        })
        .await;
        let host = echo.url.trim_start_matches("http://").to_owned();
        let url = format!("http://userword:{TOKEN}-p@{host}/hooks/{TOKEN}?t={TOKEN}");
        let error = channel(&url).deliver(&message(), None).await.unwrap_err();
        let basic = crate::redaction::basic("userword", &format!("{TOKEN}-p"));
        assert!(echo.received()[0].headers["authorization"].to_str().unwrap().ends_with(&basic));
        let shown = format!("{error:?}");
        for secret in [TOKEN, SECRET, "userword", &basic[..12]] {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
        assert!(shown.contains(&format!("posting to webhook.chat at http://{host} was answered")), "{shown}");
    }
    let closed = format!("{}/hooks/{TOKEN}", nobody().await);
    let error = channel(&closed).deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Backoff);
    assert!(error.message.contains("refused") && !format!("{error:?}").contains(TOKEN), "{error:?}");
}

#[test]
fn a_url_that_is_none_cannot_be_opened_and_is_not_shown() {
    let plan = WebhookPlan {
        name: "chat".to_owned(),
        url: Secret::new(TOKEN),
        secret: None,
        delivery: DeliveryPlan::DEFAULT,
    };
    let error =
        WebhookChannel::open("webhook.chat".to_owned(), &plan, Timeouts::DELIVERY, now).err().unwrap();
    assert_eq!(error.retry, Retry::Never);
    assert_eq!(error.message, "opening webhook.chat: its url cannot be read: relative URL without a base");
}
