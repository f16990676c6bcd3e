//! One request to the router, and what came back.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;
use tower::ServiceExt as _;
use web::{Clock, Metrics, Snapshot, Web};

use crate::sample;

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What the routes need, over `snapshot`, with a clock that stands at `now`.
pub(crate) fn web(snapshot: Snapshot, now: Timestamp) -> Web {
    // The receiver keeps the last value when the sender is gone.
    let (_sender, snapshots) = watch::channel(Arc::new(snapshot));
    let clock: Clock = Arc::new(move || now);
    let metrics = Arc::new(Metrics::new(snapshots.clone(), Arc::clone(&clock)));
    Web { snapshots, clock, metrics }
}

/// One request.
pub(crate) async fn call(web: Web, method: Method, path: &str) -> Answer {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let response = web::router(web).oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    Answer { status: parts.status, headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

/// GET at the moment of the snapshot.
pub(crate) async fn get(snapshot: Snapshot, path: &str) -> Answer {
    get_later(snapshot, SignedDuration::ZERO, path).await
}

/// GET so long after the moment of the samples.
pub(crate) async fn get_later(snapshot: Snapshot, later: SignedDuration, path: &str) -> Answer {
    call(web(snapshot, sample::now() + later), Method::GET, path).await
}
