//! What an error of SNS means, for the outbox and for those who only look.
//!
//! Source: SNS API reference, Publish, and SNS developer guide, Managing encryption keys; the code decides, never the wording.

use aws_sdk_sns::config::http::HttpResponse;
use aws_sdk_sns::error::SdkError;
use aws_sdk_sns::operation::get_topic_attributes::GetTopicAttributesError;
use aws_sdk_sns::operation::publish::PublishError;
use domain::{DeliveryError, Retry};

use crate::aws::{self, Attempt};

/// An error of one attempt.
pub(super) fn refusal(
    error: &SdkError<PublishError, HttpResponse>,
    channel: &str,
    topic: &str,
) -> DeliveryError {
    let attempt = Attempt {
        what: &format!("publishing to {topic} for {channel}"),
        service: "SNS",
        table: &format!("channel.{channel}"),
    };
    attempt.failed(error, |code| known(code, channel, topic))
}

/// Why it is not known whether the topic is there.
pub(super) fn unseen(
    error: &SdkError<GetTopicAttributesError, HttpResponse>,
    channel: &str,
    topic: &str,
) -> DeliveryError {
    let attempt = Attempt {
        what: &format!("looking at {topic} for {channel}"),
        service: "SNS",
        table: &format!("channel.{channel}"),
    };
    attempt.failed(error, |code| {
        let denied = || {
            format!("allow sns:GetTopicAttributes on {topic} to whoever looks; a daemon that only sends needs it not")
        };
        if aws::is_denied(code) { Some((Retry::Never, denied())) } else { known(code, channel, topic) }
    })
}

fn known(code: &str, channel: &str, topic: &str) -> Option<(Retry, String)> {
    let hint = match code {
        "NotFound" | "NotFoundException" => format!(
            "create the topic in the account and Region that its ARN names, or correct `topic-arn` of [channel.{channel}]"
        ),
        _ if aws::is_denied(code) => format!(
            "allow sns:Publish on {topic} in the policy of the daemon's role, and, if the topic belongs to another account, in \
             that of the topic"
        ),
        "KMSThrottling" | "KMSThrottlingException" => return None,
        "KMSDisabled"
        | "KMSInvalidState"
        | "KMSNotFound"
        | "KMSDisabledException"
        | "KMSInvalidStateException"
        | "KMSNotFoundException" => format!(
            "see that the KMS key that encrypts {topic} is there and enabled, or give the topic another"
        ),
        _ if code.starts_with("KMS") => format!(
            "allow kms:GenerateDataKey* and kms:Decrypt to the daemon's role, in its own policy and in the policy of the KMS key \
             that encrypts {topic}"
        ),
        "InvalidParameter"
        | "InvalidParameterValue"
        | "InvalidParameterException"
        | "InvalidParameterValueException"
        | "ParameterValueInvalid"
        | "ValidationException"
        | "ValidationError" => format!(
            "see that `topic-arn` of [channel.{channel}] is the whole ARN of a topic, ending in .fifo if the topic is FIFO"
        ),
        _ => return None,
    };
    Some((Retry::Never, hint))
}
