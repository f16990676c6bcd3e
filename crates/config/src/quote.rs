//! How messages quote what a file says.

use toml::de::DeValue;

use crate::secret;

/// More of a value than this is not quoted.
const MAX_QUOTED: usize = 60;

/// A text of the file in backticks: without control characters, not too long, and without what may be a secret.
pub(crate) fn quoted(text: &str) -> String {
    if secret::looks_like_one(text) {
        return "`****`".to_owned();
    }
    let printable: String = text.chars().take(MAX_QUOTED + 1).flat_map(escaped).collect();
    match printable.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", &printable[..end]),
        None => format!("`{printable}`"),
    }
}

/// What cannot be seen, or would turn the line around, as an escape; quotes and backslashes as they are.
fn escaped(c: char) -> impl Iterator<Item = char> {
    let plain = matches!(c, '"' | '\'' | '\\').then_some(c);
    plain.into_iter().chain(c.escape_debug().take(if plain.is_some() { 0 } else { usize::MAX }))
}

/// What kind of value it is, for "must be … not …".
pub(crate) fn typed(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_can_be_printed() {
        assert_eq!(quoted("page-below"), "`page-below`");
        assert_eq!(quoted("a\"b\\c'd é"), "`a\"b\\c'd é`");
        assert_eq!(quoted("a\u{1b}[31m\u{202e}b\n"), "`a\\u{1b}[31m\\u{202e}b\\n`");
        assert_eq!(quoted(&"é-".repeat(100)), format!("`{}…`", "é-".repeat(30)));
        assert_eq!(quoted("R0ABCDEF0123456789ABCDEF01234567"), "`****`");
    }
}
