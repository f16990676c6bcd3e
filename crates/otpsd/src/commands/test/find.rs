//! From paths to tests with their configurations.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use config::scenario::{self, Test};
use config::{Environment, File, Problem, ProcessEnvironment, Purpose, Severity};
use domain::{ChannelPlan, Matcher, Plan, Route};
use jiff::Timestamp;

/// Deeper than any folder of tests; one that holds itself by a link must end somewhere.
const DEEPEST: usize = 16;

/// A test with what it is run by.
pub(super) struct Found {
    pub(super) file: PathBuf,
    pub(super) test: Test,
    pub(super) plan: Plan,
}

/// Why nothing is run.
pub(super) enum Refused {
    NothingThere { what: String, hint: String },
    Problems(Vec<Problem>),
}

/// All tests in the order of the paths, the files of a folder by name. Nothing is run when anything is wrong: a test
/// that is left out would pass for one that holds.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Found>, Refused> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(files_of(path)?);
    }
    let mut found = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for file in files {
        let read = scenario::load(&file, &ProcessEnvironment);
        problems.extend(read.problems);
        for test in read.tests {
            match plan(&file, &test) {
                Ok(plan) => found.push(Found { file: file.clone(), test, plan }),
                // Tests of one configuration have its problems in common.
                Err(wrong) => {
                    let new: Vec<_> = wrong.into_iter().filter(|one| !problems.contains(one)).collect();
                    problems.extend(new);
                }
            }
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(Refused::Problems(problems)) }
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>, Refused> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let nothing = |what: String, hint: &str| Refused::NothingThere { what, hint: hint.to_owned() };
    gather(path, 0, &mut files).map_err(|error| {
        nothing(format!("cannot read the folder `{}`: {error}", path.display()), "name the files themselves")
    })?;
    if files.is_empty() {
        let what = format!("there is no test in `{}`", path.display());
        return Err(nothing(what, "the names of files of tests end with .test.toml"));
    }
    Ok(files)
}

fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        let is_hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden {
            continue;
        }
        if entry.is_dir() {
            if depth < DEEPEST {
                gather(&entry, depth + 1, files)?;
            }
        } else if entry.to_string_lossy().ends_with(scenario::ENDING) {
            files.push(entry);
        }
    }
    Ok(())
}

/// The machine at the start of a test: a maintenance window that is over today was not then.
struct AtStart(Timestamp);

impl Environment for AtStart {
    fn variable(&self, _: &str) -> Option<OsString> {
        None
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        ProcessEnvironment.file(path)
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        ProcessEnvironment.folder(path)
    }

    fn now(&self) -> Timestamp {
        self.0
    }
}

/// The configuration of a test, read as `backtest` reads one: without sources and without secrets.
fn plan(file: &Path, test: &Test) -> Result<Plan, Vec<Problem>> {
    let environment = AtStart(test.start.start());
    let outcome = match &test.config {
        Some(named) => {
            let mut outcome =
                config::load(std::slice::from_ref(&named.path), Purpose::Backtest, &environment);
            if outcome.unreadable {
                // What cannot be read has no place of its own: the one that names it is wrong.
                for problem in &mut outcome.problems {
                    problem.file = file.display().to_string();
                    problem.place = Some(named.place.clone());
                }
            }
            outcome
        }
        None => {
            let defaults = File { path: PathBuf::from("defaults"), text: String::new() };
            config::read(&[defaults], Purpose::Backtest, &environment)
        }
    };
    let errors = outcome.problems.into_iter().filter(|problem| problem.severity == Severity::Error);
    outcome.plan.map(told_somebody).ok_or_else(|| errors.collect())
}

/// What no route is written for goes to the log, so that it is said at all.
fn told_somebody(mut plan: Plan) -> Plan {
    let log = ChannelPlan::Log { name: "all".to_owned() };
    for routes in [&mut plan.routes.page, &mut plan.routes.ticket] {
        if routes.is_empty() {
            routes.push(Route { matcher: Matcher::default(), hours: None, channels: vec![log.name()] });
            if !plan.channels.iter().any(|channel| channel.name() == log.name()) {
                plan.channels.push(log.clone());
            }
        }
    }
    plan
}
