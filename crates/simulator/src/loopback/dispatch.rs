//! From a request to its service: by path, headers and body, since all services share a port.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;

use super::calls::Volume;
use super::fault::{CallFaults, CallSite, Fault, Refusal, Refused};
use super::reply::{json, text, too_large};
use super::server::Server;
use super::{control, gzip, stall};

mod aws;
mod receivers;

/// The longest body that is read, in bytes. The longest that is any use is an SNS message of 256 KiB, three times as
/// long in a form.
const BODY_MAX: usize = 2 * 1_024 * 1_024;

pub(crate) async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, BODY_MAX).await else { return too_large() };
    let path = parts.uri.path();
    if let Some(page) = path.strip_prefix("/_loopback/") {
        return control::answer(&server, &parts.method, page, &body);
    }
    if path == "/v2/enqueue" {
        return receivers::events_api(&server, body).await;
    }
    if path == "/webhook" || path.starts_with("/webhook/") {
        return receivers::webhook(&server, &parts, body).await;
    }
    if path == "/container-credentials" {
        return receivers::container(&server).await;
    }
    if path.starts_with("/rest/api/") {
        return receivers::jira(&server, &parts, body).await;
    }
    let Some(body) = gzip::inflated(&parts.headers, body, BODY_MAX) else { return too_large() };
    match aws::Target::of(&parts, &body) {
        Some(target) => aws::call(&server, &parts.headers, target, body).await,
        None => json(404, &serde_json::json!({"message": "nothing is served here"})),
    }
}

/// Carries out a call with all that goes wrong with it, and counts it. A call that is not carried out and
/// gets no answer keeps the status 0.
async fn under_faults(
    server: &Server,
    site: &CallSite,
    refuse: impl FnOnce(Refused) -> Response<Body>,
    act: impl AsyncFnOnce(CallFaults) -> (Response<Body>, Volume),
) -> Response<Body> {
    let faults = server.faults.of_call(site);
    let call = server.calls.arrived(server.now(), site);
    server.stirred();
    if let Some(milliseconds) = faults.slow() {
        pause(server, Duration::from_millis(milliseconds)).await;
    }
    if faults.has(&Fault::HangUp) {
        return stall::hang_up();
    }
    let mut lost = false;
    let (response, volume) = if faults.has(&Fault::Hang) {
        server.stop.cancelled().await;
        (refuse(Refused::By(Refusal::Unavailable)), Volume::default())
    } else if let Some((code, retry_after)) = faults.status() {
        // A proxy knows nothing of the service behind it.
        (text(code, &format!("upstream answered {code}"), retry_after), Volume::default())
    } else if let Some(milliseconds) = faults.trickle() {
        let response = stall::trickle(Duration::from_millis(milliseconds), server.stop.clone());
        (response, Volume::default())
    } else if faults.has(&Fault::Malformed) {
        (stall::portal(), Volume::default())
    } else if let Some(refused) = faults.refusal() {
        (refuse(refused), Volume::default())
    } else {
        let (lose_reply, cut_reply) = (faults.has(&Fault::LoseReply), faults.has(&Fault::CutReply));
        let slow_reply = faults.slow_reply();
        let (response, volume) = act(faults).await;
        if let Some(milliseconds) = slow_reply {
            // Whoever waits for what was received need not wait for its answer.
            server.stirred();
            pause(server, Duration::from_millis(milliseconds)).await;
        }
        lost = lose_reply;
        (if cut_reply { stall::cut(response).await } else { response }, volume)
    };
    server.calls.answered(call, site, response.status().as_u16(), volume);
    server.stirred();
    if lost { stall::hang_up() } else { response }
}

/// Ends early when the loopback stops.
async fn pause(server: &Server, pause: Duration) {
    tokio::select! {
        () = tokio::time::sleep(pause) => {}
        () = server.stop.cancelled() => {}
    }
}
