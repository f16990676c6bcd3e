//! Publishing to a topic.

use aws_config::{BehaviorVersion, ConfigLoader, Region};
use aws_sdk_sns::config::retry::RetryConfig;
use aws_sdk_sns::config::timeout::TimeoutConfig;
use aws_sdk_sns::error::BuildError;
use aws_sdk_sns::types::MessageAttributeValue;
use aws_sdk_sns::{Client, config};
use domain::{Act, Channel, DeliveryError, Message, Receipt, Retry, SnsPlan};

use super::SUBJECT;
use super::refusal::refusal;
use crate::open::Timeouts;

/// An SNS topic.
pub(crate) struct SnsChannel {
    name: String,
    topic: String,
    client: Client,
}

impl SnsChannel {
    /// Reads the AWS configuration of this machine; nothing is sent, and no credentials are asked for yet.
    pub(crate) async fn open(
        name: String,
        plan: &SnsPlan,
        timeouts: Timeouts,
    ) -> Result<Self, DeliveryError> {
        Self::load(name, plan, timeouts, aws_config::defaults(BehaviorVersion::latest())).await
    }

    /// The same with a configuration of the caller's.
    pub(crate) async fn load(
        name: String,
        plan: &SnsPlan,
        timeouts: Timeouts,
        mut loader: ConfigLoader,
    ) -> Result<Self, DeliveryError> {
        let region = region_of(&plan.topic_arn).ok_or_else(|| DeliveryError {
            retry: Retry::Never,
            message: format!("opening {name}: `{}` has no Region in its fourth part", plan.topic_arn),
            hint: Some("a topic is written arn:aws:sns:REGION:ACCOUNT:NAME".to_owned()),
        })?;
        loader = loader.region(Region::new(region.to_owned()));
        if let Some(profile) = &plan.profile {
            loader = loader.profile_name(profile);
        }
        // What follows is about SNS alone: credentials are fetched from elsewhere, and as usual.
        let mut config = config::Builder::from(&loader.load().await)
            // The outbox tries again, with a memory of its own that survives a restart.
            .retry_config(RetryConfig::disabled())
            .timeout_config(
                TimeoutConfig::builder()
                    .connect_timeout(timeouts.connect)
                    .operation_attempt_timeout(timeouts.attempt)
                    .build(),
            );
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        Ok(Self { name, topic: plan.topic_arn.clone(), client: Client::from_conf(config.build()) })
    }

    async fn publish(&self, message: &Message) -> Result<(), DeliveryError> {
        let mut request = self.client.publish().topic_arn(&self.topic).message(&message.body);
        for (name, value) in &message.attributes {
            request = if name == SUBJECT {
                request.subject(value)
            } else {
                let value = attribute(value).map_err(|error| DeliveryError {
                    retry: Retry::Never,
                    message: format!("publishing to {}: attribute `{name}`: {error}", self.topic),
                    hint: None,
                })?;
                request.message_attributes(name, value)
            };
        }
        match request.send().await {
            Ok(_) => Ok(()),
            Err(error) => Err(refusal(&error, &self.name, &self.topic)),
        }
    }
}

impl Channel for SnsChannel {
    fn name(&self) -> &str {
        &self.name
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(async { self.publish(message).await.map(|()| Receipt::default()) })
    }
}

fn attribute(value: &str) -> Result<MessageAttributeValue, BuildError> {
    MessageAttributeValue::builder().data_type("String").string_value(value).build()
}

/// The fourth part of a topic ARN: a topic takes messages in its own Region only.
fn region_of(topic_arn: &str) -> Option<&str> {
    topic_arn.split(':').nth(3).filter(|region| !region.is_empty())
}

#[cfg(test)]
mod tests;
