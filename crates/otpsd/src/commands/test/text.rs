//! What came of the tests, for people.

use std::path::Path;

use super::Outcome;
use super::hold::after;
use crate::commands::explain;

/// No line of a table is wider, unless a single word is.
const WIDTH: usize = 100;
/// The column of what was expected, at most.
const WIDEST: usize = 46;

pub(super) fn text(outcomes: &[Outcome<'_>]) -> String {
    let mut out = String::new();
    let mut file: Option<&Path> = None;
    for outcome in outcomes {
        if file != Some(outcome.file) {
            if file.is_some() && !out.ends_with("\n\n") {
                out.push('\n');
            }
            out.push_str(&format!("{}\n", outcome.file.display()));
            file = Some(outcome.file);
        }
        if outcome.passed() {
            out.push_str(&format!("  ok    {}\n", outcome.test.name));
        } else {
            out.push_str(&format!("  FAIL  {} (line {})\n", outcome.test.name, outcome.test.line));
            out.push_str(&failure(outcome));
        }
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    let n = outcomes.len();
    let tests = if n == 1 { "test" } else { "tests" };
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out.push_str(&format!("{n} {tests}, {} passed, {failed} failed\n", n - failed));
    out
}

fn failure(outcome: &Outcome<'_>) -> String {
    let mut out = "\n".to_owned();
    let expected: Vec<String> = outcome
        .rows
        .iter()
        .map(|row| match (&row.expected, row.line) {
            (Some(text), Some(line)) => format!("{text} (line {line})"),
            _ => "nothing".to_owned(),
        })
        .collect();
    let widest = expected.iter().map(|text| text.chars().count()).max().unwrap_or(0).clamp(8, WIDEST);
    let mut line = |mark: &str, left: &str, right: &str| {
        out.push_str(format!("    {mark:<3} {left:<widest$}  {right}").trim_end());
        out.push('\n');
    };
    line("", "EXPECTED", "GOT");
    for (row, expected) in outcome.rows.iter().zip(&expected) {
        let is_quiet = row.holds && row.got.is_none();
        let got = row.got.as_deref().unwrap_or(if is_quiet { "silence" } else { "nothing" });
        let left = wrapped(expected, widest);
        let right = wrapped(got, WIDTH.saturating_sub(widest + 10));
        for at in 0..left.len().max(right.len()) {
            let mark = match (at, row.holds) {
                (0, true) => "ok",
                (0, false) => "!!",
                _ => "",
            };
            let part = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            line(mark, &part(&left), &part(&right));
        }
    }
    for (period, explained) in &outcome.moments {
        out.push_str(&format!("\n    At {}, {}:\n\n", after(outcome.test, *period), period.end()));
        for line in explain::at_a_moment(explained).lines() {
            out.push_str(format!("    {line}").trim_end());
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

/// Breaks a text at blanks so that no line is wider, unless a single word is.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
