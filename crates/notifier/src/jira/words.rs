//! Labels and searches.

use crate::cut;

/// The longest label. Source: Jira Cloud, limits of fields.
const LABEL_CHARACTERS: usize = 255;

/// A label as Jira takes it: without blanks, and not too long. Nothing is left of nothing.
pub(super) fn label(text: &str) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let label = cut::in_the_middle(&words.join("-"), LABEL_CHARACTERS, "…");
    (!label.is_empty()).then_some(label)
}

/// Labels without repeats, in order.
pub(super) fn labels<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for label in texts.into_iter().filter_map(label) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// The issues of a project that may be about one of `names`: by label, or, where labels were dropped, by description. Names are the daemon's
/// own, of letters, digits and hyphens; within a phrase a hyphen means nothing special.
pub(super) fn search(project: &str, names: &[&str]) -> String {
    let labels: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let texts = names.iter().map(|name| format!(" OR description ~ {}", quoted(&format!("\"{name}\""))));
    format!(
        "project = {} AND (labels in ({}){}) ORDER BY created DESC",
        quoted(project),
        labels.join(", "),
        texts.collect::<String>()
    )
}

/// A string of JQL.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_no_blanks_and_fits() {
        assert_eq!(label(" llm  ops\n1 ").as_deref(), Some("llm-ops-1"));
        assert_eq!(label(" \t"), None);
        let long = label(&"é".repeat(300)).unwrap();
        assert_eq!(long.chars().count(), 255);
        assert_eq!(labels(["a b", "", "a-b", "c"]), ["a-b", "c"]);
    }

    #[test]
    fn a_search_is_one_whatever_the_project_is_called() {
        assert_eq!(
            search("LLM", &["otpsd-1", "otpsd-of-2"]),
            r#"project = "LLM" AND (labels in ("otpsd-1", "otpsd-of-2") OR description ~ "\"otpsd-1\"" OR description ~ "\"otpsd-of-2\"") ORDER BY created DESC"#
        );
        assert!(search("a\" OR \"b\\", &["n"]).starts_with(r#"project = "a\" OR \"b\\" AND ("#));
    }
}
