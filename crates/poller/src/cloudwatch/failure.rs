//! How calls fail, in words.

use std::error::Error;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_cloudwatch::config::http::HttpResponse;
use aws_sdk_cloudwatch::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sts::operation::assume_role::AssumeRoleError;
use aws_sdk_sts::operation::assume_role_with_web_identity::AssumeRoleWithWebIdentityError;
use domain::{Failure, RolePlan, SourceError};

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    GetMetricData,
    ListMetrics,
    GetCallerIdentity,
    AssumeRole,
    AssumeRoleWithWebIdentity,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::GetMetricData => "GetMetricData",
            Self::ListMetrics => "ListMetrics",
            Self::GetCallerIdentity => "GetCallerIdentity",
            Self::AssumeRole => "AssumeRole",
            Self::AssumeRoleWithWebIdentity => "AssumeRoleWithWebIdentity",
        }
    }

    /// What IAM must allow.
    const fn action(self) -> &'static str {
        match self {
            Self::GetMetricData => "cloudwatch:GetMetricData",
            Self::ListMetrics => "cloudwatch:ListMetrics",
            Self::GetCallerIdentity => "sts:GetCallerIdentity",
            Self::AssumeRole => "sts:AssumeRole",
            Self::AssumeRoleWithWebIdentity => "sts:AssumeRoleWithWebIdentity",
        }
    }
}

/// Where a call goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The source's name in the configuration.
    pub(super) source: &'a str,
    /// Its profile, where it names one.
    pub(super) profile: Option<&'a str>,
    /// The role that it assumes.
    pub(super) role: Option<&'a RolePlan>,
    pub(super) region: &'a str,
    pub(super) operation: Operation,
}

pub(super) const MALFORMED_HINT: &str =
    "look at what answers at the source's `endpoint-url`, or at the proxy in between";
pub(super) const SERVER_HINT: &str =
    "the next poll tries again; if it stays, look at the AWS Health Dashboard of the Region";

/// The longest text of a service that is repeated; some repeat the whole request.
const LONGEST_TEXT: usize = 300;

impl Place<'_> {
    /// A failure that was found in an answer.
    pub(super) fn error(self, failure: Failure, what: &str, hint: &str) -> SourceError {
        let Self { source, region, operation, .. } = self;
        let on = match (operation, self.role) {
            (Operation::AssumeRole, Some(role)) => format!(" `{}` for", role.arn),
            _ => " of".to_owned(),
        };
        SourceError {
            failure,
            action: Some(operation.action().to_owned()),
            message: format!(
                "{}{on} source `{source}` in {region} failed: {}",
                operation.name(),
                shown(what)
            ),
            hint: Some(hint.to_owned()),
        }
    }

    /// A refusal.
    pub(super) fn refused(self, code: &str, text: &str) -> SourceError {
        self.error(Failure::Denied, &said(code, text), &self.permission_hint())
    }

    /// What has to be allowed, and where.
    fn permission_hint(self) -> String {
        match (self.operation, self.role) {
            (Operation::AssumeRole, Some(role)) => {
                let external_id = if role.external_id.is_some() {
                    "with the external id that the source gives"
                } else {
                    "or an external id, which would be `external-id` of the source"
                };
                format!(
                    "look at the trust policy of the role: it must name who otpsd runs as, {external_id}; and that one's own \
                     policy must allow `sts:AssumeRole` on the role"
                )
            }
            (Operation::AssumeRoleWithWebIdentity, _) => {
                "look at the trust policy of the role in AWS_ROLE_ARN: it must name the identity provider, and the subject \
                 of the token in AWS_WEB_IDENTITY_TOKEN_FILE"
                    .to_owned()
            }
            (operation, _) => format!("allow `{}` to the credentials of the source", operation.action()),
        }
    }

    /// An answer whose pages do not end.
    pub(super) fn endless(self) -> SourceError {
        self.error(Failure::Malformed, "the pages of the answer do not end", MALFORMED_HINT)
    }

    /// What the SDK says of a call that failed.
    pub(super) fn failed<E>(self, error: &SdkError<E, HttpResponse>) -> SourceError
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        match error {
            SdkError::TimeoutError(_) => self.timeout(&causes(error)),
            SdkError::DispatchFailure(failure) => {
                if let Some(error) = self.failed_to_assume(error) {
                    return error;
                }
                if let Some(credentials) = credentials_error(error) {
                    return self.no_credentials(&credentials);
                }
                if failure.is_timeout() { self.timeout(&causes(error)) } else { self.network(&causes(error)) }
            }
            // The head of the answer came, and its body broke off.
            SdkError::ResponseError(_) => self.network(&causes(error)),
            SdkError::ServiceError(answer) => {
                let status = answer.raw().status();
                match answer.err().code() {
                    Some(code) => {
                        self.by_code(code, answer.err().message().unwrap_or_default(), status.as_u16())
                    }
                    None if status.is_success() => {
                        let what = format!("the answer cannot be understood: {}", causes(error));
                        self.error(Failure::Malformed, &what, MALFORMED_HINT)
                    }
                    None => self.by_status(&format!("HTTP status {}", status.as_u16()), status.as_u16()),
                }
            }
            // The call was not made at all, as with an address that is none.
            _ => {
                self.error(Failure::Network, &causes(error), "look at the source's `endpoint-url` and Region")
            }
        }
    }

    /// What STS said, where the credentials for a call were to come from it.
    fn failed_to_assume(self, error: &(dyn Error + 'static)) -> Option<SourceError> {
        // The first is the source's own role, asked for with what its profile has: a role of that is one of the profile.
        if self.role.is_some() && self.operation != Operation::AssumeRole {
            let assuming = cause::<SdkError<AssumeRoleError, HttpResponse>>(error)?;
            return Some(Self { operation: Operation::AssumeRole, ..self }.failed(assuming));
        }
        let assuming = cause::<SdkError<AssumeRoleWithWebIdentityError, HttpResponse>>(error)?;
        let operation = Operation::AssumeRoleWithWebIdentity;
        (self.operation != operation).then(|| Self { operation, ..self }.failed(assuming))
    }

    fn by_code(self, code: &str, text: &str, status: u16) -> SourceError {
        let what = said(code, text);
        let clock =
            ["expired", "not yet", "skew", "too far"].iter().any(|word| text.to_lowercase().contains(word));
        match code {
            "RequestExpired" | "RequestTimeTooSkewed" | "RequestInTheFuture" => self.clock(&what),
            "SignatureDoesNotMatch" | "InvalidSignatureException" if clock => self.clock(&what),
            "SignatureDoesNotMatch" | "InvalidSignatureException" | "IncompleteSignature" => {
                self.error(Failure::Credentials, &what, "the secret does not belong to the key: set both anew")
            }
            "ExpiredToken" | "ExpiredTokenException" | "InvalidIdentityToken"
                if self.operation == Operation::AssumeRoleWithWebIdentity =>
            {
                self.error(
                    Failure::Credentials,
                    &what,
                    "look at what renews the file in AWS_WEB_IDENTITY_TOKEN_FILE: its token is not good any more",
                )
            }
            "ExpiredToken" | "ExpiredTokenException" => self.error(
                Failure::Credentials,
                &what,
                "renew the credentials; the next poll uses the new ones without a restart",
            ),
            "UnrecognizedClientException" | "InvalidClientTokenId" | "InvalidAccessKeyId" | "AuthFailure"
            | "MissingAuthenticationToken" | "MissingAuthenticationTokenException" => self.error(
                Failure::Credentials,
                &what,
                "the key is not known there: look whether it still exists, and whether the Region is enabled for the account",
            ),
            "RequestTimeout" | "RequestTimeoutException" => self.timeout(&what),
            _ if is_throttling(code) || status == 429 => self.throttled(&what),
            "OptInRequired" => self.error(Failure::Denied, &what, "enable the Region for the account, or leave it out"),
            _ if names_a_refusal(code) => self.refused(code, text),
            _ => self.by_status(&what, status),
        }
    }

    fn by_status(self, what: &str, status: u16) -> SourceError {
        match status {
            429 => self.throttled(what),
            401 | 403 => {
                let hint = format!("{}, or look at the proxy in between", self.permission_hint());
                self.error(Failure::Denied, what, &hint)
            }
            500.. => self.error(Failure::Server, what, SERVER_HINT),
            _ => self.error(Failure::Malformed, what, MALFORMED_HINT),
        }
    }

    fn no_credentials(self, error: &CredentialsFailure) -> SourceError {
        let of_profile =
            self.profile.map(|profile| format!(" in the profile `{profile}`")).unwrap_or_default();
        let what = format!("there are no credentials{of_profile}: {}", error.text);
        let (failure, hint) = match self.profile {
            _ if names_a_refusal(&error.text) => (
                Failure::Denied,
                "let the first credentials of the profile assume its role: `sts:AssumeRole`, and the role's trust policy",
            ),
            _ if !error.none => {
                (Failure::Credentials, "look at what provides the credentials; the next poll asks it again")
            }
            Some(_) => (
                Failure::Credentials,
                "define the profile in ~/.aws/config or ~/.aws/credentials of the user that runs otpsd",
            ),
            None => (
                Failure::Credentials,
                "give the daemon a role (of its task, pod or instance), AWS_ACCESS_KEY_ID and its secret, or the source a `profile`",
            ),
        };
        let error = self.error(failure, &what, hint);
        if failure == Failure::Denied {
            // What is refused is the role, before anything was asked of CloudWatch.
            return SourceError { action: Some("sts:AssumeRole".to_owned()), ..error };
        }
        error
    }

    fn timeout(self, what: &str) -> SourceError {
        self.error(
            Failure::Timeout,
            what,
            "the next poll tries again; if it stays, look at the route to AWS, or raise `attempt-timeout`",
        )
    }

    fn network(self, what: &str) -> SourceError {
        self.error(
            Failure::Network,
            what,
            "look at DNS, routes, proxies and certificates between the daemon and AWS",
        )
    }

    fn throttled(self, what: &str) -> SourceError {
        self.error(
            Failure::Throttled,
            what,
            "the next poll tries again; if it stays, find who else calls so often, or ask AWS for a higher quota",
        )
    }

    fn clock(self, what: &str) -> SourceError {
        self.error(Failure::ClockSkew, what, "set this machine's clock: let it follow a time server")
    }
}

/// Whether a code or text of AWS says that something is not allowed.
pub(super) fn names_a_refusal(text: &str) -> bool {
    [
        "AccessDenied",
        "Forbidden",
        "NotAuthorized",
        "UnauthorizedOperation",
        "not authorized",
        "Authentication too complex",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Whether a code of AWS says that there were too many calls.
pub(super) fn is_throttling(code: &str) -> bool {
    code.contains("Throttl")
        || matches!(code, "TooManyRequestsException" | "RequestLimitExceeded" | "LimitExceeded" | "SlowDown")
}

/// What the service said, by code and text.
fn said(code: &str, text: &str) -> String {
    match (code, text) {
        (code, "") => code.to_owned(),
        ("", text) => text.to_owned(),
        (code, text) => format!("{code}: {text}"),
    }
}

/// A text on one line, and not longer than anybody reads.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Why an error of the SDK came about. Its own text only says at which stage.
fn causes(error: &(dyn Error + 'static)) -> String {
    let text = chain(error.source().unwrap_or(error));
    // An address that is none is told together with the whole request.
    match text.split_once(" to request `") {
        Some((before, _)) => before.to_owned(),
        None => text,
    }
}

/// An error with its causes, each once.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !texts.last().is_some_and(|last| last.contains(&text)) {
            texts.push(text);
        }
        next = error.source();
    }
    texts.join(": ")
}

/// Why there are no credentials.
struct CredentialsFailure {
    text: String,
    /// Nobody provides any, in contrast to somebody who failed.
    none: bool,
}

/// The first cause of a kind.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = error.source();
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

fn credentials_error(error: &(dyn Error + 'static)) -> Option<CredentialsFailure> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<CredentialsError>() {
            let none = matches!(found, CredentialsError::CredentialsNotLoaded(_));
            return Some(CredentialsFailure { text: chain(found), none });
        }
        // What the identity cache says when a provider hangs has no public type.
        if error.to_string().starts_with("identity resolver timed out") {
            return Some(CredentialsFailure { text: error.to_string(), none: false });
        }
        next = error.source();
    }
    None
}
