//! CSV.

use std::io::{BufReader, Read};
use std::path::Path;

use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use domain::{Metric, Series, Statistic, Tier};

use super::builder::Builder;
use super::{RecordingError, TIERS, cell, cell_of_tier, open, time};

/// Reads all rows of one file.
pub(super) fn read(text: impl Read, file: &Path, into: &mut Builder) -> Result<(), RecordingError> {
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(text);
    let mut record = ByteRecord::new();
    let mut next = |record: &mut ByteRecord| next(&mut reader, record, file);
    if !next(&mut record)? {
        return Err(RecordingError::new(file, "has no line of column names", HEADER_HINT));
    }
    let columns = Columns::of(&record, file)?;
    while next(&mut record)? {
        columns.take(&record, into).map_err(|fault| fault.at(file, &record))?;
    }
    Ok(())
}

/// Reads a row, if there is another one.
fn next(
    reader: &mut Reader<impl Read>,
    record: &mut ByteRecord,
    file: &Path,
) -> Result<bool, RecordingError> {
    reader.read_byte_record(record).map_err(|error| match error.into_kind() {
        ErrorKind::Io(error) => RecordingError::reading(file, error),
        ErrorKind::UnequalLengths { expected_len, len, .. } => RecordingError::new(
            file,
            format!("has {len} cells where the line of column names has {expected_len}"),
            "give every row a cell for every column; a missing value is an empty cell",
        )
        .at(line(record, file)),
        _ => RecordingError::new(file, "is not CSV", HEADER_HINT).at(line(record, file)),
    })
}

const HEADER_HINT: &str =
    "a recording begins with a line such as Timestamp,Region,ModelId,InvocationLatency.p50";

/// The line a row begins on. The parser knows where it began to look for the row, which may be at the end of the line
/// before or at empty lines, so the text up to there is read once more.
fn line(row: &ByteRecord, file: &Path) -> u64 {
    let Some(position) = row.position() else { return 1 };
    // A pipe cannot be read again, and opening it may wait forever.
    if !file.is_file() {
        return position.line();
    }
    let counted = open::content(file).and_then(|text| {
        let mut line = 1;
        for (offset, byte) in (0..).zip(BufReader::new(text).bytes()) {
            match byte.map_err(|error| RecordingError::reading(file, error))? {
                b'\n' => line += 1,
                b'\r' => {}
                _ if offset >= position.byte() => break,
                _ => {}
            }
        }
        Ok(line)
    });
    counted.unwrap_or_else(|_| position.line())
}

/// Which columns are taken, and as what.
struct Columns {
    time: usize,
    account: Option<usize>,
    region: usize,
    model: usize,
    /// Column and cell, by cell. Where both spellings of a metric are there, its own name comes after the other one, so
    /// that its value is the one that stays.
    values: Vec<(usize, u8)>,
    names: Vec<String>,
}

impl Columns {
    fn of(header: &ByteRecord, file: &Path) -> Result<Self, RecordingError> {
        let wrong = |message: String, hint: &str| {
            Err(RecordingError::new(file, message, hint).at(line(header, file)))
        };
        let mut names = Vec::with_capacity(header.len());
        for name in header {
            match str::from_utf8(name) {
                Ok(name) => names.push(name.trim().to_owned()),
                Err(_) => return wrong("is not UTF-8 text".to_owned(), "save it as CSV in UTF-8"),
            }
        }
        let known = |name: &str| matches!(name, TIME | ACCOUNT | REGION | MODEL) || cell_of(name).is_some();
        for (column, name) in names.iter().enumerate() {
            if known(name) && names[..column].contains(name) {
                return wrong(format!("has two columns `{name}`"), "remove one of them");
            }
        }
        let find = |wanted: &str| names.iter().position(|name| name == wanted);
        let (Some(time), Some(region), Some(model)) = (find(TIME), find(REGION), find(MODEL)) else {
            let missing: Vec<_> = [TIME, REGION, MODEL]
                .into_iter()
                .filter(|name| find(name).is_none())
                .map(|name| format!("`{name}`"))
                .collect();
            return wrong(format!("has no column {}", missing.join(", ")), HEADER_HINT);
        };
        let mut values: Vec<_> = names
            .iter()
            .enumerate()
            .filter_map(|(column, name)| cell_of(name).map(|(cell, own_name)| (cell, own_name, column)))
            .collect();
        if values.is_empty() {
            return wrong("has no column of a metric".to_owned(), HEADER_HINT);
        }
        values.sort_unstable();
        let values = values.into_iter().map(|(cell, _, column)| (column, cell)).collect();
        Ok(Self { time, account: find(ACCOUNT), region, model, values, names })
    }

    fn take(&self, row: &ByteRecord, into: &mut Builder) -> Result<(), Fault> {
        let period = time::parse(&row[self.time])
            .map_err(|no_period| self.fault(row, self.time, no_period.message(), no_period.hint()))?;
        let account = self.account.map_or(&[][..], |account| &row[account]);
        let series = into.series(account, &row[self.region], &row[self.model], || self.series(row))?;
        into.start_row(series, period);
        for &(column, cell) in &self.values {
            let text = &row[column];
            if !text.is_empty() {
                let value = finite(text).ok_or_else(|| {
                    self.fault(
                        row,
                        column,
                        "is not a finite number",
                        "leave the cell of a missing value empty",
                    )
                })?;
                into.set(cell, value);
            }
        }
        Ok(())
    }

    /// The series of a row, seen for the first time.
    fn series(&self, row: &ByteRecord) -> Result<Series, Fault> {
        let name = |column: usize, slash: bool| {
            let Ok(text) = str::from_utf8(&row[column]) else {
                return Err(self.fault(row, column, "is not UTF-8 text", "save the file as CSV in UTF-8"));
            };
            if text.chars().any(|char| char.is_control() || (char == '/' && !slash)) {
                return Err(self.fault(row, column, "cannot be a name", "write it as CloudWatch does"));
            }
            Ok(text)
        };
        let account = self.account.map_or(Ok(""), |account| name(account, false))?;
        let (region, model) = (name(self.region, false)?, name(self.model, true)?);
        for (column, text) in [(self.region, region), (self.model, model)] {
            if text.is_empty() {
                return Err(self.fault(
                    row,
                    column,
                    "is empty",
                    "every row is about one model in one Region",
                ));
            }
        }
        Ok(Series::new(account, region, model))
    }

    fn fault(&self, row: &ByteRecord, column: usize, what: &str, hint: &'static str) -> Fault {
        let text = String::from_utf8_lossy(&row[column]);
        let shown: String = text.chars().take(60).collect();
        let shown = if shown.is_empty() { String::new() } else { format!(" {shown:?}") };
        Fault { message: format!("{}{shown} {what}", self.names[column]), hint }
    }
}

/// What is wrong in a row.
struct Fault {
    message: String,
    hint: &'static str,
}

impl Fault {
    fn at(self, file: &Path, row: &ByteRecord) -> RecordingError {
        RecordingError::new(file, self.message, self.hint).at(line(row, file))
    }
}

/// The columns that say who and when.
pub(super) const TIME: &str = "Timestamp";
pub(super) const ACCOUNT: &str = "AccountId";
pub(super) const REGION: &str = "Region";
pub(super) const MODEL: &str = "ModelId";

/// The cell of a column, and whether it has the metric's own name and not its other spelling.
fn cell_of(name: &str) -> Option<(u8, bool)> {
    let (metric_name, statistic) = name.split_once('.')?;
    if metric_name == TIERS {
        return Some((cell_of_tier(Tier::from_name(statistic)?), true));
    }
    let metric = Metric::from_name(metric_name)?;
    let statistic = Statistic::from_name(statistic)?;
    Some((cell(metric, statistic), metric.name() == metric_name))
}

/// A number that is one: `NaN` and `inf` are none.
fn finite(text: &[u8]) -> Option<f64> {
    let number: f64 = str::from_utf8(text).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}
