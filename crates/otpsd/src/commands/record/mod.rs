//! History from CloudWatch into a file that `backtest` reads.
//!
//! # Layout
//!
//! - `parts`: a file for each Region that is read, which become one at the end.

mod parts;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use domain::ExitCode;

use self::parts::{Parts, Unwritten};
use crate::cli::RecordArgs;
use crate::commands::{configuration, failed};
use crate::history::{self, Outcome, Progress, Wanted};

pub(crate) fn run(args: &RecordArgs) -> Result<ExitCode> {
    let wanted = configuration::read_quietly(&args.config)
        .and_then(|plan| Wanted::of(&plan, args.source.as_deref(), args.since, args.until));
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    let begun = Instant::now();
    let mut parts = match Parts::beside(&args.out) {
        Ok(parts) => parts,
        Err(error) => return Ok(unwritten(&error)),
    };
    let read = history::interruptible(async {
        let mut progress = Progress::new("recording");
        history::read(&wanted, &mut progress, |piece| parts.write(&piece)).await
    })?;
    let outcome = match read {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => return Ok(unwritten(&error)),
        Err(code) => return Ok(code),
    };
    outcome.complain();
    if outcome.has_nothing() {
        return Ok(failed(&"nothing was recorded", None));
    }
    let written = match parts.join(&args.out) {
        Ok(written) => written,
        Err(error) => return Ok(unwritten(&error)),
    };
    summarize(&args.out, &outcome, written, begun);
    Ok(outcome.exit_code())
}

fn unwritten(error: &Unwritten) -> ExitCode {
    failed(error, Some("look at the folder, its rights and the space that is left"))
}

/// One line of what was recorded, for people; there is no data on standard output.
fn summarize(out: &Path, outcome: &Outcome, rows: u64, begun: Instant) {
    let all = &outcome.regions;
    let series: usize = all.iter().map(|region| region.whole.len()).sum();
    let (calls, billed) =
        all.iter().fold((0, 0), |sum, region| (sum.0 + region.calls, sum.1 + region.billed_metrics));
    let first = all.iter().map(|region| region.span.from).min();
    let last = all.iter().map(|region| region.span.until).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    anstream::eprintln!(
        "{}: {series} series, {rows} rows from {first} to {last}; {calls} calls and {billed} billed metrics in {} s",
        out.display(),
        begun.elapsed().as_secs()
    );
}
