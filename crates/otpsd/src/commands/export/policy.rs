//! A policy document of IAM.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::permissions::Statement;

/// The version of the policy language, which is not the day of a policy.
pub(super) const VERSION: &str = "2012-10-17";

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Document<'a> {
    version: &'static str,
    statement: Vec<Entry<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Entry<'a> {
    sid: &'a str,
    effect: &'static str,
    action: &'a [&'static str],
    resource: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<Condition<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Condition<'a> {
    string_equals: InOrder<'a>,
}

/// A map in the order of the statement.
#[derive(Debug)]
struct InOrder<'a>(&'a [(&'static str, Vec<String>)]);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, values) in self.0 {
            map.serialize_entry(key, values)?;
        }
        map.end()
    }
}

pub(super) fn json(statements: &[Statement]) -> String {
    let statement = statements
        .iter()
        .map(|one| Entry {
            sid: one.sid,
            effect: "Allow",
            action: &one.actions,
            resource: &one.resources,
            condition: (!one.equals.is_empty()).then_some(Condition { string_equals: InOrder(&one.equals) }),
        })
        .collect();
    let document = Document { version: VERSION, statement };
    let mut text = serde_json::to_string_pretty(&document).expect("names and texts can be written as JSON");
    text.push('\n');
    text
}
