//! The JSON API.

use std::sync::Arc;

use axum::http::StatusCode;
use domain::Otps;
use jiff::SignedDuration;
use serde_json::Value;

use crate::call::{get, get_later};
use crate::sample;

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

fn of<'a>(list: &'a Value, region: &str, model: &str) -> &'a Value {
    let all = list["series"].as_array().unwrap();
    all.iter().find(|each| each["region"] == region && each["model"] == model).unwrap()
}

#[tokio::test]
async fn a_series_in_the_list() {
    let list = get(sample::trouble(), "/api/v1/series").await.json();
    assert_eq!(list["series"].as_array().unwrap().len(), 10);
    insta::assert_snapshot!(pretty(of(&list, "us-east-1", "us.amazon.nova-pro-v1:0")));
    insta::assert_snapshot!("learning", pretty(of(&list, "eu-west-1", "eu.amazon.nova-micro-v1:0")));
}

#[tokio::test]
async fn what_is_not_seen_says_so_beside_its_state() {
    let list = get(sample::trouble(), "/api/v1/series").await.json();
    let unseen = of(&list, "us-west-2", "us.amazon.nova-lite-v1:0");
    assert_eq!((&unseen["state"], &unseen["seen"]), (&"OK".into(), &false.into()));
    assert_eq!(unseen["not_seen_since"], "2026-10-15T17:35:10Z");

    let wedged = get_later(sample::trouble(), SignedDuration::from_mins(30), "/api/v1/series").await.json();
    assert!(wedged["series"].as_array().unwrap().iter().all(|each| each["seen"] == false));
    let seen = of(&wedged, "eu-west-1", "eu.amazon.nova-micro-v1:0");
    assert_eq!(seen["not_seen_since"], "2026-10-15T18:20:00Z", "the end of the last period that was judged");
}

#[tokio::test]
async fn one_series_has_its_periods_history_incidents_and_tickets() {
    let path = "/api/v1/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0";
    let mut one = get(sample::trouble(), path).await.json();
    assert_eq!(one["slots"].as_array().unwrap().len(), 5);
    assert_eq!(one["history"].as_array().unwrap().len(), 288);
    let last = one["history"].as_array().unwrap().last().unwrap().clone();
    one["slots"] = Value::Null;
    one["history"] = vec![last].into();
    insta::assert_snapshot!(pretty(&one));

    let path = "/api/v1/series/111122223333/eu-west-1/eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
    let other = get(sample::trouble(), path).await.json();
    assert_eq!(other["tickets"][0]["cause"], "prompt_growth");
    assert_eq!(other["incidents"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn an_encoded_id_is_the_same_id() {
    let path = "/api/v1/series/111122223333%2Fus-east-1%2Fus.amazon.nova-pro-v1%3A0";
    assert_eq!(
        get(sample::trouble(), path).await.json()["id"],
        "111122223333/us-east-1/us.amazon.nova-pro-v1:0"
    );
}

#[tokio::test]
async fn what_is_not_watched_is_not_found() {
    for id in ["no/such/series", "x", "%00", "%FF"] {
        let answer = get(sample::trouble(), &format!("/api/v1/series/{id}")).await;
        let expected = if id == "%FF" { StatusCode::BAD_REQUEST } else { StatusCode::NOT_FOUND };
        assert_eq!(answer.status, expected, "{id}");
    }
    let answer = get(sample::trouble(), "/api/v1/series/no/such/series").await;
    insta::assert_snapshot!(answer.body, @r#"{"error":"no series `no/such/series` is watched","hint":"GET /api/v1/series lists the ids of all"}"#);
}

#[tokio::test]
async fn incidents_and_tickets() {
    let list = get(sample::trouble(), "/api/v1/incidents").await.json();
    insta::assert_snapshot!(pretty(&list));
}

#[tokio::test]
async fn open_pages_and_what_was_told_to_nobody() {
    let mut list = get(sample::delivery::night(), "/api/v1/pages").await.json();
    let channels: Vec<&Value> =
        list["pages"].as_array().unwrap().iter().map(|page| &page["channel"]).collect();
    assert_eq!(channels, ["pagerduty.oncall", "sns.ops", "webhook.chat"]);
    list["pages"].as_array_mut().unwrap().truncate(1);
    insta::assert_snapshot!(pretty(&list));
}

#[tokio::test]
async fn silences_and_windows() {
    let list = get(sample::delivery::night(), "/api/v1/silences").await.json();
    insta::assert_snapshot!(pretty(&list));
    let later = SignedDuration::from_hours(5);
    let list = get_later(sample::delivery::night(), later, "/api/v1/silences").await.json();
    assert_eq!(list["silences"].as_array().unwrap().len(), 1, "the other one is over by then");
    assert_eq!(list["maintenance"], serde_json::json!([]));
}

#[tokio::test]
async fn the_audit_log() {
    let mut list = get(sample::delivery::night(), "/api/v1/audit").await.json();
    assert_eq!(list["audit"].as_array().unwrap().len(), 4);
    list["audit"].as_array_mut().unwrap().truncate(1);
    insta::assert_snapshot!(pretty(&list));
}

#[tokio::test]
async fn what_is_not_finite_is_null() {
    let mut snapshot = sample::empty();
    let mut status = sample::steady("us-east-1", "m", 60.0);
    let slot = status.slots.last_mut().unwrap();
    slot.otps = Some(Otps { p50: Some(f64::NAN), token_weighted: Some(f64::INFINITY) });
    slot.baseline = Some(0.0);
    slot.noise = Some(f64::NEG_INFINITY);
    slot.samples = f64::NAN;
    let point = Arc::make_mut(&mut status.history).back_mut().unwrap();
    (point.otps_p50, point.value, point.baseline) = (Some(f64::NAN), Some(f64::INFINITY), Some(f64::NAN));
    point.waits.ttft_p95_ms = Some(f64::INFINITY);
    status.waits = point.waits;
    snapshot.series = vec![status];
    let one = get(snapshot, "/api/v1/series/111122223333/us-east-1/m").await.json();
    for name in ["otps_p50", "otps_token_weighted", "value", "ratio", "noise", "samples"] {
        assert_eq!(one["current"][name], Value::Null, "{name}");
    }
    for name in ["otps_p50", "value", "baseline", "threshold", "ttft_p95_ms"] {
        assert_eq!(one["history"][287][name], Value::Null, "{name}");
    }
    assert_eq!(one["waits"]["ttft_p95_ms"], Value::Null);
}
