//! Whatever the text is: no panic, places that exist, and no secret in any output.

use config::{Outcome, Purpose, REFERENCE, read};
use proptest::prelude::*;

use crate::holds;
use crate::surroundings::{Surroundings, file};

const MARKER: &str = "Xq7ZpWv9";

/// The reference with a literal secret in it.
fn with_secret() -> String {
    REFERENCE.replace("{ env = \"PD_ROUTING_KEY\" }", &format!("\"{MARKER}\""))
}

/// A character swapped, taken out or put in.
fn mutate(text: &str, changes: &[(prop::sample::Index, Option<char>, bool)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (index, c, replace) in changes {
        let at = index.index(chars.len().max(1)).min(chars.len());
        if *replace && at < chars.len() {
            chars.remove(at);
        }
        if let Some(c) = c {
            chars.insert(at.min(chars.len()), *c);
        }
    }
    chars.into_iter().collect()
}

fn change() -> impl Strategy<Value = (prop::sample::Index, Option<char>, bool)> {
    let c = prop_oneof![
        prop::sample::select("\"'[]{}=,.#\n\r\t -_0189azT\\\u{feff}é".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    (any::<prop::sample::Index>(), prop::option::of(c), any::<bool>())
}

fn outputs(outcome: &Outcome, text: &str) -> Vec<String> {
    holds::outputs(outcome, &[file(text)])
}

#[test]
fn what_is_no_configuration_at_all_is_soon_told() {
    let keys: String = (0..600).map(|n| format!("key{n} = 1\n")).collect();
    let outcome = read(&[file(&keys)], Purpose::Backtest, &Surroundings::default());
    assert_eq!(outcome.problems.len(), 101);
    assert_eq!(outcome.problems[100].message, "500 more problems are not shown");
    outputs(&outcome, &keys);

    for text in
        ["listen = 1\n".repeat(20_000), "a = [".repeat(40_000), format!("a = {}", "{b=".repeat(60_000))]
    {
        let outcome = read(&[file(&text)], Purpose::Backtest, &Surroundings::default());
        outputs(&outcome, &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_an_outcome(text in any::<String>()) {
        let outcome = read(&[file(&text)], Purpose::Run, &Surroundings::default());
        outputs(&outcome, &text);
    }

    #[test]
    fn any_toml_like_text_has_an_outcome(parts in prop::collection::vec(
        prop::sample::select(vec![
            "[", "]", "{", "}", "=", ".", ",", "\n", " ", "\"", "'", "\"\"\"", "#", "alarm", "route", "page", "source",
            "cloudwatch", "channel", "pagerduty", "main", "regions", "routing-key", "history", "page-below", "channels",
            "1", "0.8", "nan", "true", "\"14d\"", "\"us-east-1\"", "2026-11-26", "env", "\\", "é",
            "\"\\u001b[31m\"", "\u{202e}", "log", "sns", "ticket",
        ]), 0..60)) {
        let text = parts.concat();
        let outcome = read(&[file(&text)], Purpose::Check, &Surroundings::default());
        outputs(&outcome, &text);
    }

    #[test]
    fn a_broken_reference_has_an_outcome_and_keeps_its_secret(changes in prop::collection::vec(change(), 1..6)) {
        let text = mutate(&with_secret(), &changes);
        let outcome = read(&[file(&text)], Purpose::Run, &Surroundings::default());
        for output in outputs(&outcome, &text) {
            prop_assert!(!output.contains(MARKER), "{}", output);
        }
    }

    /// The same, with every change beside the secret.
    #[test]
    fn a_secret_is_kept_whatever_is_wrong_around_it(
        around in prop::sample::select(vec![
            format!("[channel.pagerduty.a]\nrouting-key = \"{MARKER}\" # old\nurl = \"x\"\n"),
            format!("[channel.webhook.a]\nurl = \"https://hooks.example.com/T0/{MARKER}\" # old\nin-flight = 0\n"),
            format!("[channel.webhook.a]\nurl = \"https://me:{MARKER}@hooks.example.com\"\nsecret = \"{MARKER}\"\n"),
            format!("[channel.jira.a]\nproject = \"p\"\ntoken = \"{MARKER}\"\nuser = \"x\"\n"),
            format!("[daemon]\nheartbeat-url = \"https://beats.example.com/?key={MARKER}\"\nlog = 3\n"),
        ]),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let text = mutate(&around, &changes);
        let outcome = read(&[file(&text)], Purpose::Run, &Surroundings::default());
        for output in outputs(&outcome, &text) {
            prop_assert!(!output.contains(MARKER), "{}\n{}", text, output);
        }
    }
}
