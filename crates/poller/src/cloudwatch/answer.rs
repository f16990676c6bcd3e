//! Answers become rows, whatever their order.

use std::collections::BTreeSet;

use aws_sdk_cloudwatch::types::{MetricDataResult, StatusCode};
use domain::{PERIOD_SECONDS, Period, ReadRequest, Reading, Row};

use super::calls::{Call, Query};

/// The rows of a request, as far as they are known.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    request: &'a ReadRequest,
    periods: usize,
    /// The row of each series and period, by series and then by period: its place in `rows` plus one, or 0.
    places: Vec<u32>,
    rows: Vec<Row>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(request: &'a ReadRequest) -> Self {
        let periods = usize::try_from(request.until - request.from).unwrap_or(0);
        Self { request, periods, places: vec![0; periods * request.series.len()], rows: Vec::new() }
    }

    /// Takes one value in. One outside of what was asked for is left out: it may be of a period that has not settled.
    fn set(&mut self, query: &Query, period: Period, value: f64) {
        let Some(offset) =
            usize::try_from(period - self.request.from).ok().filter(|offset| *offset < self.periods)
        else {
            return;
        };
        let place = &mut self.places[query.series * self.periods + offset];
        if *place == 0 {
            let series = self.request.series[query.series].clone();
            self.rows.push(Row { series, period, reading: Reading::default() });
            *place = self.rows.len() as u32;
        }
        let reading = &mut self.rows[*place as usize - 1].reading;
        if let Some((_, tier)) = query.tier {
            // Several parts may have been served by one tier.
            reading.set_served(tier, Some(reading.served(tier).unwrap_or(0.0) + value));
            return;
        }
        let statistics = reading.of_mut(query.metric);
        if !query.fills_gaps || statistics.get(query.statistic).is_none() {
            statistics.set(query.statistic, Some(value));
        }
    }

    pub(super) fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}

/// What is known of one query after the pages so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// No page has mentioned it.
    Unseen,
    /// All of it was read.
    Whole,
    /// Some of it was not read.
    Partial,
    /// CloudWatch failed on it.
    Failed,
    /// It may not be read.
    Forbidden,
}

/// The answer to one call, as far as it was read.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    call: &'a Call,
    progress: Vec<Progress>,
}

/// Why a result cannot be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// Times and values do not come in pairs.
    Pairs {
        /// How many times.
        timestamps: usize,
        /// How many values.
        values: usize,
    },
    /// A time is not the start of a period.
    NoPeriod(i64),
}

impl<'a> Answer<'a> {
    pub(super) fn new(call: &'a Call) -> Self {
        Self { call, progress: vec![Progress::Unseen; call.queries.len()] }
    }

    /// The id of a query. CloudWatch wants a small letter first; names of models would not do.
    pub(super) fn id(query: usize) -> String {
        format!("q{query}")
    }

    /// Takes one result of a page in. `Ok(false)` says that nobody asked for it.
    pub(super) fn take(&mut self, result: &MetricDataResult, rows: &mut Rows<'_>) -> Result<bool, Misfit> {
        let place =
            result.id().and_then(|id| id.strip_prefix('q')).and_then(|number| number.parse::<usize>().ok());
        let Some((place, query)) = place.and_then(|place| Some((place, self.call.queries.get(place)?)))
        else {
            return Ok(false);
        };
        let (timestamps, values) = (result.timestamps(), result.values());
        if timestamps.len() != values.len() {
            return Err(Misfit::Pairs { timestamps: timestamps.len(), values: values.len() });
        }
        for (time, &value) in timestamps.iter().zip(values) {
            let second = time.secs();
            if time.subsec_nanos() != 0 || second.rem_euclid(PERIOD_SECONDS) != 0 {
                return Err(Misfit::NoPeriod(second));
            }
            if value.is_finite() {
                rows.set(query, Period::from_index(second.div_euclid(PERIOD_SECONDS)), value);
            }
        }
        // The last word counts: a query is partial on each page but its last.
        self.progress[place] = match result.status_code() {
            None | Some(StatusCode::Complete) => Progress::Whole,
            Some(StatusCode::Forbidden) => Progress::Forbidden,
            Some(StatusCode::InternalError) => Progress::Failed,
            Some(_) => Progress::Partial,
        };
        Ok(true)
    }

    /// Notes that CloudWatch said of the whole call that not all of it could be done.
    pub(super) fn doubt_all(&mut self) {
        for progress in &mut self.progress {
            if *progress == Progress::Whole {
                *progress = Progress::Partial;
            }
        }
    }

    /// What became of each query.
    pub(super) fn progress(&self) -> &[Progress] {
        &self.progress
    }

    /// Adds the series, by index, of which not all was read.
    pub(super) fn note_incomplete(&self, incomplete: &mut BTreeSet<usize>) {
        for (query, progress) in self.call.queries.iter().zip(&self.progress) {
            if *progress != Progress::Whole {
                incomplete.insert(query.series);
            }
        }
    }
}
