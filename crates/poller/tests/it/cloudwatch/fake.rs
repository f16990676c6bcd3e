//! A CloudWatch that answers by script, in Smithy RPC v2 CBOR as the SDK speaks it.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use ciborium::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What the service says to one call.
pub(crate) enum Reply {
    /// An answer.
    Data(Value),
    /// An error of the service, by status, code and text.
    Error(u16, &'static str, &'static str),
    /// Anything else that speaks HTTP.
    Other(u16, &'static str, String),
    /// Nothing, ever.
    Silence,
}

/// One call as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Its number, from 0.
    pub(crate) number: usize,
    /// `GetMetricData`, `ListMetrics`, or empty for a call of another service.
    pub(crate) operation: String,
    pub(crate) body: Value,
}

type Script = dyn Fn(&Call) -> Reply + Send + Sync;

struct Shared {
    script: Box<Script>,
    calls: Mutex<Vec<Call>>,
}

pub(crate) struct Fake {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

impl Fake {
    pub(crate) async fn start(script: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared { script: Box::new(script), calls: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, shared, server }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().unwrap().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.server.abort();
    }
}

const PREFIX: &str = "/service/GraniteServiceVersion20100801/operation/";

async fn answer(State(shared): State<Arc<Shared>>, uri: Uri, body: Bytes) -> Response {
    let operation = uri.path().strip_prefix(PREFIX).unwrap_or_default().to_owned();
    let body = ciborium::from_reader(&body[..]).unwrap_or(Value::Null);
    let call = {
        let mut calls = shared.calls.lock().unwrap();
        let call = Call { number: calls.len(), operation, body };
        calls.push(call.clone());
        call
    };
    match (shared.script)(&call) {
        Reply::Data(value) => cbor(StatusCode::OK, &value),
        Reply::Error(status, code, text) => {
            let body = map([("__type", Value::from(code)), ("message", Value::from(text))]);
            cbor(StatusCode::from_u16(status).unwrap(), &body)
        }
        Reply::Other(status, kind, text) => {
            (StatusCode::from_u16(status).unwrap(), [(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Reply::Silence => std::future::pending().await,
    }
}

fn cbor(status: StatusCode, value: &Value) -> Response {
    let mut body = Vec::new();
    ciborium::into_writer(value, &mut body).unwrap();
    let headers = [("smithy-protocol", "rpc-v2-cbor"), ("content-type", "application/cbor")];
    (status, headers, body).into_response()
}

pub(crate) fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
}

/// A member of a map, or null.
pub(crate) fn member<'a>(value: &'a Value, name: &str) -> &'a Value {
    value
        .as_map()
        .and_then(|entries| entries.iter().find(|(key, _)| key.as_text() == Some(name)))
        .map_or(&Value::Null, |(_, value)| value)
}

pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    member(value, name).as_text().unwrap_or_default()
}

/// A time on the wire: tag 1 with whole seconds.
pub(crate) fn time(second: i64) -> Value {
    Value::Tag(1, Box::new(Value::from(second)))
}

/// Unix seconds of a time of a request.
fn second(value: &Value) -> i64 {
    let Value::Tag(1, inner) = value else { panic!("{value:?} is not a time") };
    inner.as_float().map_or_else(
        || i64::try_from(inner.as_integer().unwrap()).unwrap(),
        |second| {
            assert_eq!(second.fract(), 0.0);
            second as i64
        },
    )
}

/// One query of a GetMetricData call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) metric: String,
    pub(crate) statistic: String,
    /// Dimensions beside the model.
    pub(crate) parts: Vec<(String, String)>,
}

/// The queries of a GetMetricData call, which must be such that CloudWatch takes them.
pub(crate) fn queries(call: &Call) -> Vec<Query> {
    assert_eq!(call.operation, "GetMetricData");
    assert_eq!(text(&call.body, "ScanBy"), "TimestampAscending");
    let queries = member(&call.body, "MetricDataQueries").as_array().unwrap();
    assert!((1..=500).contains(&queries.len()), "{} queries", queries.len());
    let mut ids = BTreeSet::new();
    queries
        .iter()
        .map(|query| {
            let id = text(query, "Id");
            assert!(id.starts_with(|first: char| first.is_ascii_lowercase()), "{id}");
            assert!(id.chars().all(|char| char.is_ascii_alphanumeric() || char == '_'), "{id}");
            assert!(ids.insert(id), "{id} twice");
            let stat = member(query, "MetricStat");
            assert_eq!(member(stat, "Unit"), &Value::Null);
            assert_eq!(member(stat, "Period"), &Value::from(300));
            assert_eq!(member(query, "Expression"), &Value::Null);
            let metric = member(stat, "Metric");
            assert_eq!(text(metric, "Namespace"), "AWS/Bedrock");
            let dimensions = member(metric, "Dimensions").as_array().unwrap();
            assert_eq!(text(&dimensions[0], "Name"), "ModelId");
            let part = |part| (text(part, "Name").to_owned(), text(part, "Value").to_owned());
            Query {
                id: id.to_owned(),
                model: text(&dimensions[0], "Value").to_owned(),
                metric: text(metric, "MetricName").to_owned(),
                statistic: text(stat, "Stat").to_owned(),
                parts: dimensions[1..].iter().map(part).collect(),
            }
        })
        .collect()
}

/// `StartTime` and `EndTime` of a GetMetricData call, as Unix seconds.
pub(crate) fn window(call: &Call) -> (i64, i64) {
    (second(member(&call.body, "StartTime")), second(member(&call.body, "EndTime")))
}

/// One result: times in Unix seconds with their values, and a status.
pub(crate) fn result(id: &str, points: &[(i64, f64)], status: &str) -> Value {
    map([
        ("Id", Value::from(id)),
        ("Label", Value::from(format!("label of {id}"))),
        ("Timestamps", Value::Array(points.iter().map(|point| time(point.0)).collect())),
        ("Values", Value::Array(points.iter().map(|point| Value::from(point.1)).collect())),
        ("StatusCode", Value::from(status)),
    ])
}

/// One page of results, with the token of the next one if there is one.
pub(crate) fn page(results: Vec<Value>, next: Option<&str>) -> Reply {
    let mut page = vec![(Value::from("MetricDataResults"), Value::Array(results))];
    page.extend(next.map(|next| (Value::from("NextToken"), Value::from(next))));
    Reply::Data(Value::Map(page))
}
