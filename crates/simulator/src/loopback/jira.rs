//! Jira Cloud: as much of REST API v3 as a client needs that files tickets, finds them again and moves them on.
//!
//! Messages of errors are those that Jira has been seen to give, where one is known. Every project has one workflow, the
//! usual one of three statuses, each of which can be reached from each other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::request::Parts;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::fault::{Refusal, Refused};
use super::reply::Answer;

mod auth;
mod comment;
mod document;
mod fields;
mod issue;
mod jql;
mod plain;
mod property;
mod route;
mod search;
mod transition;
mod write;

pub use comment::JiraComment;
pub use issue::JiraIssue;
pub use plain::JiraSettings;
pub use transition::JiraStatus;

use property::Wanted;
use route::Route;

/// What Jira takes, beyond its fixed rules.
#[derive(Clone, Default)]
pub(crate) struct JiraRules {
    /// Keys of the projects there are; empty means all.
    pub(crate) projects: BTreeSet<String>,
    /// The API token, or the bearer token, that is good; `None` means any.
    pub(crate) token: Option<String>,
}

/// The service.
#[derive(Default)]
pub(crate) struct Jira {
    rules: JiraRules,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    settings: JiraSettings,
    /// In the order they were created.
    issues: Vec<JiraIssue>,
    /// How many issues each project had so far.
    numbers: BTreeMap<String, u64>,
    comments: u64,
}

/// A call, before anything of it is read.
pub(crate) struct Request<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) body: &'a [u8],
    pub(crate) now: Timestamp,
}

impl Request<'_> {
    /// The operation as faults and counters know it, and the issue or project that it is about.
    pub(crate) fn site(&self) -> (&'static str, Option<String>) {
        let route = self.route();
        let named = match route {
            Some(Route::Create) => self
                .json()
                .ok()
                .and_then(|body| Some(body.pointer("/fields/project/key")?.as_str()?.to_owned())),
            Some(route) => route.issue().map(str::to_owned),
            None => None,
        };
        (route.map_or("jira.read", Route::operation), named)
    }

    fn route(&self) -> Option<Route<'_>> {
        Route::of(&self.parts.method, self.parts.uri.path())
    }

    /// The body, which has to be an object.
    fn json(&self) -> Result<Value, Answer> {
        let body = self.any_json()?;
        if body.is_object() { Ok(body) } else { Err(not_json()) }
    }

    fn any_json(&self) -> Result<Value, Answer> {
        let is_json = self.parts.headers.get("content-type").is_some_and(|kind| {
            kind.to_str().is_ok_and(|kind| kind.split(';').next() == Some("application/json"))
        });
        if !is_json {
            return Err(Answer::empty(415));
        }
        serde_json::from_slice(self.body).map_err(|_| not_json())
    }

    /// Where clients reach this Jira, as its answers name it.
    fn site_url(&self) -> String {
        let host = self.parts.headers.get("host").and_then(|host| host.to_str().ok());
        format!("http://{}", host.unwrap_or("127.0.0.1"))
    }

    fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query().unwrap_or_default();
        form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }
}

impl Jira {
    pub(crate) fn new(rules: JiraRules) -> Self {
        Self { rules, state: Mutex::default() }
    }

    /// In the order they were created.
    pub(crate) fn issues(&self) -> Vec<JiraIssue> {
        self.lock().issues.clone()
    }

    pub(crate) fn set(&self, settings: JiraSettings) {
        self.lock().settings = settings;
    }

    pub(crate) fn settings(&self) -> JiraSettings {
        self.lock().settings
    }

    /// Moves an issue as a person would, with a resolution if it is done. False if there is no such issue.
    pub(crate) fn move_by_hand(
        &self,
        key: &str,
        status: JiraStatus,
        resolution: Option<&str>,
        now: Timestamp,
    ) -> bool {
        self.lock().issue_mut(key).map(|issue| issue.move_to(status, resolution, now)).is_ok()
    }

    pub(crate) fn answer(&self, request: &Request<'_>) -> Answer {
        if !auth::is_good(&request.parts.headers, self.rules.token.as_deref()) {
            return unauthorized();
        }
        self.carry_out(request).unwrap_or_else(|refused| refused)
    }

    fn carry_out(&self, request: &Request<'_>) -> Result<Answer, Answer> {
        let route =
            request.route().ok_or_else(|| refusal(404, &["this is not simulated by the loopback Jira"]))?;
        let mut state = self.lock();
        match route {
            Route::RemovedSearch => Err(refusal(410, &[search::REMOVED])),
            Route::Search => state.search(&self.rules, request),
            Route::Create => state.create(&self.rules, request),
            Route::Read(key) => {
                let fields = request.query("fields");
                let fields: Option<Vec<String>> =
                    fields.map(|list| list.split(',').map(str::to_owned).collect());
                let issue = state.issue(key)?;
                let properties = Wanted::of_query(request);
                Ok(Answer::new(200, issue.described(&request.site_url(), fields.as_deref(), &properties)))
            }
            Route::Edit(key) => state.edit(key, request),
            Route::Comments(key) => state.issue(key)?.comments_listed(request),
            Route::Comment(key) => state.comment(key, request),
            Route::PropertyKeys(key) => state.property_keys(key, &request.site_url()),
            Route::Property(key, name) => state.property(key, name),
            Route::SetProperty(key, name) => state.set_property(key, name, request),
            Route::Transitions(key) => {
                state.issue(key)?;
                let with_fields = comment::expands(request, "transitions.fields");
                Ok(Answer::new(200, transition::all(&request.site_url(), with_fields)))
            }
            Route::Transition(key) => state.transition(key, request),
            Route::Myself => Ok(Answer::new(200, plain::myself(&request.site_url()))),
            Route::Project(key) => plain::project(&self.rules, key, &request.site_url()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn issue(&self, key: &str) -> Result<&JiraIssue, Answer> {
        self.issues.iter().find(|issue| issue.is(key)).ok_or_else(not_found)
    }

    fn issue_mut(&mut self, key: &str) -> Result<&mut JiraIssue, Answer> {
        self.issues.iter_mut().find(|issue| issue.is(key)).ok_or_else(not_found)
    }
}

/// What a fault makes of any call.
pub(crate) fn refused(refused: Refused) -> Answer {
    match refused {
        Refused::Throttled(retry_after) => Answer { retry_after, ..refusal(429, &["Rate limit exceeded."]) },
        Refused::By(Refusal::Internal) => refusal(500, &["Internal server error"]),
        Refused::By(Refusal::Unavailable) => refusal(503, &["Service unavailable"]),
        Refused::By(Refusal::Denied | Refusal::KmsAccessDenied | Refusal::KmsDisabled) => {
            refusal(403, &["You do not have permission to do this."])
        }
        Refused::By(Refusal::ExpiredToken | Refusal::UnknownKey | Refusal::ClockSkew) => unauthorized(),
    }
}

fn unauthorized() -> Answer {
    let message = "Client must be authenticated to access this resource.";
    Answer::new(401, json!({"message": message, "status-code": 401}))
}

fn not_found() -> Answer {
    refusal(404, &["Issue does not exist or you do not have permission to see it."])
}

fn not_json() -> Answer {
    refusal(400, &["There was an error parsing JSON. Check that your request body is valid."])
}

/// What is wrong with the whole.
fn refusal(status: u16, messages: &[&str]) -> Answer {
    Answer::new(status, json!({"errorMessages": messages, "errors": {}}))
}

/// What is wrong with each field; nothing if nothing is.
fn field_errors(errors: Map<String, Value>) -> Result<(), Answer> {
    if errors.is_empty() {
        return Ok(());
    }
    Err(Answer::new(400, json!({"errorMessages": [], "errors": errors})))
}

/// What is wrong with one field.
fn one_error(field: &str, message: &str) -> Answer {
    Answer::new(400, json!({"errorMessages": [], "errors": {field: message}}))
}

#[cfg(test)]
mod tests;
