//! The routes. Every answer is a rendering of the newest snapshot: nothing here asks a peer or decides anything.

use std::fmt;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use jiff::Timestamp;
use tokio::sync::watch;

use crate::headers::{Headers, TEXT};
use crate::metrics::{Metrics, OPEN_METRICS};
use crate::page::{Absent, Fleet, One, Root};
use crate::ready::Readiness;
use crate::snapshot::Snapshot;
use crate::{Clock, api};

/// What the routes need.
#[derive(Clone)]
pub struct Web {
    /// The newest snapshot.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
    /// The clock that [`Snapshot::now`] is of.
    pub clock: Clock,
    /// What `/metrics` shows.
    pub metrics: Arc<Metrics>,
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").finish_non_exhaustive()
    }
}

impl Web {
    /// The newest snapshot, and the time at which it is looked at. A clock that was set back does not make it younger
    /// than it is.
    fn look(&self) -> (Arc<Snapshot>, Timestamp) {
        let snapshot = Arc::clone(&self.snapshots.borrow());
        let now = (self.clock)().max(snapshot.now);
        (snapshot, now)
    }
}

/// All routes, for GET and HEAD; any other method is answered with 405.
pub fn router(web: Web) -> Router {
    let headers = Headers::new();
    Router::new()
        .route("/", get(fleet))
        .route("/series/{*id}", get(one))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .route("/api/v1/series", get(api_series))
        .route("/api/v1/series/{*id}", get(api_one))
        .route("/api/v1/incidents", get(api_incidents))
        .route("/api/v1/pages", get(api_pages))
        .route("/api/v1/silences", get(api_silences))
        .route("/api/v1/audit", get(api_audit))
        .fallback(absent)
        .with_state(web)
        .layer(middleware::from_fn(move |request, next| headers.clone().wrap(request, next)))
}

async fn fleet(State(web): State<Web>, uri: Uri) -> Response {
    let (snapshot, now) = web.look();
    page(StatusCode::OK, &Fleet::new(&snapshot, Root::from(uri.path()), now))
}

async fn one(State(web): State<Web>, uri: Uri, Path(id): Path<String>) -> Response {
    let (snapshot, now) = web.look();
    let root = Root::from(uri.path());
    match snapshot.series_by_id(&id) {
        Some(status) => page(StatusCode::OK, &One::new(&snapshot, status, root, now)),
        None => {
            let what = format!("No series “{id}” is watched.");
            page(StatusCode::NOT_FOUND, &Absent::new(&snapshot, what, root, now))
        }
    }
}

async fn absent(State(web): State<Web>, uri: Uri) -> Response {
    let (snapshot, now) = web.look();
    let what = "There is no such page.".to_owned();
    page(StatusCode::NOT_FOUND, &Absent::new(&snapshot, what, Root::from(uri.path()), now))
}

fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            [(CONTENT_TYPE, TEXT)],
            format!("the page could not be rendered: {error}\n"),
        )
            .into_response(),
    }
}

/// Alive: the process answers. Nothing else counts, so that nobody restarts a daemon because a peer is down.
async fn healthz(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::Health::new(&snapshot, now)).into_response()
}

/// Ready: it polls, judges, can write, and its pages get through.
async fn readyz(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    let readiness = Readiness::of(&snapshot, now);
    let (status, mut text) = match readiness.is_ready() {
        true => (StatusCode::OK, "ready".to_owned()),
        false => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("not ready:\n- {}", readiness.reasons.join("\n- ")))
        }
    };
    for notice in &readiness.notices {
        text.push_str("\nnotice: ");
        text.push_str(notice);
    }
    text.push('\n');
    (status, [(CONTENT_TYPE, TEXT)], text).into_response()
}

async fn metrics(State(web): State<Web>) -> Response {
    match web.metrics.encode() {
        Ok(text) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            [(CONTENT_TYPE, TEXT)],
            format!("the metrics could not be written: {error}\n"),
        )
            .into_response(),
    }
}

async fn api_series(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::SeriesList::new(&snapshot, now)).into_response()
}

async fn api_one(State(web): State<Web>, Path(id): Path<String>) -> Response {
    let (snapshot, now) = web.look();
    match snapshot.series_by_id(&id) {
        Some(status) => Json(api::SeriesDetail::new(&snapshot, status, now)).into_response(),
        None => {
            let problem = api::Problem {
                error: format!("no series `{id}` is watched"),
                hint: "GET /api/v1/series lists the ids of all",
            };
            (StatusCode::NOT_FOUND, Json(problem)).into_response()
        }
    }
}

async fn api_incidents(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::IncidentList::new(&snapshot, now)).into_response()
}

async fn api_pages(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::PageList::new(&snapshot, now)).into_response()
}

async fn api_silences(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::SilenceList::new(&snapshot, now)).into_response()
}

async fn api_audit(State(web): State<Web>) -> Response {
    let (snapshot, now) = web.look();
    Json(api::AuditList::new(&snapshot, now)).into_response()
}
