//! Operations of AWS.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Response};
use jiff::Timestamp;

use super::under_faults;
use crate::loopback::aws_error::{AwsError, Service};
use crate::loopback::caller::{Caller, Scope};
use crate::loopback::calls::Volume;
use crate::loopback::cloudwatch::Wire;
use crate::loopback::fault::{CallFaults, CallSite, Refusal, Refused};
use crate::loopback::form::Form;
use crate::loopback::opscenter;
use crate::loopback::reply::{Protocol, aws_error, aws_result};
use crate::loopback::server::Server;

/// The path of Smithy RPC, before the name of the operation.
const RPC_PATH: &str = "/service/GraniteServiceVersion20100801/operation/";
/// What awsJson has before the name of the operation.
const JSON_TARGETS: [(&str, Service, Protocol); 2] = [
    ("GraniteServiceVersion20100801.", Service::CloudWatch, Protocol::Json10),
    ("AmazonSSM.", Service::Ssm, Protocol::Json11),
];

/// Which operation of AWS is called, and how.
pub(super) struct Target {
    service: Service,
    protocol: Protocol,
    operation: String,
    form: Form,
}

impl Target {
    pub(super) fn of(parts: &Parts, body: &[u8]) -> Option<Self> {
        if parts.method != Method::POST {
            return None;
        }
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let target = |service, protocol, operation: &str| {
            Some(Self { service, protocol, operation: operation.to_owned(), form: Form::read(b"") })
        };
        if let Some(operation) = parts.uri.path().strip_prefix(RPC_PATH) {
            return target(Service::CloudWatch, Protocol::Cbor, operation);
        }
        if let Some(named) = header("x-amz-target") {
            let known = JSON_TARGETS.into_iter().find_map(|(prefix, service, protocol)| {
                Some((service, protocol, named.strip_prefix(prefix)?))
            });
            return known.and_then(|(service, protocol, operation)| target(service, protocol, operation));
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

    /// Whether the operation is called by those who have no credentials yet.
    fn is_unsigned(&self) -> bool {
        self.service == Service::Sts && self.operation == "AssumeRoleWithWebIdentity"
    }

    /// The topic, the role or the OpsItem.
    fn resource(&self, body: &[u8]) -> Option<String> {
        if self.service == Service::Ssm {
            return opscenter::named(body);
        }
        ["TopicArn", "TargetArn", "RoleArn"]
            .into_iter()
            .find_map(|field| self.form.get(field))
            .map(str::to_owned)
    }
}

pub(super) async fn call(
    server: &Arc<Server>,
    headers: &HeaderMap,
    target: Target,
    body: Bytes,
) -> Response<Body> {
    let scope = Scope::read(headers);
    let of_scope =
        |pick: fn(&Scope) -> &String| scope.as_ref().map(|scope| pick(scope).clone()).unwrap_or_default();
    let site = CallSite {
        operation: target.operation.clone(),
        region: of_scope(|scope| &scope.region),
        access_key: of_scope(|scope| &scope.access_key),
        resource: target.resource(&body),
    };
    let (service, protocol, request_id) = (target.service, target.protocol, server.request_id());
    let is_unsigned = target.is_unsigned();
    let caller = scope.and_then(|scope| {
        scope.check(service)?;
        server.keys.caller(&scope, headers, Timestamp::now()).map(Some)
    });
    let caller = if is_unsigned { Ok(None) } else { caller };
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => {
            let call = server.calls.arrived(server.now(), &site);
            server.calls.answered(call, &site, error.status, Volume::default());
            return aws_error(service, protocol, &error, &request_id);
        }
    };
    let who = caller.as_ref().map_or("an unsigned caller", |caller| &caller.arn).to_owned();
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
        Refused::By(Refusal::KmsAccessDenied) if service == Service::Sns => AwsError::kms_access_denied(),
        Refused::By(Refusal::KmsDisabled) if service == Service::Sns => AwsError::kms_disabled(),
        Refused::By(Refusal::Denied | Refusal::KmsAccessDenied | Refusal::KmsDisabled) => {
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
    caller: Option<Caller>,
    faults: CallFaults,
) -> Result<(Vec<u8>, Volume), AwsError> {
    let now = server.now();
    let Target { service, protocol, operation, form } = target;
    let xml = |result: Result<String, AwsError>| result.map(|xml| (xml.into_bytes(), Volume::default()));
    if service == Service::Sts {
        let real_now = Timestamp::now();
        return xml(server.sts.answer(&operation, &form, caller.as_ref(), &server.keys, real_now));
    }
    let caller = caller.ok_or_else(AwsError::missing_token)?;
    match service {
        Service::Sns => xml(server.sns.answer(&operation, &form, &caller, now)),
        Service::Ssm => {
            let body = server.opscenter.answer(&operation, &body, &caller, now)?;
            Ok((body, Volume::default()))
        }
        Service::CloudWatch | Service::Sts => {
            let server = Arc::clone(server);
            // Two weeks of a fleet take a while to simulate; other calls go on meanwhile.
            let work = tokio::task::spawn_blocking(move || {
                let wire = match protocol {
                    Protocol::Cbor => Wire::Cbor(&body),
                    Protocol::Json10 | Protocol::Json11 => Wire::Json(&body),
                    Protocol::Query => Wire::Query(&form),
                };
                server.cloudwatch.answer(&operation, &wire, &caller, now.as_second(), &faults)
            });
            let written = work.await.map_err(|_| AwsError::internal())??;
            Ok((written.body, written.volume))
        }
    }
}
