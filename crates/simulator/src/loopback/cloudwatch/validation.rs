//! What `GetMetricData` refuses. Where a message of AWS is known, it is that one.

use std::collections::BTreeSet;

use super::shapes::{GetMetricDataRequest, MetricDataQuery, MetricStat};
use super::statistic::Stat;
use crate::loopback::aws_error::AwsError;

/// Queries a call may have.
pub(crate) const QUERIES_MAX: usize = 500;
/// Datapoints a page may have.
pub(crate) const DATAPOINTS_MAX: usize = 100_800;

const ID_LENGTH_MAX: usize = 255;
const DIMENSIONS_MAX: usize = 30;

/// A request that can be answered.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) queries: Vec<AskedQuery<'a>>,
    /// Unix seconds, inclusive.
    pub(crate) start: i64,
    /// Unix seconds, exclusive.
    pub(crate) end: i64,
    pub(crate) newest_first: bool,
    pub(crate) datapoints_max: usize,
}

#[derive(Debug)]
pub(crate) struct AskedQuery<'a> {
    pub(crate) query: &'a MetricDataQuery,
    pub(crate) of: &'a MetricStat,
    pub(crate) stat: Stat,
}

/// Checks everything, and names all that is wrong.
pub(crate) fn validate(request: &GetMetricDataRequest) -> Result<Asked<'_>, AwsError> {
    let queries = &request.metric_data_queries;
    if queries.is_empty() {
        return Err(AwsError::validation("The parameter MetricDataQueries is required."));
    }
    if queries.len() > QUERIES_MAX {
        let message =
            format!("The collection MetricDataQueries must not have a size greater than {QUERIES_MAX}.");
        return Err(AwsError::validation(message));
    }
    let newest_first = match request.scan_by.as_deref() {
        None | Some("TimestampDescending") => true,
        Some("TimestampAscending") => false,
        Some(other) => {
            return Err(AwsError::not_in_set(other, "scanBy", "TimestampDescending, TimestampAscending"));
        }
    };
    let mut problems = Vec::new();
    let (start, end) = times(request, &mut problems);
    let datapoints_max = match request.max_datapoints {
        None => DATAPOINTS_MAX,
        Some(max) if max >= 1 => usize::try_from(max).unwrap_or(DATAPOINTS_MAX).min(DATAPOINTS_MAX),
        Some(max) => {
            problems.push(format!(
                "The value {max} for parameter MaxDatapoints must be greater than or equal to 1."
            ));
            DATAPOINTS_MAX
        }
    };
    let mut ids = BTreeSet::new();
    let mut asked = Vec::with_capacity(queries.len());
    for (number, query) in (1..).zip(queries) {
        asked.extend(check_query(number, query, &mut problems));
        if !ids.insert(&query.id) {
            problems.push("The values for parameter id in MetricDataQueries are not unique.".to_owned());
        }
    }
    if problems.is_empty() {
        Ok(Asked { queries: asked, start, end, newest_first, datapoints_max })
    } else {
        problems.dedup();
        Err(AwsError::validation(problems.join("\n")))
    }
}

fn times(request: &GetMetricDataRequest, problems: &mut Vec<String>) -> (i64, i64) {
    for (name, time) in [("StartTime", request.start_time), ("EndTime", request.end_time)] {
        if time.is_none() {
            problems.push(format!("The parameter {name} is required."));
        }
    }
    let (Some(start), Some(end)) = (request.start_time, request.end_time) else { return (0, 0) };
    if start == end {
        problems.push("The parameter StartTime must not equal parameter EndTime.".to_owned());
    }
    if start > end {
        problems.push("The parameter EndTime must be greater than StartTime.".to_owned());
    }
    (start.0, end.0)
}

fn check_query<'a>(
    number: usize,
    query: &'a MetricDataQuery,
    problems: &mut Vec<String>,
) -> Option<AskedQuery<'a>> {
    let member = format!("MetricDataQueries.member.{number}");
    let id = &query.id;
    if id.is_empty() {
        problems.push(format!("The parameter {member}.Id is required."));
    } else if !is_id(id) {
        problems.push(format!(
            "The value {id} for parameter {member}.Id is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$."
        ));
    }
    if query.expression.is_some() {
        problems.push(format!(
            "The parameter {member}.Expression cannot be used: metric math and queries are not simulated by the \
             loopback CloudWatch; ask for metrics and calculate yourself."
        ));
        return None;
    }
    let Some(of) = &query.metric_stat else {
        problems.push(format!("The parameter {member}.MetricStat is required."));
        return None;
    };
    for (name, text) in [("Namespace", &of.metric.namespace), ("MetricName", &of.metric.metric_name)] {
        if text.is_empty() {
            problems.push(format!("The parameter {member}.MetricStat.Metric.{name} is required."));
        }
    }
    if of.metric.dimensions.len() > DIMENSIONS_MAX {
        problems.push(format!(
            "The collection {member}.MetricStat.Metric.Dimensions must not have a size greater than {DIMENSIONS_MAX}."
        ));
    }
    if of.period < 1 || of.period % 60 != 0 {
        problems.push(format!("The parameter {member}.MetricStat.Period must be a multiple of 60."));
    }
    let stat = Stat::from_name(&of.stat);
    if stat.is_none() {
        problems.push(format!("The value for parameter {member}.MetricStat.Stat is not a valid statistic."));
    }
    Some(AskedQuery { query, of, stat: stat? })
}

fn is_id(id: &str) -> bool {
    id.len() <= ID_LENGTH_MAX
        && id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{Metric, Time};
    use super::*;

    fn query(id: &str) -> MetricDataQuery {
        let metric = Metric {
            namespace: "AWS/Bedrock".to_owned(),
            metric_name: "InvocationLatency".to_owned(),
            dimensions: Vec::new(),
        };
        MetricDataQuery {
            id: id.to_owned(),
            metric_stat: Some(MetricStat { metric, period: 300, stat: "p50".to_owned(), unit: None }),
            ..MetricDataQuery::default()
        }
    }

    fn request(queries: Vec<MetricDataQuery>) -> GetMetricDataRequest {
        GetMetricDataRequest {
            metric_data_queries: queries,
            start_time: Some(Time(0)),
            end_time: Some(Time(300)),
            ..GetMetricDataRequest::default()
        }
    }

    fn refusal(request: &GetMetricDataRequest) -> String {
        validate(request).unwrap_err().message
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let request = request(vec![query("m1")]);
        let asked = validate(&request).unwrap();
        assert!(asked.newest_first);
        assert_eq!(asked.datapoints_max, 100_800);
        assert_eq!(asked.queries[0].stat, Stat::Percentile(50.0));
    }

    #[test]
    fn five_hundred_queries_and_no_more() {
        let many = |count| (0..count).map(|number| query(&format!("m{number}"))).collect();
        assert!(validate(&request(many(500))).is_ok());
        assert_eq!(
            refusal(&request(many(501))),
            "The collection MetricDataQueries must not have a size greater than 500."
        );
        assert_eq!(refusal(&request(Vec::new())), "The parameter MetricDataQueries is required.");
    }

    #[test]
    fn all_that_is_wrong_is_named() {
        let mut second = query("ok_2");
        second.metric_stat.as_mut().unwrap().stat = "tm90".to_owned();
        let mut third = query("ok_2");
        third.metric_stat.as_mut().unwrap().period = 90;
        assert_eq!(
            refusal(&request(vec![query("3rd-gen"), second, third])),
            "The value 3rd-gen for parameter MetricDataQueries.member.1.Id is not matching the expected pattern \
             ^[a-z][a-zA-Z0-9_]*$.\n\
             The value for parameter MetricDataQueries.member.2.MetricStat.Stat is not a valid statistic.\n\
             The parameter MetricDataQueries.member.3.MetricStat.Period must be a multiple of 60.\n\
             The values for parameter id in MetricDataQueries are not unique."
        );
    }

    #[test]
    fn metric_math_is_refused_clearly() {
        let expression = MetricDataQuery {
            id: "e1".to_owned(),
            expression: Some("m2 / (m1 - m3) * 1000".to_owned()),
            ..MetricDataQuery::default()
        };
        assert!(refusal(&request(vec![expression])).contains("metric math and queries are not simulated"));
    }

    #[test]
    fn times_must_make_sense() {
        let mut request = request(vec![query("m1")]);
        request.end_time = Some(Time(0));
        assert_eq!(refusal(&request), "The parameter StartTime must not equal parameter EndTime.");
        request.end_time = Some(Time(-1));
        assert_eq!(refusal(&request), "The parameter EndTime must be greater than StartTime.");
        request.end_time = None;
        assert_eq!(refusal(&request), "The parameter EndTime is required.");
    }
}
