//! Receivers that are not of AWS.

use axum::body::{Body, Bytes};
use axum::http::Response;
use axum::http::request::Parts;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::under_faults;
use crate::loopback::calls::Volume;
use crate::loopback::container;
use crate::loopback::fault::{CallSite, Refusal, Refused};
use crate::loopback::jira::{self, Request};
use crate::loopback::pagerduty::{self, PagerDuty};
use crate::loopback::reply::{Answer, answered};
use crate::loopback::server::Server;

pub(super) async fn events_api(server: &Server, body: Bytes) -> Response<Body> {
    let site = site("enqueue", PagerDuty::routing_key(&body));
    let refuse = |refused| answered(&pagerduty::refused(refused));
    let act = async |_faults| {
        let answer = server.pagerduty.enqueue(&body, server.now());
        (answered(&answer), Volume::default())
    };
    under_faults(server, &site, refuse, act).await
}

pub(super) async fn webhook(server: &Server, parts: &Parts, body: Bytes) -> Response<Body> {
    let site = site("webhook", Some(parts.uri.path().to_owned()));
    let refuse = |refused| {
        let (status, retry_after) = match refused {
            Refused::Throttled(retry_after) => (429, retry_after),
            Refused::By(Refusal::Internal) => (500, None),
            Refused::By(Refusal::Unavailable) => (503, None),
            Refused::By(Refusal::Denied | Refusal::KmsAccessDenied | Refusal::KmsDisabled) => (403, None),
            Refused::By(Refusal::ExpiredToken | Refusal::UnknownKey | Refusal::ClockSkew) => (401, None),
        };
        answered(&Answer { status, retry_after, body: json!({"error": "not taken"}) })
    };
    let act = async |_faults| (answered(&server.webhook.take(parts, &body, server.now())), Volume::default());
    under_faults(server, &site, refuse, act).await
}

pub(super) async fn jira(server: &Server, parts: &Parts, body: Bytes) -> Response<Body> {
    let request = Request { parts, body: &body, now: server.now() };
    let (operation, resource) = request.site();
    let site = site(operation, resource);
    let refuse = |refused| answered(&jira::refused(refused));
    let act = async |_faults| (answered(&server.jira.answer(&request)), Volume::default());
    under_faults(server, &site, refuse, act).await
}

/// Credentials for a container. Where expired ones are to be refused, ones are handed out that have expired already.
pub(super) async fn container(server: &Server) -> Response<Body> {
    let real_now = Timestamp::now();
    let refuse = |refused| {
        let status = match refused {
            Refused::Throttled(_) => 429,
            Refused::By(Refusal::ExpiredToken) => {
                let expired = Some(-SignedDuration::from_mins(1));
                return answered(&Answer::new(200, container::credentials(&server.keys, expired, real_now)));
            }
            Refused::By(Refusal::Internal) => 500,
            Refused::By(Refusal::Unavailable) => 503,
            Refused::By(_) => 403,
        };
        answered(&Answer::new(status, json!({"code": "Refused", "message": "no credentials"})))
    };
    let act = async |_faults| {
        let life = server.sts.life;
        let given = container::credentials(&server.keys, life, real_now);
        (answered(&Answer::new(200, given)), Volume::default())
    };
    under_faults(server, &site("ContainerCredentials", None), refuse, act).await
}

fn site(operation: &str, resource: Option<String>) -> CallSite {
    CallSite { operation: operation.to_owned(), resource, ..CallSite::default() }
}
