//! A file for each Region that is read, which become one at the end. Regions are read at the same time, and the order of what
//! was recorded must not depend on which was faster.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use poller::{RecordingError, RecordingWriter};
use tempfile::TempDir;

use crate::history::Piece;

/// Why a recording cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {error}", file.display())]
pub(super) struct Unwritten {
    file: PathBuf,
    error: io::Error,
}

/// What was read so far, in a folder beside the file that it is going to be. The folder goes away when this is dropped.
pub(super) struct Parts {
    /// What was asked for, for errors.
    out: PathBuf,
    folder: TempDir,
    /// Writers by Region.
    parts: BTreeMap<usize, RecordingWriter>,
    rows: u64,
}

impl Parts {
    pub(super) fn beside(out: &Path) -> Result<Self, Unwritten> {
        let parent =
            out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
        let folder = tempfile::Builder::new()
            .prefix(".otpsd-record-")
            .tempdir_in(parent)
            .map_err(|error| Unwritten { file: out.to_owned(), error })?;
        Ok(Self { out: out.to_owned(), folder, parts: BTreeMap::new(), rows: 0 })
    }

    /// Adds to the part of a Region.
    pub(super) fn write(&mut self, piece: &Piece) -> Result<(), Unwritten> {
        let part = match self.parts.entry(piece.region) {
            std::collections::btree_map::Entry::Occupied(part) => part.into_mut(),
            std::collections::btree_map::Entry::Vacant(none) => {
                let file = named(&self.folder, &self.out, piece.region + 1);
                let created = RecordingWriter::create_part(file);
                none.insert(created.map_err(|error| because(&self.out, error))?)
            }
        };
        for row in &piece.rows {
            let written = part.write(&row.series, row.period, &row.reading);
            written.map_err(|error| because(&self.out, error))?;
        }
        self.rows += piece.rows.len() as u64;
        Ok(())
    }

    /// Puts the parts together, in order, and gives the whole its name. Gives how many rows it has.
    pub(super) fn join(self, out: &Path) -> Result<u64, Unwritten> {
        let Self { folder, parts, rows, .. } = self;
        let whole = named(&folder, out, 0);
        let head = RecordingWriter::create(&whole).and_then(RecordingWriter::finish);
        head.map_err(|error| because(out, error))?;
        for (region, part) in parts {
            part.finish().map_err(|error| because(out, error))?;
            let part = named(&folder, out, region + 1);
            append(&part, &whole).map_err(|error| Unwritten { file: out.to_owned(), error })?;
        }
        let named =
            File::open(&whole).and_then(|file| file.sync_all()).and_then(|()| std::fs::rename(&whole, out));
        named.map_err(|error| Unwritten { file: out.to_owned(), error })?;
        Ok(rows)
    }
}

/// A file of the folder with the ending of the recording, which says how it is compressed.
fn named(folder: &TempDir, out: &Path, number: usize) -> PathBuf {
    let ending = out.extension().unwrap_or_default();
    folder.path().join(number.to_string()).with_extension(ending)
}

/// Appends a part, which then is not needed any more.
fn append(part: &Path, whole: &Path) -> io::Result<()> {
    let mut whole = File::options().append(true).open(whole)?;
    io::copy(&mut File::open(part)?, &mut whole)?;
    std::fs::remove_file(part)
}

fn because(out: &Path, error: RecordingError) -> Unwritten {
    let said = error.source.unwrap_or_else(|| io::Error::other(error.message));
    Unwritten { file: out.to_owned(), error: said }
}
