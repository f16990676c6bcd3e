//! The JSON Schema of a configuration, for editors.

use std::io::Write as _;

use anyhow::Result;
use domain::ExitCode;

pub(crate) fn run() -> Result<ExitCode> {
    anstream::stdout().lock().write_all(config::schema_json().as_bytes())?;
    Ok(ExitCode::Success)
}
