//! Comments on an issue.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::issue::time;
use super::property::{self, Properties};
use super::{Answer, JiraIssue, Request, State, document, refusal};
use crate::loopback::clock;

/// The id of the first one.
const FIRST_ID: u64 = 10_001;
/// Comments on a page, if not said.
const PAGE: usize = 100;

/// A comment on an issue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JiraComment {
    /// A number.
    pub id: String,
    /// By the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub at: Timestamp,
    /// In the Atlassian Document Format.
    pub body: Value,
    /// What its author keeps beside it, by key.
    pub properties: Map<String, Value>,
}

/// A comment that can be made.
pub(super) struct Draft {
    body: Value,
    properties: Properties,
}

impl Draft {
    fn of(comment: &Value) -> Result<Self, Answer> {
        let body = comment.get("body").unwrap_or(&Value::Null);
        match document::check(body) {
            Ok(()) => Ok(Self { body: body.clone(), properties: property::brought(comment)? }),
            Err(document::Wrong::Invalid) => Err(refusal(400, &[document::Wrong::Invalid.message()])),
            Err(wrong) => {
                let message = if body.is_null() { "Comment body can not be empty!" } else { wrong.message() };
                Err(super::one_error("comment", message))
            }
        }
    }

    /// The comments that an edit or a transition adds besides: `update.comment[].add`.
    pub(super) fn of_update(body: &Value) -> Result<Vec<Self>, Answer> {
        let operations = body.pointer("/update/comment").and_then(Value::as_array);
        operations.into_iter().flatten().filter_map(|operation| operation.get("add")).map(Self::of).collect()
    }
}

impl JiraComment {
    /// As answers have it: with its properties only where they are asked for.
    fn described(&self, with_properties: bool) -> Value {
        let mut told =
            json!({"id": self.id, "body": self.body, "created": time(self.at), "updated": time(self.at)});
        if with_properties {
            told["properties"] = property::listed(&self.properties);
        }
        told
    }
}

impl JiraIssue {
    /// As the field `comment` has them.
    pub(super) fn comments_described(&self) -> Value {
        let comments: Vec<Value> = self.comments.iter().map(|comment| comment.described(false)).collect();
        json!({"startAt": 0, "maxResults": comments.len(), "total": comments.len(), "comments": comments})
    }

    /// A page of them, in the order of `orderBy`: the oldest first, unless it is `-created`.
    pub(super) fn comments_listed(&self, request: &Request<'_>) -> Result<Answer, Answer> {
        let number = |name: &str, default: usize| match request.query(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| refusal(400, &[&*format!("'{name}' is not a number")])),
        };
        let (start, size) = (number("startAt", 0)?, number("maxResults", PAGE)?);
        let mut comments: Vec<&JiraComment> = self.comments.iter().collect();
        match request.query("orderBy").as_deref() {
            None | Some("created" | "+created") => {}
            Some("-created") => comments.reverse(),
            Some(other) => return Err(refusal(400, &[&*format!("comments cannot be ordered by '{other}'")])),
        }
        let with_properties = expands(request, "properties");
        let page = comments.into_iter().skip(start).take(size);
        let page: Vec<Value> = page.map(|comment| comment.described(with_properties)).collect();
        let total = self.comments.len();
        let body = json!({"startAt": start, "maxResults": size, "total": total, "comments": page});
        Ok(Answer::new(200, body))
    }
}

impl State {
    pub(super) fn comment(&mut self, key: &str, request: &Request<'_>) -> Result<Answer, Answer> {
        self.issue(key)?;
        let draft = Draft::of(&request.json()?)?;
        let comment = self.add_comment(key, draft, request.now)?;
        Ok(Answer::new(201, comment.described(expands(request, "properties"))))
    }

    /// Adds a comment, and gives it as it is kept.
    pub(super) fn add_comment(
        &mut self,
        key: &str,
        draft: Draft,
        now: Timestamp,
    ) -> Result<JiraComment, Answer> {
        let id = (FIRST_ID + self.comments).to_string();
        let issue = self.issue_mut(key)?;
        let comment = JiraComment { id, at: now, body: draft.body, properties: draft.properties };
        issue.comments.push(comment.clone());
        issue.updated = now;
        self.comments += 1;
        Ok(comment)
    }
}

/// Whether `expand` asks for something.
pub(super) fn expands(request: &Request<'_>, what: &str) -> bool {
    request.query("expand").is_some_and(|list| list.split(',').any(|name| name == what))
}
