//! The numbers behind the charts of an incident: each period, or, where there are many, medians of some together.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Verdict};
use jiff::Timestamp;
use jiff::tz::Offset;

use super::model::{Incident, Point};
use crate::chart::Column;
use crate::figures::{NONE, count, ratio, seconds, speed};

/// Rows of a table that somebody can still read.
const MOST_ROWS: i64 = 72;
/// Periods that a row can stand for.
const STEPS: [i64; 7] = [
    1,
    PERIODS_PER_HOUR / 4,
    PERIODS_PER_HOUR / 2,
    PERIODS_PER_HOUR,
    3 * PERIODS_PER_HOUR,
    6 * PERIODS_PER_HOUR,
    PERIODS_PER_DAY,
];

/// A table.
pub(super) struct Figures {
    /// How many periods a row stands for.
    step: i64,
    /// Its rows, oldest first.
    pub(super) rows: Vec<Row>,
}

/// One row.
pub(super) struct Row {
    from: Period,
    pub(super) iso: String,
    pub(super) time: String,
    pub(super) breaching: bool,
    pub(super) verdict: String,
    pub(super) p50: String,
    pub(super) token_weighted: String,
    pub(super) baseline: String,
    pub(super) threshold: String,
    pub(super) ratio: String,
    pub(super) ttft_p50: String,
    pub(super) ttft_p95: String,
    pub(super) latency_p50: String,
    pub(super) latency_p95: String,
    pub(super) output_tokens: String,
    pub(super) requests: String,
}

impl Figures {
    /// The table of `incident`.
    pub(super) fn new(incident: &Incident) -> Self {
        let points = &incident.points;
        let periods =
            points.first().zip(points.last()).map_or(0, |(first, last)| last.period - first.period + 1);
        let fits = |step: &&i64| periods / **step <= MOST_ROWS;
        let step = STEPS.iter().find(fits).copied().unwrap_or(7 * PERIODS_PER_DAY);
        let rows = points
            .chunk_by(|a, b| bin(a.period, step) == bin(b.period, step))
            .map(|points| Row::new(points, step, incident))
            .collect();
        Self { step, rows }
    }

    /// `Each period`, or what a row stands for.
    pub(super) fn caption(&self) -> String {
        let minutes = self.step * 5;
        match minutes {
            5 => "Each period of five minutes".to_owned(),
            ..60 => format!("Medians of {minutes} minutes, requests added up"),
            60 => "Medians of an hour, requests added up".to_owned(),
            _ => format!("Medians of {} hours, requests added up", minutes / 60),
        }
    }

    /// The same figures for whoever points at the chart that begins at `from`.
    pub(super) fn columns(&self, from: Period) -> Vec<Column> {
        let column = |row: &Row| Column { at: row.from - from, periods: self.step, title: row.in_words() };
        self.rows.iter().map(column).collect()
    }
}

/// The first period of the row that holds `period`.
fn bin(period: Period, step: i64) -> Period {
    Period::from_index(period.index().div_euclid(step) * step)
}

impl Row {
    fn new(points: &[Point], step: i64, incident: &Incident) -> Self {
        let from = points.first().map_or_else(|| Period::from_index(0), |point| bin(point.period, step));
        let of = |get: fn(&Point) -> Option<f64>| median(points.iter().filter_map(get));
        let requests = points.iter().filter_map(|point| point.requests).reduce(|a, b| a + b);
        let breaching = points.iter().filter(|point| point.verdict == Some(Verdict::Breaching)).count();
        Self {
            from,
            iso: from.to_string(),
            time: clock(from.start(), incident.onset.start()),
            breaching: breaching > 0,
            verdict: verdict(points, breaching),
            p50: speed(of(|point| point.otps_p50)),
            token_weighted: speed(of(|point| point.otps_token_weighted)),
            baseline: speed(of(|point| point.baseline)),
            threshold: speed(of(|point| point.threshold)),
            ratio: ratio(of(Point::ratio), incident.rule.page_below),
            ttft_p50: seconds(of(|point| point.ttft_p50_ms)),
            ttft_p95: seconds(of(|point| point.ttft_p95_ms)),
            latency_p50: seconds(of(|point| point.latency_p50_ms)),
            latency_p95: seconds(of(|point| point.latency_p95_ms)),
            output_tokens: of(|point| point.output_tokens_p50).map_or_else(|| NONE.to_owned(), count),
            requests: requests.map_or_else(|| NONE.to_owned(), count),
        }
    }

    /// `02:15Z breaching: OTPS p50 40.5, …`
    fn in_words(&self) -> String {
        format!(
            "{} {}\nOTPS p50 {}, token-weighted {}\nbaseline {}, pages below {}, ratio {}\nTTFT p50 {} s, p95 {} s\noutput tokens p50 {}\nrequests {}",
            self.time,
            self.verdict,
            self.p50,
            self.token_weighted,
            self.baseline,
            self.threshold,
            self.ratio,
            self.ttft_p50,
            self.ttft_p95,
            self.output_tokens,
            self.requests
        )
    }
}

/// `02:15Z`, or `16 Oct 02:15Z` on another day than that of the onset.
fn clock(time: Timestamp, onset: Timestamp) -> String {
    let (time, onset) = (Offset::UTC.to_datetime(time), Offset::UTC.to_datetime(onset));
    let format = if time.date() == onset.date() { "%H:%MZ" } else { "%-d %b %H:%MZ" };
    time.strftime(format).to_string()
}

/// What the periods of a row say together.
fn verdict(points: &[Point], breaching: usize) -> String {
    match points {
        [point] => match point.verdict {
            Some(Verdict::Breaching) => "breaching".to_owned(),
            Some(Verdict::Within) => "within".to_owned(),
            Some(Verdict::Missing(reason)) => format!("missing: {reason}"),
            None => "not judged".to_owned(),
        },
        _ => format!("{breaching} of {} breaching", points.len()),
    }
}

/// The middle one, or the mean of the two in the middle.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}
