//! SNS and STS through their SDKs, PagerDuty and the loopback's own pages over plain HTTP.

use aws_sdk_sns::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use aws_sdk_sns::error::ProvideErrorMetadata;
use aws_sdk_sns::types::MessageAttributeValue;
use serde_json::{Value, json};
use simulator::loopback::{Fault, FaultRule, Loopback, PagerDutyStatus, Refusal};

use crate::cases::client;
use crate::scenario::{self, KEY_A, KEY_B};

const PAGES: &str = "arn:aws:sns:us-east-1:111122223333:llm-pages";
const ROLE: &str = "arn:aws:iam::444455556666:role/metrics-reader";

pub(crate) fn sns(url: &str) -> aws_sdk_sns::Client {
    let config = aws_sdk_sns::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(url)
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new(KEY_A, "secret", None, None, "test"))
        .retry_config(RetryConfig::disabled())
        .build();
    aws_sdk_sns::Client::from_conf(config)
}

fn sts(url: &str, credentials: Credentials) -> aws_sdk_sts::Client {
    let config = aws_sdk_sts::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(url)
        .region(Region::new("us-east-1"))
        .credentials_provider(credentials)
        .retry_config(RetryConfig::disabled())
        .build();
    aws_sdk_sts::Client::from_conf(config)
}

#[tokio::test]
async fn what_the_sns_sdk_publishes_arrives() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let client = sns(&loopback.url());
    let kind = MessageAttributeValue::builder().data_type("String").string_value("page").build().unwrap();
    let told = client
        .publish()
        .topic_arn(PAGES)
        .subject("ALARM: \"alpha & beta\"")
        .message("{\"NewStateValue\":\"ALARM\",\"é\":\"<\"}")
        .message_attributes("kind", kind)
        .send()
        .await
        .unwrap();
    let messages = loopback.sns_messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(told.message_id(), Some(messages[0].message_id.as_str()));
    assert_eq!(messages[0].topic_arn, PAGES);
    assert_eq!(messages[0].subject.as_deref(), Some("ALARM: \"alpha & beta\""));
    assert_eq!(messages[0].message, "{\"NewStateValue\":\"ALARM\",\"é\":\"<\"}");
    assert_eq!(messages[0].attributes["kind"].value, "page");
    assert_eq!(messages[0].at, scenario::now());
}

#[tokio::test]
async fn what_sns_refuses_the_sdk_names() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let client = sns(&loopback.url());
    let unknown =
        client.publish().topic_arn("arn:aws:sns:us-east-1:111122223333:other").message("m").send().await;
    assert!(unknown.unwrap_err().into_service_error().is_not_found_exception());
    let long = client.publish().topic_arn(PAGES).message("m").subject("x".repeat(100)).send().await;
    let error = long.unwrap_err().into_service_error();
    assert!(error.is_invalid_parameter_exception());
    assert_eq!(error.message(), Some("Invalid parameter: Subject"));
    loopback.faults().add(FaultRule::new(Fault::Refuse(Refusal::Denied)).resource(PAGES));
    let denied = client.publish().topic_arn(PAGES).message("m").send().await;
    let error = denied.unwrap_err().into_service_error();
    assert!(error.is_authorization_error_exception());
    assert_eq!(
        error.message(),
        Some(
            "User: arn:aws:iam::111122223333:user/loopback is not authorized to perform: SNS:Publish on resource: \
             arn:aws:sns:us-east-1:111122223333:llm-pages because no identity-based policy allows the SNS:Publish action"
        )
    );
    assert!(loopback.sns_messages().is_empty());
}

#[tokio::test]
async fn a_role_sees_its_own_account_only() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let url = loopback.url();
    let base = sts(&url, Credentials::new(KEY_A, "secret", None, None, "test"));
    assert_eq!(base.get_caller_identity().send().await.unwrap().account(), Some("111122223333"));

    let assumed = base.assume_role().role_arn(ROLE).role_session_name("otpsd").send().await.unwrap();
    let keys = assumed.credentials().unwrap();
    let token = Some(keys.session_token().to_owned());
    let credentials = Credentials::new(keys.access_key_id(), keys.secret_access_key(), token, None, "test");
    let identity = sts(&url, credentials.clone()).get_caller_identity().send().await.unwrap();
    assert_eq!(identity.account(), Some("444455556666"));
    assert_eq!(identity.arn(), Some("arn:aws:sts::444455556666:assumed-role/metrics-reader/otpsd"));

    let config =
        client(&url, KEY_A, "us-east-1").config().to_builder().credentials_provider(credentials).build();
    let listed = aws_sdk_cloudwatch::Client::from_conf(config).list_metrics().send().await.unwrap();
    let models: Vec<_> =
        listed.metrics().iter().map(|metric| metric.dimensions()[0].value().unwrap()).collect();
    assert_eq!(models, ["example.gamma-v1:0", "example.gamma-v1:0"]);

    loopback
        .faults()
        .add(FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("AssumeRole").resource(ROLE));
    let denied = base.assume_role().role_arn(ROLE).role_session_name("otpsd").send().await.unwrap_err();
    assert_eq!(denied.into_service_error().code(), Some("AccessDenied"));
    let other = base
        .assume_role()
        .role_arn("arn:aws:iam::111122223333:role/x")
        .role_session_name("otpsd")
        .send()
        .await;
    assert!(other.is_ok(), "the rule names one role");
}

#[tokio::test]
async fn keys_must_be_known_and_signatures_there() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let stranger =
        client(&loopback.url(), "AKIASTRANGER", "us-east-1").list_metrics().send().await.unwrap_err();
    assert_eq!(stranger.into_service_error().code(), Some("UnrecognizedClientException"));
    let other = client(&loopback.url(), KEY_B, "us-east-1").list_metrics().send().await.unwrap();
    assert_eq!(other.metrics().len(), 2, "the two of example.gamma-v1:0");

    let unsigned = reqwest::Client::new()
        .post(loopback.url())
        .header("x-amz-target", "GraniteServiceVersion20100801.ListMetrics")
        .body("{}")
        .send()
        .await
        .unwrap();
    assert_eq!(unsigned.status(), 403);
    let body: Value = unsigned.json().await.unwrap();
    assert_eq!(body["__type"], "com.amazonaws.monitoring#MissingAuthenticationTokenException");
}

#[tokio::test]
async fn events_make_alerts() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let http = reqwest::Client::new();
    let post = async |event: Value| {
        let answer = http.post(format!("{}/v2/enqueue", loopback.url())).json(&event).send().await.unwrap();
        let retry_after = answer.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), retry_after, answer.json::<Value>().await.unwrap())
    };
    let key = "R".repeat(32);
    let trigger = json!({
        "routing_key": key, "event_action": "trigger", "dedup_key": "k",
        "payload": {"summary": "slow", "source": "otpsd", "severity": "critical"},
    });
    loopback
        .faults()
        .add(FaultRule::new(Fault::Throttle { retry_after_seconds: Some(30) }).operation("enqueue").times(1));
    let (status, retry_after, _) = post(trigger.clone()).await;
    assert_eq!((status, retry_after.as_deref()), (429, Some("30")));
    assert!(loopback.pagerduty_alerts().is_empty(), "it was not taken");

    let accepted = json!({"status": "success", "message": "Event processed", "dedup_key": "k"});
    assert_eq!(post(trigger).await, (202, None, accepted));
    assert_eq!(post(json!({"routing_key": key, "event_action": "resolve", "dedup_key": "k"})).await.0, 202);
    assert_eq!(loopback.pagerduty_alerts()[0].status, PagerDutyStatus::Resolved);
    let (status, _, body) = post(json!({"routing_key": key, "event_action": "trigger"})).await;
    assert_eq!(status, 400);
    assert_eq!(body["errors"][0], "'payload.summary' is missing or blank");

    let of_enqueue = loopback.calls().into_iter().find(|totals| totals.operation == "enqueue").unwrap();
    assert_eq!((of_enqueue.calls, of_enqueue.refused), (4, 2));
    let statuses: Vec<u16> = loopback.recent_calls().iter().map(|call| call.status).collect();
    assert_eq!(statuses, [429, 202, 202, 400]);
}

#[tokio::test]
async fn its_own_pages_show_and_switch() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let http = reqwest::Client::new();
    let page = |name: &str| format!("{}/_loopback/{name}", loopback.url());
    let rules = json!([{"fault": {"refuse": "unavailable"}, "operation": "ListMetrics", "times": 1}]);
    let set = http.post(page("faults")).json(&rules).send().await.unwrap();
    assert_eq!(set.json::<Value>().await.unwrap(), rules);
    let wrong = http.post(page("faults")).body("[{\"fault\": \"earthquake\"}]").send().await.unwrap();
    assert_eq!(wrong.status(), 400);
    assert_eq!(loopback.faults().rules().len(), 1, "what is wrong changes nothing");

    let client = client(&loopback.url(), KEY_A, "us-east-1");
    assert_eq!(
        client.list_metrics().send().await.unwrap_err().raw_response().unwrap().status().as_u16(),
        503
    );
    client.list_metrics().send().await.unwrap();
    sns(&loopback.url()).publish().topic_arn(PAGES).message("m").send().await.unwrap();
    let get = async |name: &str| http.get(page(name)).send().await.unwrap().json::<Value>().await.unwrap();
    assert_eq!(get("faults").await, json!([]));
    let messages = get("messages").await;
    assert_eq!(messages["sns"][0]["at"], "2026-10-15T12:01:30Z");
    assert_eq!(messages["pagerduty"], json!([]));
    let calls = get("calls").await;
    assert_eq!(
        calls["totals"][0],
        json!({"operation": "ListMetrics", "region": "us-east-1", "calls": 2, "refused": 1, "queries": 0,
               "billed_metrics": 0, "datapoints": 0})
    );
}
