//! Receivers over plain HTTP: the webhook, Jira and OpsCenter; and what CloudWatch is given.

use aws_sdk_cloudwatch::error::ProvideErrorMetadata;
use aws_sdk_cloudwatch::types::{Dimension, MetricDatum};
use aws_sdk_ssm::operation::create_ops_item::CreateOpsItemError;
use aws_sdk_ssm::types::{OpsItemDataType, OpsItemDataValue, OpsItemStatus};
use serde_json::{Value, json};
use simulator::loopback::{Fault, FaultRule, Loopback, Refusal, WebhookSecret, WebhookSignature};

use crate::cases::client;
use crate::scenario::{self, KEY_A};

pub(crate) fn document(text: &str) -> Value {
    let paragraph = json!({"type": "paragraph", "content": [{"type": "text", "text": text}]});
    json!({"type": "doc", "version": 1, "content": [paragraph]})
}

pub(crate) fn ticket() -> Value {
    json!({"fields": {
        "project": {"key": "OPS"}, "issuetype": {"name": "Task"}, "summary": "TTFT creeps",
        "description": document("since Monday"), "labels": ["otpsd-a"],
    }})
}

/// A call of Jira, with its status and the JSON of its answer.
pub(crate) async fn jira(loopback: &Loopback, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = reqwest::Client::new()
        .request(method.parse().unwrap(), format!("{}/rest/api/3/{path}", loopback.url()))
        .basic_auth("otpsd@example.com", Some("token-1"))
        .json(body);
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or_default())
}

/// A call of OpsCenter, signed by name only.
pub(crate) async fn ssm(loopback: &Loopback, operation: &str, body: &Value) -> (u16, Value) {
    let credential = format!("Credential={KEY_A}/20261015/us-east-1/ssm/aws4_request");
    let request = reqwest::Client::new()
        .post(loopback.url())
        .header("x-amz-target", format!("AmazonSSM.{operation}"))
        .header("content-type", "application/x-amz-json-1.1")
        .header("authorization", format!("AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=0"))
        .body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap())
}

#[tokio::test]
async fn a_webhook_takes_posts_and_heartbeats_as_they_come() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let http = reqwest::Client::new();
    let url = format!("{}/webhook/team-a", loopback.url());
    let sent = http.post(&url).header("Idempotency-Key", "k1").body("{\"a\":1}").send().await.unwrap();
    assert_eq!(sent.json::<Value>().await.unwrap(), json!({"signature": "not-expected"}));
    let beat = http.get(format!("{}/webhook/heartbeat?host=otpsd-1", loopback.url())).send().await.unwrap();
    assert_eq!(beat.status(), 200);
    let [post, get] = loopback.webhook_requests().try_into().unwrap();
    assert_eq!((post.path.as_str(), post.header("idempotency-key")), ("/webhook/team-a", Some("k1")));
    assert_eq!((post.text(), post.at), (Some("{\"a\":1}"), scenario::now()));
    assert_eq!((get.method.as_str(), get.path.as_str()), ("GET", "/webhook/heartbeat?host=otpsd-1"));

    loopback.expect_signature(Some(WebhookSecret::new("whsec-example")));
    // printf '1792065600.{"a":1}' | openssl dgst -sha256 -hmac whsec-example
    let good = "t=1792065600,v1=80e33014090c60ba5edd7aa2534bed37fd7cfed8421c3b32d32e6258d66b0adc";
    let signed = |body: &'static str| http.post(&url).header("Otpsd-Signature", good).body(body).send();
    assert_eq!(signed("{\"a\":1}").await.unwrap().status(), 200);
    assert_eq!(signed("{\"a\":2}").await.unwrap().status(), 401);
    let signatures: Vec<_> = loopback.webhook_requests().iter().map(|request| request.signature).collect();
    assert_eq!(signatures[2..], [WebhookSignature::Matched, WebhookSignature::Wrong]);
}

#[tokio::test]
async fn a_ticket_is_filed_and_found_over_http() {
    let mut options = scenario::options();
    options.jira_token = Some("token-1".to_owned());
    let loopback = Loopback::start(options).await.unwrap();
    let (status, told) = jira(&loopback, "POST", "issue", &ticket()).await;
    assert_eq!((status, &told["key"]), (201, &json!("OPS-1")));
    assert_eq!(told["self"], format!("{}/rest/api/3/issue/10001", loopback.url()));
    let search =
        json!({"jql": "project = OPS AND labels = \"otpsd-a\" ORDER BY created DESC", "fields": ["status"]});
    let (_, found) = jira(&loopback, "POST", "search/jql", &search).await;
    assert_eq!(found["issues"][0]["fields"]["status"]["statusCategory"]["key"], "new");
    assert_eq!(jira(&loopback, "POST", "search", &search).await.0, 410);
    let unknown = json!({"jql": "project = OTHER"});
    assert_eq!(jira(&loopback, "POST", "search/jql", &unknown).await.0, 400);
    let url = format!("{}/rest/api/3/issue/OPS-1", loopback.url());
    let http = reqwest::Client::new();
    assert_eq!(http.get(&url).send().await.unwrap().status(), 401);
    assert_eq!(http.get(&url).bearer_auth("token-2").send().await.unwrap().status(), 401);
    assert_eq!(http.get(&url).bearer_auth("token-1").send().await.unwrap().status(), 200);
    let operations: Vec<String> = loopback.recent_calls().into_iter().map(|call| call.operation).collect();
    assert_eq!(operations[..2], ["jira.create", "jira.search"]);
    assert_eq!(loopback.recent_calls()[0].resource.as_deref(), Some("OPS"));
}

#[tokio::test]
async fn jira_can_be_down_in_many_ways() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    for (fault, status) in [
        (Fault::Refuse(Refusal::Unavailable), 503),
        (Fault::Refuse(Refusal::Internal), 500),
        (Fault::Refuse(Refusal::Denied), 403),
        (Fault::Refuse(Refusal::UnknownKey), 401),
        (Fault::Throttle { retry_after_seconds: Some(7) }, 429),
        (Fault::Status { code: 502, retry_after_seconds: None }, 502),
    ] {
        loopback.faults().set([FaultRule::new(fault).operation("jira")]);
        assert_eq!(jira(&loopback, "POST", "issue", &ticket()).await.0, status);
    }
    assert!(loopback.jira_issues().is_empty());
    loopback.faults().set([FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("jira.search")]);
    assert_eq!(jira(&loopback, "POST", "issue", &ticket()).await.0, 201, "only searches are refused");
}

#[tokio::test]
async fn an_ops_item_is_opened_once() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let dedup = json!({"Type": "SearchableString", "Value": "{\"dedupString\":\"otpsd-a\"}"});
    let request = json!({
        "Title": "TTFT creeps", "Source": "otpsd", "Description": "since Monday",
        "OperationalData": {"/aws/dedup": dedup},
    });
    let (status, created) = ssm(&loopback, "CreateOpsItem", &request).await;
    assert_eq!(status, 200);
    let (status, refused) = ssm(&loopback, "CreateOpsItem", &request).await;
    assert_eq!(status, 400);
    assert_eq!(refused["__type"], "com.amazonaws.ssm#OpsItemAlreadyExistsException");
    assert_eq!(refused["OpsItemId"], created["OpsItemId"]);
    assert!(refused["Message"].as_str().unwrap().contains("open already"));
    let item = &loopback.ops_items()[0];
    assert_eq!((item.account.as_str(), item.dedup.as_deref()), ("111122223333", Some("otpsd-a")));
    loopback.faults().add(FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("UpdateOpsItem"));
    let (status, denied) = ssm(&loopback, "UpdateOpsItem", &json!({"OpsItemId": item.id})).await;
    assert_eq!((status, &denied["__type"]), (400, &json!("com.amazonaws.ssm#AccessDeniedException")));
    assert_eq!(
        ssm(&loopback, "DeleteEverything", &json!({})).await.1["__type"],
        "com.amazonaws.ssm#UnknownOperationException"
    );
}

#[tokio::test]
async fn what_the_rust_sdk_puts_into_cloudwatch_arrives_and_is_listed() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let client = client(&loopback.url(), KEY_A, "us-east-1");
    let host = |number: usize| Dimension::builder().name("Host").value(format!("otpsd-{number}")).build();
    let datum = |number: usize| {
        MetricDatum::builder().metric_name("PagesOwed").dimensions(host(number)).value(2.5).build()
    };
    client.put_metric_data().namespace("otpsd").metric_data(datum(0)).send().await.unwrap();
    // Over 10 KiB the SDK compresses.
    let many = (1..500).map(datum).collect();
    client.put_metric_data().namespace("otpsd").set_metric_data(Some(many)).send().await.unwrap();
    let data = loopback.put_data();
    assert_eq!(data.len(), 500);
    assert_eq!(
        (data[0].values.clone(), data[499].dimensions["Host"].as_str()),
        (vec![(2.5, 1.0)], "otpsd-499")
    );
    let listed = client.list_metrics().namespace("otpsd").send().await.unwrap();
    assert_eq!(listed.metrics().len(), 500);
    let own = client.put_metric_data().namespace("AWS/Bedrock").metric_data(datum(0)).send().await;
    let error = own.unwrap_err().into_service_error();
    assert_eq!(
        (error.code(), error.message()),
        (Some("InvalidParameterValue"), Some("The value AWS/ for parameter Namespace is invalid."))
    );
}

#[tokio::test]
async fn the_ssm_sdk_learns_which_ops_item_there_is() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let config = aws_sdk_ssm::Config::builder()
        .behavior_version(aws_sdk_ssm::config::BehaviorVersion::latest())
        .endpoint_url(loopback.url())
        .region(aws_sdk_ssm::config::Region::new("us-east-1"))
        .credentials_provider(aws_sdk_ssm::config::Credentials::new(KEY_A, "secret", None, None, "test"))
        .retry_config(aws_sdk_ssm::config::retry::RetryConfig::disabled())
        .build();
    let client = aws_sdk_ssm::Client::from_conf(config);
    let dedup = OpsItemDataValue::builder()
        .r#type(OpsItemDataType::SearchableString)
        .value("{\"dedupString\":\"otpsd-a\"}")
        .build();
    let create = client
        .create_ops_item()
        .title("TTFT creeps")
        .source("otpsd")
        .description("since Monday")
        .operational_data("/aws/dedup", dedup);
    let created = create.clone().send().await.unwrap();
    let error = create.send().await.unwrap_err().into_service_error();
    let CreateOpsItemError::OpsItemAlreadyExistsException(exists) = error else { panic!("{error:?}") };
    assert_eq!(exists.ops_item_id(), created.ops_item_id());
    let item = client.get_ops_item().ops_item_id(created.ops_item_id().unwrap()).send().await.unwrap();
    let item = item.ops_item().unwrap();
    assert_eq!((item.title(), item.status().map(OpsItemStatus::as_str)), (Some("TTFT creeps"), Some("Open")));
    assert_eq!(item.created_time().unwrap().secs(), scenario::now().as_second());
}
