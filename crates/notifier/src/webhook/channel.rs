//! Posting messages to an address.

use domain::{Act, Channel, DeliveryError, Message, Receipt, Retry, Secret, WebhookPlan};
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Url};

use super::answer::{Answer, judged};
use super::signature::signature;
use crate::http;
use crate::open::Timeouts;
use crate::redaction::Redaction;

/// The key of the page or ticket: the same from its first message to its last.
const KEY: &str = "otpsd-key";
/// What the message is, as [`domain::NoticeKind::as_str`] writes it.
const KIND: &str = "otpsd-kind";
/// The message: the same in every attempt to deliver it, and in no other.
const DELIVERY: &str = "otpsd-delivery";
/// What proves that the body is the daemon's.
const SIGNATURE: &str = "otpsd-signature";

/// An address that takes JSON.
pub(crate) struct WebhookChannel {
    name: String,
    url: Url,
    secret: Option<Secret>,
    redaction: Redaction,
    client: Client,
    now: fn() -> Timestamp,
}

impl WebhookChannel {
    /// Makes the client; nothing is sent.
    pub(crate) fn open(
        name: String,
        plan: &WebhookPlan,
        timeouts: Timeouts,
        now: fn() -> Timestamp,
    ) -> Result<Self, DeliveryError> {
        let unusable = |why: String, hint: String| DeliveryError {
            retry: Retry::Never,
            message: format!("opening {name}: {why}"),
            hint: Some(hint),
        };
        let url: Url = plan.url.expose().parse().map_err(|error| {
            unusable(format!("its url cannot be read: {error}"), format!("correct `url` of [channel.{name}]"))
        })?;
        let client = http::client(&url, timeouts)
            .map_err(|why| unusable(why, "see that the certificates of the system can be read".to_owned()))?;
        let redaction = Redaction::of_url(&url).and(plan.secret.iter());
        Ok(Self { name, url, secret: plan.secret.clone(), redaction, client, now })
    }

    async fn post(&self, message: &Message) -> Result<Receipt, DeliveryError> {
        let now = (self.now)();
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(KEY, self.value(KEY, message.key.as_str())?)
            .header(KIND, message.kind.as_str())
            .header(DELIVERY, self.value(DELIVERY, &message.id)?);
        if let Some(secret) = &self.secret {
            request = request.header(SIGNATURE, signature(secret, now, &message.body));
        }
        let sent = request.body(message.body.clone()).send().await;
        let mut response = sent.map_err(|error| self.unreachable(error))?;
        let status = response.status().as_u16();
        let retry_after = http::retry_after(response.headers(), now);
        let taken = response.status().is_success();
        let reason =
            if taken { String::new() } else { self.redaction.of(&http::reason(&mut response).await) };
        judged(&Answer { status, retry_after, reason: &reason }, &self.name, &http::origin(&self.url))?;
        Ok(Receipt::default())
    }

    /// What a header can carry.
    fn value(&self, header: &str, text: &str) -> Result<HeaderValue, DeliveryError> {
        HeaderValue::from_bytes(text.as_bytes()).map_err(|_| DeliveryError {
            retry: Retry::Never,
            message: format!("posting to {}: no header can carry the {header} of this message", self.name),
            hint: Some("the store may be damaged: copy it before a repair".to_owned()),
        })
    }

    fn unreachable(&self, error: reqwest::Error) -> DeliveryError {
        let place = http::origin(&self.url);
        DeliveryError {
            retry: Retry::Backoff,
            message: format!(
                "posting to {} at {place}: {}",
                self.name,
                self.redaction.of(&http::unanswered(error))
            ),
            hint: Some(format!("see that the network lets this machine reach {place}, by proxy or directly")),
        }
    }
}

impl Channel for WebhookChannel {
    fn name(&self) -> &str {
        &self.name
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _reference: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(self.post(message))
    }
}

#[cfg(test)]
mod tests;
