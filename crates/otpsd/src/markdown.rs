//! Text and names as they stand in Markdown.

/// Text from outside: whatever is special to Markdown or HTML, or mentions somebody, is an entity. What stands in backticks stays.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    let ends = text.matches('`').count().is_multiple_of(2);
    for letter in text.chars() {
        match letter {
            '`' if ends => {
                in_code = !in_code;
                out.push(letter);
            }
            '|' if in_code => out.push_str("\\|"),
            _ if letter.is_control() => out.push(' '),
            _ if in_code => out.push(letter),
            '&' | '<' | '>' | '|' | '*' | '_' | '[' | ']' | '~' | '#' | '@' | '\\' | '`' | '$' => {
                out.push_str(&format!("&#{};", u32::from(letter)));
            }
            _ => out.push(letter),
        }
    }
    out
}

/// A text as code in Markdown, which nothing in it can end, and which fits a cell of a table.
pub(crate) fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '`' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    format!("`{}`", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(text("a|b <img src=x> @team #1"), "a&#124;b &#60;img src=x&#62; &#64;team &#35;1");
        assert_eq!(text("window `a|b` is *open*"), "window `a\\|b` is &#42;open&#42;");
        // A backtick without another one begins nothing.
        assert_eq!(text("a ` <b>"), "a &#96; &#60;b&#62;");
        assert_eq!(text("two\nlines"), "two lines");
    }

    #[test]
    fn a_name_stays_code_whatever_is_in_it() {
        assert_eq!(code("a`b|c\n@d"), "`a'b\\|c @d`");
    }
}
