//! An environment of the tests' own, and short ways to read a text.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use config::{Environment, File, Outcome, Purpose, read, render};

/// Variables and files that exist nowhere else, at noon on the first of December 2026 in UTC.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    variables: BTreeMap<&'static str, &'static str>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Surroundings {
    pub(crate) fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.insert(name, value);
        self
    }

    pub(crate) fn file(mut self, path: &str, bytes: &[u8]) -> Self {
        self.files.insert(path.into(), bytes.to_vec());
        self
    }
}

impl Environment for Surroundings {
    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.get(name).map(OsString::from)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(self.files.keys().filter(|file| file.parent() == Some(path)).cloned().collect())
    }

    fn now(&self) -> Timestamp {
        "2026-12-01T12:00:00Z".parse().unwrap()
    }
}

/// A file of that text.
pub(crate) fn file(text: &str) -> File {
    File { path: "otpsd.toml".into(), text: text.to_owned() }
}

/// Reads one text where every secret of the tests is.
pub(crate) fn outcome(text: &str, purpose: Purpose) -> Outcome {
    let surroundings = Surroundings::default()
        .variable("PD_ROUTING_KEY", "R0TESTTESTTESTTESTTESTTESTTEST00")
        .variable("JIRA_TOKEN", "J0TESTTESTTESTTESTTESTTESTTEST00")
        .variable("HEARTBEAT_URL", "https://beats.example.com/B0TESTTESTTESTTESTTESTTESTTEST00");
    read(&[file(text)], purpose, &surroundings)
}

/// What a person sees of a text's problems.
pub(crate) fn seen(text: &str, purpose: Purpose) -> String {
    render::text(&outcome(text, purpose).problems, false)
}

/// What is wrong, each problem as `line:column message`.
pub(crate) fn told(text: &str, purpose: Purpose) -> Vec<String> {
    let tell = |problem: &config::Problem| match &problem.place {
        Some(place) => format!("{}:{} {}", place.line, place.column, problem.message),
        None => problem.message.clone(),
    };
    outcome(text, purpose).problems.iter().map(tell).collect()
}
