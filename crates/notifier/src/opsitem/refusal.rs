//! What an error of Systems Manager means for the outbox. Source: Systems Manager API reference, OpsItems.

use std::error::Error;

use aws_sdk_ssm::config::http::HttpResponse;
use aws_sdk_ssm::error::{ProvideErrorMetadata, SdkError};
use domain::{DeliveryError, Retry};

use crate::aws::{self, Attempt};

/// An error of one attempt to `act`, such as `creating the OpsItem`, which `action` of IAM allows.
pub(super) fn refusal<E>(
    error: &SdkError<E, HttpResponse>,
    act: &str,
    action: &str,
    channel: &str,
    region: &str,
) -> DeliveryError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    let attempt = Attempt {
        what: &format!("{act} of {channel} in {region}"),
        service: "Systems Manager",
        table: &format!("channel.{channel}"),
    };
    attempt.failed(error, |code| {
        let hint = match code {
            _ if aws::is_denied(code) || code == "OpsItemAccessDeniedException" => {
                format!("allow {action} in the policy of the daemon's role")
            }
            "OpsItemLimitExceededException" => format!(
                "{region} holds as many OpsItems as the account may have: resolve some, or ask AWS for a higher quota"
            ),
            "OpsItemInvalidParameterException" | "ValidationException" => {
                format!("look at `source`, `severity` and `notification-arn` of [channel.{channel}]")
            }
            _ => return None,
        };
        Some((Retry::Never, hint))
    })
}
