//! Answers that do not arrive as they should.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Response, StatusCode};
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
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
    let half = Half { rest: whole.slice(..whole.len() / 2), pauses: 1 };
    Response::from_parts(parts, Body::from_stream(ReaderStream::new(half)))
}

/// Bytes, and then the end. Between them it lets the server send what it has so far, headers and all: it does when a
/// body keeps it waiting, and not when the body has broken.
struct Half {
    rest: Bytes,
    pauses: u8,
}

impl AsyncRead for Half {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let length = buffer.remaining().min(self.rest.len());
        if length > 0 {
            buffer.put_slice(&self.rest.split_to(length));
            return Poll::Ready(Ok(()));
        }
        if self.pauses > 0 {
            self.pauses -= 1;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
    }
}

/// An answer that is none, with status 200.
pub(crate) fn portal() -> Response<Body> {
    let mut response = Response::new(Body::from(PORTAL));
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// No answer: the connection is closed without a byte. The body fails before its first one, and the server has not sent
/// the headers by then.
pub(crate) fn hang_up() -> Response<Body> {
    Response::new(Body::from_stream(ReaderStream::new(Broken)))
}

struct Broken;

impl AsyncRead for Broken {
    fn poll_read(
        self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        _buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
    }
}
