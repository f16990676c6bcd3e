//! What came of reading a configuration.

use domain::{ExitCode, Plan};

use crate::{Origins, Problem, Severity};

/// What a configuration is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To run the daemon: it needs a source, a page route unless it only observes, and its secrets.
    Run,
    /// To look for mistakes, perhaps where no secret is: a secret that cannot be read is a warning, and so is a
    /// configuration without a source.
    Check,
    /// To replay recordings: it needs neither sources nor routes, and no secret is read.
    Backtest,
}

/// What came of reading a configuration.
#[derive(Debug)]
#[must_use]
pub struct Outcome {
    /// The plan, when no problem is an error. Its secrets are there only when it was read for [`Purpose::Run`]; else
    /// they are empty.
    pub plan: Option<Plan>,
    /// Where the values of the plan are written; empty without a plan.
    pub origins: Origins,
    /// Everything that is wrong, or odd, in the order of the files.
    pub problems: Vec<Problem>,
    /// Whether a file could not be read at all, which is another failure than a mistake in it.
    pub unreadable: bool,
    /// How many files were read: those of a folder are counted one by one.
    pub files: usize,
}

impl Outcome {
    /// [`ExitCode::Success`] with a plan, else [`ExitCode::CannotRun`] for a file that could not be read, and
    /// [`ExitCode::No`] for every mistake.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        if self.unreadable {
            ExitCode::CannotRun
        } else if self.problems.iter().any(|problem| problem.severity == Severity::Error) {
            ExitCode::No
        } else {
            ExitCode::Success
        }
    }
}
