//! Labels: `{ owner = "team-a", tier = "1" }`, given to series by overrides, and asked for by routes and windows.

use toml::de::DeValue;

use crate::address;
use crate::quote::{quoted, typed};
use crate::report::At;
use crate::table::{Fault, Node, Table};
use crate::value::{glob, text};

const MAX_KEY: usize = 64;
const MAX_VALUE: usize = 256;
const EXAMPLE: &str = "{ tier = \"1\" }";

/// A label, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) key: String,
    pub(crate) value: String,
    /// Where its key is.
    pub(crate) key_at: At,
    /// Where its value is.
    pub(crate) at: At,
}

/// The labels that an override gives, in the order of the file; `None` when they cannot be used, and no labels when there are none.
pub(crate) fn given(table: &mut Table<'_, '_, '_>) -> Option<Vec<Label>> {
    each(table, value)
}

/// The labels that a route or a window asks for: their values are globs.
pub(crate) fn asked(table: &mut Table<'_, '_, '_>) -> Option<Vec<Label>> {
    each(table, |_, text| glob("value")(text))
}

fn each(
    table: &mut Table<'_, '_, '_>,
    read: impl Fn(&str, &str) -> Result<String, Fault>,
) -> Option<Vec<Label>> {
    let Some(node) = table.get("labels") else { return Some(Vec::new()) };
    let DeValue::Table(entries) = node.value else {
        let fault = Fault::new(format!("must be a table, not {}", typed(node.value)));
        table.fault("labels", node.at, fault.hint(format!("write `labels = {EXAMPLE}`")));
        return None;
    };
    let mut labels = Some(Vec::new());
    for (key, entry) in entries {
        let entry = Node::new(node.at.file, key, entry);
        let key = key.get_ref().as_ref();
        let label = is_key(table, key, entry.key_at)
            .then(|| text(|text| read(key, text))(entry.value))
            .and_then(|value| {
                value.map_err(|fault| table.fault(&format!("labels.{key}"), entry.at, fault)).ok()
            })
            .map(|value| Label { key: key.to_owned(), value, key_at: entry.key_at, at: entry.at });
        labels = labels.zip(label).map(|(mut labels, label)| {
            labels.push(label);
            labels
        });
    }
    if let Some(labels) = &mut labels {
        labels.sort_by_key(|label| label.key_at);
    }
    labels
}

fn is_key(table: &mut Table<'_, '_, '_>, key: &str, at: At) -> bool {
    let fits = |key: &str| {
        key.len() <= MAX_KEY
            && key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if fits(key) {
        return true;
    }
    let likely = key.trim().replace(['_', ' ', '.'], "-");
    let draft = table.report.error(at, format!("a label cannot be called {}", quoted(key)));
    draft.hint(if fits(&likely) {
        format!("did you mean `{likely}`?")
    } else {
        format!("it has up to {MAX_KEY} letters, digits and `-`, and begins with a letter")
    });
    false
}

fn value(key: &str, text: &str) -> Result<String, Fault> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        Err(Fault::new("is empty"))
    } else if length > MAX_VALUE {
        Err(Fault::new(format!("must have at most {MAX_VALUE} characters, not {length}")))
    } else if text.chars().any(char::is_control) {
        Err(Fault::new("must not hold control characters, such as the end of a line"))
    } else if key == "runbook" {
        // A page carries it where its reader can follow it.
        address::page(text)
    } else {
        Ok(text.to_owned())
    }
}
