//! Unit tests of alarms, as their owners write them: series in a short notation, and what is to be said of them.
//!
//! `docs/reference/test.md` describes the file. The configuration that a test is about is read by [`crate::load`], as the daemon
//! reads it.
//!
//! # Layout
//!
//! - [`Test`], [`Course`], [`Expectation`]: what a file holds, without its places but for the lines that a failure names.
//! - `values`: a figure, period by period; `notation`: how it is written.
//! - `schema`: the tables and keys that there are.
//! - `moment`: times, also relative to the start of a test.
//! - `open`: from a path to a text, and from a node to a table.
//! - `file`, `test`, `course`, `expectation`: one table each.

mod course;
mod expectation;
mod file;
mod moment;
mod notation;
mod open;
mod schema;
mod test;
mod values;

use std::path::{Path, PathBuf};

use domain::{AlarmState, Cause, Matcher, Period, Series};

pub use self::file::read;
pub use self::values::{Value, Values};
use crate::environment::Environment;
use crate::{Place, Problem};

/// What the names of files of tests in a folder end with; the files of a configuration may stand beside them.
pub const ENDING: &str = ".test.toml";

/// What came of reading a file of tests.
#[derive(Debug)]
#[must_use]
pub struct Scenarios {
    /// The tests, in the order of the file; none when there is a problem.
    pub tests: Vec<Test>,
    /// Everything that is wrong, from top to bottom.
    pub problems: Vec<Problem>,
}

/// Reads a file of tests from disk.
pub fn load(path: &Path, environment: &dyn Environment) -> Scenarios {
    match open::file(path, environment) {
        Ok(file) => read(&file),
        Err(problem) => Scenarios { tests: Vec::new(), problems: vec![*problem] },
    }
}

/// `[[test]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// The line of its header, from 1.
    pub line: usize,
    /// The configuration that it is about; `None` means all defaults.
    pub config: Option<Named>,
    /// The period of the first value.
    pub start: Period,
    /// So many periods before it have the first values too.
    pub history: u32,
    /// So many periods have values.
    pub length: u32,
    /// Whether it fails when something is said that nothing expects.
    pub only_expected: bool,
    /// The series, at least one, no two alike.
    pub series: Vec<Course>,
    /// What is to be said, at least one thing.
    pub expectations: Vec<Expectation>,
}

/// A configuration that a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its path, from the folder of the file.
    pub path: PathBuf,
    /// Where it is named.
    pub place: Place,
}

/// `[[test.series]]`: a series, period by period. All figures are those of single requests but the shares and `requests`.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Which.
    pub series: Series,
    /// Tokens per second that a request decodes; a period without a value has no requests.
    pub otps: Values,
    /// Milliseconds until the first token.
    pub ttft_ms: Values,
    /// Tokens of a reply.
    pub output_tokens: Values,
    /// Tokens of a prompt, those that the prompt cache served included.
    pub input_tokens: Values,
    /// Requests of a period.
    pub requests: Values,
    /// Share of them that streams: only those have a time to first token.
    pub streaming_share: Values,
    /// Share of a prompt that the prompt cache serves; `None` means that there is no such metric.
    pub cache_read_share: Option<Values>,
    /// Share of the requests that decodes more slowly than the others.
    pub slow_share: Values,
    /// How many times as long those take to decode.
    pub slow_times: Values,
}

/// `[[test.expect]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The line of its header, from 1.
    pub line: usize,
    /// What.
    pub what: Expected,
    /// The first and the last period whose end is meant.
    pub within: (Period, Period),
    /// Which series are meant. Its causes and labels are empty.
    pub matcher: Matcher,
    /// Who is told, in any order; `None` does not ask.
    pub channels: Option<Vec<String>>,
}

/// What is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Somebody is woken.
    Page,
    /// The page is over.
    Resolve,
    /// A ticket is filed.
    Ticket(Cause),
    /// A ticket is closed.
    TicketClosed(Cause),
    /// The series is in this state after the last period of `within`.
    State(AlarmState),
    /// Nothing is said in all that time.
    Silence,
}
