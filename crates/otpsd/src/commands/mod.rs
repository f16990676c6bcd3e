//! What each command does. Data goes to standard output, everything else to standard error.

mod against;
mod ask;
mod backtest;
mod baseline;
mod bench;
mod check;
mod completions;
mod configuration;
mod demo;
mod discover;
mod explain;
mod export;
mod healthcheck;
mod plan;
mod record;
mod recorded;
mod reload;
mod run;
mod schema;
mod silence;
mod simulate;
mod status;
mod test;
mod test_notify;
mod who;

use std::fmt::Display;

use anyhow::Result;
use domain::ExitCode;

use crate::cli::Command;

/// Does what the command line says.
pub(crate) fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Backtest(args) => backtest::run(&args),
        Command::Discover(args) => discover::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Schema => schema::run(),
        Command::Test(args) => test::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Silence(command) => silence::run(&command),
        Command::Baseline(command) => baseline::run(&command),
        Command::TestNotify(args) => test_notify::run(&args),
        Command::Export(command) => export::run(&command),
        Command::Reload(args) => reload::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Healthcheck(args) => healthcheck::run(&args),
    }
}

/// Says what went wrong, and what to do about it on a line of its own.
pub(crate) fn complain(what: &str, hint: Option<&str>) {
    anstream::eprintln!("error: {what}");
    if let Some(hint) = hint {
        anstream::eprintln!("hint: {hint}");
    }
}

/// Complains of something that keeps a command from running.
pub(crate) fn failed(what: &dyn Display, hint: Option<&str>) -> ExitCode {
    complain(&what.to_string(), hint);
    ExitCode::CannotRun
}

/// A runtime for the commands that need one.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Returns when the process is asked to end, by Ctrl-C or by SIGTERM.
pub(crate) async fn asked_to_end() -> &'static str {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = tokio::signal::ctrl_c() => "Ctrl-C",
        },
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
            "Ctrl-C"
        }
    }
}
