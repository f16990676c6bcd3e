//! What a status of a webhook means for the outbox.
//!
//! Any 2xx is taken. 408, 429 and 5xx may get better. Whatever else is answered would be answered again.

use std::time::Duration;

use domain::{DeliveryError, Retry};

use crate::cut;

/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 300;

/// What came back, its reason without secrets.
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) reason: &'a str,
}

/// Whether the message was taken. `channel` and `place` say who was to be reached.
pub(super) fn judged(answer: &Answer<'_>, channel: &str, place: &str) -> Result<(), DeliveryError> {
    let status = answer.status;
    let (retry, hint) = match status {
        200..=299 => return Ok(()),
        408 | 429 | 500.. => (answer.retry_after.map_or(Retry::Backoff, Retry::After), None),
        300..=399 => (
            Retry::Never,
            Some(format!(
                "redirects are not followed: set `url` of [channel.{channel}] to the address that takes messages"
            )),
        ),
        401 | 403 => (
            Retry::Never,
            Some(format!(
                "compare `url` and `secret` of [channel.{channel}] with what the receiver expects: it does not accept them"
            )),
        ),
        410 => (
            Retry::Never,
            Some(format!(
                "the receiver says that this address is gone for good: make a new one, and set `url` of [channel.{channel}] to it"
            )),
        ),
        413 => (
            Retry::Never,
            Some("let the receiver, and what stands before it, take bodies of up to 512 KiB".to_owned()),
        ),
        _ => (
            Retry::Never,
            Some(format!(
                "see that `url` of [channel.{channel}] is an address that takes a POST of JSON as docs/reference/messages.md has it"
            )),
        ),
    };
    let reason = cut::at_word(cut::one_line(answer.reason).trim(), REASON_CHARACTERS);
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let message = format!("posting to {channel} at {place} was answered with {status}{reason}");
    Err(DeliveryError { retry, message, hint })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(status: u16, retry_after: Option<Duration>) -> DeliveryError {
        judged(&Answer { status, retry_after, reason: "no\nroom " }, "webhook.chat", "https://h").unwrap_err()
    }

    #[test]
    fn every_status_says_whether_to_try_again() {
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(judged(&Answer { status, retry_after: None, reason: "" }, "c", "p"), Ok(()));
        }
        let pause = Duration::from_secs(7);
        for status in [408, 429, 500, 502, 503, 504, 599] {
            assert_eq!(error(status, None).retry, Retry::Backoff, "{status}");
            assert_eq!(error(status, Some(pause)).retry, Retry::After(pause), "{status}");
        }
        for (status, hint) in [
            (301, "redirects"),
            (307, "redirects"),
            (400, "POST of JSON"),
            (401, "does not accept"),
            (403, "does not accept"),
            (404, "POST of JSON"),
            (405, "POST of JSON"),
            (410, "gone for good"),
            (413, "512 KiB"),
            (422, "POST of JSON"),
        ] {
            // A pause means nothing where there is no second attempt.
            let error = error(status, Some(pause));
            assert_eq!(error.retry, Retry::Never, "{status}");
            assert!(
                error.hint.as_ref().is_some_and(|text| text.contains(hint)),
                "{status}: {:?}",
                error.hint
            );
        }
    }

    #[test]
    fn a_reason_is_one_line_of_a_bearable_length() {
        assert_eq!(
            error(503, None).message,
            "posting to webhook.chat at https://h was answered with 503: no room"
        );
        let long = "too busy\n".repeat(200);
        let answer = Answer { status: 500, retry_after: None, reason: &long };
        let message = judged(&answer, "webhook.chat", "https://h").unwrap_err().message;
        assert!(!message.contains('\n') && message.ends_with('…'), "{message}");
        assert!(message.chars().count() < 400);
    }
}
