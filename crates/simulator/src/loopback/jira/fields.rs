//! The fields of an issue that a client sets, and what Jira says of wrong ones.

use serde_json::{Map, Value};

use super::{Answer, JiraRules, document, field_errors, refusal};

/// Characters of a summary, and of a label.
const SHORT_TEXT_MAX: usize = 255;
const PRIORITIES: [&str; 5] = ["Highest", "High", "Medium", "Low", "Lowest"];
/// Fields that are taken as they are, besides those of the site's own, `customfield_…`.
const OTHERS: [&str; 6] = ["assignee", "components", "duedate", "environment", "parent", "reporter"];

/// What is set. `None` is what is not.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fields {
    pub(super) project: Option<String>,
    pub(super) issue_type: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) description: Option<Value>,
    pub(super) labels: Option<Vec<String>>,
    pub(super) priority: Option<String>,
    pub(super) others: Map<String, Value>,
}

impl Fields {
    /// Of a new issue, which needs some of them.
    pub(super) fn of_new(body: &Value, rules: &JiraRules) -> Result<Self, Answer> {
        let mut errors = Map::new();
        let fields = Self::read(body, &mut errors)?;
        let mut need = |name: &str, there: bool, message: &str| {
            if !there && !errors.contains_key(name) {
                errors.insert(name.to_owned(), message.into());
            }
        };
        let project = fields.project.as_ref().is_some_and(|key| rules.has_project(key));
        need("project", project, "Specify a valid project ID or key");
        need("issuetype", fields.issue_type.is_some(), "Specify an issue type");
        let summary = fields.summary.as_ref().is_some_and(|summary| !summary.trim().is_empty());
        need("summary", summary, "You must specify a summary of the issue.");
        field_errors(errors)?;
        Ok(fields)
    }

    /// Of an issue that there is.
    pub(super) fn of_edit(body: &Value) -> Result<Self, Answer> {
        let mut errors = Map::new();
        let fields = Self::read(body, &mut errors)?;
        for (name, given) in
            [("project", fields.project.is_some()), ("issuetype", fields.issue_type.is_some())]
        {
            if given {
                errors.insert(name.to_owned(), cannot_be_set(name).into());
            }
        }
        if fields.summary.as_ref().is_some_and(|summary| summary.trim().is_empty()) {
            errors.insert("summary".to_owned(), "You must specify a summary of the issue.".into());
        }
        field_errors(errors)?;
        Ok(fields)
    }

    fn read(body: &Value, errors: &mut Map<String, Value>) -> Result<Self, Answer> {
        let mut fields = Self::default();
        for (name, value) in body.get("fields").and_then(Value::as_object).into_iter().flatten() {
            if let Err(message) = fields.set(name, value) {
                // A document that is not in the schema is not laid at the door of its field.
                if message == document::Wrong::Invalid.message() {
                    return Err(refusal(400, &[message.as_str()]));
                }
                errors.insert(name.clone(), message.into());
            }
        }
        Ok(fields)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let named = || {
            let name = ["key", "name", "id"].into_iter().find_map(|key| value.get(key)?.as_str());
            name.filter(|name| !name.is_empty()).map(str::to_owned)
        };
        match name {
            "project" => self.project = named(),
            "issuetype" => self.issue_type = named(),
            "summary" => self.summary = Some(summary(value)?),
            "description" => {
                if !value.is_null() {
                    document::check(value).map_err(|wrong| wrong.message().to_owned())?;
                }
                self.description = Some(value.clone());
            }
            "labels" => self.labels = Some(labels(value)?),
            "priority" => {
                let known = named().filter(|name| PRIORITIES.contains(&name.as_str()));
                self.priority = Some(known.ok_or("The priority selected is invalid.")?);
            }
            other if OTHERS.contains(&other) || other.starts_with("customfield_") => {
                self.others.insert(other.to_owned(), value.clone());
            }
            other => return Err(cannot_be_set(other)),
        }
        Ok(())
    }
}

fn cannot_be_set(name: &str) -> String {
    format!("Field '{name}' cannot be set. It is not on the appropriate screen, or unknown.")
}

fn summary(value: &Value) -> Result<String, String> {
    let summary = value.as_str().ok_or("Operation value must be a string")?;
    if summary.contains(['\n', '\r']) {
        return Err("The summary is invalid because it contains newline characters.".to_owned());
    }
    if summary.chars().count() > SHORT_TEXT_MAX {
        return Err("Summary can't exceed 255 characters.".to_owned());
    }
    Ok(summary.to_owned())
}

fn labels(value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().ok_or("data was not an array")?;
    list.iter().map(label).collect()
}

/// One label, as it can be stored.
pub(super) fn label(value: &Value) -> Result<String, String> {
    let label = value.as_str().ok_or("string expected at index 0")?;
    if label.chars().any(char::is_whitespace) {
        return Err(format!("The label '{label}' contains spaces which is invalid."));
    }
    if label.chars().count() > SHORT_TEXT_MAX {
        return Err(format!(
            "The label '{label}' exceeds the maximum length for a single label of 255 characters."
        ));
    }
    Ok(label.to_owned())
}
