//! What a refusal of Jira means for the outbox, and who can do something about it.

use std::fmt;
use std::time::Duration;

use domain::{DeliveryError, Retry};
use serde_json::Value;

use crate::cut;
use crate::redaction::Redaction;

/// As much of a reason as a log line should carry.
const REASON_CHARACTERS: usize = 300;

/// What is tried.
#[derive(Debug, Clone, Copy)]
pub(super) enum Act<'a> {
    Search,
    /// Nothing but a question, such as `for the project`.
    Look(&'a str),
    File,
    Read(&'a str),
    Comment(&'a str),
    Edit(&'a str),
    Move(&'a str),
}

impl Act<'_> {
    /// What the permission is called in the settings of a project.
    const fn permission(self) -> &'static str {
        match self {
            Self::Search | Self::Look(_) | Self::Read(_) => "Browse projects",
            Self::File => "Create issues",
            Self::Comment(_) => "Add comments",
            Self::Edit(_) => "Edit issues",
            Self::Move(_) => "Transition issues",
        }
    }
}

impl fmt::Display for Act<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search => f.write_str("looking for the issue"),
            Self::Look(what) => write!(f, "asking {what}"),
            Self::File => f.write_str("filing an issue"),
            Self::Read(key) => write!(f, "reading {key}"),
            Self::Comment(key) => write!(f, "commenting on {key}"),
            Self::Edit(key) => write!(f, "editing {key}"),
            Self::Move(key) => write!(f, "moving {key} to another status"),
        }
    }
}

/// An answer other than 2xx.
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: &'a str,
}

/// Where it was tried.
pub(super) struct Place<'a> {
    pub(super) channel: &'a str,
    pub(super) project: &'a str,
    pub(super) origin: &'a str,
}

/// A call that did not do what was asked.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The status of the answer, if there was one.
    pub(super) status: Option<u16>,
    /// The fields that the answer finds fault with.
    pub(super) fields: Vec<String>,
    pub(super) error: DeliveryError,
}

impl From<Refusal> for DeliveryError {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}

/// What the answer means.
pub(super) fn refused(
    act: Act<'_>,
    answer: &Answer<'_>,
    place: &Place<'_>,
    redaction: &Redaction,
) -> Refusal {
    let Place { channel, project, origin } = place;
    let status = answer.status;
    let parsed: Value = serde_json::from_str(answer.body).unwrap_or_default();
    let faults: Vec<(&String, &str)> = parsed["errors"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(field, why)| Some((field, why.as_str()?)))
        .collect();
    let permission =
        format!("give the account of the token the permission `{}` in project {project}", act.permission());
    let (retry, hint) = match status {
        300..=399 => (
            Retry::Never,
            format!(
                "redirects are not followed: set `url` of [channel.{channel}] to the address of the site itself"
            ),
        ),
        400 if matches!(act, Act::Search) => (
            Retry::Never,
            format!(
                "see that project {project} is there, as `project` of [channel.{channel}] says, or {permission}"
            ),
        ),
        400 if faults.iter().any(|(field, _)| matches!(field.as_str(), "project" | "issuetype" | "pid")) => (
            Retry::Never,
            format!(
                "compare `project` and `issue-type` of [channel.{channel}] with what the site has, or {permission}"
            ),
        ),
        400 => (
            Retry::Never,
            format!(
                "let issues of the type that `issue-type` of [channel.{channel}] names be made of a summary, a description and labels"
            ),
        ),
        401 => (
            Retry::Never,
            format!(
                "make a new API token, or correct `user` and `token` of [channel.{channel}]: the site does not accept them"
            ),
        ),
        403 => (Retry::Never, permission),
        404 => (
            Retry::Never,
            format!(
                "see that `url` of [channel.{channel}] is a site of Jira Cloud that has project {project}, or {permission}"
            ),
        ),
        408 | 409 | 425 | 429 | 500.. => {
            let retry = answer.retry_after.map_or(Retry::Backoff, Retry::After);
            return Refusal {
                status: Some(status),
                fields: Vec::new(),
                error: error(act, answer, place, redaction, &parsed, retry, None),
            };
        }
        _ => (
            Retry::Never,
            format!("see that `url` of [channel.{channel}] is a site of Jira Cloud: it is at {origin}"),
        ),
    };
    Refusal {
        status: Some(status),
        fields: faults.iter().map(|(field, _)| (*field).clone()).collect(),
        error: error(act, answer, place, redaction, &parsed, retry, Some(hint)),
    }
}

fn error(
    act: Act<'_>,
    answer: &Answer<'_>,
    place: &Place<'_>,
    redaction: &Redaction,
    parsed: &Value,
    retry: Retry,
    hint: Option<String>,
) -> DeliveryError {
    let reason = redaction.of(&cut::one_line(&reason(answer.body, parsed)));
    let reason = cut::at_word(reason.trim(), REASON_CHARACTERS);
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let Place { channel, origin, .. } = place;
    let message = format!("{act} for {channel} at {origin} was answered with {}{reason}", answer.status);
    DeliveryError { retry, message, hint }
}

/// `errorMessages` and `errors` of Jira's JSON, or the text as it is.
fn reason(body: &str, parsed: &Value) -> String {
    let messages = parsed["errorMessages"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut parts: Vec<String> = messages.map(str::to_owned).collect();
    let errors = parsed["errors"].as_object().into_iter().flatten();
    parts.extend(errors.filter_map(|(field, why)| Some(format!("{field}: {}", why.as_str()?))));
    if parts.is_empty() { body.to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Secret;

    fn refusal(act: Act<'_>, status: u16, retry_after: Option<u64>, body: &str) -> Refusal {
        let place = Place { channel: "jira.llm", project: "LLM", origin: "https://example.atlassian.net" };
        let answer = Answer { status, retry_after: retry_after.map(Duration::from_secs), body };
        refused(act, &answer, &place, &Redaction::new(&Secret::new("tok-4f9a7c31d2e8")))
    }

    #[test]
    fn every_status_says_whether_to_try_again_and_who_can_help() {
        for status in [408, 409, 425, 429, 500, 502, 503] {
            assert_eq!(refusal(Act::File, status, None, "").error.retry, Retry::Backoff, "{status}");
            let pause = Retry::After(Duration::from_secs(9));
            assert_eq!(refusal(Act::File, status, Some(9), "").error.retry, pause, "{status}");
        }
        let bad_type = r#"{"errorMessages":[],"errors":{"issuetype":"Specify a valid issue type"}}"#;
        let required = r#"{"errorMessages":[],"errors":{"components":"Component/s is required."}}"#;
        for (act, status, body, hint) in [
            (
                Act::Search,
                400,
                "",
                "see that project LLM is there, as `project` of [channel.jira.llm] says, or give",
            ),
            (Act::File, 400, bad_type, "compare `project` and `issue-type` of [channel.jira.llm]"),
            (
                Act::File,
                400,
                required,
                "let issues of the type that `issue-type` of [channel.jira.llm] names be made",
            ),
            (Act::File, 401, "", "make a new API token, or correct `user` and `token` of [channel.jira.llm]"),
            (
                Act::File,
                403,
                "",
                "give the account of the token the permission `Create issues` in project LLM",
            ),
            (
                Act::Comment("LLM-1"),
                403,
                "",
                "give the account of the token the permission `Add comments` in project LLM",
            ),
            (
                Act::Edit("LLM-1"),
                403,
                "",
                "give the account of the token the permission `Edit issues` in project LLM",
            ),
            (
                Act::Move("LLM-1"),
                403,
                "",
                "give the account of the token the permission `Transition issues` in",
            ),
            (
                Act::Read("LLM-1"),
                404,
                "",
                "see that `url` of [channel.jira.llm] is a site of Jira Cloud that has project LLM",
            ),
            (Act::File, 302, "", "redirects are not followed"),
            (Act::File, 418, "", "see that `url` of [channel.jira.llm] is a site of Jira Cloud"),
        ] {
            let error = refusal(act, status, Some(9), body).error;
            assert_eq!(error.retry, Retry::Never, "{act} {status}");
            assert!(
                error.hint.as_ref().is_some_and(|text| text.starts_with(hint)),
                "{act} {status}: {:?}",
                error.hint
            );
        }
    }

    #[test]
    fn a_reason_is_in_the_words_of_jira_and_without_the_token() {
        let body =
            r#"{"errorMessages":["Not\nallowed"],"errors":{"labels":"tok-4f9a7c31d2e8 cannot be set"}}"#;
        let refusal = refusal(Act::File, 400, None, body);
        assert_eq!(refusal.fields, ["labels"]);
        assert_eq!(
            refusal.error.message,
            "filing an issue for jira.llm at https://example.atlassian.net was answered with 400: Not allowed; labels: [secret] \
             cannot be set"
        );
    }
}
