//! What a fleet promises, as numbers.

mod agreement;
mod demo;
mod events;
mod random;

use domain::{Metric, Period, Series, Span, Statistic};

use super::{Fleet, percentile};

/// What was published of a model over a stretch of time, as an operator would sum it up.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Summary {
    requests: f64,
    streamed: f64,
    /// Sum of the tokens over sum of the decode times, in tokens a second.
    token_weighted: f64,
    /// The median of the periods' `p50 / (p50 - p50)`.
    p50_ratio: f64,
    /// Medians of the periods' p50.
    ttft_ms: f64,
    output: f64,
    input: f64,
    /// The median of the periods' p95.
    latency_p95_ms: f64,
    cache_read_sum: f64,
    cache_write_sum: f64,
    input_sum: f64,
    throttles: f64,
}

fn summary(fleet: &Fleet, series: &Series, span: Span) -> Summary {
    let readings: Vec<_> = (span.from.index()..span.until.index())
        .filter_map(|index| fleet.reading(series, Period::from_index(index)))
        .collect();
    let sum = |metric, statistic| -> f64 {
        readings.iter().filter_map(|reading| reading.get(metric, statistic)).sum()
    };
    let median = |value: &dyn Fn(&domain::Reading) -> Option<f64>| {
        percentile(&mut readings.iter().filter_map(value).collect::<Vec<f64>>(), 0.5).unwrap_or(0.0)
    };
    let p50 = |metric| median(&|reading| reading.get(metric, Statistic::P50));
    let total = |metric| sum(metric, Statistic::Sum);
    let decode_ms = total(Metric::InvocationLatency) - total(Metric::TimeToFirstToken);
    Summary {
        requests: sum(Metric::InvocationLatency, Statistic::SampleCount),
        streamed: sum(Metric::TimeToFirstToken, Statistic::SampleCount),
        token_weighted: total(Metric::OutputTokenCount) / decode_ms * 1_000.0,
        p50_ratio: median(&|reading| {
            let p50 = |metric| reading.get(metric, Statistic::P50);
            let decode_ms = p50(Metric::InvocationLatency)? - p50(Metric::TimeToFirstToken)?;
            Some(p50(Metric::OutputTokenCount)? / decode_ms * 1_000.0)
        }),
        ttft_ms: p50(Metric::TimeToFirstToken),
        output: p50(Metric::OutputTokenCount),
        input: p50(Metric::InputTokenCount),
        latency_p95_ms: median(&|reading| reading.get(Metric::InvocationLatency, Statistic::P95)),
        cache_read_sum: total(Metric::CacheReadInputTokens),
        cache_write_sum: total(Metric::CacheWriteInputTokens),
        input_sum: total(Metric::InputTokenCount),
        throttles: total(Metric::InvocationThrottles),
    }
}

/// Whether `now` is `factor` times `usual`, within `tolerance` of it.
fn is_about(now: f64, usual: f64, factor: f64, tolerance: f64) -> bool {
    (now / usual - factor).abs() <= tolerance
}
