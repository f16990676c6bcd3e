//! What was read so far, in a folder beside the file that it is going to be: a file for some series each. They become one at
//! the end, and whoever was killed goes on from them.
//!
//! | file | what it has |
//! | --- | --- |
//! | `asked.json` | what was asked for, and when it was begun |
//! | `NUMBER.csv.gz` | rows of some series, without the names of columns; compressed like the recording |
//! | `done.jsonl` | a line for each of these files that is whole, with whose rows it has |
//! | `lock` | held while somebody writes |

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use domain::Series;
use jiff::Timestamp;
use poller::{RecordingError, RecordingWriter};
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use crate::history::{Known, Piece};

/// Why a recording cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwritten {
    #[error("{} cannot be written: {error}", file.display())]
    Io { file: PathBuf, error: io::Error },
    #[error("{} is being written by another `otpsd record`", file.display())]
    Taken { file: PathBuf },
}

/// Files that are whole, and what is written to them.
#[derive(Debug)]
pub(super) struct Parts {
    /// What was asked for, for errors.
    out: PathBuf,
    folder: PathBuf,
    done: Vec<Done>,
    journal: File,
    /// When it was first asked for.
    pub(super) begun: Timestamp,
    /// Nobody else writes while it is held.
    _lock: File,
}

/// One file that is whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Done {
    /// Its name.
    part: usize,
    /// The place of its Region among all that are read.
    region: usize,
    /// Who is in it, and who had nothing.
    series: Vec<String>,
    rows: u64,
}

impl Parts {
    /// Goes on with what is there if the same was asked for lately, or begins anew.
    pub(super) fn beside(out: &Path, asked: &Asked) -> Result<Self, Unwritten> {
        let mut name = out.as_os_str().to_owned();
        name.push(".parts");
        let folder = PathBuf::from(name);
        let failed = |error| Unwritten::Io { file: out.to_owned(), error };
        if out.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let lock = File::create(folder.join("lock")).map_err(failed)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Unwritten::Taken { file: out.to_owned() },
            TryLockError::Error(error) => failed(error),
        })?;
        let begun = asked.begun_before(&folder.join("asked.json"));
        let begun = match begun {
            Some(begun) => begun,
            None => begin(&folder, asked).map_err(failed)?,
        };
        let (done, journal) = read_journal(&folder.join("done.jsonl")).map_err(failed)?;
        Ok(Self { out: out.to_owned(), folder, done, journal, begun, _lock: lock })
    }

    /// Who need not be read again.
    pub(super) fn known(&self) -> Known {
        let mut known: Known = BTreeMap::new();
        for done in &self.done {
            let series = done.series.iter().filter_map(|name| name.parse::<Series>().ok());
            known.entry(done.region).or_default().extend(series);
        }
        known
    }

    /// Writes a file of its own for what was read. It counts once it is whole.
    pub(super) fn write(&mut self, piece: &Piece) -> Result<(), Unwritten> {
        if piece.series.is_empty() {
            return Ok(());
        }
        let done = Done {
            part: self.done.last().map_or(1, |last| last.part + 1),
            region: piece.region,
            series: piece.series.iter().map(Series::to_string).collect(),
            rows: piece.rows.len() as u64,
        };
        let file = self.file(done.part);
        let written = || -> Result<(), RecordingError> {
            let mut part = RecordingWriter::create_part(&file)?;
            piece.rows.iter().try_for_each(|row| part.write(&row.series, row.period, &row.reading))?;
            part.finish()
        };
        written().map_err(|error| self.because(error))?;
        // The line must not outlive what it is about, when the machine loses its power.
        File::open(&file).and_then(|file| file.sync_all()).map_err(|error| self.failed(error))?;
        let mut line = serde_json::to_vec(&done).expect("names and numbers can be written as JSON");
        line.push(b'\n');
        self.journal.write_all(&line).map_err(|error| self.failed(error))?;
        self.done.push(done);
        Ok(())
    }

    /// Puts the parts together, in order of Regions and series whichever came first, and gives the whole its name. Gives how
    /// many rows it has. The parts stay.
    pub(super) fn join(&self) -> Result<u64, Unwritten> {
        let whole = self.file(0);
        let head = RecordingWriter::create(&whole).and_then(RecordingWriter::finish);
        head.map_err(|error| self.because(error))?;
        let mut done: Vec<&Done> = self.done.iter().collect();
        done.sort_by(|a, b| (a.region, &a.series).cmp(&(b.region, &b.series)));
        let joined = || -> io::Result<()> {
            let mut file = OpenOptions::new().append(true).open(&whole)?;
            for done in &done {
                io::copy(&mut File::open(self.file(done.part))?, &mut file)?;
            }
            file.sync_all()?;
            fs::rename(&whole, &self.out)
        };
        joined().map_err(|error| self.failed(error))?;
        Ok(done.iter().map(|done| done.rows).sum())
    }

    /// Whether anything would be lost with the folder.
    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// The folder is needed no more.
    pub(super) fn remove(self) -> Result<(), Unwritten> {
        fs::remove_dir_all(&self.folder).map_err(|error| self.failed(error))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file of the folder with the ending of the recording, which says how it is compressed.
    fn file(&self, number: usize) -> PathBuf {
        let ending = self.out.extension().unwrap_or_default();
        self.folder.join(format!("{number:06}")).with_extension(ending)
    }

    fn failed(&self, error: io::Error) -> Unwritten {
        Unwritten::Io { file: self.out.clone(), error }
    }

    fn because(&self, error: RecordingError) -> Unwritten {
        self.failed(error.source.unwrap_or_else(|| io::Error::other(error.message)))
    }
}

/// Notes what is asked for, after what was there of something else is gone.
fn begin(folder: &Path, asked: &Asked) -> io::Result<Timestamp> {
    let is_old = |entry: &fs::DirEntry| entry.file_name() != "lock";
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let old: Vec<PathBuf> = entries.iter().filter(|entry| is_old(entry)).map(fs::DirEntry::path).collect();
    let noted = folder.join("asked.json");
    if !old.is_empty() && !old.contains(&noted) {
        let what = format!("{} is there, and it was not made by `otpsd record`", folder.display());
        return Err(io::Error::other(what));
    }
    // The note goes last: a folder without it is nobody's to empty.
    old.iter().filter(|file| **file != noted).try_for_each(fs::remove_file)?;
    asked.begin(&noted)
}

/// The lines that are whole. What a kill left of the last one is cut off, so that what comes next stands in a line of its own.
fn read_journal(file: &Path) -> io::Result<(Vec<Done>, File)> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    let (mut done, mut whole) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        match serde_json::from_str::<Done>(line) {
            Ok(one) if line.ends_with('\n') => done.push(one),
            _ => break,
        }
        whole += line.len();
    }
    let mut journal = OpenOptions::new().create(true).truncate(false).write(true).open(file)?;
    journal.set_len(whole as u64)?;
    io::Seek::seek(&mut journal, io::SeekFrom::End(0))?;
    Ok((done, journal))
}

#[cfg(test)]
mod tests {
    use domain::{CloudWatchPlan, Metric, Period, Reading, Row};
    use jiff::SignedDuration;
    use poller::Recording;

    use super::*;

    fn asked(days: i64) -> Asked {
        Asked::of(&[] as &[CloudWatchPlan], SignedDuration::from_hours(24 * days), None)
    }

    fn piece(region: usize, model: &str, rows: i64) -> Piece {
        let series = Series::new("111122223333", "us-east-1", model);
        let row = |period| {
            let mut reading = Reading::default();
            reading.of_mut(Metric::InvocationLatency).p50 = Some(period as f64);
            Row { series: series.clone(), period: Period::from_index(5_969_376 + period), reading }
        };
        Piece { region, series: vec![series.clone()], rows: (0..rows).map(row).collect() }
    }

    fn models(file: &Path) -> (Vec<String>, usize) {
        let recording = Recording::read(&[file]).unwrap();
        let models = recording.series().iter().map(|series| series.model().to_owned()).collect();
        (models, recording.periods().map(|rows| rows.rows().count()).sum())
    }

    #[test]
    fn whoever_was_killed_goes_on_and_the_whole_is_the_same() {
        for ending in ["csv", "csv.gz", "csv.zst"] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("all").with_extension(ending);
            let mut parts = Parts::beside(&out, &asked(3)).unwrap();
            let begun = parts.begun;
            parts.write(&piece(1, "c", 2)).unwrap();
            parts.write(&piece(0, "b", 3)).unwrap();
            // The kill comes between a file and its line, and in the middle of a line.
            fs::write(parts.file(3), "half a f").unwrap();
            parts.journal.write_all(b"{\"part\":3,\"reg").unwrap();
            drop(parts);

            let mut parts = Parts::beside(&out, &asked(3)).unwrap();
            assert_eq!(parts.begun, begun, "the same time is asked for");
            let known: Vec<(usize, usize)> = parts.known().iter().map(|(at, all)| (*at, all.len())).collect();
            assert_eq!(known, [(0, 1), (1, 1)]);
            parts.write(&piece(0, "a", 0)).unwrap();
            parts.write(&piece(1, "d", 1)).unwrap();
            assert_eq!(parts.join().unwrap(), 6);
            assert_eq!(models(&out), (vec!["b".to_owned(), "c".to_owned(), "d".to_owned()], 6));
            // It may be joined again, as after a kill right before the end.
            assert_eq!(parts.join().unwrap(), 6);
            let kept = parts.folder().to_owned();
            parts.remove().unwrap();
            assert!(!kept.exists());
        }
    }

    #[test]
    fn what_was_begun_for_something_else_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("all.csv.gz");
        let mut parts = Parts::beside(&out, &asked(3)).unwrap();
        parts.write(&piece(0, "a", 1)).unwrap();
        drop(parts);
        assert!(!Parts::beside(&out, &asked(3)).unwrap().is_empty());
        assert!(Parts::beside(&out, &asked(4)).unwrap().is_empty());
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("all.csv.gz");
        let parts = folder.path().join("all.csv.gz.parts");
        fs::create_dir(&parts).unwrap();
        fs::write(parts.join("thesis.txt"), "chapter 1").unwrap();
        let refused = Parts::beside(&out, &asked(3)).unwrap_err();
        assert!(refused.to_string().ends_with("it was not made by `otpsd record`"), "{refused}");
        assert!(parts.join("thesis.txt").exists());
    }

    #[test]
    fn two_do_not_write_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("all.csv.gz");
        let _first = Parts::beside(&out, &asked(3)).unwrap();
        let second = Parts::beside(&out, &asked(3)).unwrap_err();
        assert!(second.to_string().ends_with("all.csv.gz is being written by another `otpsd record`"));
    }
}
