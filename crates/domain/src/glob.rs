//! Patterns of model names.

use std::str::Chars;

/// A pattern of model names: `*` stands for any text, also none, `?` for one character, and everything else for itself.
/// Upper and lower case differ, as they do in CloudWatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glob<'a>(&'a str);

impl<'a> Glob<'a> {
    /// The pattern that `text` writes. Every text is one.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// Whether all of `name` fits the pattern. Takes at most as many steps as the two lengths multiplied.
    #[must_use]
    pub fn matches(self, name: &str) -> bool {
        let mut pattern = self.0.chars();
        let mut name = name.chars();
        // Where to go on when the last `*` has to take one character more.
        let mut retry: Option<(Chars<'_>, Chars<'_>)> = None;
        loop {
            match (pattern.next(), name.clone().next()) {
                (Some('*'), _) => retry = Some((pattern.clone(), name.clone())),
                (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                    name.next();
                }
                (None, None) => return true,
                _ => {
                    let Some((after_star, mut taken)) = retry else { return false };
                    if taken.next().is_none() {
                        return false;
                    }
                    pattern = after_star.clone();
                    name = taken.clone();
                    retry = Some((after_star, taken));
                }
            }
        }
    }

    /// Whether every name that fits `other` surely fits this pattern too. `false` can also mean that it is not known.
    #[must_use]
    pub fn covers(self, other: Glob<'_>) -> bool {
        // Only a `*` of this pattern can match a wildcard of the other as if it were a letter, and then it also
        // matches whatever that wildcard stands for. A `?` could not.
        self.0 == other.0 || (!self.0.contains('?') && self.matches(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_or_do_not() {
        let haiku = "us.anthropic.claude-haiku-4-5-20251001-v1:0";
        for (pattern, name, fits) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", haiku, true),
            ("**", haiku, true),
            ("*haiku*", haiku, true),
            ("haiku", haiku, false),
            ("us.*", haiku, true),
            ("eu.*", haiku, false),
            ("*:0", haiku, true),
            ("*:1", haiku, false),
            ("*Haiku*", haiku, false),
            ("us?anthropic*", haiku, true),
            ("?", "é", true),
            ("?", "", false),
            ("??", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b", false),
            ("a*b*c", "acb", false),
            ("*ab", "aab", true),
            ("a.c", "abc", false),
            ("[ab]", "a", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(name), fits, "{pattern} against {name}");
        }
    }

    #[test]
    fn many_stars_end_soon() {
        let pattern = "*a".repeat(50) + "b";
        assert!(!Glob::new(&pattern).matches(&"a".repeat(500)));
    }

    #[test]
    fn a_wider_pattern_covers_a_narrower_one() {
        for (wide, narrow, covers) in [
            ("*", "*haiku*", true),
            ("*", "?", true),
            ("us.*", "us.anthropic.*", true),
            ("us.*", "us.?", true),
            ("us.anthropic.*", "us.*", false),
            ("*haiku*", "*sonnet*", false),
            ("a?", "a?", true),
            ("a?", "a*", false),
            ("?", "*", false),
        ] {
            assert_eq!(Glob::new(wide).covers(Glob::new(narrow)), covers, "{wide} over {narrow}");
        }
    }
}
