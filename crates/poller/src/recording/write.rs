//! Recordings are written.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use domain::{Metric, Period, Reading, Series, Statistic, Tier};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::csv::{ACCOUNT, MODEL, REGION, TIME};
use super::{CELLS, RecordingError, column_of_tier};

/// Writes a recording, row by row: CSV, compressed when the name ends in `.gz` or `.zst`.
///
/// What it writes, [`super::Recording::read`] reads back as it was.
pub struct RecordingWriter {
    file: PathBuf,
    rows: ::csv::Writer<Packer>,
    cell: String,
}

impl RecordingWriter {
    /// Creates the file, or empties it, and writes the names of all columns.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn create(file: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let mut writer = Self::create_part(file)?;
        let values = Metric::ALL
            .iter()
            .flat_map(|metric| Statistic::ALL.iter().map(move |statistic| format!("{metric}.{statistic}")));
        let tiers = Tier::ALL.into_iter().map(column_of_tier);
        let header: Vec<_> = [TIME, ACCOUNT, REGION, MODEL]
            .map(str::to_owned)
            .into_iter()
            .chain(values)
            .chain(tiers)
            .collect();
        debug_assert_eq!(header.len(), 4 + CELLS);
        let written = writer.rows.write_record(&header);
        writer.outcome(written)?;
        Ok(writer)
    }

    /// The same without the names of columns: a part that can be appended, byte by byte, to a file that has them and the
    /// same ending. Compressed files may be appended to each other.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn create_part(file: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let file = file.as_ref();
        let failed = |error| RecordingError::writing(file, error);
        let plain = BufWriter::new(File::create(file).map_err(failed)?);
        let packer = match file.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Packer::Gzip(GzEncoder::new(plain, Compression::default())),
            Some("zst") => {
                Packer::Zstd(zstd::Encoder::new(plain, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(failed)?)
            }
            _ => Packer::Plain(plain),
        };
        Ok(Self { file: file.to_owned(), rows: ::csv::Writer::from_writer(packer), cell: String::new() })
    }

    /// Writes one row. A value that is not finite is no value, and its cell stays empty.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(
        &mut self,
        series: &Series,
        period: Period,
        reading: &Reading,
    ) -> Result<(), RecordingError> {
        let written = self.write_fields(series, period, reading);
        self.outcome(written)
    }

    fn write_fields(
        &mut self,
        series: &Series,
        period: Period,
        reading: &Reading,
    ) -> Result<(), ::csv::Error> {
        let Self { rows, cell, .. } = self;
        let mut field = |text: fmt::Arguments<'_>| {
            cell.clear();
            // A `String` takes whatever is written to it.
            let _ = cell.write_fmt(text);
            rows.write_field(&cell)
        };
        field(format_args!("{period}"))?;
        for name in [series.account(), series.region(), series.model()] {
            field(format_args!("{name}"))?;
        }
        let of_metrics = Metric::ALL
            .into_iter()
            .flat_map(|metric| Statistic::ALL.map(|statistic| reading.get(metric, statistic)));
        let of_tiers = Tier::ALL.into_iter().map(|tier| reading.served(tier));
        for value in of_metrics.chain(of_tiers) {
            match value.filter(|value| value.is_finite()) {
                // The shortest text that reads back as the same number.
                Some(value) => field(format_args!("{value}"))?,
                None => field(format_args!(""))?,
            }
        }
        rows.write_record(None::<&[u8]>)
    }

    /// Ends the file. Without it, what was written last may be missing from the file, and a reader says so of a
    /// compressed one.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), RecordingError> {
        let Self { file, rows, .. } = self;
        rows.into_inner()
            .map_err(::csv::IntoInnerError::into_error)
            .and_then(Packer::finish)
            .map_err(|error| RecordingError::writing(&file, error))
    }

    fn outcome(&self, written: Result<(), ::csv::Error>) -> Result<(), RecordingError> {
        written.map_err(|error| RecordingError::writing(&self.file, error.into()))
    }
}

/// A file that is compressed, or not.
enum Packer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl Packer {
    fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Gzip(gzip) => gzip.finish()?,
            Self::Zstd(zstd) => zstd.finish()?,
        };
        file.flush()
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(gzip) => gzip.write(bytes),
            Self::Zstd(zstd) => zstd.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(gzip) => gzip.flush(),
            Self::Zstd(zstd) => zstd.flush(),
        }
    }
}
