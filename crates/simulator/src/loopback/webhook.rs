//! A webhook: takes any request under `/webhook`, also the `GET` of a heartbeat.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;
use axum::http::request::Parts;
use jiff::Timestamp;
use serde_json::json;

use super::reply::Answer;

mod request;
mod signature;

pub use request::WebhookRequest;
pub use signature::{WebhookSecret, WebhookSignature};

/// Requests that are kept; the oldest are forgotten.
const KEPT_MAX: usize = 10_000;

/// The receiver.
#[derive(Debug, Default)]
pub(crate) struct Webhook {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    secret: Option<WebhookSecret>,
    requests: VecDeque<WebhookRequest>,
}

impl Webhook {
    pub(crate) fn new(secret: Option<WebhookSecret>) -> Self {
        Self { state: Mutex::new(State { secret, requests: VecDeque::new() }) }
    }

    /// From now on requests have to be signed with this, or need not be signed.
    pub(crate) fn expect(&self, secret: Option<WebhookSecret>) {
        self.lock().secret = secret;
    }

    /// Oldest first.
    pub(crate) fn requests(&self) -> Vec<WebhookRequest> {
        self.lock().requests.iter().cloned().collect()
    }

    /// Takes a request. One that is not signed as it should be is remembered too, and answered with 401.
    pub(crate) fn take(&self, parts: &Parts, body: &[u8], now: Timestamp) -> Answer {
        let mut state = self.lock();
        let signature = match &state.secret {
            None => WebhookSignature::NotExpected,
            Some(secret) => secret.verify(&parts.headers, body),
        };
        if state.requests.len() == KEPT_MAX {
            state.requests.pop_front();
        }
        state.requests.push_back(WebhookRequest {
            at: now,
            method: parts.method.to_string(),
            path: parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
            headers: named(&parts.headers),
            body: body.to_vec(),
            signature,
        });
        let status = match signature {
            WebhookSignature::NotExpected | WebhookSignature::Matched => 200,
            WebhookSignature::Missing | WebhookSignature::Wrong => 401,
        };
        Answer::new(status, json!({"signature": signature}))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes()))).collect()
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn take(webhook: &Webhook, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> u16 {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        webhook.take(&parts, body, Timestamp::UNIX_EPOCH).status
    }

    #[test]
    fn whatever_comes_is_kept_as_it_came() {
        let webhook = Webhook::default();
        assert_eq!(take(&webhook, "POST", "/webhook/pages?team=a", &[("X-Key", "k1")], b"\xff\x00"), 200);
        assert_eq!(take(&webhook, "GET", "/webhook/heartbeat", &[], b""), 200);
        let [post, get] = webhook.requests().try_into().unwrap();
        assert_eq!((post.method.as_str(), post.path.as_str()), ("POST", "/webhook/pages?team=a"));
        assert_eq!((post.header("x-key"), post.header("X-KEY")), (Some("k1"), Some("k1")));
        assert_eq!((post.header("x-other"), post.body.as_slice()), (None, b"\xff\x00".as_slice()));
        assert_eq!(post.signature, WebhookSignature::NotExpected);
        assert_eq!((get.method.as_str(), get.body.len()), ("GET", 0));
        let json = serde_json::to_value(&post).unwrap();
        assert_eq!((&json["body"], &json["body_base64"]), (&json!(null), &json!("/wA=")));
        assert_eq!(json["headers"], json!({"x-key": "k1"}));
    }

    #[test]
    fn what_is_signed_wrongly_is_kept_and_refused() {
        let webhook = Webhook::new(Some(WebhookSecret::new("whsec")));
        assert_eq!(take(&webhook, "POST", "/webhook", &[], b"{}"), 401);
        assert_eq!(webhook.requests()[0].signature, WebhookSignature::Missing);
        webhook.expect(None);
        assert_eq!(take(&webhook, "POST", "/webhook", &[], b"{}"), 200);
    }
}
