//! A receiver on loopback that remembers what it got and answers as it is told.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Response, Uri};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What was received.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    /// As text, whatever it was.
    pub(crate) body: String,
    pub(crate) bytes: Bytes,
}

/// What is answered.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Status, headers and body.
    With(u16, Vec<(&'static str, String)>, String),
    /// A body that need not be text.
    Bytes(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Nothing, ever.
    Silence,
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self::With(status, Vec::new(), String::new())
    }
}

/// A receiver that ends with the test.
pub(crate) struct Fake {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
    server: JoinHandle<()>,
}

impl Fake {
    /// Answers every request with what `answer` makes of it.
    pub(crate) async fn start(answer: impl Fn(&Received) -> Reply + Clone + Send + Sync + 'static) -> Self {
        let received = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&received);
        let app =
            Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, bytes: Bytes| {
                let (memory, answer) = (Arc::clone(&memory), answer.clone());
                async move {
                    let body = String::from_utf8_lossy(&bytes).into_owned();
                    let request = Received { method, target: uri.to_string(), headers, body, bytes };
                    let reply = answer(&request);
                    memory.lock().unwrap().push(request);
                    let (status, headers, body) = match reply {
                        Reply::With(status, headers, body) => (status, headers, Body::from(body)),
                        Reply::Bytes(status, headers, body) => (status, headers, Body::from(body)),
                        Reply::Silence => std::future::pending().await,
                    };
                    let mut response = Response::builder().status(status);
                    for (name, value) in headers {
                        response = response.header(name, value);
                    }
                    response.body(body).unwrap()
                }
            });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, received, server }
    }

    /// What was received so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// An address on loopback where nobody listens.
pub(crate) async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}
