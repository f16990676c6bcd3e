//! Posting events to a service.

use std::error::Error;
use std::net::IpAddr;

use domain::{Act, Channel, DeliveryError, Message, NoticeKind, PagerDutyPlan, Receipt, Retry, Secret};
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, Url, redirect};
use serde_json::Value;

use super::answer::{Answer, judged};
use super::redaction::redacted;
use crate::open::Timeouts;

/// More of an answer is not read: a reason is short, and a proxy's error page may be long.
const ANSWER_BYTES: usize = 64 * 1_024;

/// A PagerDuty service.
pub(crate) struct PagerDutyChannel {
    name: String,
    url: Url,
    routing_key: Secret,
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
        let mut builder = Client::builder()
            .connect_timeout(timeouts.connect)
            .timeout(timeouts.attempt)
            // A redirect would carry the routing key to a place that nobody configured.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("otpsd/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            // A proxy of the environment cannot reach what listens on this machine.
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| {
            unusable(chain(&error), "see that the certificates of the system can be read".to_owned())
        })?;
        Ok(Self { name, url, routing_key: plan.routing_key.clone(), client })
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
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = retry_after.map(str::to_owned);
        let body = if status == 202 { String::new() } else { beginning(&mut response).await };
        let answer = Answer { status, retry_after: retry_after.as_deref(), body: &body };
        judged(&answer, &self.name, self.place(), &self.routing_key)
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
        let why = redacted(&chain(&error.without_url()), &self.routing_key);
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

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(async { self.post(message).await.map(|()| Receipt::default()) })
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

/// As much of the answer as a reason may take. One that breaks off has said what it has said.
async fn beginning(response: &mut Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    bytes.truncate(ANSWER_BYTES);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An error with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests;
