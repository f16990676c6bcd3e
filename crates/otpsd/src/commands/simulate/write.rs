//! Writes a fleet as a recording, with what is owed for it.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use domain::{ExitCode, PERIODS_PER_DAY, Period, Series};
use poller::{RecordingError, RecordingWriter};
use simulator::{Fleet, labels};

use super::fleet::{self, LEARN_DAYS};
use crate::cli::SimulateArgs;
use crate::commands::demo::STORY_BEGINS;
use crate::commands::failed;

/// The files of a fleet.
struct Files {
    recording: PathBuf,
    labels: PathBuf,
    models: PathBuf,
}

impl Files {
    /// `NAME.csv.gz`, `NAME.labels.csv`, `NAME.models.csv`.
    fn of(name: &Path) -> Self {
        let with = |ending: &str| {
            let mut path = name.as_os_str().to_owned();
            path.push(ending);
            PathBuf::from(path)
        };
        Self { recording: with(".csv.gz"), labels: with(".labels.csv"), models: with(".models.csv") }
    }
}

pub(super) fn run(args: &SimulateArgs, name: &Path) -> Result<ExitCode> {
    let fleet = fleet::written(args, Period::containing(STORY_BEGINS.parse()?));
    let files = Files::of(name);
    let rows = match recording(&fleet, &files.recording) {
        Ok(rows) => rows,
        Err(error) => return Ok(failed(&error, error.hint.as_deref())),
    };
    let labelled = match what_is_owed(&fleet, &files) {
        Ok(labelled) => labelled,
        Err((path, error)) => {
            return Ok(failed(&format!("cannot write {}: {error}", path.display()), None));
        }
    };
    let (models, span) = (fleet.specs().count(), fleet.span());
    let days = (span.until - span.from) as f64 / PERIODS_PER_DAY as f64;
    let mut out = io::stdout().lock();
    writeln!(out, "{}  {models} models, {days} days, {rows} rows", files.recording.display())?;
    writeln!(out, "{}  {labelled} labels after the first {LEARN_DAYS} days", files.labels.display())?;
    writeln!(out, "{}", files.models.display())?;
    Ok(ExitCode::Success)
}

/// Writes every reading, and counts them.
fn recording(fleet: &Fleet, path: &Path) -> Result<u64, RecordingError> {
    let mut writer = RecordingWriter::create(path)?;
    let mut progress = Progress::new(fleet.specs().count());
    let mut written = 0;
    for row in fleet.rows() {
        progress.at(&row.series);
        writer.write(&row.series, row.period, &row.reading)?;
        written += 1;
    }
    progress.end();
    writer.finish()?;
    Ok(written)
}

/// Writes the labels and the models, and counts the labels.
fn what_is_owed<'a>(fleet: &Fleet, files: &'a Files) -> Result<usize, (&'a Path, io::Error)> {
    let (mut labels, mut models) = (Vec::new(), Vec::new());
    labels::write(fleet, LEARN_DAYS, &mut labels, &mut models)
        .map_err(|error| (files.labels.as_path(), error))?;
    for (path, text) in [(&files.labels, &labels), (&files.models, &models)] {
        fs::write(path, text).map_err(|error| (path.as_path(), error))?;
    }
    let lines = labels.iter().filter(|byte| **byte == b'\n').count();
    Ok(lines.saturating_sub(1))
}

/// How far it has come, on one line of a terminal and nowhere else.
struct Progress {
    shown: bool,
    models: usize,
    at: Option<Series>,
    begun: usize,
}

impl Progress {
    fn new(models: usize) -> Self {
        Self { shown: io::stderr().is_terminal(), models, at: None, begun: 0 }
    }

    fn at(&mut self, series: &Series) {
        if self.at.as_ref() == Some(series) {
            return;
        }
        self.at = Some(series.clone());
        self.begun += 1;
        if self.shown {
            anstream::eprint!("\rsimulating model {} of {}", self.begun, self.models);
        }
    }

    fn end(&self) {
        if self.shown {
            anstream::eprint!("\r{:40}\r", "");
        }
    }
}
