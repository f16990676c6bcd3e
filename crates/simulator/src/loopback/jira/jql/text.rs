//! The search for words: `~`.
//!
//! Upper and lower case are one, punctuation only parts words, and a text fits when every term does. A term is a word, a
//! word whose end is left open (`creep*`), or a phrase in quotation marks of its own, whose words stand next to each
//! other in that order. Jira also knows the forms of an English word and joins terms by `AND`, `OR` and `NOT`, which
//! this does not. Source: Atlassian's page on the search syntax for text fields.

/// What is sought.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sought(Vec<Term>);

#[derive(Debug, PartialEq, Eq)]
enum Term {
    Phrase(Vec<String>),
    Beginning(String),
}

impl Sought {
    /// Reads the value of a comparison of that field. The error is what Jira says of it.
    pub(super) fn read(field: &str, value: &str) -> Result<Self, String> {
        if value.trim().is_empty() {
            return Err(format!("The field '{field}' does not support searching for an empty string."));
        }
        if let Some(first) = value.trim_start().chars().next().filter(|first| "*?".contains(*first)) {
            return Err(format!(
                "The text query '{value}' for field '{field}' is not allowed to start with character '{first}'."
            ));
        }
        let mut terms = Vec::new();
        for (place, part) in value.split('"').enumerate() {
            // Every second part stands between quotation marks.
            if place % 2 == 1 {
                terms.push(Term::Phrase(words(part).collect()));
                continue;
            }
            for word in part.split_whitespace() {
                let mut pieces: Vec<String> = words(word).collect();
                if word.ends_with('*')
                    && let Some(last) = pieces.pop()
                {
                    terms.push(Term::Beginning(last));
                }
                terms.extend(pieces.into_iter().map(|piece| Term::Phrase(vec![piece])));
            }
        }
        Ok(Self(terms))
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        let text: Vec<String> = words(text).collect();
        let Self(terms) = self;
        terms.iter().all(|term| match term {
            Term::Phrase(phrase) if phrase.is_empty() => true,
            Term::Phrase(phrase) => text.windows(phrase.len()).any(|window| window == phrase),
            Term::Beginning(beginning) => text.iter().any(|word| word.starts_with(beginning)),
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(value: &str, text: &str) -> bool {
        Sought::read("summary", value).unwrap().is_in(text)
    }

    #[test]
    fn words_are_found_in_any_order_and_phrases_in_theirs() {
        let text = "TTFT creeps since Monday. Found again by: otpsd-54dd9473edee387a otpsd-of-2";
        for found in [
            "creeps",
            "monday ttft",
            "TTFT",
            "cree*",
            "\"creeps since\"",
            "\"otpsd-54dd9473edee387a\"",
            "\"otpsd of 2\"",
            "\"otpsd\"",
            "otpsd-54dd*",
            "monday \"found again\"",
        ] {
            assert!(finds(found, text), "{found}");
        }
        for not in [
            "cree",
            "creeps tuesday",
            "\"since creeps\"",
            "\"otpsd-2\"",
            "\"54dd\"",
            "otpsd-7*",
            "\"creeps Monday\"",
        ] {
            assert!(!finds(not, text), "{not}");
        }
    }

    #[test]
    fn what_cannot_be_sought_is_said() {
        let error = |value| Sought::read("summary", value).unwrap_err();
        assert_eq!(error(" "), "The field 'summary' does not support searching for an empty string.");
        assert_eq!(
            error("*creep"),
            "The text query '*creep' for field 'summary' is not allowed to start with character '*'."
        );
    }
}
