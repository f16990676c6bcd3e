//! A CloudWatch that says that it is asked too often.

use domain::{Failure, MetricSet, Source};
use poller::Quotas;

use super::fake::{Call, Fake, Reply, page, queries, result};
use super::{ACCOUNT, open, plan, request};

fn answered(call: &Call) -> Reply {
    page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
}

fn throttled() -> Reply {
    Reply::Error(400, "ThrottlingException", "Rate exceeded")
}

/// Each attempt is counted, also those that the SDK makes by itself, and everything slows down.
#[tokio::test]
async fn a_call_takes_another_turn_at_half_the_pace() {
    let fake = Fake::start(|call| if call.number < 5 { throttled() } else { answered(call) }).await;
    let quotas = Quotas::default();
    let source = open(&plan(fake.url())).await.within(&quotas);
    let answer = source.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
    assert_eq!((answer.calls, answer.billed_metrics), (1, 3), "what was throttled is not billed");
    let paces = quotas.paces();
    let [pace] = &paces[..] else { panic!("{paces:?}") };
    assert_eq!((pace.account.as_str(), pace.region.as_str(), pace.throttled), (ACCOUNT, "us-east-1", 5));
    // One cut, since it was all within a second, and a little of it is back.
    assert!((0.5..0.6).contains(&pace.share), "{pace:?}");
    assert_eq!(fake.calls().len(), 6);
}

#[tokio::test]
async fn a_call_that_is_always_throttled_is_given_up() {
    let fake = Fake::start(|_| throttled()).await;
    let source = open(&plan(fake.url())).await;
    let error = source.discover().await.unwrap_err();
    assert_eq!(error.failure, Failure::Throttled);
    assert_eq!(
        error.message,
        "ListMetrics of source `main` in us-east-1 failed: ThrottlingException: Rate exceeded"
    );
    assert_eq!(fake.calls().len(), 12, "four turns of three attempts");
}

/// Two sources may be of one account, each with some of its models.
#[tokio::test]
async fn sources_of_one_account_share_its_pace() {
    let fake = Fake::start(answered).await;
    let quotas = Quotas::default();
    for _ in 0..2 {
        let source = open(&plan(fake.url())).await.within(&quotas);
        source.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
    }
    assert_eq!(quotas.paces().len(), 1);
    assert_eq!(quotas.paces()[0].share, 1.0);
}

/// By itself the SDK gives all sources of a Region one purse that pays for further attempts. Here one source's is empty.
#[tokio::test]
async fn a_source_that_is_throttled_takes_no_attempts_from_others() {
    let fake = Fake::start(|_| throttled()).await;
    let mut of_other = plan(fake.url());
    of_other.name = "other".to_owned();
    let other = open(&of_other).await;
    // Four turns with two further attempts each are 40 tokens of 500.
    for _ in 0..14 {
        other.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    }
    assert!(fake.calls().len() < 14 * 12, "its purse is empty");
    let oops = || Reply::Error(500, "InternalFailure", "oops");
    let fake = Fake::start(move |call| if call.number < 2 { oops() } else { answered(call) }).await;
    let source = open(&plan(fake.url())).await;
    source.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
    assert_eq!(fake.calls().len(), 3, "this one's is not");
}
