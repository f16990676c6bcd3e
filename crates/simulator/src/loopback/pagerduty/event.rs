//! One event, and what PagerDuty refuses of it.

use serde_json::{Value, json};

use super::invalid;
use crate::loopback::reply::Answer;

/// Bytes of a body.
const BODY_MAX: usize = 512 * 1_024;
const ROUTING_KEY_LENGTH: usize = 32;
const SUMMARY_MAX: usize = 1_024;
const DEDUP_KEY_MAX: usize = 255;

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Trigger,
    Acknowledge,
    Resolve,
}

/// An event that can be taken.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) routing_key: String,
    pub(crate) action: Action,
    pub(crate) dedup_key: Option<String>,
    pub(crate) posted: Value,
}

impl Event {
    pub(crate) fn read(body: &[u8], strict_routing_keys: bool) -> Result<Self, Answer> {
        if body.len() > BODY_MAX {
            return Err(invalid(413, &["Event exceeds the size limit of 512 KB".to_owned()]));
        }
        let posted = match serde_json::from_slice::<Value>(body) {
            Ok(posted) if posted.is_object() => posted,
            Ok(_) | Err(_) => {
                let body = json!({
                    "status": "Unrecognized object",
                    "message": "Event object format is unrecognized",
                    "errors": ["JSON parse error"],
                });
                return Err(Answer::new(400, body));
            }
        };
        let mut errors = Vec::new();
        let routing_key = text(&posted, "/routing_key").unwrap_or_default().to_owned();
        if routing_key.is_empty() {
            errors.push("'routing_key' is missing or blank".to_owned());
        } else if strict_routing_keys && routing_key.chars().count() != ROUTING_KEY_LENGTH {
            errors.push(format!(
                "Length of 'routing_key' is incorrect (should be {ROUTING_KEY_LENGTH} characters)"
            ));
        }
        let action = match text(&posted, "/event_action") {
            Some("trigger") => Action::Trigger,
            Some("acknowledge") => Action::Acknowledge,
            Some("resolve") => Action::Resolve,
            other => {
                errors.push(match other {
                    None | Some("") => "'event_action' is missing or blank".to_owned(),
                    Some(_) => "'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge' or \
                                'resolve')"
                        .to_owned(),
                });
                Action::Trigger
            }
        };
        let dedup_key = text(&posted, "/dedup_key").filter(|key| !key.is_empty()).map(str::to_owned);
        check_length(&posted, "dedup_key", DEDUP_KEY_MAX, &mut errors);
        match action {
            Action::Trigger => check_payload(&posted, &mut errors),
            Action::Acknowledge | Action::Resolve if dedup_key.is_none() => {
                errors.push("'dedup_key' is missing or blank".to_owned());
            }
            Action::Acknowledge | Action::Resolve => {}
        }
        if errors.is_empty() {
            Ok(Self { routing_key, action, dedup_key, posted })
        } else {
            Err(invalid(400, &errors))
        }
    }
}

fn check_payload(posted: &Value, errors: &mut Vec<String>) {
    for name in ["summary", "source", "severity"] {
        if text(posted, &format!("/payload/{name}")).unwrap_or_default().trim().is_empty() {
            errors.push(format!("'payload.{name}' is missing or blank"));
        }
    }
    let severity = text(posted, "/payload/severity").filter(|severity| !severity.trim().is_empty());
    if severity.is_some_and(|severity| !matches!(severity, "critical" | "warning" | "error" | "info")) {
        errors.push(
            "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')"
                .to_owned(),
        );
    }
    check_length(posted, "payload.summary", SUMMARY_MAX, errors);
}

fn check_length(posted: &Value, name: &str, max: usize, errors: &mut Vec<String>) {
    let pointer = format!("/{}", name.replace('.', "/"));
    if text(posted, &pointer).is_some_and(|text| text.chars().count() > max) {
        errors.push(format!(
            "Length of '{name}' is incorrect (should be less than or equal to {max} characters)"
        ));
    }
}

fn text<'a>(posted: &'a Value, pointer: &str) -> Option<&'a str> {
    posted.pointer(pointer)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Value {
        json!({
            "routing_key": "R".repeat(32),
            "event_action": "trigger",
            "dedup_key": "k".repeat(255),
            "payload": {"summary": "s".repeat(1_024), "source": "otpsd", "severity": "critical"},
        })
    }

    fn errors(event: &Value) -> (u16, Vec<String>) {
        match Event::read(event.to_string().as_bytes(), true) {
            Ok(_) => (202, Vec::new()),
            Err(answer) => {
                let errors = answer.body["errors"].as_array().cloned().unwrap_or_default();
                (
                    answer.status,
                    errors.iter().map(|error| error.as_str().unwrap_or_default().to_owned()).collect(),
                )
            }
        }
    }

    #[test]
    fn limits_are_inclusive() {
        assert_eq!(errors(&good()), (202, Vec::new()));
    }

    #[test]
    fn each_fault_has_its_message() {
        let case = |pointer: &str, value: Value| {
            let mut event = good();
            *event.pointer_mut(pointer).unwrap() = value;
            errors(&event).1.join("; ")
        };
        assert_eq!(
            case("/routing_key", json!("short")),
            "Length of 'routing_key' is incorrect (should be 32 characters)"
        );
        assert_eq!(case("/routing_key", json!("")), "'routing_key' is missing or blank");
        assert!(case("/event_action", json!("page")).starts_with("'event_action' is invalid"));
        assert!(case("/dedup_key", json!("k".repeat(256))).starts_with("Length of 'dedup_key' is incorrect"));
        assert!(
            case("/payload/summary", json!("é".repeat(1_025))).starts_with("Length of 'payload.summary'")
        );
        assert_eq!(case("/payload/summary", json!(null)), "'payload.summary' is missing or blank");
        assert_eq!(case("/payload/source", json!(" ")), "'payload.source' is missing or blank");
        assert_eq!(
            case("/payload/severity", json!("Critical")),
            "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')"
        );
    }

    #[test]
    fn several_faults_are_told_at_once() {
        let (status, errors) = errors(&json!({"routing_key": "R".repeat(32), "event_action": "trigger"}));
        assert_eq!(status, 400);
        assert_eq!(errors.len(), 3);
    }

    #[test]
    fn a_resolve_needs_only_its_key() {
        let mut event = json!({"routing_key": "R".repeat(32), "event_action": "resolve", "dedup_key": "k"});
        assert_eq!(errors(&event), (202, Vec::new()));
        event["dedup_key"] = json!("");
        assert_eq!(errors(&event).1, ["'dedup_key' is missing or blank"]);
    }

    #[test]
    fn what_is_no_event_is_said() {
        let read = |body: &[u8]| Event::read(body, true).unwrap_err();
        assert_eq!(read(b"[1]").body["message"], "Event object format is unrecognized");
        assert_eq!(read(b"\xff").status, 400, "not UTF-8");
        let mut event = good();
        event["payload"]["custom_details"] = json!("x".repeat(512 * 1_024));
        assert_eq!(read(event.to_string().as_bytes()).status, 413);
    }
}
