//! otpsd: pages when, and only when, a model decodes more slowly than it usually does.
//!
//! # Layout
//!
//! - `cli`: the command line.
//! - `commands`: what each command does.
//! - `app`: the daemon as an object: new, start, stop.
//! - `tasks`: everything that runs, each a loop around acts of the edges.
//! - `event`: one line of what is said, for machines.
//! - `figures`: numbers as people read them.
//! - `markdown`: text and names as they stand in Markdown.
//! - `explained`: why a series is in its state, for machines.
//! - `replay`: an engine driven through recorded history.
//! - `history`: what CloudWatch has, read for commands.
//! - `surroundings`: how the rest of a fleet is doing when a page is written.
//! - `logs`: how logs are written.

mod app;
mod cli;
mod commands;
mod event;
mod explained;
mod figures;
mod history;
mod logs;
mod markdown;
mod replay;
mod surroundings;
mod tasks;

use std::process;

use clap::{CommandFactory as _, FromArgMatches as _};

/// A long history is read in large answers. The system's allocator keeps most of what they took, and that of a thousand models is
/// more than the daemon itself needs.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The version, as the command line and the status page show it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> process::ExitCode {
    let mut command = cli::examples::shown(cli::Cli::command());
    let matches = command.get_matches_mut();
    let cli = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit());
    match commands::run(cli.command) {
        Ok(code) => process::ExitCode::from(code.code()),
        Err(error) => {
            commands::complain(&format!("{error:#}"), None);
            process::ExitCode::from(domain::ExitCode::CannotRun.code())
        }
    }
}
