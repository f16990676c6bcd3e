//! What every channel that calls AWS does alike: whose credentials are used, and what an error means where the service itself has
//! nothing special to say.
//!
//! The code of an error decides, never its wording. Source: the common errors of the AWS APIs.

use std::error::Error;

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_credential_types::provider::error::CredentialsError;
// The same types in every crate of the SDK.
use aws_sdk_sns::config::http::HttpResponse;
use aws_sdk_sns::error::{ProvideErrorMetadata, SdkError};
use domain::{DeliveryError, Retry};

use crate::cut;
use crate::open::Timeouts;

/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 300;
/// A longer word of letters, digits, `+`, `/` and `=` is no name: session tokens and signatures are.
const LONGEST_WORD: usize = 63;

/// What a channel of AWS is called with.
pub(crate) struct Caller<'a> {
    /// Where the service is called.
    pub(crate) region: &'a str,
    /// A profile of the shared AWS files: the only place that credentials then come from.
    pub(crate) profile: Option<&'a str>,
    /// Credentials in place of any that would be found.
    pub(crate) credentials: Option<SharedCredentialsProvider>,
}

impl Caller<'_> {
    /// Reads the AWS configuration of this machine; nothing is sent, and no credentials are asked for yet.
    pub(crate) async fn config(&self) -> SdkConfig {
        let region = Region::new(self.region.to_owned());
        let mut loader = aws_config::defaults(BehaviorVersion::latest()).region(region.clone());
        if let Some(profile) = self.profile {
            // The ordinary chain looks at the environment before it looks at a profile, even at one that was asked for by name:
            // it would call with the credentials of another account.
            let credentials = ProfileFileCredentialsProvider::builder()
                .configure(&ProviderConfig::without_region().with_region(Some(region)))
                .profile_name(profile)
                .build();
            loader = loader.profile_name(profile).credentials_provider(credentials);
        }
        if let Some(credentials) = &self.credentials {
            loader = loader.credentials_provider(credentials.clone());
        }
        loader.load().await
    }
}

/// How long a call may take.
pub(crate) fn limits(timeouts: Timeouts) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(timeouts.connect)
        .operation_attempt_timeout(timeouts.attempt)
        .build()
}

/// What was tried, for those who read of its failure.
pub(crate) struct Attempt<'a> {
    /// In the middle of a sentence: `publishing to ARN for sns.ops`.
    pub(crate) what: &'a str,
    /// The service as people call it.
    pub(crate) service: &'a str,
    /// The table of the configuration: `channel.sns.ops`.
    pub(crate) table: &'a str,
}

impl Attempt<'_> {
    /// What the error of one attempt means. `known` says it of the codes that only this service has.
    pub(crate) fn failed<E>(
        &self,
        error: &SdkError<E, HttpResponse>,
        known: impl FnOnce(&str) -> Option<(Retry, String)>,
    ) -> DeliveryError
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        let (retry, why, hint) = match error {
            SdkError::ServiceError(context) => {
                let status = context.raw().status().as_u16();
                self.answered(context.err(), status, known)
            }
            SdkError::TimeoutError(_) => {
                (Retry::Backoff, "no answer in time".to_owned(), Some(self.network()))
            }
            _ if lacks_credentials(error) => {
                (Retry::Backoff, format!("no credentials: {}", deepest(error)), Some(self.credentials()))
            }
            SdkError::ConstructionFailure(_) => (
                Retry::Never,
                format!("the request could not be made: {}", deepest(error)),
                Some(format!("look at the addresses and names of [{}]", self.table)),
            ),
            SdkError::ResponseError(_) => (
                Retry::Backoff,
                format!("the answer cannot be understood: {}", deepest(error)),
                Some(format!("look at `endpoint-url` of [{}], and at what stands between", self.table)),
            ),
            _ => (Retry::Backoff, deepest(error), Some(self.network())),
        };
        let why = cut::at_word(&without_tokens(&cut::one_line(&why)), REASON_CHARACTERS);
        DeliveryError { retry, message: format!("{}: {why}", self.what), hint }
    }

    fn answered<E: ProvideErrorMetadata>(
        &self,
        error: &E,
        status: u16,
        known: impl FnOnce(&str) -> Option<(Retry, String)>,
    ) -> (Retry, String, Option<String>) {
        let code = error.code().unwrap_or("no code");
        let why = match error.message() {
            Some(message) => format!("{code}: {message}"),
            None => format!("{code}, status {status}"),
        };
        if let Some((retry, hint)) = known(code) {
            return (retry, why, Some(hint));
        }
        match code {
            // What is wrong with a signature is said with the whole request, and that holds a session token.
            "ExpiredToken"
            | "ExpiredTokenException"
            | "InvalidClientTokenId"
            | "UnrecognizedClientException"
            | "SignatureDoesNotMatch"
            | "InvalidSignatureException"
            | "IncompleteSignature"
            | "IncompleteSignatureException"
            | "MissingAuthenticationToken"
            | "MissingAuthenticationTokenException"
            | "InvalidSecurity"
            | "InvalidAccessKeyId" => {
                (Retry::Backoff, format!("{code}, status {status}"), Some(self.credentials()))
            }
            "RequestExpired" | "RequestTimeTooSkewed" => (
                Retry::Backoff,
                format!("{code}, status {status}"),
                Some("set the clock of this machine".to_owned()),
            ),
            "OptInRequired" => (
                Retry::Never,
                why,
                Some(format!("enable the Region of [{}] for the account, or choose another", self.table)),
            ),
            _ if is_throttling(code) => (
                Retry::Backoff,
                why,
                Some(format!(
                    "others of this account call {} at the same time: it is tried again, ever more slowly",
                    self.service
                )),
            ),
            _ => (Retry::Backoff, why, None),
        }
    }

    fn credentials(&self) -> String {
        format!(
            "see that the AWS credentials of this machine are there and have not expired, and that `profile` of [{}] names \
             the right ones",
            self.table
        )
    }

    fn network(&self) -> String {
        format!(
            "see that the network lets this machine reach {}, by proxy, endpoint or directly",
            self.service
        )
    }
}

/// Whether the caller may not do what it tried.
pub(crate) fn is_denied(code: &str) -> bool {
    matches!(code, "AccessDenied" | "AccessDeniedException" | "AuthorizationError" | "NotAuthorized")
}

fn is_throttling(code: &str) -> bool {
    matches!(
        code,
        "Throttling"
            | "ThrottlingException"
            | "Throttled"
            | "ThrottledException"
            | "RequestLimitExceeded"
            | "TooManyRequestsException"
            | "SlowDown"
    )
}

/// The text without words that nobody could read out: whatever a service repeats of a request, its tokens are not repeated here.
fn without_tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    let end = |word: &mut String, out: &mut String| {
        out.push_str(if word.len() > LONGEST_WORD { "[secret]" } else { word });
        word.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '%') {
            word.push(c);
        } else {
            end(&mut word, &mut out);
            out.push(c);
        }
    }
    end(&mut word, &mut out);
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_and_tokens_go() {
        let arn = "arn:aws:sts::111122223333:assumed-role/otpsd/i-0123456789abcdef0";
        let denied = format!("User: {arn} is not authorized to perform: ssm:CreateOpsItem");
        assert_eq!(without_tokens(&denied), denied);
        let token = "FwoGZXIvYXdzEBYaDExample+/".repeat(4);
        assert_eq!(
            without_tokens(&format!("x-amz-security-token:{token}== Signature={}", "0f".repeat(32))),
            "x-amz-security-token:[secret] [secret]"
        );
    }
}
