//! Readings from files or elsewhere, as `docs/reference/recording.md` describes them.
//!
//! A recording is held compactly, a row as a bit set and its values, and handed out in order of time whatever the
//! order of its rows: five weeks of two dozen models take about 40 MB.

mod builder;
mod csv;
mod error;
mod json;
mod open;
mod rows;
mod time;
mod write;

use std::path::Path;

use domain::{Metric, Period, Reading, Series, Span, Statistic, Tier};

use self::builder::Builder;
pub use self::error::RecordingError;
pub use self::rows::RecordingBuilder;
pub use self::write::RecordingWriter;

/// Statistics of metrics that a row can hold.
const OF_METRICS: usize = Metric::ALL.len() * Statistic::ALL.len();
/// What a row can hold: these, and the requests of each tier. A cell is one of them.
const CELLS: usize = OF_METRICS + Tier::ALL.len();

/// The cells of a row are a bit set of 64 bits.
const _: () = assert!(CELLS <= 64);

/// Where the value of a statistic stands among the cells of a row.
const fn cell(metric: Metric, statistic: Statistic) -> u8 {
    (metric as usize * Statistic::ALL.len() + statistic as usize) as u8
}

/// Where the requests of a tier stand among them.
const fn cell_of_tier(tier: Tier) -> u8 {
    (OF_METRICS + tier as usize) as u8
}

/// The column of the requests of a tier: `ResolvedServiceTier.priority`.
fn column_of_tier(tier: Tier) -> String {
    format!("{TIERS}.{}", tier.name())
}

/// CloudWatch's dimension for the tier that served a request.
const TIERS: &str = "ResolvedServiceTier";

/// What was read from one or several files, or row by row ([`RecordingBuilder`]).
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// In their own order, each once.
    series: Vec<Series>,
    /// By period, then by series, then in the order they were read.
    rows: Vec<PackedRow>,
    /// The values of all rows; those of one row are neighbours, in the order of its cells.
    values: Vec<f64>,
}

/// A row without its values.
#[derive(Debug, Clone, Copy)]
struct PackedRow {
    period: Period,
    series: u32,
    /// Bit `n` is set where cell `n` has a value.
    cells: u64,
    /// Where the values of the row begin.
    values: usize,
}

impl Recording {
    /// Reads files one after another into one recording, as if they were one: where two rows are about the same series
    /// and period, what the later one has wins.
    ///
    /// A file is gzip, zstd or plain, and CSV or the JSON of `aws cloudwatch get-metric-data`; its content says which.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or something in it cannot be understood. Nothing is skipped.
    pub fn read<P: AsRef<Path>>(files: &[P]) -> Result<Self, RecordingError> {
        let mut builder = Builder::default();
        let mut pages = json::Pages::default();
        for file in files {
            let file = file.as_ref();
            let content = open::content(file)?;
            if content.is_json() {
                json::read(content, file, &mut builder, &mut pages)?;
            } else {
                csv::read(content, file, &mut builder)?;
            }
        }
        pages.finish()?;
        Ok(builder.finish())
    }

    /// Everybody in the recording, in order. [`PeriodRows::rows`] counts from the start of this slice.
    #[must_use]
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// From the first period up to the last one, with gaps, if there is any.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let (first, last) = (self.rows.first()?, self.rows.last()?);
        Some(Span { from: first.period, until: last.period + 1 })
    }

    /// The periods that have rows, in order of time.
    pub fn periods(&self) -> impl Iterator<Item = PeriodRows<'_>> {
        self.rows.chunk_by(|a, b| a.period == b.period).map(|rows| PeriodRows { recording: self, rows })
    }

    /// Lays the values of a row over `reading`.
    fn unpack(&self, row: &PackedRow, reading: &mut Reading) {
        let mut values = self.values[row.values..].iter();
        for metric in Metric::ALL {
            let statistics = reading.of_mut(metric);
            for statistic in Statistic::ALL {
                if row.cells & (1 << cell(metric, statistic)) != 0 {
                    statistics.set(statistic, values.next().copied());
                }
            }
        }
        for tier in Tier::ALL {
            if row.cells & (1 << cell_of_tier(tier)) != 0 {
                reading.set_served(tier, values.next().copied());
            }
        }
    }
}

/// The rows of one period, never none.
#[derive(Debug, Clone, Copy)]
pub struct PeriodRows<'a> {
    recording: &'a Recording,
    rows: &'a [PackedRow],
}

impl<'a> PeriodRows<'a> {
    /// Which period.
    #[must_use]
    pub fn period(&self) -> Period {
        self.rows[0].period
    }

    /// What was read of whom, as indices of [`Recording::series`]: in order, each once. Later rows have been merged into
    /// earlier ones by [`Reading::merge`]. A row without any value is an empty reading.
    pub fn rows(&self) -> impl Iterator<Item = (usize, Reading)> + use<'a> {
        let recording = self.recording;
        self.rows.chunk_by(|a, b| a.series == b.series).map(|rows| {
            let mut reading = Reading::default();
            for row in rows {
                recording.unpack(row, &mut reading);
            }
            (rows[0].series as usize, reading)
        })
    }
}
