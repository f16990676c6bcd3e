//! An issue, and how answers describe it.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::property::Wanted;
use super::{JiraComment, JiraStatus};
use crate::loopback::clock;

/// An issue as it is now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JiraIssue {
    /// A number.
    pub id: String,
    /// `PROJECT-NUMBER`.
    pub key: String,
    /// The key of the project.
    pub project: String,
    /// `Task`, or what else was asked for.
    pub issue_type: String,
    /// One line.
    pub summary: String,
    /// In the Atlassian Document Format, or null.
    pub description: Value,
    /// Sorted.
    pub labels: Vec<String>,
    /// `Highest` to `Lowest`.
    pub priority: String,
    /// Where it stands.
    pub status: JiraStatus,
    /// How it was resolved, if it is done.
    pub resolution: Option<String>,
    /// By the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub created: Timestamp,
    /// When anything of it last changed.
    #[serde(serialize_with = "clock::as_text")]
    pub updated: Timestamp,
    /// When its status last came to another category.
    #[serde(serialize_with = "clock::as_text")]
    pub category_changed: Timestamp,
    /// When it was resolved, if it is done.
    #[serde(serialize_with = "clock::as_text_if_any")]
    pub resolved: Option<Timestamp>,
    /// Oldest first.
    pub comments: Vec<JiraComment>,
    /// How often it was edited; comments, transitions and properties do not count.
    pub edits: u64,
    /// What clients keep beside it, by key.
    pub properties: Map<String, Value>,
    /// Other fields, as they were given.
    pub others: Map<String, Value>,
}

impl JiraIssue {
    /// Whether this is its key or id. Keys are the same in capitals and without.
    pub(super) fn is(&self, key: &str) -> bool {
        self.id == key || self.key.eq_ignore_ascii_case(key)
    }

    pub(super) fn move_to(&mut self, status: JiraStatus, resolution: Option<&str>, now: Timestamp) {
        if status.category() != self.status.category() {
            self.category_changed = now;
        }
        self.status = status;
        self.updated = now;
        let done = status == JiraStatus::Done;
        self.resolution = done.then(|| resolution.unwrap_or("Done").to_owned());
        self.resolved = done.then_some(now);
    }

    /// As answers have it, with the fields that were asked for, or all, and the properties that were.
    pub(super) fn described(&self, site: &str, wanted: Option<&[String]>, properties: &Wanted) -> Value {
        let mut fields = self.fields(site);
        if let Some(wanted) = wanted
            && !wanted.iter().any(|name| name == "*all" || name == "*navigable")
        {
            fields.retain(|name, _| wanted.contains(name));
        }
        let mut told = json!({"id": self.id, "self": self.link(site), "key": self.key, "fields": fields});
        if let Some(properties) = properties.of_issue(self) {
            told["properties"] = properties;
        }
        told
    }

    pub(super) fn link(&self, site: &str) -> String {
        format!("{site}/rest/api/3/issue/{}", self.id)
    }

    fn fields(&self, site: &str) -> Map<String, Value> {
        let mut fields = self.others.clone();
        let resolution = self.resolution.as_ref().map(|name| json!({"name": name}));
        let known = [
            ("summary", json!(self.summary)),
            ("description", self.description.clone()),
            ("labels", json!(self.labels)),
            ("project", json!({"key": self.project})),
            ("issuetype", json!({"name": self.issue_type, "subtask": false})),
            ("priority", json!({"name": self.priority})),
            ("status", self.status.described(site)),
            ("resolution", json!(resolution)),
            ("created", json!(time(self.created))),
            ("updated", json!(time(self.updated))),
            ("resolutiondate", json!(self.resolved.map(time))),
            ("statuscategorychangedate", json!(time(self.category_changed))),
            ("comment", self.comments_described()),
        ];
        fields.extend(known.map(|(name, value)| (name.to_owned(), value)));
        fields
    }
}

/// Jira writes milliseconds, and an offset without a colon.
pub(super) fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3f+0000").to_string()
}
