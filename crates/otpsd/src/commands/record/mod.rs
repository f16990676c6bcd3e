//! History from CloudWatch into a file that `backtest` reads.
//!
//! # Layout
//!
//! - `asked`: what is asked for, and whether it was begun before.
//! - `parts`: a file for some series at a time, which become one at the end.

mod asked;
mod parts;

use std::time::{Duration, Instant};

use anyhow::Result;
use domain::ExitCode;
use jiff::Timestamp;

use self::asked::Asked;
use self::parts::{Parts, Unwritten};
use crate::cli::RecordArgs;
use crate::commands::{configuration, failed};
use crate::history::{self, Outcome, Progress, Wanted};

pub(crate) fn run(args: &RecordArgs) -> Result<ExitCode> {
    let wanted = configuration::read_quietly(&args.config)
        .and_then(|plan| Wanted::of(&plan, args.source.as_deref(), args.since, args.until));
    let mut wanted = match wanted {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    let begun = Instant::now();
    let asked = Asked::of(&wanted.sources, args.since, args.until);
    let mut parts = match Parts::beside(&args.out, &asked) {
        Ok(parts) => parts,
        Err(error) => return Ok(unwritten(&error)),
    };
    wanted.known = parts.known();
    if args.until.is_none() {
        wanted.until = parts.begun;
    }
    note_what_is_there(&wanted, parts.begun);
    let read = history::interruptible(async {
        let mut progress = Progress::new("recording");
        history::read(&wanted, &mut progress, |piece| parts.write(&piece)).await
    })?;
    let outcome = match read {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => return Ok(unwritten(&error)),
        Err(code) => return Ok(ended(parts, code)),
    };
    Ok(finish(args, parts, &outcome, begun.elapsed()).unwrap_or_else(|error| unwritten(&error)))
}

/// Says what could not be read, and puts together what could.
fn finish(args: &RecordArgs, parts: Parts, outcome: &Outcome, took: Duration) -> Result<ExitCode, Unwritten> {
    outcome.complain();
    if outcome.has_nothing() {
        parts.remove()?;
        return Ok(failed(&"nothing was recorded", None));
    }
    let rows = parts.join()?;
    summarize(args, outcome, rows, took);
    if outcome.has_gaps() {
        anstream::eprintln!(
            "hint: the same command reads what is missing, within a day; what is there is kept for it in {}",
            parts.folder().display()
        );
    } else {
        parts.remove()?;
    }
    Ok(outcome.exit_code())
}

fn unwritten(error: &Unwritten) -> ExitCode {
    let hint = match error {
        Unwritten::Io { .. } => "look at the folder, its rights and the space that is left",
        Unwritten::Taken { .. } => "wait for it, or give another name with --out",
    };
    failed(error, Some(hint))
}

/// It was asked to end.
fn ended(parts: Parts, code: ExitCode) -> ExitCode {
    if parts.is_empty() {
        // There is nothing in it, and nobody misses it.
        let _ = parts.remove();
    } else {
        anstream::eprintln!(
            "hint: the same command goes on from there, within a day; what was read is in {}",
            parts.folder().display()
        );
    }
    code
}

fn note_what_is_there(wanted: &Wanted, begun: Timestamp) {
    let series: usize = wanted.known.values().map(std::collections::BTreeSet::len).sum();
    if series > 0 {
        anstream::eprintln!("note: goes on with what was begun at {begun:.0}: {series} series are there");
    }
}

/// One line of what was recorded, for people; there is no data on standard output.
fn summarize(args: &RecordArgs, outcome: &Outcome, rows: u64, took: Duration) {
    let all = &outcome.regions;
    let series: usize = all.iter().map(|region| region.whole.len()).sum();
    let kept = match all.iter().map(|region| region.kept).sum::<usize>() {
        0 => String::new(),
        kept => format!(", {kept} of them from before"),
    };
    let (calls, billed) =
        all.iter().fold((0, 0), |sum, region| (sum.0 + region.calls, sum.1 + region.billed_metrics));
    let first = all.iter().map(|region| region.span.from).min();
    let last = all.iter().map(|region| region.span.until).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    anstream::eprintln!(
        "{}: {series} series{kept}, {rows} rows from {first} to {last}; {calls} calls and {billed} billed metrics in {} s",
        args.out.display(),
        took.as_secs()
    );
}
