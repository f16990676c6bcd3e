//! How calls fail, and that they heal.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::future::ProvideCredentials as Provided;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use domain::{Failure, MetricSet, Source, SourceError};
use insta::assert_snapshot;
use poller::CloudWatch;

use super::fake::{Fake, Reply, page, queries, result};
use super::{SECRET, config, fixed_credentials, open, plan, request};

fn told(error: &SourceError) -> String {
    let hint = error.hint.as_deref().unwrap();
    let text = format!("{}: {}\n  hint: {hint}", error.failure.as_str(), error.message);
    assert!(!text.contains(SECRET));
    text
}

async fn failed(source: &CloudWatch) -> SourceError {
    source.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err()
}

#[tokio::test]
async fn what_the_service_says_becomes_a_failure_with_a_hint() {
    use Failure::{ClockSkew, Credentials, Denied, Malformed, Server, Throttled, Timeout};
    let mut texts = String::new();
    for (failure, attempts, status, code, text) in [
        (
            Denied,
            1,
            403,
            "AccessDenied",
            "User: arn:aws:iam::111122223333:user/x is not authorized to perform: cloudwatch:GetMetricData",
        ),
        (Denied, 1, 403, "AccessDeniedException", ""),
        (Denied, 1, 403, "OptInRequired", "The Region is not enabled"),
        (Credentials, 1, 403, "ExpiredToken", "The security token included in the request is expired"),
        (
            Credentials,
            1,
            403,
            "ExpiredTokenException",
            "The security token included in the request is expired",
        ),
        (
            Credentials,
            1,
            403,
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
        ),
        (
            Credentials,
            1,
            403,
            "InvalidClientTokenId",
            "The security token included in the request is invalid.",
        ),
        (Credentials, 1, 403, "SignatureDoesNotMatch", "The request signature we calculated does not match"),
        (
            ClockSkew,
            1,
            403,
            "SignatureDoesNotMatch",
            "Signature expired: 20261001T000000Z is now earlier than 20261001T001000Z",
        ),
        (
            ClockSkew,
            1,
            403,
            "InvalidSignatureException",
            "Signature not yet current: 20261001T001000Z is still later than 20261001T000000Z",
        ),
        (ClockSkew, 1, 400, "RequestExpired", "Request must be sent within 15 minutes"),
        (Throttled, 12, 400, "Throttling", "Rate exceeded"),
        (Throttled, 12, 400, "ThrottlingException", "Rate exceeded"),
        (Throttled, 4, 429, "SomethingElse", ""),
        (Timeout, 3, 400, "RequestTimeout", "too slow"),
        (Server, 3, 500, "InternalFailure", "oops"),
        (Server, 3, 503, "ServiceUnavailable", ""),
        (Malformed, 1, 400, "InvalidNextToken", "The token is not valid"),
        (Malformed, 1, 400, "ValidationError", "a\nlong\ttext"),
    ] {
        let fake = Fake::start(move |_| Reply::Error(status, code, text)).await;
        let error = failed(&open(&plan(fake.url())).await).await;
        assert_eq!(error.failure, failure, "{status} {code} {text}");
        assert_eq!(fake.calls().len(), attempts, "attempts after {status} {code}");
        writeln!(texts, "{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
}

#[tokio::test]
async fn what_is_not_cloudwatch_is_told() {
    let mut texts = String::new();
    for (failure, status, kind, text) in [
        (Failure::Malformed, 200, "text/html", "<html>log in</html>"),
        (Failure::Malformed, 200, "application/json", "{}"),
        (Failure::Malformed, 404, "text/plain", "no such page"),
        (Failure::Denied, 403, "text/plain", "the proxy says no"),
        (Failure::Throttled, 429, "text/plain", "slow down"),
        (Failure::Server, 502, "text/html", "<html>bad gateway</html>"),
    ] {
        let fake = Fake::start(move |_| Reply::Other(status, kind, text.to_owned())).await;
        let error = failed(&open(&plan(fake.url())).await).await;
        assert_eq!(error.failure, failure, "{status} {kind}: {error}");
        writeln!(texts, "{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
}

#[tokio::test]
async fn a_long_text_of_the_service_is_cut() {
    static LONG: &str = const {
        match str::from_utf8(&[b'x'; 5_000]) {
            Ok(text) => text,
            Err(_) => "",
        }
    };
    let fake = Fake::start(|_| Reply::Error(400, "ValidationError", LONG)).await;
    let error = failed(&open(&plan(fake.url())).await).await;
    assert!((300..400).contains(&error.message.len()), "{}", error.message.len());
}

#[tokio::test]
async fn a_call_is_tried_again_before_it_fails() {
    let fake = Fake::start(|call| match call.number {
        0 => Reply::Error(400, "Throttling", "Rate exceeded"),
        1 => Reply::Error(500, "InternalFailure", "oops"),
        _ => page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None),
    })
    .await;
    let answer = open(&plan(fake.url())).await.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
    assert_eq!((answer.calls, answer.billed_metrics), (1, 3));
}

#[tokio::test]
async fn a_source_heals_by_itself() {
    let down = std::sync::Arc::new(AtomicUsize::new(1));
    let fake = Fake::start({
        let down = std::sync::Arc::clone(&down);
        move |call| {
            if down.load(Ordering::Relaxed) == 1 {
                Reply::Error(
                    403,
                    "ExpiredTokenException",
                    "The security token included in the request is expired",
                )
            } else {
                page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
            }
        }
    })
    .await;
    let source = open(&plan(fake.url())).await;
    assert_eq!(failed(&source).await.failure, Failure::Credentials);
    down.store(0, Ordering::Relaxed);
    source.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
}

/// What a provider of credentials says when it is asked.
type Turn = fn() -> Result<Credentials, CredentialsError>;

/// Hands out what the test wrote down, the last of it again and again.
#[derive(Debug)]
struct Provider(Mutex<Vec<Turn>>);

impl Provider {
    fn of(turns: &[Turn]) -> SharedCredentialsProvider {
        SharedCredentialsProvider::new(Self(Mutex::new(turns.iter().rev().copied().collect())))
    }
}

impl ProvideCredentials for Provider {
    fn provide_credentials<'a>(&'a self) -> Provided<'a>
    where
        Self: 'a,
    {
        let mut turns = self.0.lock().unwrap();
        let turn = *turns.last().unwrap();
        if turns.len() > 1 {
            turns.pop();
        }
        Provided::ready(turn())
    }
}

fn key(name: &str, expires: Duration) -> Result<Credentials, CredentialsError> {
    Ok(Credentials::new(name, SECRET, None, Some(SystemTime::now() + expires), "test"))
}

#[tokio::test]
async fn without_credentials_nothing_is_called_and_it_heals_when_there_are_some() {
    let fake = Fake::start(|call| {
        page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
    })
    .await;
    let provider = Provider::of(&[
        || Err(CredentialsError::not_loaded("no providers in chain provided credentials")),
        || Err(CredentialsError::provider_error("the container endpoint answered 500")),
        || {
            Err(CredentialsError::provider_error(
                "AccessDenied: User x is not authorized to perform: sts:AssumeRole on role/otpsd",
            ))
        },
        || Err(CredentialsError::invalid_configuration("profile `prod` was not defined")),
        || key("AKIDLATE", Duration::from_secs(3_600)),
    ]);
    let source = CloudWatch::with_config(&plan(fake.url()), &config(provider)).await.remove(0);
    let mut texts = String::new();
    for failure in [Failure::Credentials, Failure::Credentials, Failure::Denied, Failure::Credentials] {
        let error = failed(&source).await;
        assert_eq!(error.failure, failure);
        let refused = if failure == Failure::Denied { "sts:AssumeRole" } else { "cloudwatch:GetMetricData" };
        assert_eq!(error.action.as_deref(), Some(refused));
        writeln!(texts, "{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
    assert!(fake.calls().is_empty());
    source.read(&request(&["a"], MetricSet::Decode)).await.unwrap();
}

#[tokio::test]
async fn credentials_that_expire_are_asked_for_again() {
    let fake = Fake::start(|call| {
        page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
    })
    .await;
    // The first key is about to expire when it is handed out.
    let provider = Provider::of(&[
        || key("AKIDOLD", Duration::from_secs(1)),
        || Err(CredentialsError::provider_error("the container endpoint answered 500")),
        || key("AKIDNEW", Duration::from_secs(3_600)),
    ]);
    let source = CloudWatch::with_config(&plan(fake.url()), &config(provider)).await.remove(0);
    let request = request(&["a"], MetricSet::Decode);
    source.read(&request).await.unwrap();
    assert_eq!(source.read(&request).await.unwrap_err().failure, Failure::Credentials);
    source.read(&request).await.unwrap();
    source.read(&request).await.unwrap();
}

#[tokio::test]
async fn a_profile_that_is_not_there_is_told_and_nothing_else_is_tried() {
    let fake = Fake::start(|_| Reply::Silence).await;
    let mut plan = plan(fake.url());
    plan.profile = Some("no-such-profile".to_owned());
    let source = CloudWatch::open_all(&plan).await.remove(0);
    let error = failed(&source).await;
    assert_eq!(error.failure, Failure::Credentials);
    let start = "GetMetricData of source `main` in us-east-1 failed: there are no credentials in the profile `no-such-profile`: ";
    assert!(error.message.starts_with(start), "{error}");
    assert!(fake.calls().is_empty());
}

#[tokio::test]
async fn the_keys_are_those_that_were_handed_in() {
    let fake = Fake::start(|_| Reply::Error(403, "AccessDenied", "")).await;
    let source = CloudWatch::with_config(&plan(fake.url()), &config(fixed_credentials())).await.remove(0);
    assert!(!format!("{source:?}").contains(SECRET));
    assert_eq!(failed(&source).await.failure, Failure::Denied);
}
