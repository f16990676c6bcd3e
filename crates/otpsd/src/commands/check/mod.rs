//! Reads configurations, and shows every problem with file, line and column; and asks sources and channels whether they answer.
//!
//! # Layout
//!
//! - `live`: everybody is asked at once.
//! - `source`: what is asked of a source.
//! - `answers`: what they said, for people, scripts and pull requests.

mod answers;
mod live;
mod source;

use std::io::{IsTerminal as _, Write as _};

use anyhow::Result;
use config::{Outcome, ProcessEnvironment, Purpose, render};
use domain::ExitCode;

use self::answers::Answers;
use crate::cli::{CheckArgs, CheckFormat};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let outcome = config::load(&args.paths, Purpose::Check, &ProcessEnvironment);
    let answers = if args.live { ask(&outcome)? } else { None };
    let mut out = anstream::stdout().lock();
    match args.format {
        CheckFormat::Text => {
            write!(out, "{}", render::text(&outcome.problems, std::io::stdout().is_terminal()))?;
            if outcome.exit_code() == ExitCode::Success {
                let files = outcome.files;
                writeln!(out, "{files} {} ok", if files == 1 { "file" } else { "files" })?;
            }
            if let Some(answers) = &answers {
                write!(out, "{}", answers.text())?;
            }
        }
        CheckFormat::Json if args.live => {
            let problems: serde_json::Value = serde_json::from_str(&render::json(&outcome.problems))?;
            let live = answers.as_ref().map(Answers::json);
            writeln!(out, "{}", serde_json::json!({ "problems": problems, "live": live }))?;
        }
        CheckFormat::Json => writeln!(out, "{}", render::json(&outcome.problems))?,
        CheckFormat::Github => {
            write!(out, "{}", render::github(&outcome.problems))?;
            if let Some(answers) = &answers {
                write!(out, "{}", answers.github(&outcome.origins))?;
            }
        }
    }
    Ok(match outcome.exit_code() {
        ExitCode::Success if answers.is_some_and(|answers| answers.has_failed()) => ExitCode::No,
        code => code,
    })
}

/// Asks everybody, unless there is no plan to ask by.
fn ask(outcome: &Outcome) -> Result<Option<Answers>> {
    match &outcome.plan {
        Some(plan) => live::ask(plan).map(Some),
        None => {
            anstream::eprintln!("note: nobody was asked, since the configuration has errors");
            Ok(None)
        }
    }
}
