//! Receivers that take a message and do not say so, or neither.

use std::time::Duration;

use simulator::loopback::{Fault, FaultRule, Loopback, Refusal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::messages::sns;
use crate::scenario;

/// Every byte that a receiver sends back before it closes the connection.
async fn answer_of(loopback: &Loopback) -> String {
    let address = loopback.url().trim_start_matches("http://").to_owned();
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(b"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}").await.unwrap();
    let mut answer = Vec::new();
    // A connection that is reset ends as one that is closed.
    let _ = socket.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_connection_is_closed_without_a_byte() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    loopback.faults().set([FaultRule::new(Fault::HangUp)]);
    assert_eq!(answer_of(&loopback).await, "");
    assert!(loopback.webhook_requests().is_empty(), "it was not taken");
    loopback.faults().set([FaultRule::new(Fault::LoseReply)]);
    assert_eq!(answer_of(&loopback).await, "");
    assert_eq!(loopback.webhook_requests().len(), 1, "it was taken");
    let calls = loopback.recent_calls();
    assert_eq!([calls[0].status, calls[1].status], [0, 200], "what was said, though nobody heard it");
}

#[tokio::test]
async fn an_answer_can_break_off() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    loopback.faults().set([FaultRule::new(Fault::CutReply)]);
    let answer = answer_of(&loopback).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    // Half of {"signature":"not-expected"}, which has 28 bytes.
    assert!(answer.ends_with("\r\n\r\n{\"signature\":\""), "{answer}");
    assert!(answer.contains("content-length: 29\r\n"), "{answer}");
    assert_eq!(loopback.webhook_requests().len(), 1);
}

#[tokio::test]
async fn what_is_answered_too_late_was_taken() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let http = reqwest::Client::builder().timeout(Duration::from_millis(200)).build().unwrap();
    let send = || http.post(format!("{}/webhook", loopback.url())).body("{}").send();
    loopback.faults().set([FaultRule::new(Fault::SlowReply { milliseconds: 60_000 })]);
    assert!(send().await.unwrap_err().is_timeout());
    assert_eq!(loopback.webhook_requests().len(), 1);
    loopback.faults().set([FaultRule::new(Fault::Slow { milliseconds: 60_000 })]);
    assert!(send().await.unwrap_err().is_timeout());
    assert_eq!(loopback.webhook_requests().len(), 1, "what is only slow is not taken before its time");
    loopback.faults().clear();
    assert_eq!(send().await.unwrap().status(), 200);
    assert_eq!(loopback.webhook_requests().len(), 2, "to try again is to say it twice");
}

#[tokio::test]
async fn something_in_between_answers() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    loopback.faults().set([FaultRule::new(Fault::Status { code: 503, retry_after_seconds: Some(7) })]);
    let answer = reqwest::get(format!("{}/webhook", loopback.url())).await.unwrap();
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (503, &"7".parse().unwrap()));
    assert_eq!(answer.text().await.unwrap(), "upstream answered 503");
    assert!(loopback.webhook_requests().is_empty());
    let topic = "arn:aws:sns:us-east-1:111122223333:llm-pages";
    let error = sns(&loopback.url()).publish().topic_arn(topic).message("m").send().await.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 503);
}

#[tokio::test]
async fn the_key_of_a_topic_can_be_out_of_reach() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let topic = "arn:aws:sns:us-east-1:111122223333:llm-pages";
    let publish = sns(&loopback.url()).publish().topic_arn(topic).message("m");
    loopback.faults().set([FaultRule::new(Fault::Refuse(Refusal::KmsAccessDenied)).times(1)]);
    let error = publish.clone().send().await.unwrap_err().into_service_error();
    assert!(error.is_kms_access_denied_exception(), "{error:?}");
    loopback.faults().set([FaultRule::new(Fault::Refuse(Refusal::KmsDisabled)).times(1)]);
    let error = publish.clone().send().await.unwrap_err().into_service_error();
    assert!(error.is_kms_disabled_exception(), "{error:?}");
    publish.send().await.unwrap();
    assert_eq!(loopback.sns_messages().len(), 1);
}
