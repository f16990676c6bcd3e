//! Texts in the Atlassian Document Format, which version 3 of the API takes.

use serde_json::{Value, json};

use crate::cut;
use crate::item::Item;

/// The longest summary. Source: Jira Cloud, limits of fields.
const SUMMARY_CHARACTERS: usize = 255;
/// The longest description or comment is 32,767 characters; the rest is for what stands around the text.
const TEXT_CHARACTERS: usize = 30_000;

/// One line.
pub(super) fn summary(item: &Item) -> String {
    cut::at_word(cut::one_line(&item.title).trim(), SUMMARY_CHARACTERS)
}

/// The text, the link, and the names that the issue is found by.
pub(super) fn description(item: &Item) -> Value {
    let names: Vec<&str> = [Some(item.key.as_str()), item.subject.as_deref()].into_iter().flatten().collect();
    document(item, Some(&format!("Found again by: {}", names.join(" "))))
}

/// The text, the link, and a sentence about the issue itself.
pub(super) fn comment(item: &Item, note: Option<&str>) -> Value {
    document(item, note)
}

fn document(item: &Item, last: Option<&str>) -> Value {
    let text = cut::at_word(&item.text, TEXT_CHARACTERS);
    let mut content = Vec::new();
    // An empty node of text is refused.
    if !text.is_empty() {
        // The text is laid out for a fixed width, which only a block of code keeps.
        content.push(json!({ "type": "codeBlock", "content": [{ "type": "text", "text": text }] }));
    }
    if let Some(link) = &item.link {
        let mark = json!([{ "type": "link", "attrs": { "href": link } }]);
        content.push(
            json!({ "type": "paragraph", "content": [{ "type": "text", "text": link, "marks": mark }] }),
        );
    }
    if let Some(last) = last {
        content.push(json!({ "type": "paragraph", "content": [{ "type": "text", "text": last }] }));
    }
    json!({ "type": "doc", "version": 1, "content": content })
}

/// All text of a document, in order.
pub(super) fn text(document: &Value) -> String {
    let own = document["text"].as_str().unwrap_or_default().to_owned();
    let parts = document["content"].as_array().into_iter().flatten().map(text);
    parts.fold(own, |all, part| all + " " + &part)
}
