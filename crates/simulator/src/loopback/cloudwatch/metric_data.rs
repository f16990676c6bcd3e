//! `GetMetricData`.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Metric, Series, Statistics};

use super::catalogue::{Catalogue, unit};
use super::page_token::PageToken;
use super::shapes::{
    GetMetricDataAnswer, GetMetricDataRequest, MessageData, MetricDataResult, StatusCode, Time,
};
use super::validation::{Asked, validate};
use super::{age, label};
use crate::loopback::aws_error::AwsError;
use crate::loopback::calls::Volume;
use crate::loopback::fault::{CallFaults, Fault};
use crate::{Observation, Telemetry};

/// Nothing is kept longer, in seconds.
const KEPT_MAX: i64 = 455 * 86_400;
/// Statistics of one metric in a call that are billed as one metric.
const STATISTICS_BILLED_AS_ONE: usize = 5;

/// Whom and when a call asks.
pub(crate) struct Desk<'a> {
    pub(crate) telemetry: &'a dyn Telemetry,
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) region: &'a str,
    pub(crate) account: &'a str,
    /// Unix seconds.
    pub(crate) now: i64,
    /// How long after its end a period shows, in seconds.
    pub(crate) publish_delay: i64,
    pub(crate) faults: &'a CallFaults,
}

/// Queries about one metric in one period length. They share each observation.
struct Group<'a> {
    series: &'a Series,
    metric: Metric,
    period: i64,
    /// Places of the queries in the request.
    queries: Vec<usize>,
}

/// The first datapoint of the next page.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    time: i64,
    query: usize,
}

impl Cursor {
    /// Whether the datapoint of a query at `time` lies before it in the order of the scan.
    fn is_after(self, time: i64, query: usize, asked: &Asked<'_>) -> bool {
        if time == self.time { query < self.query } else { (time > self.time) == asked.newest_first }
    }
}

/// Answers a request, a page at a time.
///
/// A page goes on through time for all queries together, so that the pages of a long history each hold a part of
/// every series. Periods are counted from `StartTime`, as CloudWatch does: a client that asks from 12:07 gets 12:07,
/// 12:12 and so on.
pub(crate) fn metric_data(
    desk: &Desk<'_>,
    request: &GetMetricDataRequest,
) -> Result<(GetMetricDataAnswer, Volume), AwsError> {
    let asked = validate(request)?;
    let identity = (&request.metric_data_queries, asked.start, asked.end, asked.newest_first);
    let (start, from) = match &request.next_token {
        None => (age::rounded_start(asked.start, desk.now), None),
        Some(text) => match PageToken::read(text, &identity) {
            Some([start, time, query]) => {
                (start, Some(Cursor { time, query: usize::try_from(query).unwrap_or(usize::MAX) }))
            }
            None => return Err(AwsError::invalid_next_token()),
        },
    };
    let datapoints_max = desk.faults.page_size().unwrap_or(usize::MAX).clamp(1, asked.datapoints_max);

    let mut results = empty_results(desk, &asked);
    let groups = groups(desk, &asked, &mut results);
    let mut next = None;
    let mut datapoints = 0;
    let mut row = vec![None; asked.queries.len()];
    'page: for time in times(desk, &asked, &groups, start, from) {
        row.fill(None);
        for group in groups.iter().filter(|group| (time - start) % group.period == 0) {
            desk.fill(&asked, group, time, &mut row);
        }
        for (query, value) in row.iter().enumerate() {
            let Some(value) = value else { continue };
            if from.is_some_and(|from| from.time == time && query < from.query) {
                continue;
            }
            if asked.queries[query].query.return_data != Some(false) {
                if datapoints == datapoints_max {
                    next = Some(Cursor { time, query });
                    break 'page;
                }
                datapoints += 1;
            }
            results[query].timestamps.push(Time(time));
            results[query].values.push(*value);
        }
    }
    if let Some(next) = next {
        for group in &groups {
            let last = last_time(desk, &asked, group, start);
            for query in group.queries.iter().copied().filter(|query| !next.is_after(last, *query, &asked)) {
                results[query].status_code = StatusCode::PartialData;
            }
        }
    }
    let answer = GetMetricDataAnswer {
        messages: Vec::new(),
        metric_data_results: delivered(desk.faults, &asked, results),
        next_token: next.map(|next| PageToken::new(&identity, [start, next.time, next.query as i64]).text()),
    };
    Ok((answer, volume(&asked, datapoints)))
}

fn empty_results(desk: &Desk<'_>, asked: &Asked<'_>) -> Vec<MetricDataResult> {
    let all: Vec<_> = asked.queries.iter().map(|asked| asked.of).collect();
    let result = |asked: &super::validation::AskedQuery<'_>| MetricDataResult {
        id: asked.query.id.clone(),
        label: match &asked.query.label {
            Some(text) => label::dynamic_label(text, asked.of, desk.account, desk.region),
            None => label::default_label(asked.of, &all),
        },
        timestamps: Vec::new(),
        values: Vec::new(),
        status_code: StatusCode::Complete,
        messages: Vec::new(),
    };
    asked.queries.iter().map(result).collect()
}

/// Groups the queries that have data. They are in the order of series, so that the metrics of one series and period
/// are observed one after the other, and telemetry that is made on demand is made once.
fn groups<'a>(desk: &Desk<'a>, asked: &Asked<'_>, results: &mut [MetricDataResult]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(&Series, i64, Metric), Vec<usize>> = BTreeMap::new();
    for (place, query) in asked.queries.iter().enumerate() {
        if !desk.catalogue.may_see(query.query.account_id.as_deref()) {
            results[place].status_code = StatusCode::Forbidden;
            continue;
        }
        let found = desk.catalogue.find(&query.of.metric, query.query.account_id.as_deref());
        let Some((series, metric)) = found else { continue };
        if query.of.unit.as_ref().is_some_and(|wanted| wanted != unit(metric)) {
            continue;
        }
        if desk.faults.fails(metric, series.model()) {
            results[place].status_code = StatusCode::InternalError;
            let value = "An internal error occurred. Retry the request.".to_owned();
            results[place].messages = vec![MessageData { code: "InternalError".to_owned(), value }];
            continue;
        }
        if !desk.faults.missing(metric, series.model()) {
            groups.entry((series, query.of.period, metric)).or_default().push(place);
        }
    }
    groups
        .into_iter()
        .map(|((series, period, metric), queries)| Group { series, metric, period, queries })
        .collect()
}

/// The starts of all periods that are asked for and can have data, in the order of the scan.
fn times(
    desk: &Desk<'_>,
    asked: &Asked<'_>,
    groups: &[Group<'_>],
    start: i64,
    from: Option<Cursor>,
) -> Vec<i64> {
    let periods: BTreeSet<i64> = groups.iter().map(|group| group.period).collect();
    let until = asked.end.min(desk.now);
    let mut times = BTreeSet::new();
    for period in periods {
        let skipped = (desk.now - KEPT_MAX - start).max(0) / period;
        let mut time = start + skipped * period;
        while time < until {
            times.insert(time);
            time += period;
        }
    }
    let in_page = |time: &i64| match from {
        Some(from) if asked.newest_first => *time <= from.time,
        Some(from) => *time >= from.time,
        None => true,
    };
    let times = times.into_iter().filter(in_page);
    if asked.newest_first { times.rev().collect() } else { times.collect() }
}

/// The last period of a group in the order of the scan.
fn last_time(desk: &Desk<'_>, asked: &Asked<'_>, group: &Group<'_>, start: i64) -> i64 {
    let until = asked.end.min(desk.now);
    if asked.newest_first { start } else { start + (until - 1 - start).max(0) / group.period * group.period }
}

impl Desk<'_> {
    /// Computes all statistics of a group at one period from one observation.
    fn fill(&self, asked: &Asked<'_>, group: &Group<'_>, time: i64, row: &mut [Option<f64>]) {
        let since_end = self.now - (time + group.period);
        if since_end < self.publish_delay || !age::kept(group.period, self.now - time) {
            return;
        }
        let mut observation = self.observe(group, time, since_end);
        for query in &group.queries {
            row[*query] = asked.queries[*query].stat.of(&mut observation);
        }
    }

    fn observe(&self, group: &Group<'_>, time: i64, since_end: i64) -> Observation {
        let model = group.series.model();
        let until = time + group.period;
        let mut observation = self.telemetry.observe(group.series, group.metric, time, until);
        if let Some(share) = self.faults.share(group.metric, model, since_end) {
            observation = match observation {
                Observation::Statistics(whole) => Observation::Statistics(Statistics {
                    sum: whole.sum.map(|sum| sum * share),
                    sample_count: whole.sample_count.map(|count| (count * share).floor()),
                    ..whole
                }),
                Observation::Nothing => Observation::Nothing,
                Observation::Values(_) => {
                    let part = (group.period as f64 * share) as i64;
                    self.telemetry.observe(group.series, group.metric, time, time + part)
                }
            };
        }
        if let Some(factor) = self.faults.factor(group.metric, model, since_end) {
            match &mut observation {
                Observation::Nothing => {}
                Observation::Values(values) => values.iter_mut().for_each(|value| *value *= factor),
                Observation::Statistics(statistics) => {
                    for value in
                        [&mut statistics.p50, &mut statistics.p95, &mut statistics.sum].into_iter().flatten()
                    {
                        *value *= factor;
                    }
                }
            }
        }
        observation
    }
}

/// What of the results is given, and in which order.
fn delivered(
    faults: &CallFaults,
    asked: &Asked<'_>,
    results: Vec<MetricDataResult>,
) -> Vec<MetricDataResult> {
    let mut delivered: Vec<MetricDataResult> = asked
        .queries
        .iter()
        .zip(results)
        .filter(|(asked, _)| asked.query.return_data != Some(false))
        .map(|(_, result)| result)
        .collect();
    if faults.has(&Fault::UnknownIds)
        && let Some(first) = delivered.first()
    {
        let stranger = MetricDataResult { id: "nobody_asked".to_owned(), ..first.clone() };
        delivered.insert(0, stranger);
    }
    if faults.has(&Fault::ShuffleResults) {
        delivered.reverse();
    }
    delivered
}

fn volume(asked: &Asked<'_>, datapoints: usize) -> Volume {
    let mut statistics: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for query in &asked.queries {
        statistics.entry(&query.of.metric).or_default().insert(&query.of.stat);
    }
    let billed: usize = statistics.values().map(|stats| stats.len().div_ceil(STATISTICS_BILLED_AS_ONE)).sum();
    Volume {
        window: Some((asked.start, asked.end)),
        queries: asked.queries.len() as u64,
        billed_metrics: billed as u64,
        datapoints: datapoints as u64,
    }
}

#[cfg(test)]
mod tests;
