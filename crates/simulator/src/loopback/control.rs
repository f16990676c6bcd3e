//! The loopback's own pages, under `/_loopback/`.

use axum::body::Body;
use axum::http::{Method, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fault::FaultRule;
use super::reply;
use super::server::Server;
use super::{JiraSettings, JiraStatus, PagerDutyStatus, WebhookSecret};

/// - `GET faults`, `POST faults`: the fault rules in force; a POST replaces them by a JSON array of rules.
/// - `GET messages`: what SNS, PagerDuty, the webhook, Jira and OpsCenter took, and what was put into CloudWatch.
/// - `GET calls`: sums by operation and Region, and the last calls one by one.
/// - `POST webhook/secret`: what requests have to be signed with, or null.
/// - `POST pagerduty/acknowledge`, `POST pagerduty/resolve`: as a responder would, by routing key and deduplication key.
/// - `POST pagerduty/limit`: events a minute of each routing key, or null.
/// - `POST jira/settings`, `POST jira/move`: how Jira behaves; moves an issue as a person would.
/// - `POST opsitems/move`: moves an OpsItem as a person would.
pub(crate) fn answer(server: &Server, method: &Method, page: &str, body: &[u8]) -> Response<Body> {
    let done = match (method.as_str(), page) {
        ("GET", page) => return shown(server, page),
        ("POST", "faults") => read(body).map(|rules: Vec<FaultRule>| server.faults.set(rules)),
        ("POST", "webhook/secret") => {
            read(body).map(|secret: Option<WebhookSecret>| server.webhook.expect(secret))
        }
        ("POST", "pagerduty/limit") => read(body).map(|limit| server.pagerduty.limit(limit)),
        ("POST", "pagerduty/acknowledge") => responder(server, body, PagerDutyStatus::Acknowledged),
        ("POST", "pagerduty/resolve") => responder(server, body, PagerDutyStatus::Resolved),
        ("POST", "jira/settings") => read(body).map(|settings: JiraSettings| server.jira.set(settings)),
        ("POST", "jira/move") => read(body).and_then(|MoveIssue { key, status, resolution }| {
            let moved = server.jira.move_by_hand(&key, status, resolution.as_deref(), server.now());
            found(moved, "no such issue")
        }),
        ("POST", "opsitems/move") => read(body).and_then(|MoveOpsItem { id, status }| {
            found(server.opscenter.move_by_hand(&id, &status, server.now()), "no such OpsItem or status")
        }),
        _ => return unknown(),
    };
    match done {
        // What is in force now, or that it was done.
        Ok(()) if page == "faults" || page == "jira/settings" => shown(server, page),
        Ok(()) => reply::json(200, &json!({"done": true})),
        Err(message) => reply::json(400, &json!({"message": message})),
    }
}

fn shown(server: &Server, page: &str) -> Response<Body> {
    let incidents =
        || json!({"alerts": server.pagerduty.alerts(), "incidents": server.pagerduty.incidents()});
    match page {
        "faults" => reply::json(200, &server.faults.rules()),
        "messages" => reply::json(200, &messages(server)),
        "calls" => {
            reply::json(200, &json!({"totals": server.calls.totals(), "recent": server.calls.recent()}))
        }
        "pagerduty" => reply::json(200, &incidents()),
        "webhook" => reply::json(200, &server.webhook.requests()),
        "jira" => reply::json(200, &server.jira.issues()),
        "jira/settings" => reply::json(200, &server.jira.settings()),
        "opsitems" => reply::json(200, &server.opscenter.items()),
        "metrics" => reply::json(200, &server.cloudwatch.put_data()),
        _ => unknown(),
    }
}

fn messages(server: &Server) -> Value {
    json!({
        "sns": server.sns.messages(),
        "sns_repeats": server.sns.repeats(),
        "pagerduty": server.pagerduty.alerts(),
        "webhook": server.webhook.requests(),
        "jira": server.jira.issues(),
        "opsitems": server.opscenter.items(),
        "metrics": server.cloudwatch.put_data(),
    })
}

fn unknown() -> Response<Body> {
    let message = "the pages are faults, messages, calls, webhook, pagerduty, jira, opsitems and metrics";
    reply::json(404, &json!({"message": message}))
}

fn responder(server: &Server, body: &[u8], status: PagerDutyStatus) -> Result<(), String> {
    let Keys { routing_key, dedup_key } = read(body)?;
    let moved = server.pagerduty.move_by_hand(&routing_key, &dedup_key, status, server.now());
    found(moved, "no alert is open under these keys")
}

fn found(found: bool, message: &str) -> Result<(), String> {
    if found { Ok(()) } else { Err(message.to_owned()) }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| format!("this is not what the page takes: {error}"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    routing_key: String,
    dedup_key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveIssue {
    key: String,
    status: JiraStatus,
    resolution: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveOpsItem {
    id: String,
    status: String,
}
