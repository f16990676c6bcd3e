//! What the running daemon learned, and levels that somebody accepts.

use std::io::{self, Write as _};

use anyhow::Result;
use domain::ExitCode;

use crate::app::control::Request;
use crate::cli::{AcceptArgs, BaselineCommand, ShowArgs, StatusFormat};
use crate::commands::who::who;
use crate::commands::{ask, explain};

pub(crate) fn run(command: &BaselineCommand) -> Result<ExitCode> {
    match command {
        BaselineCommand::Show(args) => show(args),
        BaselineCommand::Accept(args) => accept(args),
    }
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    let explained = match ask::explain(&args.config, &args.series, None) {
        Ok(explained) => explained,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    match args.format {
        StatusFormat::Table => write!(out, "{}", explain::baseline(&explained))?,
        StatusFormat::Json => {
            let shown = serde_json::json!({
                "series": explained.series,
                "usual": explained.usual,
                "learning": explained.learning,
                "not_trained": explained.not_trained,
            });
            writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?;
        }
    }
    Ok(if explained.usual.is_some() { ExitCode::Success } else { ExitCode::No })
}

fn accept(args: &AcceptArgs) -> Result<ExitCode> {
    let request = Request {
        series: Some(args.series.clone()),
        who: Some(who(args.who.as_deref())),
        why: Some(args.why.clone()),
        ..Request::new("accept")
    };
    let answer = match ask::done(&args.config, &request) {
        Ok(answer) => answer,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    for line in answer.done.unwrap_or_default() {
        writeln!(out, "{line}")?;
    }
    Ok(ExitCode::Success)
}
