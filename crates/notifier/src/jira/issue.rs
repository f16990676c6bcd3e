//! Reading an issue.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{PROPERTY, document};

/// The fields that are read.
pub(super) const FIELDS: [&str; 7] = [
    "status",
    "resolution",
    "resolutiondate",
    "statuscategorychangedate",
    "created",
    "labels",
    "description",
];

/// An issue that is there.
#[derive(Debug, Clone)]
pub(super) struct Issue {
    pub(super) key: String,
    pub(super) category: Category,
    /// The name of the status.
    pub(super) status: String,
    /// The name of the resolution.
    pub(super) resolution: Option<String>,
    /// When it last became to do, begun or done.
    pub(super) changed: Option<Timestamp>,
    pub(super) created: Option<Timestamp>,
    pub(super) mark: Mark,
    labels: Vec<String>,
    text: String,
}

/// What every status of Jira belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    ToDo,
    Begun,
    Done,
}

impl Category {
    /// The category of a status.
    pub(super) fn of(status: &Value) -> Self {
        match status["statusCategory"]["key"].as_str() {
            Some("done") => Self::Done,
            Some("indeterminate") => Self::Begun,
            _ => Self::ToDo,
        }
    }
}

/// What the daemon wrote down beside the issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// The key of the page or ticket that the issue was last opened for.
    #[serde(default)]
    pub(super) key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<String>,
    /// The message that filed it.
    #[serde(default)]
    pub(super) message: String,
    /// When the daemon closed it, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) closed: Option<i64>,
}

impl Issue {
    /// An issue as a search or a read answers it; `None` for what is none.
    pub(super) fn read(issue: &Value) -> Option<Self> {
        let fields = &issue["fields"];
        let mark = &issue["properties"][PROPERTY];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Some(Self {
            key: text(&issue["key"])?,
            category: Category::of(&fields["status"]),
            status: text(&fields["status"]["name"]).unwrap_or_default(),
            resolution: text(&fields["resolution"]["name"]),
            changed: time(&fields["statuscategorychangedate"]).or_else(|| time(&fields["resolutiondate"])),
            created: time(&fields["created"]),
            mark: Mark::deserialize(mark).unwrap_or_default(),
            labels: fields["labels"].as_array().into_iter().flatten().filter_map(text).collect(),
            text: document::text(&fields["description"]),
        })
    }

    /// Whether it is about the page, ticket or subject of that name. A search by text finds more than was asked for.
    pub(super) fn is_about(&self, name: &str) -> bool {
        self.mark.key == name
            || self.mark.subject.as_deref() == Some(name)
            || self.labels.iter().any(|label| label == name)
            || self.text.split_whitespace().any(|word| word == name)
    }
}

/// `2026-12-03T06:17:02.000+0000`
fn time(value: &Value) -> Option<Timestamp> {
    let text = value.as_str()?;
    Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text).or_else(|_| text.parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_issue_is_read_as_jira_writes_it() {
        let issue = Issue::read(&json!({
            "key": "LLM-7",
            "fields": {
                "status": { "name": "Closed", "statusCategory": { "key": "done" } },
                "resolution": { "name": "Won't Do" },
                "statuscategorychangedate": "2026-12-03T08:17:02.500+0200",
                "created": "2026-12-01T00:00:00.000+0000",
                "labels": ["otpsd"],
                "description": { "type": "doc", "content": [{ "type": "paragraph", "content": [
                    { "type": "text", "text": "Found again by: otpsd-1 otpsd-of-2" }] }] }
            },
            "properties": { "otpsd": { "key": "otpsd-3", "closed": 7, "of a later version": true } }
        }))
        .unwrap();
        assert_eq!((issue.key.as_str(), issue.category), ("LLM-7", Category::Done));
        assert_eq!(issue.resolution.as_deref(), Some("Won't Do"));
        assert_eq!(issue.changed.unwrap().to_string(), "2026-12-03T06:17:02.5Z");
        assert_eq!(issue.mark.closed, Some(7));
        for name in ["otpsd", "otpsd-1", "otpsd-of-2", "otpsd-3"] {
            assert!(issue.is_about(name), "{name}");
        }
        assert!(!issue.is_about("otpsd-of") && !issue.is_about("otpsd-4"));
    }

    #[test]
    fn what_is_missing_is_not_made_up() {
        let issue = Issue::read(&json!({ "key": "LLM-1" })).unwrap();
        assert_eq!((issue.category, issue.changed, &issue.mark), (Category::ToDo, None, &Mark::default()));
        assert!(Issue::read(&json!({ "fields": {} })).is_none());
        assert!(!issue.is_about("otpsd-1"));
    }
}
