//! Making a text fit, visibly, and never inside a character.

/// What stands for what was left out.
const MARK: char = '…';

/// At most `limit` characters. What is left out is marked, and the last word is whole where there are words.
pub(crate) fn at_word(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let Some((room, _)) = text[..end].char_indices().next_back() else {
        return String::new();
    };
    let (kept, rest) = text.split_at(room);
    let whole =
        if rest.starts_with(char::is_whitespace) { Some(room) } else { kept.rfind(char::is_whitespace) };
    // A word that fills the second half alone is cut: half a text without a word is worse than half a word.
    let end = whole.filter(|end| *end >= room / 2).unwrap_or(room);
    format!("{}{MARK}", kept[..end].trim_end())
}

/// At most `limit` bytes, cut between two characters, with a mark.
pub(crate) fn at_byte(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let Some(room) = limit.checked_sub(MARK.len_utf8()) else {
        return String::new();
    };
    format!("{}{MARK}", &text[..text.floor_char_boundary(room)])
}

/// At most `limit` characters, with `mark` in the middle of a longer text: the two ends tell identifiers apart.
pub(crate) fn in_the_middle(text: &str, limit: usize, mark: &str) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let room = limit.saturating_sub(mark.chars().count());
    let (head, tail) = (room / 2, room - room / 2);
    let mut out: String = text.chars().take(head).collect();
    out.push_str(mark);
    out.extend(text.chars().skip(length - tail));
    out
}

/// The text without anything that ends or controls a line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

/// One line of printable ASCII, with `_` for every other character, as CloudWatch does in subjects.
pub(crate) fn ascii(text: &str) -> String {
    one_line(text).chars().map(|c| if c.is_ascii() { c } else { '_' }).collect()
}

/// Renders with as much of `text` as fits into `limit` bytes. What `render` writes around the text must fit alone.
pub(crate) fn to_fit(limit: usize, text: &str, render: impl Fn(&str) -> String) -> String {
    let mut room = text.len();
    let mut body = render(text);
    while body.len() > limit && room > 0 {
        // Escaping only ever lengthens a text, so that leaving out as many bytes as are too many is enough but for
        // the mark, which the next turn takes off.
        room = room.saturating_sub(body.len() - limit);
        body = render(&at_byte(text, room));
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_on_a_word_and_says_so() {
        assert_eq!(at_word("one two three", 13), "one two three");
        assert_eq!(at_word("one two three", 12), "one two…");
        assert_eq!(at_word("one two three", 8), "one two…");
        assert_eq!(at_word("one two three", 7), "one…");
        assert_eq!(at_word("arn:aws:bedrock", 8), "arn:aws…");
        assert_eq!(at_word("é è ê ë 🐢 x", 9), "é è ê ë…");
        assert_eq!(at_word("abc", 1), "…");
        assert_eq!(at_word("abc", 0), "");
    }

    #[test]
    fn the_ends_of_an_identifier_stay() {
        assert_eq!(in_the_middle("abcdefghij", 10, "..."), "abcdefghij");
        assert_eq!(in_the_middle("abcdefghij", 9, "..."), "abc...hij");
        assert_eq!(in_the_middle("àbcdéfghîj", 6, "…"), "àb…hîj");
    }

    #[test]
    fn a_line_is_a_line() {
        assert_eq!(one_line("a\nb\u{2028}c\u{1b}d"), "a b c d");
        assert_eq!(ascii("Sesión – ok\n"), "Sesi_n _ ok ");
    }

    proptest! {
        #[test]
        fn nothing_is_ever_too_long(text in "\\PC{0,80}", limit in 0_usize..60) {
            prop_assert!(at_word(&text, limit).chars().count() <= limit);
            prop_assert!(at_byte(&text, limit).len() <= limit);
            prop_assert!(in_the_middle(&text, limit.max(3), "...").chars().count() <= limit.max(3));
            let quoted = |text: &str| format!("{text:?}");
            prop_assert!(to_fit(limit.max(2), &text, quoted).len() <= limit.max(2));
        }

        #[test]
        fn what_fits_is_left_alone(text in "\\PC{0,20}") {
            prop_assert_eq!(at_word(&text, 20), text.clone());
            prop_assert_eq!(at_byte(&text, 80), text.clone());
            prop_assert_eq!(to_fit(80, &text, str::to_owned), text);
        }
    }
}
