//! Whether the running daemon gets on.

use anyhow::Result;
use domain::ExitCode;

use crate::cli::HealthcheckArgs;
use crate::commands::{ask, complain};

/// Yes while every task gets on. CloudWatch or a receiver that is down is no reason to be replaced: it would be down for
/// the next one too, and shows in `/readyz` and `otpsd status`.
pub(crate) fn run(args: &HealthcheckArgs) -> Result<ExitCode> {
    let status = match ask::status(&args.config) {
        Ok(status) => status,
        Err(code) => return Ok(code),
    };
    if status.late.is_empty() {
        return Ok(ExitCode::Success);
    }
    complain(
        &format!("tasks do not get on: {}", status.late.join(", ")),
        Some("restart the daemon: nothing is lost"),
    );
    Ok(ExitCode::No)
}
