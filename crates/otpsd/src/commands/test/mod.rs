//! Unit tests of alarms, written by their owners.
//!
//! # Layout
//!
//! - `find`: from paths to tests with their configurations, or what is wrong with them.
//! - `reading`: what CloudWatch would publish of a series in a period.
//! - `play`: a test through the engine and to who is told; `said`: what is said to somebody, and what to nobody.
//! - `hold`: what was said against what was expected.
//! - `text`, `json`: what came of it.

mod find;
mod hold;
mod json;
mod play;
mod reading;
mod said;
mod text;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::Result;
use config::render;
use config::scenario::Test;
use domain::ExitCode;

use self::find::Found;
use self::hold::Row;
use crate::cli::{TestArgs, TestFormat};
use crate::commands::failed;
use crate::explained::Explained;

/// What came of a test.
struct Outcome<'f> {
    file: &'f Path,
    test: &'f Test,
    /// What was expected beside what was said, in order of time.
    rows: Vec<Row>,
    /// The series where something else was said than expected, as they were then.
    moments: Vec<(domain::Period, Explained)>,
}

impl Outcome<'_> {
    fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.holds)
    }
}

/// So many moments of a test that failed are explained; who has read them knows more than by the next ones.
const MOST_MOMENTS: usize = 3;

pub(crate) fn run(args: &TestArgs) -> Result<ExitCode> {
    let mut found = match find::find(&args.paths) {
        Ok(found) => found,
        Err(find::Refused::NothingThere { what, hint }) => return Ok(failed(&what, Some(&hint))),
        Err(find::Refused::Problems(problems)) => {
            anstream::eprint!("{}", render::text(&problems, io::stderr().is_terminal()));
            return Ok(ExitCode::CannotRun);
        }
    };
    if let Some(filter) = &args.filter {
        found.retain(|one| one.test.name.contains(filter.as_str()));
        if found.is_empty() {
            let what = format!("no test has `{filter}` in its name");
            return Ok(failed(&what, Some("`--filter` takes any part of a name, in the same case")));
        }
    }
    let outcomes: Vec<Outcome<'_>> = found.iter().map(outcome).collect();
    let mut out = anstream::stdout().lock();
    let printed = match args.format {
        TestFormat::Text => write!(out, "{}", text::text(&outcomes)),
        TestFormat::Json => writeln!(out, "{}", json::json(&outcomes)?),
    };
    match printed {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if outcomes.iter().all(Outcome::passed) => Ok(ExitCode::Success),
        _ => Ok(ExitCode::No),
    }
}

fn outcome(found: &Found) -> Outcome<'_> {
    let Found { file, test, plan } = found;
    let played = play::play(test, plan, play::last(test));
    let rows = hold::hold(test, &played);
    let mut moments: Vec<(domain::Period, Explained)> = Vec::new();
    for row in rows.iter().filter(|row| !row.holds) {
        let name = row.series.to_string();
        if moments.iter().any(|(period, one)| *period == row.period && one.series == name) {
            continue;
        }
        // As it was then: what came later is not known yet.
        let then = play::play(test, plan, row.period);
        moments.extend(Explained::of(&then.engine, &row.series).map(|explained| (row.period, explained)));
        if moments.len() == MOST_MOMENTS {
            break;
        }
    }
    Outcome { file, test, rows, moments }
}
