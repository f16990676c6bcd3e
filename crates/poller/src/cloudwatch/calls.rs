//! What is asked with which call.

use domain::{Metric, Span, Statistic, Tier};

/// Queries of one call.
const MAX_QUERIES: usize = 500;
/// Values in one page of an answer.
const MAX_VALUES: usize = 100_800;

/// One statistic of one metric of one series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Query {
    /// Whose, as an index of the request's series.
    pub(super) series: usize,
    /// Of what.
    pub(super) metric: Metric,
    /// The name it is asked under.
    pub(super) name: &'static str,
    /// Which of its statistics.
    pub(super) statistic: Statistic,
    /// Whether what is there already wins over the answer.
    pub(super) fills_gaps: bool,
    /// Only of requests that this tier served: its place among the parts of the series, and the tier.
    pub(super) tier: Option<(usize, Tier)>,
}

/// One call. CloudWatch answers it in one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) span: Span,
    /// All statistics of a metric are neighbours in the same call, since then they are billed as one.
    pub(super) queries: Vec<Query>,
}

impl Call {
    /// Metrics of the call, as CloudWatch bills them: up to five statistics of one metric are one.
    pub(super) fn billed_metrics(&self) -> u64 {
        self.queries.chunk_by(|a, b| (a.series, a.name, a.tier) == (b.series, b.name, b.tier)).count() as u64
    }
}

/// The statistics that are asked for. Of counters only the sum says anything, and of a quota what was used of it.
const fn statistics(metric: Metric) -> &'static [Statistic] {
    match metric {
        Metric::InvocationThrottles | Metric::InvocationServerErrors | Metric::EstimatedTpmQuotaUsage => {
            &[Statistic::Sum]
        }
        _ => &Statistic::ALL,
    }
}

/// Calls for `metrics` of as many series as `series` over `span`, with as few billed metrics as possible: a metric is
/// asked for its whole span at once, and a call has as many metrics as fit one page. `names` are those of a series'
/// metric, the one that wins first; `tiers` are the parts of its requests that are counted too, each by the tier that served it.
pub(super) fn calls(
    span: Span,
    series: usize,
    metrics: &[Metric],
    names: impl Fn(usize, Metric) -> Vec<&'static str>,
    tiers: impl Fn(usize) -> Vec<Tier>,
) -> Vec<Call> {
    let mut wanted: Vec<Vec<Query>> = Vec::new();
    for series in 0..series {
        for &metric in metrics {
            for (place, name) in names(series, metric).into_iter().enumerate() {
                let query =
                    |&statistic| Query { series, metric, name, statistic, fills_gaps: place > 0, tier: None };
                wanted.push(statistics(metric).iter().map(query).collect());
            }
        }
        for tier in tiers(series).into_iter().enumerate() {
            // Every request has a latency.
            let (metric, statistic) = (Metric::InvocationLatency, Statistic::SampleCount);
            let name = metric.name();
            wanted.push(vec![Query { series, metric, name, statistic, fills_gaps: false, tier: Some(tier) }]);
        }
    }
    parts(span).flat_map(|part| packed(part, &wanted)).collect()
}

/// A span in parts so short that one metric's answer fits a page: 25,200 periods, or 87 days. CloudWatch keeps 63.
fn parts(span: Span) -> impl Iterator<Item = Span> {
    let longest = (MAX_VALUES / Statistic::ALL.len()) as i64;
    let mut from = span.from;
    std::iter::from_fn(move || {
        (from < span.until).then(|| {
            let part = Span { from, until: span.until.min(from + longest) };
            from = part.until;
            part
        })
    })
}

/// Metrics in calls, as many as fit.
fn packed(span: Span, wanted: &[Vec<Query>]) -> Vec<Call> {
    let periods = usize::try_from(span.until - span.from).unwrap_or(0).max(1);
    let most = MAX_QUERIES.min(MAX_VALUES / periods);
    let mut calls: Vec<Call> = Vec::new();
    for metric in wanted {
        match calls.last_mut() {
            Some(call) if call.queries.len() + metric.len() <= most => call.queries.extend(metric),
            _ => calls.push(Call { span, queries: metric.clone() }),
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use domain::{PERIODS_PER_DAY, Period};

    use super::*;

    fn days(days: i64) -> Span {
        let from = Period::from_index(5_969_376);
        Span { from, until: from + days * PERIODS_PER_DAY }
    }

    fn poll() -> Span {
        let from = Period::from_index(5_969_376);
        Span { from, until: from + 3 }
    }

    fn own(_: usize, metric: Metric) -> Vec<&'static str> {
        vec![metric.name()]
    }

    fn none(_: usize) -> Vec<Tier> {
        Vec::new()
    }

    fn billed(calls: &[Call]) -> u64 {
        calls.iter().map(Call::billed_metrics).sum()
    }

    #[test]
    fn a_poll_of_many_models_is_one_call() {
        // Of 41 models, 3 metrics with 4 statistics each are 492 queries.
        let calls = calls(poll(), 41, &Metric::DECODE, own, none);
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].queries.len(), 492);
        assert_eq!(billed(&calls), 123);
    }

    #[test]
    fn a_call_has_at_most_500_queries_and_no_metric_in_two_calls() {
        // 126 metrics with 4 statistics: 125 of them are 500 queries.
        let calls = calls(poll(), 42, &Metric::DECODE, own, none);
        assert_eq!(calls.iter().map(|call| call.queries.len()).collect::<Vec<_>>(), [500, 4]);
        assert_eq!(billed(&calls), 126);
    }

    #[test]
    fn counters_are_asked_for_their_sum_alone() {
        let calls = calls(poll(), 1, &Metric::DIAGNOSIS, own, none);
        // 3 metrics with 4 statistics, 3 with one.
        assert_eq!(calls[0].queries.len(), 15);
        assert_eq!(billed(&calls), 6);
    }

    #[test]
    fn a_backfill_is_answered_page_by_page_and_billed_once() {
        // 35 days are 10,080 periods, so that 10 queries fit a page of 100,800 values: two metrics of four statistics,
        // or one and the counters, or a counter and two of the next model.
        let calls = calls(days(35), 2, &Metric::ALL, own, none);
        for call in &calls {
            assert!(call.queries.len() * 10_080 <= 100_800);
            assert_eq!(call.span, days(35));
        }
        assert_eq!(calls.iter().map(|call| call.queries.len()).collect::<Vec<_>>(), [8, 8, 10, 9, 8, 10, 1]);
        assert_eq!(billed(&calls), 18);
    }

    #[test]
    fn a_span_of_which_one_metric_fills_a_page_is_asked_in_parts_without_gaps() {
        // 100 days are 28,800 periods; four statistics fill a page in 25,200.
        let calls = calls(days(100), 1, &[Metric::InvocationLatency], own, none);
        let from = days(100).from;
        assert_eq!(
            calls.iter().map(|call| (call.span.from, call.span.until)).collect::<Vec<_>>(),
            [(from, from + 25_200), (from + 25_200, from + 28_800)]
        );
    }

    #[test]
    fn nothing_is_asked_for_nothing() {
        let nothing = Span { from: poll().until, until: poll().from };
        assert!(calls(nothing, 3, &Metric::ALL, own, none).is_empty());
        assert!(calls(poll(), 0, &Metric::ALL, own, none).is_empty());
    }

    #[test]
    fn a_metric_with_two_names_is_asked_and_billed_under_both() {
        let calls = calls(
            poll(),
            1,
            &[Metric::CacheReadInputTokens],
            |_, metric| vec![metric.name(), metric.other_name().unwrap()],
            none,
        );
        assert_eq!(billed(&calls), 2);
        let fills: Vec<_> = calls[0].queries.iter().map(|query| (query.name, query.fills_gaps)).collect();
        assert_eq!(fills[0], ("CacheReadInputTokens", false));
        assert_eq!(fills[7], ("CacheReadInputTokenCount", true));
    }

    #[test]
    fn a_part_of_the_requests_is_one_query_and_billed_apart() {
        let parts = |series| {
            if series == 1 { vec![Tier::Priority, Tier::Default, Tier::Default] } else { Vec::new() }
        };
        let calls = calls(poll(), 2, &[Metric::InvocationLatency], own, parts);
        // Four statistics of each series, billed as one, and one for each part.
        assert_eq!(calls[0].queries.len(), 11);
        assert_eq!(billed(&calls), 5);
        let tiers: Vec<_> = calls[0].queries[8..].iter().map(|query| (query.series, query.tier)).collect();
        let part = |place, tier| (1, Some((place, tier)));
        assert_eq!(tiers, [part(0, Tier::Priority), part(1, Tier::Default), part(2, Tier::Default)]);
    }
}
