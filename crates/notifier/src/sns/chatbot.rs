//! Custom notifications of Amazon Q Developer in chat applications, which was AWS Chatbot, version 1.0.
//!
//! Source: Amazon Q Developer in chat applications administrator guide, custom notifications: `version`, `source` and
//! `content.description` are required, only `client-markdown` is known, and `threadId` keeps messages together. A notification that does
//! not fit the schema is dropped without an error, so that every part is kept well below what chats take: Slack cuts a block of text at
//! 3,000 characters.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cut;
use crate::notice::Notice;

const TITLE_CHARACTERS: usize = 200;
const DESCRIPTION_CHARACTERS: usize = 2_600;
const LINK_CHARACTERS: usize = 300;
const STEP_CHARACTERS: usize = 300;
const STEPS: usize = 6;
const WORD_CHARACTERS: usize = 60;
const RESOURCES: usize = 10;
const RESOURCE_CHARACTERS: usize = 200;

#[derive(Serialize)]
struct Notification<'a> {
    version: &'static str,
    source: &'static str,
    id: &'a str,
    content: Content,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    text_type: &'static str,
    title: String,
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    next_steps: Vec<String>,
    keywords: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    thread_id: &'a str,
    summary: String,
    event_type: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_resources: Vec<String>,
    additional_context: Context<'a>,
}

#[derive(Serialize)]
struct Context<'a> {
    key: &'a str,
    kind: &'static str,
    action: &'static str,
    cause: &'static str,
}

/// The body. Everything that is said of one page or ticket stays in one thread.
pub(super) fn notification(notice: &Notice, id: &str) -> String {
    let part = |text: &str, limit| cut::at_word(&harmless(&cut::one_line(text)), limit);
    let steps = notice.steps.iter().take(STEPS).map(|step| part(step, STEP_CHARACTERS)).collect();
    let words = ["otpsd", notice.cause].into_iter().chain(notice.region());
    let models: BTreeSet<&str> = notice.series.iter().map(|series| series.named.model.as_str()).collect();
    let models = models.into_iter().take(RESOURCES);
    let notification = Notification {
        version: "1.0",
        source: "custom",
        id,
        content: Content {
            text_type: "client-markdown",
            title: part(&notice.summary, TITLE_CHARACTERS),
            description: description(notice),
            next_steps: steps,
            keywords: words.map(|word| part(word, WORD_CHARACTERS)).collect(),
        },
        metadata: Metadata {
            thread_id: notice.key.as_str(),
            summary: part(&notice.summary, TITLE_CHARACTERS),
            event_type: format!("otpsd.{}", notice.kind()),
            related_resources: models.map(|model| part(model, RESOURCE_CHARACTERS)).collect(),
            additional_context: Context {
                key: notice.key.as_str(),
                kind: notice.kind(),
                action: notice.action(),
                cause: notice.cause,
            },
        },
    };
    serde_json::to_string(&notification).expect("texts can always be written")
}

/// The text as it is laid out, in a block of fixed width, without the steps, which have a place of their own, and the link outside, where
/// it can be followed.
fn description(notice: &Notice) -> String {
    let text = whole_lines(&harmless(notice.before_steps()), DESCRIPTION_CHARACTERS);
    match notice.link.as_deref().filter(|link| link.chars().count() <= LINK_CHARACTERS) {
        Some(link) => format!("```\n{text}\n```\nChart and figures: {}", harmless(link)),
        None => format!("```\n{text}\n```"),
    }
}

/// As many whole lines as fit.
fn whole_lines(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut room = limit.saturating_sub(2);
    for line in text.lines() {
        let width = line.chars().count() + 1;
        if width > room {
            break;
        }
        room -= width;
        out.push_str(line);
        out.push('\n');
    }
    // A line that fills everything alone is cut.
    if out.is_empty() { cut::at_word(text, limit) } else { out + "…" }
}

/// Without what chats take for more than text: angle brackets call people and hide links, and backticks end the block.
fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '<' => '‹',
            '>' => '›',
            '`' => '\'',
            '*' => '∗',
            '~' => '∼',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_called_and_no_block_is_ended() {
        assert_eq!(harmless("<!channel> ``` *x* ~y~ a -> b"), "‹!channel› ''' ∗x∗ ∼y∼ a -› b");
    }

    #[test]
    fn a_block_ends_with_a_whole_line() {
        assert_eq!(whole_lines("one\ntwo\nthree", 13), "one\ntwo\nthree");
        assert_eq!(whole_lines("one\ntwo\nthree", 12), "one\ntwo\n…");
        assert_eq!(whole_lines("abcdefghij", 5), "abcd…");
    }
}
