//! What goes wrong, as the SDK meets it.

use std::time::Duration;

use aws_sdk_cloudwatch::error::{ProvideErrorMetadata, SdkError};
use simulator::loopback::{Fault, FaultRule, Loopback, Refusal};

use crate::cases::client;
use crate::messages::sns;
use crate::scenario::{self, KEY_A};

#[tokio::test]
async fn refusals_have_the_codes_of_aws() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let client = client(&loopback.url(), KEY_A, "us-east-1");
    for (fault, status, code) in [
        (Fault::Throttle { retry_after_seconds: None }, 400, "ThrottlingException"),
        (Fault::Refuse(Refusal::Internal), 500, "InternalFailure"),
        (Fault::Refuse(Refusal::Unavailable), 503, "ServiceUnavailable"),
        (Fault::Refuse(Refusal::Denied), 403, "AccessDeniedException"),
        (Fault::Refuse(Refusal::ExpiredToken), 403, "ExpiredTokenException"),
        (Fault::Refuse(Refusal::UnknownKey), 403, "UnrecognizedClientException"),
        (Fault::Refuse(Refusal::ClockSkew), 403, "InvalidSignatureException"),
    ] {
        loopback.faults().set([FaultRule::new(fault)]);
        let error = client.list_metrics().send().await.unwrap_err();
        assert_eq!(error.raw_response().unwrap().status().as_u16(), status);
        assert_eq!(error.into_service_error().code(), Some(code));
    }
}

#[tokio::test]
async fn what_never_comes_is_given_up_by_the_client_and_ends_with_the_services() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let http = reqwest::Client::builder().timeout(Duration::from_millis(200)).build().unwrap();
    for fault in [Fault::Hang, Fault::Trickle { milliseconds: 60_000 }, Fault::Slow { milliseconds: 60_000 }]
    {
        loopback.faults().set([FaultRule::new(fault.clone())]);
        let send = async {
            http.post(format!("{}/v2/enqueue", loopback.url())).body("{}").send().await?.bytes().await
        };
        assert!(send.await.unwrap_err().is_timeout(), "{fault:?}");
    }
    // A client with more patience is let go when the services stop.
    loopback.faults().set([FaultRule::new(Fault::Hang)]);
    let waiting =
        tokio::spawn(reqwest::Client::new().post(format!("{}/v2/enqueue", loopback.url())).body("{}").send());
    let arrived = loopback.recent_calls().len();
    loopback.wait_until(|loopback| loopback.recent_calls().len() > arrived).await;
    tokio::time::timeout(Duration::from_secs(4), loopback.shutdown()).await.unwrap();
    assert!(waiting.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_lost_reply_was_a_message_all_the_same() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    loopback.faults().add(FaultRule::new(Fault::LoseReply).times(1));
    let publish =
        sns(&loopback.url()).publish().topic_arn("arn:aws:sns:us-east-1:111122223333:llm-pages").message("m");
    let error = publish.clone().send().await.unwrap_err();
    assert!(!matches!(error, SdkError::ServiceError(_)), "{error:?}");
    assert_eq!(loopback.sns_messages().len(), 1);
    publish.send().await.unwrap();
    assert_eq!(loopback.sns_messages().len(), 2, "to try again is to say it twice");
}

#[tokio::test]
async fn a_page_in_html_is_no_answer() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    loopback.faults().add(Fault::Malformed);
    let error = client(&loopback.url(), KEY_A, "us-east-1").list_metrics().send().await.unwrap_err();
    assert_eq!(error.into_service_error().code(), None);
}

#[tokio::test]
async fn dropping_closes_the_port() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let url = loopback.url();
    let client = client(&url, KEY_A, "us-east-1");
    client.list_metrics().send().await.unwrap();
    drop(loopback);
    // The connection that is kept for reuse is closed too.
    let error = tokio::time::timeout(Duration::from_secs(5), async {
        loop {
            if let Err(error) = client.list_metrics().send().await {
                return error;
            }
            tokio::task::yield_now().await;
        }
    });
    assert!(matches!(error.await.unwrap(), SdkError::DispatchFailure(_)));
}
