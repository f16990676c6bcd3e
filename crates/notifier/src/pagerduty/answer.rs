//! What a status of PagerDuty means for the outbox.
//!
//! Source: PagerDuty developer documentation, Events API v2: 202 is taken; 400 must not be repeated; 429 was not taken and should be
//! repeated, best after some minutes; 5xx and network errors should be repeated.

use std::time::Duration;

use domain::{DeliveryError, Retry};
use serde_json::Value;

use crate::cut;
use crate::redaction::Redaction;

/// Between two attempts when PagerDuty asks for fewer and names no time: it counts the calls of a minute.
const PAUSE: Duration = Duration::from_secs(60);
/// The longest pause that a header can ask for: a pager must not be silenced for a day by one.
const LONGEST_PAUSE: Duration = Duration::from_secs(900);
/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 300;

/// What came back.
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: &'a str,
}

/// Whether the event was taken. `channel` and `place` say who was to be reached.
pub(super) fn judged(
    answer: &Answer<'_>,
    channel: &str,
    place: &str,
    redaction: &Redaction,
) -> Result<(), DeliveryError> {
    let status = answer.status;
    if status == 202 {
        return Ok(());
    }
    let reason = cut::at_word(&redaction.of(&cut::one_line(&reason(answer.body))), REASON_CHARACTERS);
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let (retry, hint) = match status {
        400 => (
            Retry::Never,
            Some(format!(
                "if the reason names the routing key, compare `routing-key` of [channel.{channel}] with the \
                 integration key of the service"
            )),
        ),
        413 => (Retry::Never, None),
        429 => (Retry::After(answer.retry_after.unwrap_or(PAUSE).min(LONGEST_PAUSE)), None),
        500.. => (Retry::Backoff, None),
        _ => (
            Retry::Backoff,
            Some(format!(
                "look at `url` of [channel.{channel}], and at what stands between: PagerDuty itself does not answer \
                 like this"
            )),
        ),
    };
    let message = format!("posting the event of {channel} to {place} was answered with {status}{reason}");
    Err(DeliveryError { retry, message, hint })
}

/// `message` and `errors` of PagerDuty's JSON, or the text as it is.
fn reason(body: &str) -> String {
    let Ok(Value::Object(answer)) = serde_json::from_str(body) else {
        return body.trim().to_owned();
    };
    let message = answer.get("message").and_then(Value::as_str);
    let errors =
        answer.get("errors").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let parts: Vec<&str> = message.into_iter().chain(errors).collect();
    if parts.is_empty() { body.trim().to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Secret;

    fn error(status: u16, retry_after: Option<u64>, body: &str) -> DeliveryError {
        let key = Redaction::new(&Secret::new("R0123456789abcdefghijklmnopqrstu"));
        let retry_after = retry_after.map(Duration::from_secs);
        judged(&Answer { status, retry_after, body }, "pagerduty.oncall", "127.0.0.1", &key).unwrap_err()
    }

    #[test]
    fn a_refusal_says_why_and_is_final() {
        let body = r#"{"status":"invalid event","message":"Event object is invalid","errors":
            ["'routing_key' R0123456789abcdefghijklmnopqrstu is unknown","Length of 'summary'\nis wrong"]}"#;
        let error = error(400, None, body);
        assert_eq!(error.retry, Retry::Never);
        assert_eq!(
            error.message,
            "posting the event of pagerduty.oncall to 127.0.0.1 was answered with 400: Event object is invalid; \
             'routing_key' [secret] is unknown; Length of 'summary' is wrong"
        );
        assert!(error.hint.unwrap().contains("`routing-key` of [channel.pagerduty.oncall]"));
    }

    #[test]
    fn too_many_events_wait_as_long_as_asked() {
        for (asked, seconds) in [(Some(45), 45), (Some(5), 5), (None, 60), (Some(86_400), 900)] {
            assert_eq!(error(429, asked, "").retry, Retry::After(Duration::from_secs(seconds)), "{asked:?}");
        }
    }

    #[test]
    fn what_is_not_pagerduty_is_tried_again_with_a_hint() {
        for status in [200, 204, 302, 403, 404, 407] {
            let error = error(status, None, "<html>login</html>");
            assert_eq!(error.retry, Retry::Backoff, "{status}");
            assert!(error.hint.unwrap().contains("`url`"), "{status}");
        }
        for status in [500, 502, 503] {
            assert_eq!(error(status, None, "").retry, Retry::Backoff, "{status}");
        }
        assert_eq!(error(413, None, "").retry, Retry::Never);
    }

    #[test]
    fn a_reason_is_one_line_of_a_bearable_length() {
        let message = error(503, None, &"too busy\n".repeat(200)).message;
        assert!(!message.contains('\n') && message.ends_with('…'));
        assert!(message.chars().count() < 400, "{}", message.chars().count());
    }
}
