//! Lets the running daemon read its configuration again.

use std::io::{self, Write as _};

use anyhow::Result;
use domain::ExitCode;

use crate::app::control::Request;
use crate::cli::ReloadArgs;
use crate::commands::{ask, configuration};

pub(crate) fn run(args: &ReloadArgs) -> Result<ExitCode> {
    // What is wrong is said here, with colour and all; the daemon looks for itself.
    if let Err(code) = configuration::read_quietly(&args.config) {
        return Ok(code);
    }
    let answer = match ask::done(&args.config, &Request::new("reload")) {
        Ok(answer) => answer,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    for line in answer.done.unwrap_or_default() {
        writeln!(out, "{line}")?;
    }
    Ok(ExitCode::Success)
}
