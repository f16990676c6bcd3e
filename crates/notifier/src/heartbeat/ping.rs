//! An address of a dead man's switch.

use domain::Secret;
use reqwest::{Client, Url};

use crate::cut;
use crate::http;
use crate::open::Timeouts;
use crate::redaction::Redaction;

/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 200;

/// An address that raises an alarm when it is not called in time. It is called by GET, which is the one method that Dead Man's Snitch,
/// Healthchecks.io and Cronitor all document. Whoever has the address can send signs of life, so it is a secret.
#[derive(Debug)]
pub struct Ping {
    url: Secret,
    origin: String,
    redaction: Redaction,
    client: Client,
}

impl Ping {
    /// Makes the client; nothing is sent.
    ///
    /// # Errors
    ///
    /// In words, when the address is none, or there are no certificates to trust.
    pub fn open(url: &Secret) -> Result<Self, String> {
        Self::within(url, Timeouts::DELIVERY)
    }

    fn within(url: &Secret, timeouts: Timeouts) -> Result<Self, String> {
        let parsed: Url = url
            .expose()
            .parse()
            .map_err(|error| format!("the address of the heartbeat cannot be read: {error}"))?;
        let client = http::client(&parsed, timeouts).map_err(|why| {
            format!("no heartbeat can be sent: {why}: see that the certificates of the system can be read")
        })?;
        Ok(Self {
            url: url.clone(),
            origin: http::origin(&parsed),
            redaction: Redaction::of_url(&parsed),
            client,
        })
    }

    /// Sends one sign of life.
    ///
    /// # Errors
    ///
    /// In words, without more of the address than its host, when it was not taken.
    pub async fn ping(&self) -> Result<(), String> {
        let failed = |why: &str| format!("the heartbeat to {}: {}", self.origin, self.redaction.of(why));
        let sent = self.client.get(self.url.expose()).send().await;
        let mut response = sent.map_err(|error| failed(&http::unanswered(error)))?;
        if response.status().is_success() {
            return Ok(());
        }
        let status = response.status().as_u16();
        let reason =
            cut::at_word(cut::one_line(&http::reason(&mut response).await).trim(), REASON_CHARACTERS);
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        Err(failed(&format!("answered with {status}{reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::fake::{Fake, Reply, nobody};

    const TOKEN: &str = "c2354d53d2-marker";

    fn ping(base: &str) -> Ping {
        let impatient = Timeouts { attempt: Duration::from_millis(200), ..Timeouts::DELIVERY };
        Ping::within(&Secret::new(format!("{base}/{TOKEN}?m={TOKEN}")), impatient).unwrap()
    }

    #[tokio::test]
    async fn a_sign_of_life_is_one_get() {
        let fake = Fake::start(|_| Reply::With(200, Vec::new(), "OK".to_owned())).await;
        assert_eq!(ping(&fake.url).ping().await, Ok(()));
        let [request] = &fake.received()[..] else { panic!("one") };
        assert_eq!(
            (request.method.as_str(), request.target.as_str()),
            ("GET", "/c2354d53d2-marker?m=c2354d53d2-marker")
        );
        assert!(request.headers["user-agent"].to_str().unwrap().starts_with("otpsd/"));
    }

    #[tokio::test]
    async fn one_that_is_not_taken_says_why_and_never_where() {
        for (status, reason) in [(302, ""), (404, "(not found)"), (429, "(rate limited)"), (500, "oh")] {
            let echo = Fake::start(move |request| {
                Reply::With(
                    status,
                    vec![("location", "/elsewhere".to_owned())],
                    format!("{reason}\n{}", request.target),
                )
            })
            .await;
            let error = ping(&echo.url).ping().await.unwrap_err();
            let expected = format!("the heartbeat to {}: answered with {status}: {reason}", echo.url);
            assert!(error.starts_with(expected.trim_end()), "{error}");
            assert!(!error.contains(TOKEN), "{error}");
            assert_eq!(echo.received().len(), 1, "neither repeated nor led elsewhere");
        }
        let silent = Fake::start(|_| Reply::Silence).await;
        for (base, why) in [(silent.url.clone(), "timed out"), (nobody().await, "refused")] {
            let error = ping(&base).ping().await.unwrap_err();
            assert!(error.contains(why) && !error.contains(TOKEN), "{error}");
        }
    }

    #[test]
    fn the_address_is_shown_nowhere() {
        assert_eq!(
            Ping::open(&Secret::new(TOKEN)).unwrap_err(),
            "the address of the heartbeat cannot be read: relative URL without a base"
        );
        let shown = format!("{:?}", ping("https://nosnch.example.com"));
        assert!(shown.contains("https://nosnch.example.com") && !shown.contains(TOKEN), "{shown}");
    }
}
