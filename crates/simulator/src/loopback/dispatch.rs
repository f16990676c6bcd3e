//! From a request to its service: by path, headers and body, since all services share a port.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Response};
use jiff::Timestamp;

use super::aws_error::{AwsError, Service};
use super::caller::{Caller, Scope};
use super::calls::Volume;
use super::cloudwatch::Wire;
use super::fault::{CallFaults, CallSite, Fault, Refusal, Refused};
use super::form::Form;
use super::pagerduty::{Answer, PagerDuty};
use super::reply::{Protocol, aws_error, aws_result, json, pagerduty_answer, too_large};
use super::server::Server;
use super::{control, stall, sts};

/// The longest body that is read, in bytes. The longest that is any use is an SNS message of 256 KiB, three times as
/// long in a form.
const BODY_MAX: usize = 2 * 1_024 * 1_024;
/// The path of Smithy RPC, before the name of the operation.
const RPC_PATH: &str = "/service/GraniteServiceVersion20100801/operation/";
/// What awsJson has before the name of the operation.
const JSON_TARGET: &str = "GraniteServiceVersion20100801.";

pub(crate) async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, BODY_MAX).await else { return too_large() };
    let path = parts.uri.path();
    if let Some(page) = path.strip_prefix("/_loopback/") {
        return control::answer(&server, &parts.method, page, &body);
    }
    if path == "/v2/enqueue" {
        return events_api(&server, body).await;
    }
    match Target::of(&parts, &body) {
        Some(target) => aws(&server, &parts.headers, target, body).await,
        None => json(404, &serde_json::json!({"message": "nothing is served here"})),
    }
}

/// Which operation of AWS is called, and how.
struct Target {
    service: Service,
    protocol: Protocol,
    operation: String,
    form: Form,
}

impl Target {
    fn of(parts: &Parts, body: &[u8]) -> Option<Self> {
        if parts.method != Method::POST {
            return None;
        }
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let target = |protocol, operation: &str| {
            Some(Self {
                service: Service::CloudWatch,
                protocol,
                operation: operation.to_owned(),
                form: Form::read(b""),
            })
        };
        if let Some(operation) = parts.uri.path().strip_prefix(RPC_PATH) {
            return target(Protocol::Cbor, operation);
        }
        if let Some(operation) = header("x-amz-target").and_then(|target| target.strip_prefix(JSON_TARGET)) {
            return target(Protocol::Json, operation);
        }
        if parts.uri.path() != "/" {
            return None;
        }
        let form = Form::read(body);
        let services = [Service::CloudWatch, Service::Sns, Service::Sts];
        let version = form.get("Version")?;
        let service = services.into_iter().find(|service| service.version() == version)?;
        let operation = form.get("Action")?.to_owned();
        Some(Self { service, protocol: Protocol::Query, operation, form })
    }

    /// The topic or the role.
    fn resource(&self) -> Option<&str> {
        ["TopicArn", "TargetArn", "RoleArn"].into_iter().find_map(|field| self.form.get(field))
    }
}

async fn aws(server: &Arc<Server>, headers: &HeaderMap, target: Target, body: Bytes) -> Response<Body> {
    let scope = Scope::read(headers);
    let of_scope =
        |pick: fn(&Scope) -> &String| scope.as_ref().map(|scope| pick(scope).clone()).unwrap_or_default();
    let site = CallSite {
        operation: target.operation.clone(),
        region: of_scope(|scope| &scope.region),
        access_key: of_scope(|scope| &scope.access_key),
        resource: target.resource().map(str::to_owned),
    };
    let (service, protocol, request_id) = (target.service, target.protocol, server.request_id());
    let caller = scope.and_then(|scope| {
        scope.check(service)?;
        server.keys.caller(&scope, headers)
    });
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => {
            let call = server.calls.arrived(server.now(), &site);
            server.calls.answered(call, &site, error.status, Volume::default());
            return aws_error(service, protocol, &error, &request_id);
        }
    };
    let who = caller.arn.clone();
    let refuse = |refused| {
        let error = refusal(refused, service, &site, &who);
        aws_error(service, protocol, &error, &request_id)
    };
    let act = |faults| {
        let (server, site, request_id) = (Arc::clone(server), site.clone(), request_id.clone());
        async move {
            match carry_out(&server, target, body, caller, faults).await {
                Ok((body, volume)) => {
                    (aws_result(service, protocol, &site.operation, body, &request_id), volume)
                }
                Err(error) => (aws_error(service, protocol, &error, &request_id), Volume::default()),
            }
        }
    };
    under_faults(server, &site, refuse, act).await
}

fn refusal(refused: Refused, service: Service, site: &CallSite, who: &str) -> AwsError {
    match refused {
        Refused::Throttled(_) => AwsError::throttled(),
        Refused::By(Refusal::Internal) => AwsError::internal(),
        Refused::By(Refusal::Unavailable) => AwsError::unavailable(),
        Refused::By(Refusal::Denied) => {
            AwsError::denied(service, &site.operation, who, site.resource.as_deref())
        }
        Refused::By(Refusal::ExpiredToken) => AwsError::expired_token(),
        Refused::By(Refusal::UnknownKey) => AwsError::unknown_key(),
        Refused::By(Refusal::ClockSkew) => AwsError::clock_skew(),
    }
}

async fn carry_out(
    server: &Arc<Server>,
    target: Target,
    body: Bytes,
    caller: Caller,
    faults: CallFaults,
) -> Result<(Vec<u8>, Volume), AwsError> {
    let now = server.now();
    let Target { service, protocol, operation, form } = target;
    let xml = |result: Result<String, AwsError>| result.map(|xml| (xml.into_bytes(), Volume::default()));
    match service {
        Service::Sns => xml(server.sns.answer(&operation, &form, &caller, now)),
        Service::Sts => xml(sts::answer(&operation, &form, &caller, &server.keys, Timestamp::now())),
        Service::CloudWatch => {
            let server = Arc::clone(server);
            // Two weeks of a fleet take a while to simulate; other calls go on meanwhile.
            let work = tokio::task::spawn_blocking(move || {
                let wire = match protocol {
                    Protocol::Cbor => Wire::Cbor(&body),
                    Protocol::Json => Wire::Json(&body),
                    Protocol::Query => Wire::Query(&form),
                };
                server.cloudwatch.answer(&operation, &wire, &caller, now.as_second(), &faults)
            });
            let written = work.await.map_err(|_| AwsError::internal())??;
            Ok((written.body, written.volume))
        }
    }
}

async fn events_api(server: &Arc<Server>, body: Bytes) -> Response<Body> {
    let site = CallSite {
        operation: "enqueue".to_owned(),
        resource: PagerDuty::routing_key(&body),
        ..CallSite::default()
    };
    let refuse = |refused| {
        pagerduty_answer(&match refused {
            Refused::Throttled(retry_after) => Answer::too_many(retry_after),
            Refused::By(Refusal::Internal) => Answer::failed(500),
            Refused::By(Refusal::Unavailable) => Answer::failed(503),
            Refused::By(_) => Answer::invalid(400, &["Invalid routing key".to_owned()]),
        })
    };
    let act = async |_faults| {
        let answer = server.pagerduty.enqueue(&body, server.now());
        (pagerduty_answer(&answer), Volume::default())
    };
    under_faults(server, &site, refuse, act).await
}

/// Carries out a call with all that goes wrong with it, and counts it.
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
    let (response, volume) = if faults.has(&Fault::Hang) {
        server.stop.cancelled().await;
        (refuse(Refused::By(Refusal::Unavailable)), Volume::default())
    } else if let Some(milliseconds) = faults.trickle() {
        let response = stall::trickle(Duration::from_millis(milliseconds), server.stop.clone());
        (response, Volume::default())
    } else if faults.has(&Fault::Malformed) {
        (stall::portal(), Volume::default())
    } else if let Some(refused) = faults.refusal() {
        (refuse(refused), Volume::default())
    } else {
        let lose_reply = faults.has(&Fault::LoseReply);
        let (response, volume) = act(faults).await;
        (if lose_reply { stall::cut(response).await } else { response }, volume)
    };
    server.calls.answered(call, site, response.status().as_u16(), volume);
    server.stirred();
    response
}

/// Ends early when the loopback stops.
async fn pause(server: &Server, pause: Duration) {
    tokio::select! {
        () = tokio::time::sleep(pause) => {}
        () = server.stop.cancelled() => {}
    }
}
