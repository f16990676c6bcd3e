//! What CloudWatch would publish of a series in a period.

use config::scenario::{Course, Value};
use domain::{Metric, Reading, Statistics};

/// The reading of a period, so many after the start. All requests of it are alike, but for a share that decodes more
/// slowly: latency = first token + tokens / OTPS. A figure that is not published lacks its metric, and `otps` or
/// `requests` lacks all of them.
pub(super) fn reading(course: &Course, index: i64) -> Reading {
    let mut reading = Reading::default();
    let (otps, requests) = (course.otps.at(index), course.requests.at(index));
    // Nobody sends half a request.
    let count = requests.is.round();
    if !otps.is_published || !requests.is_published || count < 1.0 {
        return reading;
    }
    let (ttft, output) = (course.ttft_ms.at(index), course.output_tokens.at(index));
    let decode = output.is / otps.is * 1_000.0;
    let ordinary = ttft.is + decode;
    let slow = ttft.is + decode * course.slow_times.at(index).is;
    let slow_ones = (count * course.slow_share.at(index).is).round();
    // Of requests in the order of their latency the slow ones are the last.
    let latency_at = |share: f64| if slow_ones > (1.0 - share) * count { slow } else { ordinary };
    *reading.of_mut(Metric::InvocationLatency) = Statistics {
        p50: Some(latency_at(0.5)),
        p95: Some(latency_at(0.95)),
        sum: Some((count - slow_ones) * ordinary + slow_ones * slow),
        sample_count: Some(count),
    };
    let streamed = (count * course.streaming_share.at(index).is).round();
    *reading.of_mut(Metric::TimeToFirstToken) = alike(ttft, streamed);
    *reading.of_mut(Metric::OutputTokenCount) = alike(output, count);
    // Bedrock's input count leaves out what the prompt cache served.
    let prompt = course.input_tokens.at(index);
    let cached = course.cache_read_share.as_ref().map(|share| share.at(index));
    let served = cached.map_or(0.0, |share| share.is);
    *reading.of_mut(Metric::InputTokenCount) =
        alike(Value { is: prompt.is * (1.0 - served), ..prompt }, count);
    if let Some(share) = cached {
        *reading.of_mut(Metric::CacheReadInputTokens) = alike(
            Value { is: prompt.is * share.is, is_published: prompt.is_published && share.is_published },
            count,
        );
    }
    reading
}

/// The statistics of requests that are all alike.
fn alike(value: Value, count: f64) -> Statistics {
    if !value.is_published || count < 1.0 {
        return Statistics::default();
    }
    Statistics {
        p50: Some(value.is),
        p95: Some(value.is),
        sum: Some(value.is * count),
        sample_count: Some(count),
    }
}

#[cfg(test)]
mod tests {
    use config::File;
    use config::scenario;

    use super::*;

    fn course(lines: &str) -> Course {
        let text =
            format!("[[test]]\nname = \"one\"\n[[test.series]]\n{lines}\n[[test.expect]]\nsilence = true\n");
        let file = File { path: "one.test.toml".into(), text };
        scenario::read(&file).tests.remove(0).series.remove(0)
    }

    fn statistics(p50: f64, p95: f64, sum: f64, count: f64) -> Statistics {
        Statistics { p50: Some(p50), p95: Some(p95), sum: Some(sum), sample_count: Some(count) }
    }

    #[test]
    fn latency_is_the_first_token_and_then_the_tokens() {
        let course = course(
            "otps = \"100 50\"\nttft-ms = 500\noutput-tokens = 400\nrequests = 20\ninput-tokens = 3000\ncache-read-share = 0.25",
        );
        let now = reading(&course, 0);
        // 400 tokens at 100 a second are 4 s.
        assert_eq!(*now.of(Metric::InvocationLatency), statistics(4_500.0, 4_500.0, 90_000.0, 20.0));
        assert_eq!(*now.of(Metric::TimeToFirstToken), statistics(500.0, 500.0, 10_000.0, 20.0));
        assert_eq!(*now.of(Metric::OutputTokenCount), statistics(400.0, 400.0, 8_000.0, 20.0));
        assert_eq!(*now.of(Metric::InputTokenCount), statistics(2_250.0, 2_250.0, 45_000.0, 20.0));
        assert_eq!(*now.of(Metric::CacheReadInputTokens), statistics(750.0, 750.0, 15_000.0, 20.0));
        // At 50 a second they are 8 s.
        assert_eq!(reading(&course, 1).of(Metric::InvocationLatency).p50, Some(8_500.0));
        assert_eq!(reading(&course, -1), now, "the history is like the first period");
    }

    #[test]
    fn only_what_streams_has_a_first_token() {
        let course = course("otps = \"100x1\"\nrequests = 20\nstreaming-share = \"0.6 0\"");
        let some = reading(&course, 0);
        assert_eq!(some.of(Metric::TimeToFirstToken).sample_count, Some(12.0));
        assert_eq!(some.of(Metric::InvocationLatency).sample_count, Some(20.0));
        assert_eq!(*reading(&course, 1).of(Metric::TimeToFirstToken), Statistics::default());
    }

    #[test]
    fn the_slow_ones_are_the_tail() {
        // 3 of 20 take 4 x 4 s: 0.5 + 16; the other 17 take 4.5 s.
        let course =
            course("otps = \"100x2\"\nrequests = 20\nslow-share = \"0.15 0.05 0.6\"\nslow-times = 4");
        let sum = 17.0 * 4_500.0 + 3.0 * 16_500.0;
        assert_eq!(
            *reading(&course, 0).of(Metric::InvocationLatency),
            statistics(4_500.0, 16_500.0, sum, 20.0)
        );
        // One of 20 lies above the 95th percentile, twelve hold the median.
        assert_eq!(reading(&course, 1).of(Metric::InvocationLatency).p95, Some(4_500.0));
        assert_eq!(reading(&course, 2).of(Metric::InvocationLatency).p50, Some(16_500.0));
    }

    #[test]
    fn what_is_not_published_is_missing() {
        let course =
            course("otps = \"100 _ 100x3\"\nttft-ms = \"500x1 _ 500x1\"\nrequests = \"20x2 _ 0.4 20\"");
        assert!(reading(&course, 1).is_empty());
        let lacking = reading(&course, 2);
        assert_eq!(*lacking.of(Metric::TimeToFirstToken), Statistics::default());
        assert_eq!(lacking.of(Metric::InvocationLatency).p50, Some(4_500.0), "they waited all the same");
        assert!(reading(&course, 3).is_empty());
        assert!(reading(&course, 4).is_empty(), "nobody sends 0.4 requests");
        assert!(!reading(&course, 5).is_empty());
    }
}
