//! Posting events to a service.

use domain::{Act, Channel, DeliveryError, Message, NoticeKind, PagerDutyPlan, Receipt, Retry, Secret};
use jiff::Timestamp;
use reqwest::{Client, Url};
use serde_json::Value;

use super::answer::{Answer, judged};
use crate::http;
use crate::open::Timeouts;
use crate::redaction::Redaction;

/// So many calls a minute each integration key may make. Source: PagerDuty developer documentation, Events API v2, rate limits.
const PER_MINUTE: u32 = 120;

/// A PagerDuty service.
pub(crate) struct PagerDutyChannel {
    name: String,
    url: Url,
    routing_key: Secret,
    redaction: Redaction,
    client: Client,
}

impl PagerDutyChannel {
    /// Makes the client; nothing is sent.
    pub(crate) fn open(
        name: String,
        plan: &PagerDutyPlan,
        timeouts: Timeouts,
    ) -> Result<Self, DeliveryError> {
        let unusable = |why: String, hint: String| DeliveryError {
            retry: Retry::Never,
            message: format!("opening {name}: {why}"),
            hint: Some(hint),
        };
        let url: Url = plan.url.parse().map_err(|error| {
            unusable(format!("its url cannot be read: {error}"), format!("correct `url` of [channel.{name}]"))
        })?;
        let client = http::client(&url, timeouts)
            .map_err(|why| unusable(why, "see that the certificates of the system can be read".to_owned()))?;
        let redaction = Redaction::of_url(&url).and([&plan.routing_key]);
        Ok(Self { name, url, routing_key: plan.routing_key.clone(), redaction, client })
    }

    async fn post(&self, message: &Message) -> Result<(), DeliveryError> {
        if let NoticeKind::Ticket(_) = message.kind {
            return Err(self.refused("a ticket never goes to PagerDuty", "route tickets elsewhere"));
        }
        let Ok(Value::Object(mut event)) = serde_json::from_str(&message.body) else {
            return Err(self.refused(
                "the stored body is no event",
                "the store may be damaged: see the page on the status page, and copy the store before a repair",
            ));
        };
        event.insert("routing_key".to_owned(), Value::from(self.routing_key.expose()));
        let sent = self.client.post(self.url.clone()).json(&Value::Object(event)).send().await;
        let mut response = sent.map_err(|error| self.unreachable(error))?;
        let status = response.status().as_u16();
        let retry_after = http::retry_after(response.headers(), Timestamp::now());
        let body = if status == 202 { String::new() } else { http::reason(&mut response).await };
        judged(&Answer { status, retry_after, body: &body }, &self.name, self.place(), &self.redaction)
    }

    /// The host alone: a path or a query may hold what should not be seen.
    fn place(&self) -> &str {
        self.url.host_str().unwrap_or("an unnamed host")
    }

    fn refused(&self, why: &str, hint: &str) -> DeliveryError {
        DeliveryError {
            retry: Retry::Never,
            message: format!("posting to {}: {why}", self.name),
            hint: Some(hint.to_owned()),
        }
    }

    fn unreachable(&self, error: reqwest::Error) -> DeliveryError {
        let why = self.redaction.of(&http::unanswered(error));
        DeliveryError {
            retry: Retry::Backoff,
            message: format!("posting the event of {} to {}: {why}", self.name, self.place()),
            hint: Some(format!(
                "see that the network lets this machine reach {}, by proxy or directly",
                self.place()
            )),
        }
    }
}

impl Channel for PagerDutyChannel {
    fn name(&self) -> &str {
        &self.name
    }

    fn per_minute(&self) -> Option<u32> {
        Some(PER_MINUTE)
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(async { self.post(message).await.map(|()| Receipt::default()) })
    }
}

#[cfg(test)]
mod tests;
