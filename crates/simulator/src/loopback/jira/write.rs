//! New issues and edits.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::comment::Draft;
use super::fields::{self, Fields};
use super::{Answer, JiraIssue, JiraRules, JiraStatus, Request, State, one_error, property};

/// The id of the first one.
const FIRST_ID: u64 = 10_001;

impl State {
    pub(super) fn create(&mut self, rules: &JiraRules, request: &Request<'_>) -> Result<Answer, Answer> {
        let body = request.json()?;
        let fields = Fields::of_new(&body, rules)?;
        let properties = property::brought(&body)?;
        let project = fields.project.unwrap_or_default();
        let number = self.numbers.entry(project.clone()).or_default();
        *number += 1;
        let labels = if self.settings.drop_labels { None } else { fields.labels };
        let issue = JiraIssue {
            id: (FIRST_ID + self.issues.len() as u64).to_string(),
            key: format!("{project}-{number}"),
            project,
            issue_type: fields.issue_type.unwrap_or_default(),
            summary: fields.summary.unwrap_or_default(),
            description: fields.description.unwrap_or_default(),
            labels: sorted(labels.unwrap_or_default()),
            priority: fields.priority.unwrap_or_else(|| "Medium".to_owned()),
            status: JiraStatus::ToDo,
            resolution: None,
            created: request.now,
            updated: request.now,
            category_changed: request.now,
            resolved: None,
            comments: Vec::new(),
            edits: 0,
            properties,
            others: fields.others,
        };
        let told = json!({"id": issue.id, "key": issue.key, "self": issue.link(&request.site_url())});
        self.issues.push(issue);
        Ok(Answer::new(201, told))
    }

    pub(super) fn edit(&mut self, key: &str, request: &Request<'_>) -> Result<Answer, Answer> {
        self.issue(key)?;
        let body = request.json()?;
        let fields = Fields::of_edit(&body)?;
        let (comments, properties) = (Draft::of_update(&body)?, property::brought(&body)?);
        let issue = self.issue_mut(key)?;
        let labels = fields.labels.unwrap_or_else(|| issue.labels.clone());
        issue.labels = updated_labels(labels, &body)?;
        if let Some(summary) = fields.summary {
            issue.summary = summary;
        }
        if let Some(description) = fields.description {
            issue.description = description;
        }
        if let Some(priority) = fields.priority {
            issue.priority = priority;
        }
        issue.others.extend(fields.others);
        issue.properties.extend(properties);
        issue.edits += 1;
        issue.updated = request.now;
        for comment in comments {
            self.add_comment(key, comment, request.now)?;
        }
        Ok(Answer::empty(204))
    }
}

/// The labels after `update.labels`: `add`, `remove` and `set`, in order.
fn updated_labels(mut labels: Vec<String>, body: &Value) -> Result<Vec<String>, Answer> {
    for operation in body.pointer("/update/labels").and_then(Value::as_array).into_iter().flatten() {
        for (verb, value) in operation.as_object().into_iter().flatten() {
            let wrong = |message: String| one_error("labels", &message);
            match verb.as_str() {
                "add" => labels.push(fields::label(value).map_err(wrong)?),
                "remove" => labels.retain(|label| Some(label.as_str()) != value.as_str()),
                "set" => {
                    let list = value.as_array().into_iter().flatten();
                    labels = list.map(fields::label).collect::<Result<_, _>>().map_err(wrong)?;
                }
                other => return Err(wrong(format!("operation '{other}' is not supported"))),
            }
        }
    }
    Ok(sorted(labels))
}

/// Jira keeps labels as a set.
fn sorted(labels: Vec<String>) -> Vec<String> {
    labels.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}
