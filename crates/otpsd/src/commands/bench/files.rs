//! Labels and models from files, in the columns that [`simulator::labels::write`] has.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use csv::StringRecord;
use domain::{Cause, Period, Span};
use jiff::Timestamp;
use simulator::labels::Expect;

use super::labelled::{Label, Model};

/// What is wrong with a file of labels or models.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct FileError {
    message: String,
    pub(super) hint: Option<&'static str>,
}

const LABELS: &str = "a file of labels has the columns ModelId, Kind, Start, End, Evident, Expect, Magnitude";
const MODELS: &str = "a file of models has the columns ModelId, MedianSamples, Days, LearnDays, Start";
const EXPECTS: &str = "it is page, none, either, tail, or ticket:CAUSE with the name of a cause";
const PERIOD: &str = "it is the start of a period of five minutes, such as 2026-10-15T18:05:00Z";

/// The models of a fleet with their labels, in the order of the file of models.
pub(super) fn read(labels: &Path, models: &Path) -> Result<Vec<Model>, FileError> {
    let mut by_model: BTreeMap<String, Vec<Label>> = BTreeMap::new();
    for row in rows(labels, LABELS)? {
        let label = Label {
            kind: row.text("Kind")?.to_owned(),
            span: Span { from: row.period("Start")?, until: row.period("End")? },
            evident: row.period("Evident")?,
            expect: row.expect()?,
            magnitude: row.number("Magnitude")?,
        };
        by_model.entry(row.text("ModelId")?.to_owned()).or_default().push(label);
    }
    let mut read = Vec::new();
    for row in rows(models, MODELS)? {
        let name = row.text("ModelId")?;
        let labels = by_model.remove(name).unwrap_or_default();
        let (days, learn_days) = (row.number("Days")?, row.number("LearnDays")?);
        read.push(Model::new(
            name,
            row.number("MedianSamples")?,
            row.period("Start")?,
            days,
            learn_days,
            labels,
        ));
    }
    match by_model.keys().next() {
        Some(model) => Err(FileError {
            message: format!(
                "{} has labels of `{model}`, which {} does not have",
                labels.display(),
                models.display()
            ),
            hint: Some("give the two files of the same fleet"),
        }),
        None => Ok(read),
    }
}

/// A row and where it stands.
struct Row<'a> {
    file: &'a Path,
    line: u64,
    columns: BTreeMap<String, usize>,
    cells: StringRecord,
    hint: &'static str,
}

fn rows<'a>(file: &'a Path, hint: &'static str) -> Result<Vec<Row<'a>>, FileError> {
    let failed = |error: csv::Error| FileError {
        message: format!("{} cannot be read: {error}", file.display()),
        hint: Some(hint),
    };
    let mut reader = csv::Reader::from_path(file).map_err(failed)?;
    let header = reader.headers().map_err(failed)?;
    let columns: BTreeMap<String, usize> =
        header.iter().enumerate().map(|(index, name)| (name.to_owned(), index)).collect();
    reader
        .into_records()
        .map(|cells| {
            let cells = cells.map_err(failed)?;
            let line = cells.position().map_or(0, csv::Position::line);
            Ok(Row { file, line, columns: columns.clone(), cells, hint })
        })
        .collect()
}

impl Row<'_> {
    fn text(&self, column: &str) -> Result<&str, FileError> {
        self.columns.get(column).and_then(|index| self.cells.get(*index)).ok_or_else(|| FileError {
            message: format!("{}:{}: there is no column {column}", self.file.display(), self.line),
            hint: Some(self.hint),
        })
    }

    fn wrong(&self, column: &str, what: &str, hint: Option<&'static str>) -> FileError {
        let text = self.text(column).unwrap_or_default();
        let place = format!("{}:{}", self.file.display(), self.line);
        FileError { message: format!("{place}: {column} `{text}` is {what}"), hint }
    }

    fn number<T: FromStr<Err: Display>>(&self, column: &str) -> Result<T, FileError> {
        self.text(column)?.parse().map_err(|_| self.wrong(column, "not such a number", None))
    }

    fn period(&self, column: &str) -> Result<Period, FileError> {
        let time: Option<Timestamp> = self.text(column)?.parse().ok();
        time.and_then(Period::starting).ok_or_else(|| self.wrong(column, "not such a time", Some(PERIOD)))
    }

    fn expect(&self) -> Result<Expect, FileError> {
        let text = self.text("Expect")?;
        let ticket = || text.strip_prefix("ticket:").and_then(Cause::from_name).map(Expect::Ticket);
        match text {
            "page" => Ok(Expect::Page),
            "none" => Ok(Expect::Nothing),
            "either" => Ok(Expect::Either),
            "tail" => Ok(Expect::Tail),
            _ => ticket().ok_or_else(|| self.wrong("Expect", "nothing that can be owed", Some(EXPECTS))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::labelled::Tier;

    const SOME_LABELS: &str = "ModelId,Kind,Start,End,Evident,Expect,Magnitude\n\
        b,slowdown,2026-10-15T18:05:00Z,2026-10-15T22:05:00Z,2026-10-15T18:10:00Z,page,0.39\n\
        b,queueing,2026-10-16T00:00:00Z,2026-10-24T00:00:00Z,2026-10-20T00:00:00Z,ticket:queueing,0.8\n";
    const SOME_MODELS: &str = "MedianSamples,ModelId,Days,LearnDays,Start\n\
        15,a,35,14,2026-10-01T00:00:00Z\n60,b,35,14,2026-10-01T00:00:00Z\n";

    fn read_texts(labels: &str, models: &str) -> Result<Vec<Model>, String> {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("labels.csv"), folder.path().join("models.csv"));
        std::fs::write(&one, labels).unwrap();
        std::fs::write(&other, models).unwrap();
        let place = format!("{}/", folder.path().display());
        read(&one, &other).map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn a_fleet_is_read_in_any_order_of_columns() {
        let models = read_texts(SOME_LABELS, SOME_MODELS).unwrap();
        assert_eq!(models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((models[0].tier, models[1].tier), (Tier::Quiet, Tier::Busy));
        assert_eq!(models[1].begin.to_string(), "2026-10-15T00:00:00Z");
        assert!((models[1].months - 0.7).abs() < 1e-12);
        let labels = &models[1].labels;
        assert_eq!((labels[0].expect, labels[1].expect), (Expect::Page, Expect::Ticket(Cause::Queueing)));
        assert_eq!(labels[0].evident.to_string(), "2026-10-15T18:10:00Z");
        assert_eq!(labels[0].span.until - labels[0].span.from, 48);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (labels, problem) in [
            (
                SOME_LABELS.replace(",page,", ",pages,"),
                "labels.csv:2: Expect `pages` is nothing that can be owed",
            ),
            (
                SOME_LABELS.replace("T22:05", "T22:07"),
                "labels.csv:2: End `2026-10-15T22:07:00Z` is not such a time",
            ),
            (SOME_LABELS.replace("0.8", "much"), "labels.csv:3: Magnitude `much` is not such a number"),
            (SOME_LABELS.replace("Evident", "Plain"), "labels.csv:2: there is no column Evident"),
            (
                SOME_LABELS.replace("b,queueing", "c,queueing"),
                "labels.csv has labels of `c`, which models.csv does not have",
            ),
        ] {
            assert_eq!(read_texts(&labels, SOME_MODELS), Err(problem.to_owned()));
        }
    }
}
