//! How commands end.

/// The exit codes of every command. Scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// Done, and the answer is yes.
    Success,
    /// The answer is no: an invalid configuration, a page with `--fail-on-page`, a failed test, an unhealthy daemon.
    No,
    /// The command line is wrong.
    Usage,
    /// It could not be tried: unreadable input, a taken port, a store that does not open, a daemon out of reach.
    CannotRun,
}

impl ExitCode {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::CannotRun => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_a_contract() {
        let all = [ExitCode::Success, ExitCode::No, ExitCode::Usage, ExitCode::CannotRun];
        assert_eq!(all.map(ExitCode::code), [0, 1, 2, 3]);
    }
}
