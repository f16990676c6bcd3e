//! What people do by hand, in Rust and over the loopback's own pages.

use serde_json::{Value, json};
use simulator::loopback::{JiraStatus, Loopback, PagerDutyStatus, WebhookSignature};

use crate::receivers::{jira, ssm, ticket};
use crate::scenario;

const KEY: &str = "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR";

async fn post(loopback: &Loopback, page: &str, body: &Value) -> (u16, Value) {
    let url = format!("{}/_loopback/{page}", loopback.url());
    let answer = reqwest::Client::new().post(url).body(body.to_string()).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn get(loopback: &Loopback, page: &str) -> Value {
    let url = format!("{}/_loopback/{page}", loopback.url());
    reqwest::get(url).await.unwrap().json().await.unwrap()
}

async fn trigger(loopback: &Loopback) -> u16 {
    let event = json!({
        "routing_key": KEY, "event_action": "trigger", "dedup_key": "k",
        "payload": {"summary": "slow", "source": "otpsd", "severity": "critical"},
    });
    let url = format!("{}/v2/enqueue", loopback.url());
    reqwest::Client::new().post(url).json(&event).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_responder_acknowledges_and_resolves() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let keys = json!({"routing_key": KEY, "dedup_key": "k"});
    let (status, answer) = post(&loopback, "pagerduty/resolve", &keys).await;
    assert_eq!((status, &answer["message"]), (400, &json!("no alert is open under these keys")));
    trigger(&loopback).await;
    assert!(loopback.acknowledge_alert(KEY, "k"));
    assert_eq!(loopback.pagerduty_alerts()[0].status, PagerDutyStatus::Acknowledged);
    assert_eq!(post(&loopback, "pagerduty/resolve", &keys).await, (200, json!({"done": true})));
    assert!(!loopback.resolve_alert(KEY, "k"));
    trigger(&loopback).await;
    let incidents = get(&loopback, "pagerduty").await["incidents"].clone();
    assert_eq!((&incidents[0]["opens"], &incidents[0]["resolved_by_hand"]), (&json!(2), &json!(1)));
}

#[tokio::test]
async fn pagerduty_takes_120_events_a_minute_or_what_is_said() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    for _ in 0..120 {
        assert_eq!(trigger(&loopback).await, 202);
    }
    assert_eq!(trigger(&loopback).await, 429);
    assert_eq!(post(&loopback, "pagerduty/limit", &json!(null)).await.0, 200);
    assert_eq!(trigger(&loopback).await, 202);
    loopback.limit_events(Some(1));
    assert_eq!([trigger(&loopback).await, trigger(&loopback).await], [429, 429], "the last minute counts");
    assert_eq!(loopback.pagerduty_incidents()[0].triggers, 121);
}

#[tokio::test]
async fn tickets_are_moved_by_people() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    jira(&loopback, "POST", "issue", &ticket()).await;
    let close = json!({"key": "OPS-1", "status": "done", "resolution": "Won't Do"});
    assert_eq!(post(&loopback, "jira/move", &close).await.0, 200);
    let (_, issue) = jira(&loopback, "GET", "issue/OPS-1", &Value::Null).await;
    assert_eq!(issue["fields"]["resolution"]["name"], "Won't Do");
    assert!(loopback.move_issue("OPS-1", JiraStatus::ToDo, None));
    assert_eq!(get(&loopback, "jira").await[0]["status"], "to-do");
    assert_eq!(post(&loopback, "jira/move", &json!({"key": "OPS-9", "status": "done"})).await.0, 400);

    let settings = json!({"drop-labels": true, "index-delay-seconds": 0});
    assert_eq!(post(&loopback, "jira/settings", &json!({"drop-labels": true})).await, (200, settings));
    jira(&loopback, "POST", "issue", &ticket()).await;
    assert!(loopback.jira_issues()[1].labels.is_empty());

    let item = json!({"Title": "t", "Source": "otpsd", "Description": "d"});
    let id = ssm(&loopback, "CreateOpsItem", &item).await.1["OpsItemId"].as_str().unwrap().to_owned();
    assert_eq!(post(&loopback, "opsitems/move", &json!({"id": id, "status": "Resolved"})).await.0, 200);
    assert!(!loopback.move_ops_item(&id, "Done"), "there is no such status");
    assert_eq!(get(&loopback, "opsitems").await[0]["status"], "Resolved");
}

#[tokio::test]
async fn a_webhook_is_told_its_secret() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let secret = json!({"secret": "whsec-example", "header": "x-signature"});
    assert_eq!(post(&loopback, "webhook/secret", &secret).await.0, 200);
    let request = reqwest::Client::new()
        .post(format!("{}/webhook", loopback.url()))
        // printf '1792065600.{"a":1}' | openssl dgst -sha256 -hmac whsec-example
        .header(
            "x-signature",
            "t=1792065600,v1=80e33014090c60ba5edd7aa2534bed37fd7cfed8421c3b32d32e6258d66b0adc",
        )
        .body("{\"a\":1}");
    assert_eq!(request.send().await.unwrap().status(), 200);
    assert_eq!(loopback.webhook_requests()[0].signature, WebhookSignature::Matched);
    let page = get(&loopback, "messages").await;
    assert_eq!(page["webhook"][0]["signature"], "matched");
    assert!(!page.to_string().contains("whsec-example"));
    assert_eq!(post(&loopback, "webhook/secret", &json!(null)).await.0, 200);
    assert_eq!(post(&loopback, "webhook/secret", &json!({"secert": "x"})).await.0, 400);
}
