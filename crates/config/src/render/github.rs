//! For pull requests: annotations that GitHub Actions shows beside the line.

use crate::Problem;

/// One workflow command a line, `::error file=…,line=…,col=…::message`; the hint is its second line.
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions", and `escapeData` and `escapeProperty` of the toolkit.
#[must_use]
pub fn github(problems: &[Problem]) -> String {
    problems.iter().map(|problem| annotation(problem) + "\n").collect()
}

fn annotation(problem: &Problem) -> String {
    let mut properties = format!("file={}", property(&problem.file));
    if let Some(place) = &problem.place {
        properties.push_str(&format!(",line={},col={}", place.line, place.column));
        if let Some(end) = place.end_column {
            properties.push_str(&format!(",endColumn={end}"));
        }
    }
    let mut message = problem.message.clone();
    if let Some(hint) = &problem.hint {
        message.push_str("\nhint: ");
        message.push_str(hint);
    }
    if let Some(related) = &problem.related {
        message.push_str(&format!("\n{}:{}: {}", related.file, related.place.line, related.label));
    }
    format!("::{} {properties}::{}", problem.severity.as_str(), data(&message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
