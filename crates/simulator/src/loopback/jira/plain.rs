//! What clients ask before they begin, and what a test can set.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Answer, JiraRules, refusal};

/// How Jira behaves, where one may behave in more than one way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct JiraSettings {
    /// Labels of a new issue are taken, and not stored: as where the field is not on the screen of a project that
    /// ignores what it does not know.
    pub drop_labels: bool,
    /// How long it takes until a search finds a new issue, in seconds by the loopback's clock: 0.
    pub index_delay_seconds: i64,
}

pub(super) fn myself(site: &str) -> Value {
    let id = "557058:00000000-0000-4000-8000-000000000001";
    json!({
        "self": format!("{site}/rest/api/3/user?accountId={id}"),
        "accountId": id,
        "accountType": "atlassian",
        "displayName": "otpsd",
        "active": true,
    })
}

pub(super) fn project(rules: &JiraRules, key: &str, site: &str) -> Result<Answer, Answer> {
    if !rules.has_project(key) {
        let message = format!("No project could be found with key '{key}'.");
        return Err(refusal(404, &[message.as_str()]));
    }
    let types = [("10001", "Task"), ("10002", "Bug"), ("10003", "Story")];
    let types: Vec<Value> =
        types.into_iter().map(|(id, name)| json!({"id": id, "name": name, "subtask": false})).collect();
    let body = json!({
        "self": format!("{site}/rest/api/3/project/10000"),
        "id": "10000",
        "key": key,
        "name": key,
        "issueTypes": types,
        "simplified": false,
        "style": "classic",
    });
    Ok(Answer::new(200, body))
}

impl JiraRules {
    pub(super) fn has_project(&self, key: &str) -> bool {
        if self.projects.is_empty() { is_key(key) } else { self.projects.contains(key) }
    }
}

/// Two capitals or digits at least, a letter first.
fn is_key(key: &str) -> bool {
    key.len() >= 2
        && key.starts_with(|first: char| first.is_ascii_uppercase())
        && key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}
