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

impl Glob<'_> {
    /// Whether some text fits both patterns, whether anything is called so or not. Takes as many steps as the two lengths
    /// multiplied.
    #[must_use]
    pub fn meets(self, other: Glob<'_>) -> bool {
        let (one, two): (Vec<_>, Vec<_>) = (self.0.chars().collect(), other.0.chars().collect());
        // For what is left of `one` after `i` characters: whether it meets what is left of `two`, by where that begins.
        let mut later = vec![false; two.len() + 1];
        for i in (0..=one.len()).rev() {
            let mut now = vec![false; two.len() + 1];
            for j in (0..=two.len()).rev() {
                // A `*` stands for nothing, or takes one character, or one that stands for any, of the other.
                now[j] = match (one.get(i), two.get(j)) {
                    (None, None) => true,
                    (Some('*'), _) => later[j] || (j < two.len() && now[j + 1]),
                    (_, Some('*')) => now[j + 1] || (i < one.len() && later[j]),
                    (Some(a), Some(b)) => (a == b || *a == '?' || *b == '?') && later[j + 1],
                    (None, Some(_)) | (Some(_), None) => false,
                };
            }
            later = now;
        }
        later[0]
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

    #[test]
    fn two_patterns_meet_where_a_text_fits_both() {
        for (one, two, meet) in [
            ("", "", true),
            ("", "*", true),
            ("", "?", false),
            ("a", "a", true),
            ("a", "b", false),
            ("a?", "?b", true),
            ("?", "??", false),
            ("*", "anything", true),
            ("us.*", "eu.*", false),
            ("us.*", "*haiku*", true),
            ("*haiku*", "*sonnet*", true),
            ("*-v1:0", "us.*:1", false),
            ("a*c", "ab*", true),
            ("a*c", "*b", false),
            ("a*b*c", "?*?", true),
            ("1111*", "111122223333", true),
            ("eu-*", "us-east-1", false),
        ] {
            assert_eq!(Glob::new(one).meets(Glob::new(two)), meet, "{one} and {two}");
            assert_eq!(Glob::new(two).meets(Glob::new(one)), meet, "{two} and {one}");
        }
    }

    /// Against every text of up to six letters, which is enough for two patterns of three characters.
    #[test]
    fn they_meet_as_texts_tell() {
        let of = |letters: &[char], length: usize| {
            let mut all = vec![String::new()];
            for _ in 0..length {
                all = all.iter().flat_map(|text| letters.iter().map(move |c| format!("{text}{c}"))).collect();
            }
            all
        };
        let texts: Vec<_> = (0..=6).flat_map(|length| of(&['a', 'b'], length)).collect();
        let patterns: Vec<_> = (0..=3).flat_map(|length| of(&['a', 'b', '?', '*'], length)).collect();
        for one in &patterns {
            let fitting: Vec<_> = texts.iter().filter(|text| Glob::new(one).matches(text)).collect();
            for two in &patterns {
                let meet = fitting.iter().any(|text| Glob::new(two).matches(text));
                assert_eq!(Glob::new(one).meets(Glob::new(two)), meet, "{one} and {two}");
            }
        }
    }
}
