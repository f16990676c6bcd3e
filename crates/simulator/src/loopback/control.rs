//! The loopback's own pages, under `/_loopback/`.

use axum::body::Body;
use axum::http::{Method, Response};
use serde_json::json;

use super::fault::FaultRule;
use super::reply;
use super::server::Server;

/// - `GET faults`, `POST faults`: the fault rules in force; a POST replaces them by a JSON array of rules.
/// - `GET messages`: what SNS and PagerDuty took.
/// - `GET calls`: sums by operation and Region, and the last calls one by one.
pub(crate) fn answer(server: &Server, method: &Method, page: &str, body: &[u8]) -> Response<Body> {
    match (method, page) {
        (&Method::GET, "faults") => reply::json(200, &server.faults.rules()),
        (&Method::POST, "faults") => match serde_json::from_slice::<Vec<FaultRule>>(body) {
            Ok(rules) => {
                server.faults.set(rules);
                reply::json(200, &server.faults.rules())
            }
            Err(error) => reply::json(400, &json!({"message": format!("no array of fault rules: {error}")})),
        },
        (&Method::GET, "messages") => {
            reply::json(200, &json!({"sns": server.sns.messages(), "pagerduty": server.pagerduty.alerts()}))
        }
        (&Method::GET, "calls") => {
            reply::json(200, &json!({"totals": server.calls.totals(), "recent": server.calls.recent()}))
        }
        _ => reply::json(404, &json!({"message": "the pages are faults, messages and calls"})),
    }
}
