//! Services that are slow, silent or gone.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::{Failure, MetricSet, Source};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::fake::{Fake, Reply, page, queries, result};
use super::{open, open_all, plan, request};

/// How long an attempt may take in these tests.
const PATIENCE: Duration = Duration::from_millis(150);

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
    let error = open(&plan).read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    let what = error.message.strip_prefix("GetMetricData of source `main` in us-east-1 failed: ").unwrap();
    (error.failure, what.to_owned(), started.elapsed())
}

/// Three attempts that are given up in time, and the short waits between them.
fn soon(elapsed: Duration) -> bool {
    elapsed >= PATIENCE && elapsed < PATIENCE * 20
}

#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let fake = Fake::start(|_| Reply::Silence).await;
    let address = fake.url().trim_start_matches("http://").parse().unwrap();
    let (failure, what, elapsed) = failure_at(address).await;
    assert_eq!(failure, Failure::Timeout);
    assert_eq!(what, "operation attempt timeout (single attempt) occurred after 150ms");
    assert!(soon(elapsed), "{elapsed:?}");
    assert_eq!(fake.calls().len(), 3);
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
    assert_eq!(what, "operation attempt timeout (single attempt) occurred after 150ms");
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
}

#[tokio::test]
async fn a_name_that_is_none_is_of_the_network() {
    let mut plan = plan("http://nobody.invalid:1".to_owned());
    plan.attempt_timeout = Duration::from_secs(2);
    let error = open(&plan).read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    assert!(matches!(error.failure, Failure::Network | Failure::Timeout), "{error}");
    plan.endpoint_url = Some("not an address".to_owned());
    let error = open(&plan).read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
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
    let sources = open_all(&plan);
    let (slow, quick) = (request(&["slow"], MetricSet::Decode), request(&["quick"], MetricSet::Decode));
    let started = Instant::now();
    let answered = async {
        sources[1].read(&quick).await.unwrap();
        started.elapsed()
    };
    let (hung, answered) = tokio::join!(sources[0].read(&slow), answered);
    assert!(answered < PATIENCE, "{answered:?}");
    assert_eq!(hung.unwrap_err().failure, Failure::Timeout);
    hangs.store(false, Ordering::Relaxed);
    sources[0].read(&slow).await.unwrap();
}
