//! New issues, edits and comments.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::fields::{self, Fields};
use super::{
    Answer, JiraComment, JiraIssue, JiraRules, JiraStatus, Request, State, document, field_errors, refusal,
};

/// The id of the first issue, and of the first comment.
const FIRST_ID: u64 = 10_001;

impl State {
    pub(super) fn create(&mut self, rules: &JiraRules, request: &Request<'_>) -> Result<Answer, Answer> {
        let body = request.json()?;
        let fields = Fields::of_new(&body, rules)?;
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
            resolved: None,
            comments: Vec::new(),
            edits: 0,
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
        let comments = comments_of_update(&body)?;
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
        issue.edits += 1;
        issue.updated = request.now;
        for comment in comments {
            self.add_comment(key, comment, request.now)?;
        }
        Ok(Answer::empty(204))
    }

    pub(super) fn comment(&mut self, key: &str, request: &Request<'_>) -> Result<Answer, Answer> {
        self.issue(key)?;
        let body = request.json()?;
        let comment = comment_body(&body)?;
        let told = self.add_comment(key, comment, request.now)?;
        Ok(Answer::new(201, told))
    }

    /// Adds a comment whose body is good, and describes it.
    pub(super) fn add_comment(&mut self, key: &str, body: Value, now: Timestamp) -> Result<Value, Answer> {
        let id = (FIRST_ID + self.comments).to_string();
        let issue = self.issue_mut(key)?;
        let comment = JiraComment { id, at: now, body };
        let told = comment.described();
        issue.comments.push(comment);
        issue.updated = now;
        self.comments += 1;
        Ok(told)
    }
}

/// The comments that an edit or a transition adds besides: `update.comment[].add.body`.
pub(super) fn comments_of_update(body: &Value) -> Result<Vec<Value>, Answer> {
    let operations = body.pointer("/update/comment").and_then(Value::as_array);
    operations.into_iter().flatten().filter_map(|operation| operation.get("add")).map(comment_body).collect()
}

fn comment_body(comment: &Value) -> Result<Value, Answer> {
    let body = comment.get("body").unwrap_or(&Value::Null);
    match document::check(body) {
        Ok(()) => Ok(body.clone()),
        Err(document::Wrong::Invalid) => Err(refusal(400, &[document::Wrong::Invalid.message()])),
        Err(wrong) => {
            let message = if body.is_null() { "Comment body can not be empty!" } else { wrong.message() };
            Err(one_error("comment", message))
        }
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

fn one_error(field: &str, message: &str) -> Answer {
    let errors = Map::from_iter([(field.to_owned(), message.into())]);
    field_errors(errors).err().unwrap_or_else(|| Answer::empty(400))
}

/// Jira keeps labels as a set.
fn sorted(labels: Vec<String>) -> Vec<String> {
    labels.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}
