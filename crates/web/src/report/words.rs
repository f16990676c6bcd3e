//! Sentences in which names stand between backticks, as everything that people read has them.

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// It stood between backticks.
    pub(super) is_code: bool,
}

/// The parts of a sentence, in order. A backtick without another one is text.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    if !text.matches('`').count().is_multiple_of(2) {
        return vec![Part { text, is_code: false }];
    }
    text.split('`')
        .enumerate()
        .map(|(place, text)| Part { text, is_code: place % 2 == 1 })
        .filter(|part| !part.text.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_text() {
        let shown = |text| -> Vec<(&str, bool)> {
            parts(text).into_iter().map(|part| (part.text, part.is_code)).collect()
        };
        assert_eq!(shown("`a` -> `b`, both"), [("a", true), (" -> ", false), ("b", true), (", both", false)]);
        assert_eq!(shown("none"), [("none", false)]);
        assert_eq!(shown("an `odd one"), [("an `odd one", false)]);
        assert_eq!(shown(""), []);
    }
}
