//! Answers on the wire.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

use super::aws_error::{AwsError, Service};
use super::form::{answer_xml, error_xml};

/// How a client of AWS speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Smithy RPC v2 CBOR.
    Cbor,
    /// awsJson 1.0.
    Json10,
    /// awsJson 1.1.
    Json11,
    /// awsQuery.
    Query,
}

impl Protocol {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Cbor => "application/cbor",
            Self::Json10 => "application/x-amz-json-1.0",
            Self::Json11 => "application/x-amz-json-1.1",
            Self::Query => "text/xml",
        }
    }
}

/// An answer of a service that is not of AWS.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Seconds to wait.
    pub(crate) retry_after: Option<u64>,
    /// In JSON; null is no body.
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self { status, retry_after: None, body }
    }

    pub(crate) fn empty(status: u16) -> Self {
        Self::new(status, Value::Null)
    }
}

/// What an operation gave. For awsQuery `body` is the inside of the result.
pub(crate) fn aws_result(
    service: Service,
    protocol: Protocol,
    operation: &str,
    body: Vec<u8>,
    request_id: &str,
) -> Response<Body> {
    let body = match protocol {
        Protocol::Cbor | Protocol::Json10 | Protocol::Json11 => body,
        Protocol::Query => {
            answer_xml(service, operation, &String::from_utf8_lossy(&body), request_id).into_bytes()
        }
    };
    aws_response(200, protocol, body, request_id)
}

/// What went wrong with an operation.
pub(crate) fn aws_error(
    service: Service,
    protocol: Protocol,
    error: &AwsError,
    request_id: &str,
) -> Response<Body> {
    let mut written = Map::new();
    let shape = format!("com.amazonaws.{}#{}", service.scope(), error.shape);
    written.insert("__type".to_owned(), shape.into());
    written.insert(error.message_field(service).to_owned(), error.message.as_str().into());
    written.extend(error.fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let body = match protocol {
        Protocol::Cbor => {
            let mut body = Vec::new();
            // Writing texts to memory cannot fail; an empty body would still have its status.
            ciborium::into_writer(&written, &mut body).unwrap_or_default();
            body
        }
        Protocol::Json10 | Protocol::Json11 => serde_json::to_vec(&written).unwrap_or_default(),
        Protocol::Query => error_xml(service, error, request_id).into_bytes(),
    };
    let mut response = aws_response(error.status, protocol, body, request_id);
    if error.own && matches!(protocol, Protocol::Cbor | Protocol::Json10) {
        let value = format!("{};{}", error.code, error.kind());
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static("x-amzn-query-error"), value);
        }
    }
    response
}

fn aws_response(status: u16, protocol: Protocol, body: Vec<u8>, request_id: &str) -> Response<Body> {
    let mut response = with_status(status, body, protocol.content_type());
    if let Ok(id) = HeaderValue::from_str(request_id) {
        response.headers_mut().insert(HeaderName::from_static("x-amzn-requestid"), id);
    }
    if protocol == Protocol::Cbor {
        let name = HeaderName::from_static("smithy-protocol");
        response.headers_mut().insert(name, HeaderValue::from_static("rpc-v2-cbor"));
    }
    response
}

/// An answer in JSON.
pub(crate) fn answered(answer: &Answer) -> Response<Body> {
    let body = if answer.body.is_null() { Vec::new() } else { answer.body.to_string().into_bytes() };
    waiting(with_status(answer.status, body, "application/json"), answer.retry_after)
}

/// A line of text.
pub(crate) fn text(status: u16, line: &str, retry_after: Option<u64>) -> Response<Body> {
    waiting(with_status(status, line.as_bytes().to_vec(), "text/plain; charset=utf-8"), retry_after)
}

fn waiting(mut response: Response<Body>, retry_after: Option<u64>) -> Response<Body> {
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

pub(crate) fn json(status: u16, body: &impl Serialize) -> Response<Body> {
    with_status(status, serde_json::to_vec(body).unwrap_or_default(), "application/json")
}

pub(crate) fn too_large() -> Response<Body> {
    with_status(413, Vec::new(), "text/plain")
}

fn with_status(status: u16, body: Vec<u8>, content_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
