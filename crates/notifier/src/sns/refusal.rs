//! What an error of SNS means for the outbox.
//!
//! Source: SNS API reference, Publish and common errors; the code decides, never the wording.

use std::error::Error;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_sns::config::http::HttpResponse;
use aws_sdk_sns::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sns::operation::publish::PublishError;
use domain::{DeliveryError, Retry};

use crate::cut;

/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 300;

/// An error of one attempt.
pub(super) fn refusal(
    error: &SdkError<PublishError, HttpResponse>,
    channel: &str,
    topic: &str,
) -> DeliveryError {
    let (retry, why, hint) = match error {
        SdkError::ServiceError(context) => {
            let status = context.raw().status().as_u16();
            answered(context.err(), status, channel, topic)
        }
        SdkError::TimeoutError(_) => (Retry::Backoff, "no answer in time".to_owned(), Some(network())),
        _ if lacks_credentials(error) => {
            (Retry::Backoff, format!("no credentials: {}", deepest(error)), Some(credentials(channel)))
        }
        SdkError::ConstructionFailure(_) => (
            Retry::Never,
            format!("the request could not be made: {}", deepest(error)),
            Some(format!("look at `topic-arn` and `endpoint-url` of [channel.{channel}]")),
        ),
        SdkError::ResponseError(_) => (
            Retry::Backoff,
            format!("the answer cannot be understood: {}", deepest(error)),
            Some(format!("look at `endpoint-url` of [channel.{channel}], and at what stands between")),
        ),
        _ => (Retry::Backoff, deepest(error), Some(network())),
    };
    let why = cut::at_word(&cut::one_line(&why), REASON_CHARACTERS);
    DeliveryError { retry, message: format!("publishing to {topic} for {channel}: {why}"), hint }
}

/// SNS answered.
fn answered(
    error: &PublishError,
    status: u16,
    channel: &str,
    topic: &str,
) -> (Retry, String, Option<String>) {
    let code = error.code().unwrap_or("no code");
    let why = match error.message() {
        Some(message) => format!("{code}: {message}"),
        None => format!("{code}, status {status}"),
    };
    match code {
        "NotFound" => (
            Retry::Never,
            why,
            Some(format!("create the topic, or correct `topic-arn` of [channel.{channel}]")),
        ),
        "AuthorizationError" | "AccessDenied" | "AccessDeniedException" => (
            Retry::Never,
            why,
            Some(format!(
                "allow sns:Publish on {topic} in the policy of the daemon's role, and in that of the topic"
            )),
        ),
        code if code.starts_with("KMS") && code != "KMSThrottling" => (
            Retry::Never,
            why,
            Some(format!(
                "allow kms:GenerateDataKey and kms:Decrypt on the key that encrypts {topic}, and see that the key is \
                 enabled"
            )),
        ),
        "InvalidParameter"
        | "InvalidParameterValue"
        | "ParameterValueInvalid"
        | "ValidationException"
        | "ValidationError" => (
            Retry::Never,
            why,
            Some(format!("see that {topic} is a standard topic of this Region, as `topic-arn` says")),
        ),
        // What is wrong with a signature is said with the whole request, and that holds a session token.
        "ExpiredToken"
        | "ExpiredTokenException"
        | "InvalidClientTokenId"
        | "UnrecognizedClientException"
        | "SignatureDoesNotMatch"
        | "IncompleteSignature"
        | "MissingAuthenticationToken"
        | "InvalidSecurity"
        | "InvalidAccessKeyId" => {
            (Retry::Backoff, format!("{code}, status {status}"), Some(credentials(channel)))
        }
        "RequestExpired" | "RequestTimeTooSkewed" => (
            Retry::Backoff,
            format!("{code}, status {status}"),
            Some("set the clock of this machine".to_owned()),
        ),
        _ => (Retry::Backoff, why, None),
    }
}

fn credentials(channel: &str) -> String {
    format!(
        "see that the AWS credentials of this machine are there and have not expired, and that `profile` of \
         [channel.{channel}] names the right ones"
    )
}

fn network() -> String {
    "see that the network lets this machine reach SNS, by proxy, endpoint or directly".to_owned()
}

fn lacks_credentials(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(<dyn Error>::is::<CredentialsError>)
}

/// The innermost cause: what the ones around it say is that something failed.
fn deepest(error: &(dyn Error + 'static)) -> String {
    causes(error).last().map_or_else(|| error.to_string(), ToString::to_string)
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}
