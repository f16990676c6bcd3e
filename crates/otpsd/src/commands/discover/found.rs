//! What is known of each series.

use std::collections::BTreeMap;

use domain::{Metric, PERIODS_PER_DAY, Period, Plan, Series, SourcePlan, Statistic};
use poller::Recording;

use super::sight::{self, Sight};
use crate::history::Outcome;

/// Days that the figures are of.
const LAST: i64 = 7;

/// A series that had requests.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) series: Series,
    /// The name of the source that has it.
    pub(super) source: String,
    /// Whether `include` or `ignore` of that source leaves it out.
    pub(super) is_left_out: bool,
    /// Requests of a day, on average over the last week, or since the first one.
    pub(super) requests_a_day: f64,
    /// Which of them stream, 0 to 1.
    pub(super) streaming_share: f64,
    pub(super) sight: Sight,
}

/// What is counted of one series in the last week.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    requests: f64,
    streaming: f64,
    first: Option<Period>,
}

/// Everybody with requests, in order of Regions as they are configured, and with the most requests first.
pub(super) fn all(plan: &Plan, recording: &Recording, outcome: &Outcome) -> Vec<Found> {
    let Some(span) = recording.span() else { return Vec::new() };
    let counts = count(recording, span.until);
    let mut sights = sight::all(plan, recording, span.until);
    let places: BTreeMap<&Series, usize> = recording.series().iter().zip(0..).collect();
    let mut found = Vec::new();
    for region in &outcome.regions {
        let source = plan.source(&region.source);
        let watches = |series: &Series| match source {
            Some(SourcePlan::CloudWatch(source)) => source.watches(series.model()),
            None => true,
        };
        let known = region.whole.iter().filter_map(|series| {
            let place = *places.get(series)?;
            let Counts { requests, streaming, first } = counts[place];
            let days = (span.until - first?).clamp(PERIODS_PER_DAY, LAST * PERIODS_PER_DAY);
            Some(Found {
                series: series.clone(),
                source: region.source.clone(),
                is_left_out: !watches(series),
                requests_a_day: requests * PERIODS_PER_DAY as f64 / days as f64,
                streaming_share: if requests > 0.0 { (streaming / requests).min(1.0) } else { 0.0 },
                sight: sights.remove(&place)?,
            })
        });
        let mut known: Vec<Found> = known.collect();
        known.sort_by(|a, b| {
            b.requests_a_day.total_cmp(&a.requests_a_day).then_with(|| a.series.cmp(&b.series))
        });
        found.extend(known);
    }
    found
}

/// Requests by the places of series in the recording.
fn count(recording: &Recording, until: Period) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); recording.series().len()];
    for rows in recording.periods() {
        for (place, reading) in rows.rows() {
            let of = |metric| reading.get(metric, Statistic::SampleCount).unwrap_or(0.0);
            let requests = of(Metric::InvocationLatency);
            let one = &mut counts[place];
            if requests > 0.0 {
                one.first.get_or_insert_with(|| rows.period());
            }
            if until - rows.period() <= LAST * PERIODS_PER_DAY {
                one.requests += requests;
                one.streaming += of(Metric::TimeToFirstToken);
            }
        }
    }
    counts
}
