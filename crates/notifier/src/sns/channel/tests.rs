//! The real SDK on the wire, against a fake on loopback that answers as SNS does.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use aws_sdk_sns::config::Credentials;
use domain::{Cause, ChannelPlan, DeliveryPlan, Rule, SnsFormat, TicketAction};

use super::*;
use crate::aws::Caller;
use crate::fake::{Fake, Received, Reply, nobody};
use crate::{render, sample};

const TOPIC: &str = "arn:aws:sns:eu-west-1:111122223333:llm-pages";
const TAKEN: &str = "<PublishResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><PublishResult>\
                     <MessageId>m</MessageId></PublishResult><ResponseMetadata><RequestId>r</RequestId>\
                     </ResponseMetadata></PublishResponse>";

fn plan(url: &str) -> SnsPlan {
    SnsPlan {
        name: "ops".to_owned(),
        topic_arn: TOPIC.to_owned(),
        endpoint_url: Some(url.to_owned()),
        profile: None,
        format: SnsFormat::Alarm,
        delivery: DeliveryPlan::DEFAULT,
    }
}

async fn channel_with(
    url: &str,
    timeouts: Timeouts,
    provider: impl ProvideCredentials + 'static,
) -> SnsChannel {
    channel_of(&plan(url), timeouts, Some(SharedCredentialsProvider::new(provider))).await
}

async fn channel_of(
    plan: &SnsPlan,
    timeouts: Timeouts,
    credentials: Option<SharedCredentialsProvider>,
) -> SnsChannel {
    let region = region_of("sns.ops", plan).unwrap();
    let caller = Caller { region, profile: plan.profile.as_deref(), credentials };
    SnsChannel::open("sns.ops".to_owned(), plan, timeouts, &caller.config().await)
}

async fn channel(url: &str) -> SnsChannel {
    channel_with(url, Timeouts::DELIVERY, credentials()).await
}

fn credentials() -> Credentials {
    Credentials::new("AKIDEXAMPLE", "not-a-secret", None, None, "test")
}

fn message() -> Message {
    sample::with_context(&Rule::default(), "2026-12-03T06:17:02Z", |context| {
        render::page(&sample::paged(), &ChannelPlan::Sns(plan("http://127.0.0.1")), context)
    })
}

fn fields(request: &Received) -> BTreeMap<String, String> {
    form_urlencoded::parse(request.body.as_bytes()).into_owned().collect()
}

/// Name and value of each message attribute of a form.
fn attributes(form: &BTreeMap<String, String>) -> BTreeMap<&str, &str> {
    (1..)
        .map_while(|n| {
            let part =
                |name: &str| form.get(&format!("MessageAttributes.entry.{n}.{name}")).map(String::as_str);
            assert!(part("Value.DataType").is_none_or(|kind| kind == "String"));
            Some((part("Name")?, part("Value.StringValue")?))
        })
        .collect()
}

#[tokio::test]
async fn a_page_arrives_with_subject_and_attributes() {
    let fake = Fake::start(|_| Reply::With(200, Vec::new(), TAKEN.to_owned())).await;
    channel(&fake.url).await.deliver(&message(), None).await.unwrap();
    let received = fake.received();
    let authorization = received[0].headers["authorization"].to_str().unwrap();
    assert!(
        authorization.contains("/eu-west-1/sns/aws4_request"),
        "the Region is the topic's: {authorization}"
    );
    let form = fields(&received[0]);
    assert_eq!((form["Action"].as_str(), form["TopicArn"].as_str()), ("Publish", TOPIC));
    assert_eq!(form["Message"], message().body);
    assert_eq!(
        form["Subject"],
        "ALARM: \"otpsd us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 OTPS\" in US East (N. Virginia)"
    );
    assert_eq!(
        attributes(&form),
        BTreeMap::from([
            ("cause", "otps_drop"),
            ("kind", "page"),
            ("model", sample::MODEL),
            ("region", "us-east-1"),
            ("state", "ALARM"),
        ])
    );
}

#[tokio::test]
async fn a_ticket_looks_like_no_alarm() {
    let ticket = sample::ticket(
        Cause::PromptGrowth,
        TicketAction::Updated,
        sample::longer_prompt(),
        sample::prompt_findings(),
    );
    let message = sample::with_context(&Rule::default(), "2026-12-07T00:02:00Z", |context| {
        render::ticket(&ticket, &ChannelPlan::Sns(plan("http://127.0.0.1")), context).unwrap()
    });
    let fake = Fake::start(|_| Reply::With(200, Vec::new(), TAKEN.to_owned())).await;
    channel(&fake.url).await.deliver(&message, None).await.unwrap();
    let form = fields(&fake.received()[0]);
    assert!(
        form["Subject"].starts_with("TICKET: prompt growth, us-east-1 us.anthropic."),
        "{}",
        form["Subject"]
    );
    assert_eq!(
        attributes(&form),
        BTreeMap::from([
            ("cause", "prompt_growth"),
            ("kind", "ticket"),
            ("model", sample::MODEL),
            ("region", "us-east-1"),
            ("state", "updated"),
        ])
    );
    assert!(!fake.received()[0].body.contains("NewStateValue"));
    assert!(form["Message"].starts_with("Still: First token +41 %"), "{}", form["Message"]);
}

async fn refused(status: u16, code: &'static str, text: &'static str) -> DeliveryError {
    let fake = Fake::start(move |_| {
        let body = format!(
            "<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>Sender</Type>\
             <Code>{code}</Code><Message>{text}</Message></Error><RequestId>r</RequestId></ErrorResponse>"
        );
        Reply::With(status, Vec::new(), body)
    })
    .await;
    let error = channel(&fake.url).await.deliver(&message(), None).await.unwrap_err();
    assert_eq!(fake.received().len(), 1, "the outbox tries again, not the SDK");
    error
}

#[tokio::test]
async fn what_cannot_get_better_is_refused_with_what_to_do() {
    for (status, code, hint) in [
        (404, "NotFound", "create the topic in the account and Region that its ARN names"),
        (
            403,
            "AuthorizationError",
            "allow sns:Publish on arn:aws:sns:eu-west-1:111122223333:llm-pages in the policy",
        ),
        (
            403,
            "AccessDenied",
            "allow sns:Publish on arn:aws:sns:eu-west-1:111122223333:llm-pages in the policy",
        ),
        (400, "KMSAccessDenied", "allow kms:GenerateDataKey* and kms:Decrypt to the daemon's role"),
        (400, "KMSOptInRequired", "allow kms:GenerateDataKey* and kms:Decrypt to the daemon's role"),
        (
            400,
            "KMSDisabled",
            "see that the KMS key that encrypts arn:aws:sns:eu-west-1:111122223333:llm-pages is there",
        ),
        (
            400,
            "KMSNotFound",
            "see that the KMS key that encrypts arn:aws:sns:eu-west-1:111122223333:llm-pages is there",
        ),
        (400, "KMSInvalidState", "see that the KMS key that encrypts arn:aws:sns:"),
        (400, "InvalidParameter", "see that `topic-arn` of [channel.sns.ops] is the whole ARN of a topic"),
        (403, "OptInRequired", "enable the Region of [channel.sns.ops] for the account"),
    ] {
        let error = refused(status, code, "because").await;
        assert_eq!(error.retry, Retry::Never, "{code}");
        assert_eq!(error.message, format!("publishing to {TOPIC} for sns.ops: {code}: because"));
        assert!(error.hint.as_ref().is_some_and(|given| given.starts_with(hint)), "{code}: {:?}", error.hint);
    }
}

#[tokio::test]
async fn what_may_get_better_is_tried_again() {
    for (status, code) in [
        (400, "Throttling"),
        (400, "ThrottlingException"),
        (400, "KMSThrottling"),
        (500, "InternalError"),
        (503, "ServiceUnavailable"),
        (400, "SomethingNew"),
    ] {
        assert_eq!(refused(status, code, "later").await.retry, Retry::Backoff, "{code}");
    }
}

#[tokio::test]
async fn bad_credentials_are_tried_again_and_never_repeated() {
    for code in ["ExpiredToken", "InvalidClientTokenId", "SignatureDoesNotMatch"] {
        let error = refused(403, code, "x-amz-security-token:FwoGZXIvYXdzEXAMPLE").await;
        assert_eq!(error.retry, Retry::Backoff, "{code}");
        assert_eq!(error.message, format!("publishing to {TOPIC} for sns.ops: {code}, status 403"));
        assert!(error.hint.unwrap().contains("have not expired"));
    }
}

#[derive(Debug)]
struct Nothing;

impl ProvideCredentials for Nothing {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::ready(Err(CredentialsError::not_loaded("nothing was configured")))
    }
}

#[tokio::test]
async fn no_credentials_is_tried_again_with_a_hint() {
    let fake = Fake::start(|_| Reply::status(200)).await;
    let error = channel_with(&fake.url, Timeouts::DELIVERY, Nothing)
        .await
        .deliver(&message(), None)
        .await
        .unwrap_err();
    assert_eq!(error.retry, Retry::Backoff);
    assert!(error.message.contains("no credentials: nothing was configured"), "{error}");
    assert!(error.hint.unwrap().contains("`profile` of [channel.sns.ops]"));
    assert!(fake.received().is_empty());
}

#[tokio::test]
async fn silence_a_closed_port_and_nonsense_are_tried_again() {
    let silent = Fake::start(|_| Reply::Silence).await;
    let impatient = Timeouts { attempt: Duration::from_millis(100), ..Timeouts::DELIVERY };
    let silent = channel_with(&silent.url, impatient, credentials()).await;
    let error = silent.deliver(&message(), None).await.unwrap_err();
    assert_eq!(
        (error.retry, error.message.ends_with("no answer in time")),
        (Retry::Backoff, true),
        "{error}"
    );
    let error = channel(&nobody().await).await.deliver(&message(), None).await.unwrap_err();
    assert_eq!((error.retry, error.message.contains("refused")), (Retry::Backoff, true), "{error}");
    let portal = Fake::start(|_| Reply::With(403, Vec::new(), "<html>login</html>".to_owned())).await;
    let error = channel(&portal.url).await.deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Backoff, "{error}");
}

#[test]
fn a_topic_without_a_region_cannot_be_opened() {
    let plan = SnsPlan { topic_arn: "llm-pages".to_owned(), ..plan("http://127.0.0.1") };
    let error = region_of("sns.ops", &plan).unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert_eq!(error.message, "opening sns.ops: `llm-pages` has no Region in its fourth part");
}

#[tokio::test]
async fn a_fifo_topic_is_told_what_belongs_together_and_what_is_a_repeat() {
    let taken = |_: &Received| Reply::With(200, Vec::new(), TAKEN.to_owned());
    let fake = Fake::start(taken).await;
    let plan = SnsPlan { topic_arn: format!("{TOPIC}.fifo"), ..plan(&fake.url) };
    let channel =
        channel_of(&plan, Timeouts::DELIVERY, Some(SharedCredentialsProvider::new(credentials()))).await;
    let page = Message { attributes: Vec::new(), ..message() };
    let long = Message { id: "é".repeat(80), ..page.clone() };
    let given = Message {
        attributes: vec![
            (GROUP_ID.to_owned(), "us-east-1".to_owned()),
            (DEDUPLICATION_ID.to_owned(), "once".to_owned()),
        ],
        ..page.clone()
    };
    for message in [&page, &page, &long, &given] {
        channel.deliver(message, None).await.unwrap();
    }
    let sent: Vec<_> = fake
        .received()
        .iter()
        .map(|request| {
            let mut form = fields(request);
            assert_eq!(form.get("MessageAttributes.entry.1.Name"), None, "neither is an attribute");
            (form.remove("MessageGroupId").unwrap(), form.remove("MessageDeduplicationId").unwrap())
        })
        .collect();
    let key = page.key.as_str().to_owned();
    assert_eq!(sent[0], (key.clone(), page.id.clone()));
    assert_eq!(sent[1], sent[0], "a repeat is one");
    assert_eq!((&sent[2].0, sent[2].1.len()), (&key, 64), "a digest in place of what SNS does not take");
    assert_eq!(sent[3], ("us-east-1".to_owned(), "once".to_owned()));
}

#[tokio::test]
async fn a_standard_topic_is_told_neither() {
    let fake = Fake::start(|_| Reply::With(200, Vec::new(), TAKEN.to_owned())).await;
    let given = Message { attributes: vec![(GROUP_ID.to_owned(), "us-east-1".to_owned())], ..message() };
    channel(&fake.url).await.deliver(&given, None).await.unwrap();
    let form = fields(&fake.received()[0]);
    assert!(
        form.keys().all(|name| !name.starts_with("MessageGroup") && !name.starts_with("MessageAttributes"))
    );
}

#[tokio::test]
async fn a_profile_that_is_not_there_is_told_and_nothing_else_is_tried() {
    let fake = Fake::start(|_| Reply::status(200)).await;
    let plan = SnsPlan { profile: Some("no-such-profile".to_owned()), ..plan(&fake.url) };
    let error =
        channel_of(&plan, Timeouts::DELIVERY, None).await.deliver(&message(), None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Backoff);
    assert!(error.message.contains("no credentials: "), "{error}");
    assert!(error.hint.unwrap().contains("`profile` of [channel.sns.ops]"));
    assert!(fake.received().is_empty());
}

#[tokio::test]
async fn what_sns_echoes_of_a_request_is_not_repeated() {
    let token = "FwoGZXIvYXdzEBYaDExample".repeat(6);
    let echo = Fake::start(|request| {
        let body = format!(
            "<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>Sender</Type>\
             <Code>InternalFailure</Code><Message>{:?}</Message></Error></ErrorResponse>",
            request.headers["x-amz-security-token"]
        );
        Reply::With(500, Vec::new(), body)
    })
    .await;
    let credentials = Credentials::new("AKIDEXAMPLE", "not-a-secret", Some(token.clone()), None, "test");
    let error =
        channel_with(&echo.url, Timeouts::DELIVERY, credentials).await.deliver(&message(), None).await;
    let error = error.unwrap_err();
    assert!(error.message.contains("InternalFailure") && error.message.contains("[secret]"), "{error}");
    assert!(!format!("{error:?}").contains(&token[..24]), "{error:?}");
}
