//! Which parts of a configuration's text must not be quoted.
//!
//! The excerpt of a problem quotes a line of the file, and the line may hold what should never have been written
//! there. This works on tokens, not on a parsed document: a file that is not valid TOML has its secrets too.

use std::ops::Range;

use toml_parser::lexer::{Token, TokenKind};

use crate::{schema, secret};

/// What an excerpt leaves out.
#[derive(Debug, Default)]
pub(crate) struct Mask {
    /// Byte ranges of values that may be secret, in order.
    pub(crate) values: Vec<Range<usize>>,
    /// Byte ranges of comments, in order.
    pub(crate) comments: Vec<Range<usize>>,
}

impl Mask {
    /// Finds them. A value is shown only when its key is one that otpsd knows and that holds no secret.
    pub(crate) fn of(text: &str) -> Self {
        let mut scan = Scan {
            text,
            mask: Self::default(),
            open: Vec::new(),
            at: Position::Key,
            cover: Cover::Open,
            in_secret: false,
            is_muddled: false,
            in_header: false,
        };
        for token in toml_parser::Source::new(text).lex() {
            scan.step(token);
        }
        scan.mask
    }
}

struct Scan<'t> {
    text: &'t str,
    mask: Mask,
    /// The brackets that are open, each with the cover of the value it belongs to.
    open: Vec<(TokenKind, Cover)>,
    at: Position<'t>,
    /// That of the last key's value.
    cover: Cover,
    /// Whether the key that is being read belongs to a secret: `routing-key.env`, or `env` within its braces.
    in_secret: bool,
    /// Whether more than one word stands where a key belongs: nobody knows which of them is meant, as in `to ken = "…"`.
    is_muddled: bool,
    /// Whether this line is a header, which has no values.
    in_header: bool,
}

/// What the next word is.
#[derive(Clone, Copy)]
enum Position<'t> {
    /// A part of a key.
    Key,
    /// Something after a key that is no value: an equals sign is missing.
    AfterKey(&'t str),
    /// A part of a value, of which the last word is remembered.
    Value(Option<&'t str>),
}

/// Whether a value may be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cover {
    /// It may.
    Open,
    /// Nobody knows its key.
    Unknown,
    /// It is a secret.
    Secret,
}

impl<'t> Scan<'t> {
    fn step(&mut self, token: Token) {
        let span = token.span().start()..token.span().end();
        let word = self.text.get(span.clone()).unwrap_or_default();
        match token.kind() {
            TokenKind::Equals => self.equals(),
            TokenKind::Newline if self.open.is_empty() => {
                self.cover = Cover::Open;
                self.in_header = false;
                self.begin_key();
            }
            TokenKind::Comma => match self.open.last() {
                Some((TokenKind::LeftCurlyBracket, cover)) => {
                    self.cover = *cover;
                    self.begin_key();
                }
                Some(_) => self.begin_value(),
                None => {}
            },
            TokenKind::Newline => self.begin_value(),
            TokenKind::Dot => {
                if let Position::AfterKey(_) = self.at {
                    self.at = Position::Key;
                }
                self.begin_value();
            }
            kind @ (TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket) => {
                if let Position::Value(_) = self.at {
                    self.open.push((kind, self.cover));
                    if kind == TokenKind::LeftCurlyBracket {
                        self.begin_key();
                    }
                } else if self.open.is_empty() {
                    self.in_header = true;
                }
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                if let Some((_, cover)) = self.open.pop() {
                    self.cover = cover;
                    self.at = Position::Value(None);
                }
            }
            TokenKind::Comment => self.mask.comments.push(span),
            TokenKind::Atom
            | TokenKind::BasicString
            | TokenKind::LiteralString
            | TokenKind::MlBasicString
            | TokenKind::MlLiteralString => self.word(word, span),
            _ => {}
        }
    }

    fn begin_key(&mut self) {
        self.at = Position::Key;
        self.in_secret = self.cover == Cover::Secret;
        self.is_muddled = false;
    }

    /// After what separates two values, or two parts of one.
    fn begin_value(&mut self) {
        if let Position::Value(_) = self.at {
            self.at = Position::Value(None);
        }
    }

    fn equals(&mut self) {
        let key = match self.at {
            Position::AfterKey(_) if self.is_muddled => "",
            Position::AfterKey(key) | Position::Value(Some(key)) => unquoted(key),
            Position::Key | Position::Value(None) => "",
        };
        self.cover = if is_secret(key) || (self.in_secret && !schema::SECRET_FORMS.contains(&key)) {
            Cover::Secret
        } else if schema::may_be_quoted(key) {
            Cover::Open
        } else {
            Cover::Unknown
        };
        self.at = Position::Value(None);
    }

    fn word(&mut self, word: &'t str, span: Range<usize>) {
        let inner = unquoted(word);
        let is_hidden = secret::looks_like_one(inner)
            || swallows(word)
            || match self.at {
                // A value may stand where a key belongs: `routing-key = { "…" }`.
                Position::Key => {
                    let is_string = !self.in_header && inner.len() < word.len();
                    (is_string && !schema::may_be_quoted(inner))
                        || (self.in_secret && !schema::SECRET_FORMS.contains(&inner))
                }
                Position::AfterKey(key) => {
                    self.in_secret || self.is_muddled || !schema::may_be_quoted(unquoted(key))
                }
                Position::Value(before) => match self.cover {
                    // What follows a value at once belongs to something else, of which the key is not known.
                    Cover::Open => before.is_some(),
                    Cover::Unknown => !is_plain(word),
                    Cover::Secret => true,
                },
            };
        if is_hidden {
            self.mask.values.push(span);
        }
        if is_secret(inner) {
            self.in_secret = true;
            if let Position::Value(_) = self.at {
                // A secret's key among the values: a bracket or an equals sign is missing, and the secret follows.
                self.cover = Cover::Secret;
            }
        }
        self.at = match self.at {
            Position::Key => Position::AfterKey(word),
            Position::AfterKey(key) => {
                self.is_muddled = true;
                Position::AfterKey(key)
            }
            Position::Value(_) => Position::Value(Some(word)),
        };
    }
}

fn is_secret(key: &str) -> bool {
    schema::SECRETS.contains(&key)
}

/// A short number, or a boolean: too little to be a secret.
fn is_plain(word: &str) -> bool {
    let is_number = word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_number || matches!(word, "true" | "false")
}

/// Whether a string that does not end has taken in another key with its value.
fn swallows(word: &str) -> bool {
    let is_open = ['"', '\''].iter().any(|quote| {
        word.starts_with(*quote)
            && (word.len() == 1 || !word.ends_with(*quote) || word.starts_with(&quote.to_string().repeat(3)))
    });
    is_open && word.contains('=')
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with every masked character as `*`.
    fn masked(text: &str) -> String {
        let mask = Mask::of(text);
        let hidden = |at: usize| mask.values.iter().any(|range| range.contains(&at));
        text.char_indices().map(|(at, c)| if hidden(at) { '*' } else { c }).collect()
    }

    #[test]
    fn only_values_of_known_harmless_keys_are_shown() {
        for (text, seen) in [
            ("page-below = 0.8", "page-below = 0.8"),
            (r#"routing-key = "hunter2""#, "routing-key = *********"),
            ("routing-key = 1234", "routing-key = ****"),
            ("page-belw = 0.8", "page-belw = 0.8"),
            ("[channel.sns.\"my topic\"]", "[channel.sns.\"my topic\"]"),
            (r#"routing-key = { env = "PD_KEY" }"#, r#"routing-key = { env = "PD_KEY" }"#),
            (
                r#"routing-key = { value = "hunter2", file = "/x" }"#,
                r#"routing-key = { ***** = *********, file = "/x" }"#,
            ),
            (r#"routing-kye = "hunter2""#, "routing-kye = *********"),
            (r#"api-token = "hunter2" # hunter2"#, "api-token = ********* # hunter2"),
            (r#"routing-key = { "hunter2" }"#, "routing-key = { ********* }"),
            (r#"routing-key = { hunter2 }"#, "routing-key = { ******* }"),
            (r#"routing-key = { url = "hunter2" }"#, "routing-key = { *** = ********* }"),
            (r#"routing-key.url = "hunter2""#, "routing-key.*** = *********"),
            (r#"routing-key.env = "PD_KEY""#, r#"routing-key.env = "PD_KEY""#),
            (
                r#"source = { cloudwatch = { main = { regions = ["a"], x = "b" } } }"#,
                r#"source = { cloudwatch = { main = { regions = ["a"], x = *** } } }"#,
            ),
            (r#"a = [{ env = "X" }, "hunter2"]"#, r#"a = [{ env = "X" }, *********]"#),
            ("a.routing-key = 'hunter2'\nlog = 'json'", "a.routing-key = *********\nlog = 'json'"),
        ] {
            assert_eq!(masked(text), seen);
        }
    }

    #[test]
    fn broken_text_hides_too() {
        for (text, seen) in [
            (r#"routing-key "hunter2""#, "routing-key *********"),
            (r#"routing-key = "hunter2"#, "routing-key = ********"),
            (r#"routing-key. = "hunter2""#, "routing-key. = *********"),
            (r#"= "hunter2""#, "= *********"),
            (r#"mode "observe""#, r#"mode "observe""#),
            (r#"to ken = "hunter2""#, "to ken = *********"),
            (r#"project '= "p"token = "hunter2""#, "project ***********************"),
            (r#"project = "ptoken = "hunter2""#, r#"project = "ptoken = "********"#),
            (r#"project = "p"token = "hunter2""#, r#"project = "p"***** = *********"#),
            (r#"to ken "hunter2""#, "to ken *********"),
            (r#"x = { to ken = "hunter2", mode = "page" }"#, r#"x = { to ken = *********, mode = "page" }"#),
            ("routing-key = hunter2 = 3", "routing-key = ******* = *"),
            ("regions = [\"a\"\nrouting-key \"hunter2\"", "regions = [\"a\"\nrouting-key *********"),
            ("regions = [\"a\"\nrouting-key = \"hunter2\"", "regions = [\"a\"\nrouting-key = *********"),
            ("routing-key = \"\"\"\nhunter2\nlog = 3", "routing-key = *******************"),
        ] {
            let seen_newlines: String =
                text.chars().zip(masked(text).chars()).map(|(c, m)| if c == '\n' { c } else { m }).collect();
            let wanted: String =
                text.chars().zip(seen.chars()).map(|(c, m)| if c == '\n' { c } else { m }).collect();
            assert_eq!(seen_newlines, wanted);
        }
    }

    #[test]
    fn what_looks_like_a_key_or_carries_one_is_hidden_under_any_key() {
        for (text, seen) in [
            (r#"routing-key = { env = "R0ABCDEF0123456789ABCDEF01234567" }"#, r#"routing-key = { env = "#),
            (r#"url = "https://user:hunter2@example.com""#, "url = "),
            (r#"url = "https://example.com/?token=hunter2""#, "url = "),
        ] {
            assert!(masked(text).starts_with(seen) && masked(text).contains("********"), "{}", masked(text));
            assert!(!masked(text).contains("hunter2") && !masked(text).contains("R0ABC"), "{}", masked(text));
        }
    }
}
