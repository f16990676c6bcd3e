//! The JSON Schema of a configuration, for editors: `config/otpsd.schema.json` of the project.
//!
//! It says of each table and key what can be said without the others: what holds between them is for `otpsd check`.
//!
//! # Layout
//!
//! - `kind`: kinds of values.
//! - `keys`: which key has which kind.
//! - `described`: what the reference says of each key, and its default.

mod described;
mod keys;
mod kind;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use self::described::Described;
use self::keys::{Presence, Shape};
use crate::schema::{self, Section};

const NAME: &str = "^[A-Za-z0-9_-]{1,64}$";

/// The JSON Schema (draft 2020-12) of a whole configuration, in lines for people. A folder of files is valid where they are
/// together; a schema looks at one file, and so asks for no table.
#[must_use]
pub fn schema_json() -> String {
    let described = Described::of(crate::REFERENCE);
    let defs: Map<String, Value> =
        schema::SECTIONS.iter().map(|section| (definition(section), table(section, &described))).collect();
    let root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration of otpsd",
        "type": "object",
        "additionalProperties": false,
        "properties": properties(),
        "$defs": defs,
    });
    // Strings as keys and numbers that are finite can always be written.
    serde_json::to_string_pretty(&root).map(|text| text + "\n").unwrap_or_default()
}

/// The tables of a file, by the keys on the way to them.
fn properties() -> Value {
    let mut root = Map::new();
    for section in schema::SECTIONS.into_iter().filter(|section| section.title.starts_with('[')) {
        let is_list = section.title.starts_with("[[");
        let mut leaf = json!({ "$ref": format!("#/$defs/{}", definition(section)) });
        if is_list {
            leaf = json!({ "type": "array", "items": leaf });
        }
        let path: Vec<&str> = section.title.trim_matches(['[', ']']).split('.').collect();
        insert(&mut root, &path, leaf);
    }
    Value::Object(root)
}

fn insert(at: &mut Map<String, Value>, path: &[&str], leaf: Value) {
    let [first, rest @ ..] = path else { return };
    if rest.is_empty() {
        at.insert((*first).to_owned(), leaf);
        return;
    }
    if rest == ["NAME"] {
        let named =
            json!({ "type": "object", "patternProperties": { NAME: leaf }, "additionalProperties": false });
        at.insert((*first).to_owned(), named);
        return;
    }
    let inner = at
        .entry((*first).to_owned())
        .or_insert_with(|| json!({ "type": "object", "properties": {}, "additionalProperties": false }));
    if let Some(Value::Object(properties)) = inner.get_mut("properties") {
        insert(properties, rest, leaf);
    }
}

/// What a section is called among the definitions: `source.cloudwatch`.
fn definition(section: &Section) -> String {
    section.title.trim_matches(['[', ']']).trim_end_matches(".NAME").to_owned()
}

fn table(section: &'static Section, described: &Described) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in section.keys {
        // What is at home elsewhere has no default here: the value of that place holds.
        let home = section.lender().filter(|lender| lender.keys.contains(key)).unwrap_or(section);
        let Shape { kind, presence, note } = Shape::of(home, key);
        let mut value = kind.schema();
        if let Value::Object(value) = &mut value {
            if let Some(text) = note.or_else(|| described.text(home, key)) {
                value.insert("description".to_owned(), text.into());
            }
            let default = described.default(home, key).filter(|_| presence == Presence::Default);
            if let Some(default) = default.filter(|_| std::ptr::eq(home, section)) {
                value.insert("default".to_owned(), default);
            }
        }
        if presence == Presence::Required && std::ptr::eq(home, section) {
            required.push(*key);
        }
        properties.insert((*key).to_owned(), value);
    }
    let mut table = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if let Value::Object(table) = &mut table {
        if !required.is_empty() {
            table.insert("required".to_owned(), required.into());
        }
        if section.title == "match" {
            table.insert("minProperties".to_owned(), 1.into());
        }
        if let Some(text) = described.title(section) {
            table.insert("description".to_owned(), text.into());
        }
    }
    table
}
