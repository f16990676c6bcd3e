//! The listener and its server outlive the daemon that they show: while another one begins in the same process, whoever looks sees
//! the one before.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower::{ServiceExt as _, service_fn};

/// How long connections may take to end.
const LONGEST_END: Duration = Duration::from_millis(500);

/// A server. It ends when it is dropped.
pub(crate) struct Served {
    on: SocketAddr,
    address: SocketAddr,
    routers: watch::Sender<Router>,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Served {
    /// Listens, or takes over what already listens there. Nobody is answered before there is something to show.
    pub(crate) async fn open(on: SocketAddr, before: Option<Arc<Self>>) -> io::Result<Arc<Self>> {
        if let Some(before) = before.filter(|before| before.on == on) {
            return Ok(before);
        }
        let listener = TcpListener::bind(on).await?;
        let address = listener.local_addr()?;
        let (routers, shown) = watch::channel(Router::new());
        let stop = CancellationToken::new();
        let task = tokio::spawn(serve(listener, shown, stop.clone()));
        Ok(Arc::new(Self { on, address, routers, stop, task: Mutex::new(Some(task)) }))
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers by `router` from now on.
    pub(crate) fn show(&self, router: Router) {
        drop(self.routers.send_replace(router));
    }

    /// Answers what was asked, and ends.
    pub(crate) async fn end(&self) {
        self.stop.cancel();
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut task) = task else { return };
        if tokio::time::timeout(LONGEST_END, &mut task).await.is_err() {
            task.abort();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn serve(listener: TcpListener, mut shown: watch::Receiver<Router>, stop: CancellationToken) {
    tokio::select! {
        changed = shown.changed() => if changed.is_err() { return },
        () = stop.cancelled() => return,
    }
    let newest = service_fn(move |request: Request| {
        let router = shown.borrow().clone();
        router.oneshot(request)
    });
    let app = Router::new().fallback_service(newest);
    let served = axum::serve(listener, app).with_graceful_shutdown(stop.cancelled_owned());
    if let Err(error) = served.await {
        tracing::error!(%error, "the status page is not served any more");
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::*;

    async fn ask(connection: &mut TcpStream) -> String {
        connection.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut answer = vec![0; 1_024];
        let length = connection.read(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer[..length]).into_owned()
    }

    fn says(what: &'static str) -> Router {
        Router::new().route("/", get(move || async move { what }))
    }

    #[tokio::test]
    async fn a_connection_goes_on_to_what_is_shown_next() {
        let on = "127.0.0.1:0".parse().unwrap();
        let first = Served::open(on, None).await.unwrap();
        // It waits until there is something to show.
        let mut connection = TcpStream::connect(first.address()).await.unwrap();
        first.show(says("first"));
        assert!(ask(&mut connection).await.ends_with("first"));
        let next = Served::open(on, Some(Arc::clone(&first))).await.unwrap();
        assert!(Arc::ptr_eq(&first, &next));
        assert!(ask(&mut connection).await.ends_with("first"), "the one before is shown until then");
        next.show(says("next"));
        assert!(ask(&mut connection).await.ends_with("next"));
        next.end().await;
        assert!(TcpStream::connect(next.address()).await.is_err(), "nobody listens any more");
    }

    #[tokio::test]
    async fn another_address_is_another_server_and_the_one_before_ends_with_it() {
        let first = Served::open("127.0.0.1:0".parse().unwrap(), None).await.unwrap();
        first.show(says("first"));
        let taken = Served::open(first.address(), Some(Arc::clone(&first))).await;
        assert!(taken.is_err(), "a port that is asked for by number is not the one that was found");
        let address = first.address();
        let other = Served::open("[::1]:0".parse().unwrap(), Some(first)).await.unwrap();
        other.show(says("other"));
        assert!(ask(&mut TcpStream::connect(other.address()).await.unwrap()).await.ends_with("other"));
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    }
}
