//! The JSON that `aws cloudwatch get-metric-data` prints.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use domain::{Metric, Period, Series, Statistic};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::builder::Builder;
use super::{RecordingError, cell, time};

/// What has been seen of the pages of an answer, which may be spread over several files.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// Labels whose last result was not whole, with its status and file.
    unfinished: BTreeMap<String, (String, PathBuf)>,
    /// The file of the last page, if it says that another one follows.
    more: Option<PathBuf>,
}

impl Pages {
    /// After the last file.
    pub(super) fn finish(self) -> Result<(), RecordingError> {
        if let Some((label, (status, file))) = self.unfinished.into_iter().next() {
            let message = format!("the result {label:?} is not whole: its status is {status}");
            return Err(RecordingError::new(&file, message, PAGES_HINT));
        }
        match self.more {
            Some(file) => Err(RecordingError::new(&file, "has a NextToken, and no page follows", PAGES_HINT)),
            None => Ok(()),
        }
    }
}

const PAGES_HINT: &str =
    "ask again without --no-paginate and --max-items, or give the files of all pages in their order";

/// One page.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    metric_data_results: Vec<MetricResult>,
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    next_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct MetricResult {
    label: String,
    #[serde(default)]
    timestamps: Vec<Start>,
    #[serde(default)]
    values: Vec<f64>,
    #[serde(default)]
    status_code: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    #[serde(default)]
    code: String,
    #[serde(default)]
    value: String,
}

/// One value of one row. Results are columns and a recording has rows, so they are collected like this and sorted.
struct Point {
    series: u32,
    period: Period,
    cell: u8,
    value: f64,
}

/// Reads all pages of one file.
pub(super) fn read(
    text: impl Read,
    file: &Path,
    into: &mut Builder,
    pages: &mut Pages,
) -> Result<(), RecordingError> {
    let mut points = Vec::new();
    for page in serde_json::Deserializer::from_reader(text).into_iter::<Page>() {
        let page = page.map_err(|error| not_understood(file, error))?;
        for Message { code, value } in page.messages {
            tracing::warn!(file = %file.display(), code, "CloudWatch said of this recording: {value}");
        }
        for result in page.metric_data_results {
            collect(&result, file, into, &mut points)?;
            match result.status_code {
                Some(status) if status != "Complete" => {
                    pages.unfinished.insert(result.label, (status, file.to_owned()));
                }
                _ => {
                    pages.unfinished.remove(&result.label);
                }
            }
        }
        pages.more = page.next_token.filter(|token| !token.is_empty()).map(|_| file.to_owned());
    }
    // Stable: of two values for the same cell, the one that was read later stays.
    points.sort_by_key(|point| (point.series, point.period, point.cell));
    for row in points.chunk_by(|a, b| (a.series, a.period) == (b.series, b.period)) {
        into.start_row(row[0].series, row[0].period);
        for point in row {
            into.set(point.cell, point.value);
        }
    }
    Ok(())
}

fn collect(
    result: &MetricResult,
    file: &Path,
    into: &mut Builder,
    points: &mut Vec<Point>,
) -> Result<(), RecordingError> {
    let MetricResult { label, timestamps, values, .. } = result;
    let Some((region, model, cell)) = parse_label(label) else {
        return Err(RecordingError::new(
            file,
            format!("the label {label:?} names no series and metric"),
            LABEL_HINT,
        ));
    };
    if timestamps.len() != values.len() {
        let message =
            format!("the result {label:?} has {} timestamps and {} values", timestamps.len(), values.len());
        return Err(RecordingError::new(file, message, "ask again; they come in pairs"));
    }
    let series = into.series(b"", region.as_bytes(), model.as_bytes(), || {
        Ok::<_, RecordingError>(Series::new("", region, model))
    })?;
    points.extend(timestamps.iter().zip(values).map(|(start, &value)| Point {
        series,
        period: start.0,
        cell,
        value,
    }));
    Ok(())
}

const LABEL_HINT: &str = "give every query the label \
    ${PROP('Region')} ${PROP('Dim.ModelId')} ${PROP('MetricName')} ${PROP('Stat')}";

/// Region, model and cell. A model may contain spaces, the other parts cannot.
fn parse_label(label: &str) -> Option<(&str, &str, u8)> {
    let (region, rest) = label.split_once(' ')?;
    let (rest, statistic) = rest.rsplit_once(' ')?;
    let (model, metric) = rest.rsplit_once(' ')?;
    let cell = cell(Metric::from_name(metric)?, Statistic::from_name(statistic)?);
    let names = !region.is_empty() && !region.contains('/') && !model.trim().is_empty();
    (names && !label.contains(char::is_control)).then_some((region, model, cell))
}

fn not_understood(file: &Path, error: serde_json::Error) -> RecordingError {
    if error.is_io() {
        return RecordingError::reading(file, error.into());
    }
    let line = error.line() as u64;
    // The position has its own place in our errors.
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    RecordingError::new(
        file,
        format!("is not what `aws cloudwatch get-metric-data` prints: {text}"),
        "give its whole output, unchanged, of queries with a period of 300 seconds",
    )
    .at(line)
}

/// The start of a period, as text or as Unix time.
struct Start(Period);

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyTime;

        impl Visitor<'_> for AnyTime {
            type Value = Start;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Start, E> {
                time::parse(text.as_bytes())
                    .map(Start)
                    .map_err(|no_period| E::custom(format_args!("{text:?} {}", no_period.message())))
            }

            fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<Start, E> {
                time::from_epoch(seconds)
                    .map(Start)
                    .map_err(|no_period| E::custom(format_args!("{seconds:?} {}", no_period.message())))
            }

            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Start, E> {
                self.visit_f64(seconds as f64)
            }

            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Start, E> {
                self.visit_f64(seconds as f64)
            }
        }

        deserializer.deserialize_any(AnyTime)
    }
}
