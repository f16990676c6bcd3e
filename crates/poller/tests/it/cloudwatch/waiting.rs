//! Services that are slow, silent or gone.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use domain::{Failure, MetricSet, Source};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::fake::{Fake, Reply, page, queries, result};
use super::{open, open_all, plan, request};

/// How long an attempt may take in these tests.
const PATIENCE: Duration = Duration::from_millis(300);

/// A socket whose connections are treated by `treat` after a request has begun to arrive.
async fn socket<F: Future<Output = ()> + Send + 'static>(
    treat: impl Fn(TcpStream) -> F + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let mut request = [0; 1_024];
            if connection.read(&mut request).await.is_ok() {
                tokio::spawn(treat(connection));
            }
        }
    });
    address
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nsmithy-protocol: rpc-v2-cbor\r\ncontent-type: application/cbor\r\ncontent-length: 9000\r\n\r\n";

async fn failure_at(address: SocketAddr) -> (Failure, String, Duration) {
    let mut plan = plan(format!("http://{address}"));
    plan.attempt_timeout = PATIENCE;
    let started = Instant::now();
    let error = open(&plan).await.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    let what = error.message.strip_prefix("GetMetricData of source `main` in us-east-1 failed: ").unwrap();
    (error.failure, what.to_owned(), started.elapsed())
}

/// Attempts that are given up one after another; a busy machine may take a while for it.
fn soon(elapsed: Duration) -> bool {
    elapsed >= PATIENCE && elapsed < Duration::from_secs(15)
}

#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let fake = Fake::start(|_| Reply::Silence).await;
    let address = fake.url().trim_start_matches("http://").parse().unwrap();
    let (failure, what, elapsed) = failure_at(address).await;
    assert_eq!(failure, Failure::Timeout);
    assert_eq!(what, "operation attempt timeout (single attempt) occurred after 300ms");
    assert!(soon(elapsed), "{elapsed:?}");
    assert!((1..=3).contains(&fake.calls().len()));
}

#[tokio::test]
async fn a_service_that_trickles_is_given_up() {
    let address = socket(|mut connection| async move {
        let _ = connection.write_all(HEAD).await;
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        while connection.write_all(b"\xa0").await.is_ok() {
            tick.tick().await;
        }
    })
    .await;
    let (failure, what, elapsed) = failure_at(address).await;
    assert_eq!(failure, Failure::Timeout);
    assert_eq!(what, "operation attempt timeout (single attempt) occurred after 300ms");
    assert!(soon(elapsed), "{elapsed:?}");
}

#[tokio::test]
async fn a_connection_that_breaks_off_is_of_the_network() {
    let in_the_body = socket(|mut connection| async move {
        let _ = connection.write_all(HEAD).await;
    })
    .await;
    assert_eq!(failure_at(in_the_body).await.0, Failure::Network);
    let before_the_head = socket(|connection| async move { drop(connection) }).await;
    assert_eq!(failure_at(before_the_head).await.0, Failure::Network);
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_of_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (failure, what, _) = failure_at(address).await;
    assert_eq!(failure, Failure::Network);
    assert_eq!(
        what,
        "io error: client error (Connect): tcp connect error: Connection refused (os error 111)"
    );

    // STS may be out of reach where CloudWatch is not, and can be done without.
    let mut plan = plan(format!("http://{address}"));
    plan.account_id = None;
    let error = open(&plan).await.account().await.unwrap_err();
    assert_eq!(error.failure, Failure::Network);
    assert!(error.hint.unwrap().starts_with("give the source its `account-id`"));
}

#[tokio::test]
async fn an_address_that_is_none_is_of_the_network() {
    let source = open(&plan("not an address".to_owned())).await;
    let error = source.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    assert_eq!(error.failure, Failure::Network);
    assert!(error.message.ends_with("failed to apply endpoint `not an address`"), "{error}");
}

#[tokio::test]
async fn a_region_that_hangs_holds_up_no_other_and_heals() {
    let hangs = Arc::new(AtomicBool::new(true));
    let fake = Fake::start({
        let hangs = Arc::clone(&hangs);
        move |call| {
            if queries(call)[0].model == "slow" && hangs.load(Ordering::Relaxed) {
                return Reply::Silence;
            }
            page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
        }
    })
    .await;
    let mut plan = plan(fake.url());
    plan.attempt_timeout = PATIENCE;
    plan.regions = vec!["us-east-1".to_owned(), "eu-west-1".to_owned()];
    let sources = open_all(&plan).await;
    let (slow, quick) = (request(&["slow"], MetricSet::Decode), request(&["quick"], MetricSet::Decode));
    let started = Instant::now();
    let hung = async { (sources[0].read(&slow).await, started.elapsed()) };
    let answered = async { (sources[1].read(&quick).await, started.elapsed()) };
    let ((hung, given_up), (answered, quickly)) = tokio::join!(hung, answered);
    answered.unwrap();
    assert!(quickly < given_up, "{quickly:?} and {given_up:?}");
    assert_eq!(hung.unwrap_err().failure, Failure::Timeout);
    hangs.store(false, Ordering::Relaxed);
    sources[0].read(&slow).await.unwrap();
}

#[tokio::test]
async fn connections_that_were_given_up_are_closed() {
    let open_now = Arc::new(AtomicUsize::new(0));
    let address = socket({
        let open_now = Arc::clone(&open_now);
        move |mut connection| {
            let open_now = Arc::clone(&open_now);
            async move {
                open_now.fetch_add(1, Ordering::Relaxed);
                let mut rest = [0; 1_024];
                while connection.read(&mut rest).await.is_ok_and(|read| read > 0) {}
                open_now.fetch_sub(1, Ordering::Relaxed);
            }
        }
    })
    .await;
    let mut plan = plan(format!("http://{address}"));
    plan.attempt_timeout = Duration::from_millis(20);
    let source = open(&plan).await;
    for _ in 0..10 {
        let error = source.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
        assert_eq!(error.failure, Failure::Timeout);
    }
    let closed = async {
        while open_now.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), closed).await.expect("connections stay open");
}
