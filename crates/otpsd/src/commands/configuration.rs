//! Reads the configuration of a command, and shows what is wrong with it.

use std::io::IsTerminal as _;
use std::path::Path;

use config::{Origins, Outcome, ProcessEnvironment, Purpose, render};
use domain::{ExitCode, Plan};

/// The plan of a configuration, or the exit code after its problems were shown.
pub(crate) fn read(path: &Path, purpose: Purpose) -> Result<Plan, ExitCode> {
    read_with_origins(path, purpose).map(|(plan, _)| plan)
}

/// The same, with where each of its values is written.
pub(crate) fn read_with_origins(path: &Path, purpose: Purpose) -> Result<(Plan, Origins), ExitCode> {
    let outcome = config::load(&[path.to_owned()], purpose, &ProcessEnvironment);
    if !outcome.problems.is_empty() {
        let styled = std::io::stderr().is_terminal();
        anstream::eprint!("{}", render::text(&outcome.problems, styled));
    }
    let code = outcome.exit_code();
    outcome.plan.map(|plan| (plan, outcome.origins)).ok_or(code)
}

/// The same for commands that only need to know where the daemon lives: warnings are of no interest, errors are.
pub(crate) fn read_quietly(path: &Path) -> Result<Plan, ExitCode> {
    read_quietly_with_origins(path).map(|(plan, _)| plan)
}

/// The same, with where each of its values is written.
pub(crate) fn read_quietly_with_origins(path: &Path) -> Result<(Plan, Origins), ExitCode> {
    let outcome = config::load(&[path.to_owned()], Purpose::Check, &ProcessEnvironment);
    let code = outcome.exit_code();
    let Outcome { plan, origins, problems, .. } = outcome;
    plan.map(|plan| (plan, origins)).ok_or_else(|| {
        anstream::eprint!("{}", render::text(&problems, false));
        code
    })
}
