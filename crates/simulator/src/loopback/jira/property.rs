//! Entity properties: what a client keeps beside an issue or a comment, out of sight of those who read it.
//!
//! Source: Jira Cloud platform REST API, version 3, issue properties and the `properties` of issues and comments. A key has
//! at most 255 characters; a value is any JSON of at most 32,768 characters.

use serde_json::{Map, Value, json};

use super::{Answer, JiraIssue, Request, State, refusal};

const KEY_MAX: usize = 255;
const VALUE_MAX: usize = 32_768;
/// So many names a search takes.
const NAMES_MAX: usize = 5;

/// Properties by key.
pub(super) type Properties = Map<String, Value>;

/// What a new issue, an edit, a transition or a comment brings: `properties[].key` and `.value`.
pub(super) fn brought(body: &Value) -> Result<Properties, Answer> {
    let list = match body.get("properties") {
        None => return Ok(Map::new()),
        Some(list) => list.as_array().ok_or_else(|| refusal(400, &["properties: data was not an array"]))?,
    };
    list.iter()
        .map(|property| {
            let key = property.get("key").and_then(Value::as_str);
            let key = key.ok_or_else(|| refusal(400, &["The key of a property is missing."]))?;
            let value = property.get("value").unwrap_or(&Value::Null);
            check(key, value)?;
            Ok((key.to_owned(), value.clone()))
        })
        .collect()
}

fn check(key: &str, value: &Value) -> Result<(), Answer> {
    if key.is_empty() || key.chars().count() > KEY_MAX {
        return Err(refusal(400, &["The key of a property has 1 to 255 characters."]));
    }
    if value.is_null() || value.to_string().chars().count() > VALUE_MAX {
        return Err(refusal(400, &["The value of a property has to be JSON of 1 to 32768 characters."]));
    }
    Ok(())
}

/// As a list, the way comments have them.
pub(super) fn listed(properties: &Properties) -> Value {
    properties.iter().map(|(key, value)| json!({"key": key, "value": value})).collect()
}

/// Which properties an answer is to have beside the fields.
#[derive(Debug, Default)]
pub(super) struct Wanted(Vec<String>);

impl Wanted {
    /// `?properties=one,two`, for one issue.
    pub(super) fn of_query(request: &Request<'_>) -> Self {
        let list = request.query("properties").unwrap_or_default();
        Self(list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// `properties` of a search.
    pub(super) fn of_search(body: &Value) -> Result<Self, Answer> {
        let names = body.get("properties").and_then(Value::as_array).into_iter().flatten();
        let names: Vec<String> = names.filter_map(Value::as_str).map(str::to_owned).collect();
        if names.len() > NAMES_MAX {
            return Err(refusal(400, &["A search takes the names of at most 5 properties."]));
        }
        Ok(Self(names))
    }

    /// Those of an issue that are wanted; `None` where nobody asked. `*all` means all, and `-name` all the same but that one.
    pub(super) fn of_issue(&self, issue: &JiraIssue) -> Option<Value> {
        let Self(names) = self;
        if names.is_empty() {
            return None;
        }
        let all = names.iter().any(|name| name == "*all");
        let mut properties = issue.properties.clone();
        properties.retain(|key, _| {
            (all || names.contains(key))
                && !names.iter().any(|name| name.strip_prefix('-') == Some(key.as_str()))
        });
        Some(properties.into())
    }
}

impl State {
    /// Sets one: 201 if it is new, 200 if it was there. Whatever else the issue has is as it was.
    pub(super) fn set_property(
        &mut self,
        issue: &str,
        name: &str,
        request: &Request<'_>,
    ) -> Result<Answer, Answer> {
        let issue = self.issue_mut(issue)?;
        let value = request.any_json()?;
        check(name, &value)?;
        let before = issue.properties.insert(name.to_owned(), value);
        Ok(Answer::empty(if before.is_none() { 201 } else { 200 }))
    }

    pub(super) fn property(&self, issue: &str, name: &str) -> Result<Answer, Answer> {
        match self.issue(issue)?.properties.get(name) {
            Some(value) => Ok(Answer::new(200, json!({"key": name, "value": value}))),
            None => {
                let message = format!("The property with key '{name}' does not exist.");
                Err(refusal(404, &[message.as_str()]))
            }
        }
    }

    /// The keys of all, each with its address.
    pub(super) fn property_keys(&self, issue: &str, site: &str) -> Result<Answer, Answer> {
        let issue = self.issue(issue)?;
        let link = issue.link(site);
        let keys = issue.properties.keys();
        let keys: Vec<Value> =
            keys.map(|key| json!({"self": format!("{link}/properties/{key}"), "key": key})).collect();
        Ok(Answer::new(200, json!({"keys": keys})))
    }
}
