//! Kinds of values, as a JSON Schema says them.

use serde_json::{Value, json};

use crate::schema::WELL_KNOWN_LABELS;

/// A kind of value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// One of some words.
    Words(Vec<&'static str>),
    /// A whole number from one to another.
    Integer(i64, i64),
    /// A number, by what JSON Schema says of its bounds.
    Number(&'static [(&'static str, f64)]),
    /// `true` or `false`.
    Boolean,
    /// A text that is not empty.
    Text,
    /// A text that fits a pattern.
    Pattern(&'static str),
    /// An array of at least so many.
    List(Box<Kind>, u64),
    /// One of a kind, or an array of them.
    OneOrMore(Box<Kind>),
    /// `{ env = "NAME" }` or `{ file = "PATH" }`.
    Secret,
    /// A value, or where it is.
    OrSecret(Box<Kind>),
    /// Labels: a table of texts.
    Labels,
    /// Another table.
    Table(&'static str),
}

impl Kind {
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Words(words) => json!({ "enum": words }),
            Self::Integer(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Self::Number(bounds) => {
                let mut schema = json!({ "type": "number" });
                for (word, bound) in *bounds {
                    schema[*word] = json!(bound);
                }
                schema
            }
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Text => Self::Pattern("\\S").schema(),
            Self::Pattern(pattern) => json!({ "type": "string", "pattern": pattern }),
            Self::List(of, least) => json!({ "type": "array", "items": of.schema(), "minItems": least }),
            Self::OneOrMore(of) => json!({ "anyOf": [of.schema(), Self::List(of.clone(), 0).schema()] }),
            Self::Secret => json!({
                "type": "object",
                "properties": {
                    "env": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
                    "file": { "type": "string", "minLength": 1 },
                },
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
            }),
            Self::OrSecret(of) => json!({ "anyOf": [of.schema(), Self::Secret.schema()] }),
            Self::Labels => {
                let known = WELL_KNOWN_LABELS.map(|label| (label.to_owned(), Self::Text.schema()));
                json!({
                    "type": "object",
                    "properties": serde_json::Map::from_iter(known),
                    "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9-]{0,63}$" },
                    "additionalProperties": Self::Text.schema(),
                })
            }
            Self::Table(name) => json!({ "$ref": format!("#/$defs/{name}") }),
        }
    }
}
