//! Files to read, and readings to compare.

use std::fmt::Write as _;
use std::path::PathBuf;

use domain::{Metric, Period, Reading, Series, Statistic, Tier};
use poller::{Recording, RecordingError};
use tempfile::TempDir;

/// A folder with files in it, gone at the end of the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// Reads one file of that content.
pub(crate) fn read(name: &str, content: impl AsRef<[u8]>) -> Result<Recording, RecordingError> {
    let folder = Folder::new();
    Recording::read(&[folder.file(name, content)])
}

/// An error as people read it, with the folder taken out of it.
pub(crate) fn told(error: &RecordingError) -> String {
    let folder = error.file.parent().unwrap().to_str().unwrap();
    let mut text = error.to_string().replace(&format!("{folder}/"), "");
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        write!(text, "\n  because: {cause}").unwrap();
        source = cause.source();
    }
    if let Some(hint) = &error.hint {
        write!(text, "\n  hint: {hint}").unwrap();
    }
    text
}

/// All rows in the order they are handed out.
pub(crate) fn rows(recording: &Recording) -> Vec<(Period, Series, Reading)> {
    recording
        .periods()
        .flat_map(|rows| {
            let period = rows.period();
            rows.rows().map(move |(series, reading)| (period, series, reading))
        })
        .map(|(period, series, reading)| (period, recording.series()[series].clone(), reading))
        .collect()
}

/// All values as text, a row a line.
pub(crate) fn listed(recording: &Recording) -> Vec<String> {
    rows(recording)
        .iter()
        .map(|(period, series, reading)| {
            let mut line = format!("{period} {series}");
            for metric in Metric::ALL {
                for statistic in Statistic::ALL {
                    if let Some(value) = reading.get(metric, statistic) {
                        write!(line, " {metric}.{statistic}={value}").unwrap();
                    }
                }
            }
            for tier in Tier::ALL {
                if let Some(value) = reading.served(tier) {
                    write!(line, " ResolvedServiceTier.{}={value}", tier.name()).unwrap();
                }
            }
            line
        })
        .collect()
}
