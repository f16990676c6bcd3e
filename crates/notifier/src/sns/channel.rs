//! Publishing to a topic.

use aws_config::SdkConfig;
use aws_sdk_sns::config::retry::RetryConfig;
use aws_sdk_sns::error::BuildError;
use aws_sdk_sns::types::MessageAttributeValue;
use aws_sdk_sns::{Client, config};
use domain::{Act, Channel, DeliveryError, Message, Receipt, Retry, SnsPlan};
use sha2::{Digest, Sha256};

use super::refusal::{refusal, unseen};
use super::{DEDUPLICATION_ID, GROUP_ID, SUBJECT};
use crate::aws;
use crate::open::Timeouts;

/// The longest group and deduplication id. Source: SNS API reference, Publish.
const IDENTIFIER_CHARACTERS: usize = 128;

/// An SNS topic.
pub(crate) struct SnsChannel {
    name: String,
    topic: String,
    fifo: bool,
    client: Client,
}

impl SnsChannel {
    /// Makes the client; nothing is sent. `config` is of the Region that [`region_of`] names.
    pub(crate) fn open(name: String, plan: &SnsPlan, timeouts: Timeouts, config: &SdkConfig) -> Self {
        // What follows is about SNS alone: credentials are fetched from elsewhere, and as usual.
        let mut config = config::Builder::from(config)
            // The outbox tries again, with a memory of its own that survives a restart.
            .retry_config(RetryConfig::disabled())
            .timeout_config(aws::limits(timeouts));
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        Self {
            name,
            topic: plan.topic_arn.clone(),
            fifo: plan.is_fifo(),
            client: Client::from_conf(config.build()),
        }
    }

    /// Asks whether the topic is there. Gives the key that it is encrypted with, if it is.
    pub(crate) async fn look(&self) -> Result<Option<String>, DeliveryError> {
        let asked = self.client.get_topic_attributes().topic_arn(&self.topic).send().await;
        let answer = asked.map_err(|error| unseen(&error, &self.name, &self.topic))?;
        let key = answer.attributes().and_then(|attributes| attributes.get("KmsMasterKeyId"));
        Ok(key.filter(|key| !key.is_empty()).cloned())
    }

    async fn publish(&self, message: &Message) -> Result<(), DeliveryError> {
        let mut request = self.client.publish().topic_arn(&self.topic).message(&message.body);
        if self.fifo {
            request =
                request.message_group_id(group(message)).message_deduplication_id(deduplication(message));
        }
        for (name, value) in &message.attributes {
            request = match name.as_str() {
                SUBJECT => request.subject(value),
                GROUP_ID | DEDUPLICATION_ID => request,
                _ => {
                    let value = attribute(value).map_err(|error| DeliveryError {
                        retry: Retry::Never,
                        message: format!("publishing to {}: attribute `{name}`: {error}", self.topic),
                        hint: None,
                    })?;
                    request.message_attributes(name, value)
                }
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

/// What stays in order on a FIFO topic: what is said about one page or ticket.
fn group(message: &Message) -> String {
    identifier(given(message, GROUP_ID).unwrap_or(message.key.as_str()))
}

/// What a FIFO topic takes once in five minutes: each message, so that a resolve is no repeat of its page.
fn deduplication(message: &Message) -> String {
    identifier(given(message, DEDUPLICATION_ID).unwrap_or(&message.id))
}

fn given<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    message.attributes.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}

/// The text where SNS takes it as an identifier, otherwise a digest of it.
fn identifier(text: &str) -> String {
    let fits =
        (1..=IDENTIFIER_CHARACTERS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        return text.to_owned();
    }
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The Region of a topic, which is the fourth part of its ARN: a topic takes messages in its own Region only.
pub(crate) fn region_of<'a>(name: &str, plan: &'a SnsPlan) -> Result<&'a str, DeliveryError> {
    let region = plan.topic_arn.split(':').nth(3).filter(|region| !region.is_empty());
    region.ok_or_else(|| DeliveryError {
        retry: Retry::Never,
        message: format!("opening {name}: `{}` has no Region in its fourth part", plan.topic_arn),
        hint: Some("a topic is written arn:aws:sns:REGION:ACCOUNT:NAME".to_owned()),
    })
}

#[cfg(test)]
mod tests;
