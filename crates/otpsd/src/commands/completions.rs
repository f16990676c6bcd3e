//! A script that completes commands and flags.

use std::io::{self, Write as _};

use anyhow::Result;
use clap::CommandFactory as _;
use domain::ExitCode;

use crate::cli::{Cli, CompletionsArgs};

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "otpsd", &mut script);
    match io::stdout().lock().write_all(&script) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::Success),
    }
}
