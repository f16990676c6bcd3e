//! The Atlassian Document Format: a tree of nodes, of which each kind may hold certain others.
//!
//! Source: the structure pages of Atlassian's developer documentation. Only what is common is known; a node that is not
//! is refused, as Jira refuses what is not in its schema.

use serde_json::Value;

/// Characters of a text.
const TEXT_MAX: usize = 32_767;

const BLOCKS: &[&str] = &[
    "paragraph",
    "heading",
    "bulletList",
    "orderedList",
    "codeBlock",
    "blockquote",
    "rule",
    "panel",
    "table",
    "expand",
];
const INLINES: &[&str] = &["text", "hardBreak", "inlineCard", "emoji", "date", "status", "mention"];
const MARKS: &[&str] = &["strong", "em", "code", "link", "strike", "underline", "subsup", "textColor"];

/// What is wrong with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It is not a document at all.
    NoDocument,
    /// It is not in the schema.
    Invalid,
    /// Its texts are too long.
    TooLong,
}

impl Wrong {
    /// What Jira says of a field.
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::NoDocument => {
                "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
            }
            Self::Invalid => "INVALID_INPUT",
            Self::TooLong => {
                "The entered text is too long. It exceeds the allowed limit of 32,767 characters."
            }
        }
    }
}

/// Checks a document.
pub(super) fn check(document: &Value) -> Result<(), Wrong> {
    if document.get("type").and_then(Value::as_str) != Some("doc") {
        return Err(Wrong::NoDocument);
    }
    if document.get("version").and_then(Value::as_i64) != Some(1) || document.get("content").is_none() {
        return Err(Wrong::Invalid);
    }
    let mut characters = 0;
    if !is_valid(document, &mut characters) {
        return Err(Wrong::Invalid);
    }
    if characters > TEXT_MAX { Err(Wrong::TooLong) } else { Ok(()) }
}

/// All that is written in it. Blocks and lines are apart; what only differs in its marks is not.
pub(super) fn text(node: &Value) -> String {
    let mut text = node.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    for child in node.get("content").and_then(Value::as_array).into_iter().flatten() {
        text += &self::text(child);
        if child.get("type").and_then(Value::as_str) != Some("text") {
            text.push('\n');
        }
    }
    text
}

/// What a kind of node may hold; `None` for kinds that there are not.
fn may_hold(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "doc" | "tableCell" | "tableHeader" => BLOCKS,
        "paragraph" | "heading" => INLINES,
        "bulletList" | "orderedList" => &["listItem"],
        "listItem" => &["paragraph", "bulletList", "orderedList", "codeBlock"],
        "blockquote" | "panel" | "expand" => {
            &["paragraph", "bulletList", "orderedList", "heading", "codeBlock"]
        }
        "codeBlock" => &["text"],
        "table" => &["tableRow"],
        "tableRow" => &["tableCell", "tableHeader"],
        "rule" | "text" | "hardBreak" | "inlineCard" | "emoji" | "date" | "status" | "mention" => &[],
        _ => return None,
    })
}

fn is_valid(node: &Value, characters: &mut usize) -> bool {
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
    let Some(holds) = may_hold(kind) else { return false };
    if kind == "text" {
        let text = node.get("text").and_then(Value::as_str).unwrap_or_default();
        *characters += text.chars().count();
        if text.is_empty() || !marks_are_valid(node) {
            return false;
        }
    }
    if kind == "heading"
        && !node.pointer("/attrs/level").and_then(Value::as_i64).is_some_and(|n| (1..=6).contains(&n))
    {
        return false;
    }
    let content = match node.get("content") {
        None => &Vec::new(),
        Some(Value::Array(content)) => content,
        Some(_) => return false,
    };
    // Lists, tables and their parts are never empty.
    if content.is_empty() && ["bulletList", "orderedList", "listItem", "table"].contains(&kind) {
        return false;
    }
    content.iter().all(|child| {
        let kind = child.get("type").and_then(Value::as_str).unwrap_or_default();
        holds.contains(&kind) && is_valid(child, characters)
    })
}

fn marks_are_valid(node: &Value) -> bool {
    match node.get("marks") {
        None => true,
        Some(Value::Array(marks)) => marks.iter().all(|mark| {
            let kind = mark.get("type").and_then(Value::as_str).unwrap_or_default();
            let has_target = mark.pointer("/attrs/href").is_some_and(Value::is_string);
            MARKS.contains(&kind) && (kind != "link" || has_target)
        }),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn doc(content: Value) -> Value {
        json!({"type": "doc", "version": 1, "content": content})
    }

    fn text(text: &str) -> Value {
        json!({"type": "text", "text": text})
    }

    #[test]
    fn what_people_write_is_taken() {
        let link = json!({"type": "text", "text": "runbook", "marks": [{"type": "link", "attrs": {"href": "https://example.com"}}]});
        let document = doc(json!([
            {"type": "heading", "attrs": {"level": 3}, "content": [text("What")]},
            {"type": "paragraph", "content": [text("see "), link, {"type": "hardBreak"}]},
            {"type": "paragraph"},
            {"type": "bulletList", "content": [
                {"type": "listItem", "content": [{"type": "paragraph", "content": [text("one")]}]},
            ]},
            {"type": "codeBlock", "attrs": {"language": "json"}, "content": [text("{}")]},
            {"type": "table", "content": [{"type": "tableRow", "content": [
                {"type": "tableCell", "content": [{"type": "paragraph", "content": [text("1")]}]},
            ]}]},
            {"type": "rule"},
        ]));
        assert_eq!(check(&document), Ok(()));
        assert_eq!(check(&doc(json!([]))), Ok(()));
    }

    #[test]
    fn what_is_no_document_is_told_from_a_wrong_one() {
        for none in [json!("text"), json!(null), json!({"type": "paragraph"}), json!([])] {
            assert_eq!(check(&none), Err(Wrong::NoDocument), "{none}");
        }
        for wrong in [
            json!({"type": "doc", "content": []}),
            json!({"type": "doc", "version": 1}),
            doc(json!([text("not in a paragraph")])),
            doc(json!([{"type": "paragraph", "content": [text("")]}])),
            doc(json!([{"type": "paragraph", "content": [{"type": "paragraph"}]}])),
            doc(json!([{"type": "heading", "content": [text("no level")]}])),
            doc(json!([{"type": "bulletList", "content": []}])),
            doc(json!([{"type": "marquee"}])),
            doc(
                json!([{"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": [{"type": "link"}]}]}]),
            ),
        ] {
            assert_eq!(check(&wrong), Err(Wrong::Invalid), "{wrong}");
        }
    }

    #[test]
    fn texts_have_a_length_in_characters() {
        let of = |length| check(&doc(json!([{"type": "paragraph", "content": [text(&"é".repeat(length))]}])));
        assert_eq!(of(32_767), Ok(()));
        assert_eq!(of(32_768), Err(Wrong::TooLong));
    }

    #[test]
    fn what_is_written_is_read_block_by_block() {
        let bold = json!({"type": "text", "text": "otpsd", "marks": [{"type": "strong"}]});
        let document = doc(json!([
            {"type": "paragraph", "content": [text("by: "), bold, text("-1"), {"type": "hardBreak"}, text("and")]},
            {"type": "codeBlock", "content": [text("41 tokens/s")]},
        ]));
        assert_eq!(super::text(&document), "by: otpsd-1\nand\n41 tokens/s\n");
        assert_eq!(super::text(&Value::Null), "");
    }
}
