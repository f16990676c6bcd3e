//! Words, strings and signs.

/// Characters that a query has to put into a string.
const RESERVED: &str = "+.;?|*/%^$#@[]{}";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A bare word, or a number.
    Word(String),
    /// In quotation marks.
    Text(String),
    /// `=`, `!=`, `~`, `!~`, `<`, `<=`, `>`, `>=`, `(`, `)` or `,`.
    Sign(&'static str),
}

/// Longer signs before their beginnings.
const SIGNS: [&str; 11] = ["!=", "!~", "<=", ">=", "=", "~", "<", ">", "(", ")", ","];

pub(super) fn read(jql: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = jql.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else if first == '"' || first == '\'' {
            let (text, length) = string(rest, first)?;
            tokens.push(Token::Text(text));
            rest = &rest[length..];
        } else {
            let ends = |c: char| c.is_whitespace() || "=!~<>(),\"'".contains(c);
            let length = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
            let word = &rest[..length];
            if let Some(reserved) = word.chars().find(|c| RESERVED.contains(*c)) {
                return Err(format!(
                    "Error in the JQL Query: The character '{reserved}' is a reserved JQL character. You must enclose it \
                     in a string or use the escape '\\u{:04x}' instead.",
                    u32::from(reserved)
                ));
            }
            tokens.push(Token::Word(word.to_owned()));
            rest = &rest[length..];
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// A string with its escapes, and how many bytes it takes.
fn string(text: &str, mark: char) -> Result<(String, usize), String> {
    let mut read = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((place, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, 'n')) => read.push('\n'),
                Some((_, 't')) => read.push('\t'),
                Some((_, escaped @ ('\\' | '"' | '\'' | ' '))) => read.push(escaped),
                Some((_, other)) => {
                    return Err(format!(
                        "Error in the JQL Query: '\\{other}' is an illegal JQL escape sequence."
                    ));
                }
                None => break,
            },
            _ if character == mark => return Ok((read, place + character.len_utf8())),
            _ => read.push(character),
        }
    }
    Err(format!("Error in the JQL Query: The quoted string '{read}' has not been completed."))
}
