//! Reads configurations, and shows every problem with file, line and column.

use std::io::{IsTerminal as _, Write as _};

use anyhow::Result;
use config::{ProcessEnvironment, Purpose, render};
use domain::ExitCode;

use crate::cli::{CheckArgs, CheckFormat};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let outcome = config::load(&args.paths, Purpose::Check, &ProcessEnvironment);
    let mut out = anstream::stdout().lock();
    match args.format {
        CheckFormat::Text => {
            write!(out, "{}", render::text(&outcome.problems, std::io::stdout().is_terminal()))?;
            if outcome.exit_code() == ExitCode::Success {
                let files = outcome.files;
                writeln!(out, "{files} {} ok", if files == 1 { "file" } else { "files" })?;
            }
        }
        CheckFormat::Json => writeln!(out, "{}", render::json(&outcome.problems))?,
        CheckFormat::Github => write!(out, "{}", render::github(&outcome.problems))?,
    }
    Ok(outcome.exit_code())
}
