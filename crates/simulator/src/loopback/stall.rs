//! Answers that do not arrive as they should.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Response, StatusCode};
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;

/// A page that some login portal in between would give.
const PORTAL: &str =
    "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>";

/// The headers of an answer, then a byte from time to time until the client gives up or the loopback stops.
pub(crate) fn trickle(pause: Duration, stop: CancellationToken) -> Response<Body> {
    let (mut writer, reader) = tokio::io::duplex(1);
    tokio::spawn(async move {
        let bytes = async {
            while writer.write_all(b" ").await.is_ok() {
                tokio::time::sleep(pause).await;
            }
        };
        tokio::select! {
            () = bytes => {}
            () = stop.cancelled() => {}
        }
    });
    let mut response = Response::new(Body::from_stream(ReaderStream::new(reader)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Half of an answer: the headers promise the whole, and the connection breaks before its end.
pub(crate) async fn cut(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    // One byte more than there is keeps the promise broken even for an empty answer.
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(whole.len() as u64 + 1));
    let half = ReaderStream::new(std::io::Cursor::new(whole.slice(..whole.len() / 2)));
    Response::from_parts(parts, Body::from_stream(half))
}

/// An answer that is none, with status 200.
pub(crate) fn portal() -> Response<Body> {
    let mut response = Response::new(Body::from(PORTAL));
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}
