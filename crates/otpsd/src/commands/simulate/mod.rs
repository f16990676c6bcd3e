//! Traffic that never happened, served on loopback or written to a file.

mod fleet;
mod serve;
mod write;

use anyhow::Result;
use domain::ExitCode;

use crate::cli::{FleetName, SimulateArgs};
use crate::commands::complain;

pub(crate) fn run(args: &SimulateArgs) -> Result<ExitCode> {
    let random = args.models.is_some() || args.days.is_some() || args.calm;
    if random && args.fleet == FleetName::Demo {
        complain("--models, --days and --calm are of a random fleet", Some("add --fleet random"));
        return Ok(ExitCode::Usage);
    }
    match &args.out {
        Some(name) => write::run(args, name),
        None => serve::run(args),
    }
}
