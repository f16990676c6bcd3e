//! What everybody said, for people, scripts and pull requests.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use config::{Origins, Place, Problem, Severity, render};
use notifier::probe::{Answered, Unanswered};
use serde::Serialize;

/// All answers, in the order of the configuration.
#[derive(Debug)]
pub(super) struct Answers(pub(super) Vec<Answer>);

/// One answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// Who was asked: `source main in us-east-1`, `channel sns.pages`.
    pub(super) what: String,
    /// The table of it: `source.cloudwatch.main`.
    pub(super) table: String,
    pub(super) outcome: Result<Answered, Unanswered>,
}

#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    what: &'a str,
    table: &'a str,
    ok: bool,
    said: &'a str,
    not_checked: Option<&'a str>,
    hint: Option<&'a str>,
}

impl Answers {
    pub(super) fn has_failed(&self) -> bool {
        self.0.iter().any(|answer| answer.outcome.is_err())
    }

    /// A line for each, with what is not known and what to do below.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for Answer { what, outcome, .. } in &self.0 {
            match outcome {
                Ok(Answered { said, not_checked }) => {
                    let style = AnsiColor::Green.on_default();
                    let _ = writeln!(text, "{style}ok{style:#}      {what}: {said}");
                    if let Some(not_checked) = not_checked {
                        let _ = writeln!(text, "        not checked: {not_checked}");
                    }
                }
                Err(Unanswered { message, hint }) => {
                    let style = AnsiColor::Red.on_default();
                    let _ = writeln!(text, "{style}failed{style:#}  {what}: {message}");
                    if let Some(hint) = hint {
                        let _ = writeln!(text, "        hint: {hint}");
                    }
                }
            }
        }
        let failed = self.0.iter().filter(|answer| answer.outcome.is_err()).count();
        let _ = writeln!(
            text,
            "{} answered, {failed} failed; nothing was sent to anybody",
            self.0.len() - failed
        );
        text
    }

    /// For `check --live --format json`.
    pub(super) fn json(&self) -> Vec<Row<'_>> {
        self.0.iter().map(Answer::row).collect()
    }

    /// Those that failed as annotations where their tables are.
    pub(super) fn github(&self, origins: &Origins) -> String {
        let failed = self.0.iter().filter_map(|answer| {
            let Unanswered { message, hint } = answer.outcome.as_ref().err()?;
            let origin = origins.table(&answer.table)?;
            Some(Problem {
                severity: Severity::Error,
                file: origin.file.clone(),
                place: Some(Place { line: origin.line, column: 1, end_column: None, excerpt: None }),
                message: format!("{}: {message}", answer.what),
                hint: hint.clone(),
                related: None,
            })
        });
        render::github(&failed.collect::<Vec<_>>())
    }
}

impl Answer {
    fn row(&self) -> Row<'_> {
        let Self { what, table, outcome } = self;
        let (said, not_checked, hint) = match outcome {
            Ok(Answered { said, not_checked }) => (said, not_checked.as_deref(), None),
            Err(Unanswered { message, hint }) => (message, None, hint.as_deref()),
        };
        Row { what, table, ok: outcome.is_ok(), said, not_checked, hint }
    }
}
