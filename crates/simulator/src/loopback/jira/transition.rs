//! Statuses, and the way from one to another.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::comment::Draft;
use super::{Answer, Request, State, field_errors, property, refusal};

/// Resolutions there are.
const RESOLUTIONS: [&str; 4] = ["Done", "Won't Do", "Duplicate", "Cannot Reproduce"];

/// Where an issue stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JiraStatus {
    /// `To Do`, of the category `new`.
    ToDo,
    /// `In Progress`, of the category `indeterminate`.
    InProgress,
    /// `Done`, of the category `done`.
    Done,
}

impl JiraStatus {
    const ALL: [Self; 3] = [Self::ToDo, Self::InProgress, Self::Done];

    /// As people see it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ToDo => "To Do",
            Self::InProgress => "In Progress",
            Self::Done => "Done",
        }
    }

    /// The key of its category, which is the same in every Jira.
    #[must_use]
    pub const fn category(self) -> &'static str {
        match self {
            Self::ToDo => "new",
            Self::InProgress => "indeterminate",
            Self::Done => "done",
        }
    }

    const fn id(self) -> u32 {
        match self {
            Self::ToDo => 10_000,
            Self::InProgress => 10_001,
            Self::Done => 10_002,
        }
    }

    /// The id of the transition that leads here.
    const fn transition(self) -> &'static str {
        match self {
            Self::ToDo => "11",
            Self::InProgress => "21",
            Self::Done => "31",
        }
    }

    pub(super) fn described(self, site: &str) -> Value {
        let id = self.id();
        let category_id = match self {
            Self::ToDo => 2,
            Self::InProgress => 4,
            Self::Done => 3,
        };
        json!({
            "self": format!("{site}/rest/api/3/status/{id}"),
            "id": id.to_string(),
            "name": self.name(),
            "statusCategory": {"id": category_id, "key": self.category(), "name": self.name()},
        })
    }
}

/// The transitions of any issue.
pub(super) fn all(site: &str, with_fields: bool) -> Value {
    let transitions = JiraStatus::ALL.map(|status| {
        let mut transition = json!({
            "id": status.transition(),
            "name": status.name(),
            "to": status.described(site),
            "hasScreen": status == JiraStatus::Done,
            "isAvailable": true,
            "isGlobal": true,
            "isInitial": false,
        });
        if with_fields {
            let values = RESOLUTIONS.map(|name| json!({"name": name}));
            transition["fields"] = match status {
                JiraStatus::Done => json!({"resolution": {
                    "required": false, "name": "Resolution", "operations": ["set"], "allowedValues": values,
                }}),
                JiraStatus::ToDo | JiraStatus::InProgress => json!({}),
            };
        }
        transition
    });
    json!({"expand": "transitions", "transitions": transitions})
}

impl State {
    pub(super) fn transition(&mut self, key: &str, request: &Request<'_>) -> Result<Answer, Answer> {
        self.issue(key)?;
        let body = request.json()?;
        let Some(id) = body.pointer("/transition/id").and_then(text) else {
            return Err(refusal(400, &["Missing 'transition' identifier"]));
        };
        let Some(status) = JiraStatus::ALL.into_iter().find(|status| status.transition() == id) else {
            let message = format!("Transition id '{id}' is not valid for this issue.");
            return Err(refusal(400, &[message.as_str()]));
        };
        let resolution = resolution(&body, status)?;
        let (comments, properties) = (Draft::of_update(&body)?, property::brought(&body)?);
        let issue = self.issue_mut(key)?;
        issue.move_to(status, resolution.as_deref(), request.now);
        issue.properties.extend(properties);
        for comment in comments {
            self.add_comment(key, comment, request.now)?;
        }
        Ok(Answer::empty(204))
    }
}

/// The resolution that is asked for. It can be set only on the way to `Done`.
fn resolution(body: &Value, status: JiraStatus) -> Result<Option<String>, Answer> {
    let mut errors = serde_json::Map::new();
    let mut resolution = None;
    for (name, value) in body.get("fields").and_then(Value::as_object).into_iter().flatten() {
        let known = name == "resolution" && status == JiraStatus::Done;
        if !known {
            let message =
                format!("Field '{name}' cannot be set. It is not on the appropriate screen, or unknown.");
            errors.insert(name.clone(), message.into());
            continue;
        }
        match value.get("name").and_then(Value::as_str).filter(|name| RESOLUTIONS.contains(name)) {
            Some(name) => resolution = Some(name.to_owned()),
            None => {
                errors.insert(name.clone(), "Specify a valid resolution name".into());
            }
        }
    }
    field_errors(errors)?;
    Ok(resolution)
}

/// Ids are texts; clients also send numbers.
fn text(id: &Value) -> Option<String> {
    match id {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}
