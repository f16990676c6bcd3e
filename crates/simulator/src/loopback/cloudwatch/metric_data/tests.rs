use std::sync::atomic::{AtomicUsize, Ordering};

use domain::Period;
use jiff::Timestamp;
use proptest::prelude::*;

use super::super::catalogue::CacheNames;
use super::super::shapes::{self, Dimension, MetricDataQuery, MetricStat};
use super::*;
use crate::loopback::caller::Caller;
use crate::loopback::fault::{CallSite, FaultRule, Faults};
use crate::loopback::script::Script;

/// 2026-10-15T12:00:00Z.
const NOON: i64 = 1_792_065_600;
const MODEL: &str = "example.alpha-v1:0";

fn alpha() -> Series {
    Series::new("111122223333", "us-east-1", MODEL)
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Latencies 1 to 4 in the period that began ten minutes before noon, 10 and 20 in the one after.
fn script() -> Script {
    Script::new()
        .values(&alpha(), Metric::InvocationLatency, at(NOON - 600), &[4.0, 1.0])
        .values(&alpha(), Metric::InvocationLatency, at(NOON - 450), &[2.0, 3.0])
        .values(&alpha(), Metric::InvocationLatency, at(NOON - 300), &[10.0])
        .values(&alpha(), Metric::InvocationLatency, at(NOON - 1), &[20.0])
        .values(&alpha(), Metric::TimeToFirstToken, at(NOON - 600), &[0.5])
        .values(&alpha(), Metric::TimeToFirstToken, at(NOON - 300), &[0.25])
}

fn query(id: &str, metric: Metric, stat: &str) -> MetricDataQuery {
    let dimensions = vec![Dimension { name: "ModelId".to_owned(), value: MODEL.to_owned() }];
    let metric = shapes::Metric {
        namespace: "AWS/Bedrock".to_owned(),
        metric_name: metric.name().to_owned(),
        dimensions,
    };
    MetricDataQuery {
        id: id.to_owned(),
        metric_stat: Some(MetricStat { metric, period: 300, stat: stat.to_owned(), unit: None }),
        ..MetricDataQuery::default()
    }
}

fn latency(id: &str, stat: &str) -> MetricDataQuery {
    query(id, Metric::InvocationLatency, stat)
}

fn request(queries: &[MetricDataQuery], from: i64, until: i64) -> GetMetricDataRequest {
    GetMetricDataRequest {
        metric_data_queries: queries.to_vec(),
        start_time: Some(Time(from)),
        end_time: Some(Time(until)),
        ..GetMetricDataRequest::default()
    }
}

struct Ask<'a> {
    telemetry: &'a dyn Telemetry,
    now: i64,
    faults: Vec<FaultRule>,
}

impl Ask<'_> {
    fn try_send(&self, request: &GetMetricDataRequest) -> Result<(GetMetricDataAnswer, Volume), AwsError> {
        let caller = Caller {
            access_key: "AKIA".to_owned(),
            region: "us-east-1".to_owned(),
            account: None,
            home: "111122223333".to_owned(),
            arn: String::new(),
        };
        let catalogue = Catalogue::new(self.telemetry, &caller, None, CacheNames::Tokens);
        let faults = Faults::new(self.faults.clone()).of_call(&CallSite::default());
        let desk = Desk {
            telemetry: self.telemetry,
            catalogue: &catalogue,
            region: &caller.region,
            account: &caller.home,
            now: self.now,
            publish_delay: 60,
            faults: &faults,
        };
        metric_data(&desk, request)
    }

    fn send(&self, request: &GetMetricDataRequest) -> GetMetricDataAnswer {
        self.try_send(request).unwrap().0
    }
}

/// A quarter of an hour after noon, when all is published.
fn later(telemetry: &dyn Telemetry) -> Ask<'_> {
    Ask { telemetry, now: NOON + 900, faults: Vec::new() }
}

/// Datapoints as (seconds after noon, value).
fn datapoints(result: &MetricDataResult) -> Vec<(i64, f64)> {
    result.timestamps.iter().map(|time| time.0 - NOON).zip(result.values.iter().copied()).collect()
}

fn only(answer: &GetMetricDataAnswer) -> Vec<(i64, f64)> {
    assert_eq!(answer.metric_data_results.len(), 1);
    datapoints(&answer.metric_data_results[0])
}

#[test]
fn newest_first_from_start_up_to_end() {
    let script = script();
    let ask = later(&script);
    let mut request = request(&[latency("m1", "p50")], NOON - 600, NOON);
    assert_eq!(only(&ask.send(&request)), [(-300, 15.0), (-600, 2.5)]);
    request.scan_by = Some("TimestampAscending".to_owned());
    assert_eq!(only(&ask.send(&request)), [(-600, 2.5), (-300, 15.0)]);
    request.end_time = Some(Time(NOON - 300));
    assert_eq!(only(&ask.send(&request)), [(-600, 2.5)], "the end is exclusive");
    request.end_time = Some(Time(NOON - 299));
    assert_eq!(only(&ask.send(&request)), [(-600, 2.5), (-300, 15.0)]);
}

#[test]
fn statistics_of_one_metric_share_an_observation() {
    struct Counting(Script, AtomicUsize);

    impl Telemetry for Counting {
        fn series(&self) -> Vec<Series> {
            self.0.series()
        }

        fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.observe(series, metric, from, until)
        }
    }

    let counting = Counting(script(), AtomicUsize::new(0));
    let queries: Vec<_> = ["p50", "p95", "Sum", "SampleCount", "Average", "Minimum"]
        .iter()
        .zip('a'..)
        .map(|(stat, id)| latency(&id.to_string(), stat))
        .collect();
    let (answer, volume) = later(&counting).try_send(&request(&queries, NOON - 600, NOON - 300)).unwrap();
    let values: Vec<f64> = answer.metric_data_results.iter().map(|result| result.values[0]).collect();
    // Of 1 2 3 4: rank 2.85 of p95 lies between 3 and 4.
    let expected = [2.5, 3.85, 10.0, 4.0, 2.5, 1.0];
    assert!(
        values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-9),
        "{values:?}"
    );
    assert_eq!(counting.1.into_inner(), 1);
    let window = Some((NOON - 600, NOON - 300));
    let expected = Volume { window, queries: 6, billed_metrics: 2, datapoints: 6 };
    assert_eq!(volume, expected, "five statistics are one metric");
}

#[test]
fn periods_are_counted_from_the_start() {
    let script = script();
    // From 11:52 on, five minutes each: 2 3 and 10, then 20.
    let request = request(&[latency("m1", "SampleCount")], NOON - 480 + 59, NOON);
    assert_eq!(only(&later(&script).send(&request)), [(-180, 1.0), (-480, 3.0)]);
}

#[test]
fn a_period_shows_once_it_is_published() {
    let script = script();
    let request = request(&[latency("m1", "Sum")], NOON - 300, NOON + 300);
    for (now, expected) in [(NOON + 59, vec![]), (NOON + 60, vec![(-300, 30.0)])] {
        assert_eq!(only(&Ask { telemetry: &script, now, faults: Vec::new() }.send(&request)), expected);
    }
}

#[test]
fn what_is_not_there_is_complete_and_empty() {
    let script = script();
    let mut other_model = latency("m1", "p50");
    other_model.metric_stat.as_mut().unwrap().metric.dimensions[0].value = "example.other".to_owned();
    let mut no_dimension = latency("m2", "p50");
    no_dimension.metric_stat.as_mut().unwrap().metric.dimensions.clear();
    let mut too_many = latency("m3", "p50");
    let extra = Dimension { name: "ServiceTier".to_owned(), value: "default".to_owned() };
    too_many.metric_stat.as_mut().unwrap().metric.dimensions.push(extra);
    let mut wrong_unit = latency("m4", "p50");
    wrong_unit.metric_stat.as_mut().unwrap().unit = Some("Seconds".to_owned());
    let mut right_unit = latency("m5", "p50");
    right_unit.metric_stat.as_mut().unwrap().unit = Some("Milliseconds".to_owned());
    let queries = [other_model, no_dimension, too_many, wrong_unit, right_unit];
    let answer = later(&script).send(&request(&queries, NOON - 600, NOON));
    assert!(answer.metric_data_results.iter().all(|result| result.status_code == StatusCode::Complete));
    let counts: Vec<usize> = answer.metric_data_results.iter().map(|result| result.values.len()).collect();
    assert_eq!(counts, [0, 0, 0, 0, 2]);
}

#[test]
fn a_tiered_series_is_found_by_all_its_dimensions() {
    let script = script();
    let mut tiered = latency("m1", "p50");
    let dimensions = &mut tiered.metric_stat.as_mut().unwrap().metric.dimensions;
    for name in ["ServiceTier", "ResolvedServiceTier"] {
        dimensions.push(Dimension { name: name.to_owned(), value: "default".to_owned() });
    }
    assert_eq!(only(&later(&script).send(&request(&[tiered], NOON - 600, NOON))).len(), 2);
}

#[test]
fn what_is_not_to_be_returned_is_not() {
    let script = script();
    let hidden = MetricDataQuery { return_data: Some(false), ..latency("m1", "p50") };
    let (answer, volume) =
        later(&script).try_send(&request(&[hidden, latency("m2", "Sum")], NOON - 600, NOON)).unwrap();
    assert_eq!(
        answer.metric_data_results.iter().map(|result| result.id.as_str()).collect::<Vec<_>>(),
        ["m2"]
    );
    assert_eq!(volume.datapoints, 2);
}

#[test]
fn old_periods_are_kept_only_if_they_are_long() {
    let long_ago = NOON - 64 * 86_400;
    let script = Script::new().values(&alpha(), Metric::InvocationLatency, at(long_ago), &[7.0]);
    let ask = Ask { telemetry: &script, now: NOON, faults: Vec::new() };
    let mut hourly = latency("m2", "Sum");
    hourly.metric_stat.as_mut().unwrap().period = 3_600;
    let answer = ask.send(&request(&[latency("m1", "Sum"), hourly], long_ago, long_ago + 3_600));
    assert_eq!(answer.metric_data_results[0].values, [0.0; 0]);
    assert_eq!(answer.metric_data_results[1].values, [7.0]);
}

#[test]
fn pages_go_on_through_time() {
    let script = script();
    let ask = later(&script);
    let queries = [latency("m1", "p50"), query("m2", Metric::TimeToFirstToken, "p50")];
    let mut request = request(&queries, NOON - 600, NOON);
    request.max_datapoints = Some(3);
    let first = ask.send(&request);
    let status = |answer: &GetMetricDataAnswer| -> Vec<StatusCode> {
        answer.metric_data_results.iter().map(|result| result.status_code).collect()
    };
    assert_eq!(datapoints(&first.metric_data_results[0]), [(-300, 15.0), (-600, 2.5)]);
    assert_eq!(datapoints(&first.metric_data_results[1]), [(-300, 0.25)]);
    assert_eq!(status(&first), [StatusCode::Complete, StatusCode::PartialData]);

    request.next_token.clone_from(&first.next_token);
    let second = ask.send(&request);
    assert_eq!(datapoints(&second.metric_data_results[0]), []);
    assert_eq!(datapoints(&second.metric_data_results[1]), [(-600, 0.5)]);
    assert_eq!(status(&second), [StatusCode::Complete, StatusCode::Complete]);
    assert_eq!(second.next_token, None);

    request.start_time = Some(Time(NOON - 900));
    assert_eq!(
        ask.try_send(&request).unwrap_err().code,
        "InvalidNextToken",
        "it was given for another request"
    );
    request.next_token = Some("made-up".to_owned());
    assert_eq!(ask.try_send(&request).unwrap_err().code, "InvalidNextToken");
}

proptest! {
    #[test]
    fn pages_hold_together_what_one_page_holds(size in 1_i64..12, ascending: bool, periods in 1_i64..9) {
        let mut script = Script::new();
        for period in 0..periods {
            let start = NOON - 300 * period;
            script = script.values(&alpha(), Metric::InvocationLatency, at(start), &[period as f64]);
            if period % 3 != 0 {
                script = script.values(&alpha(), Metric::TimeToFirstToken, at(start), &[-(period as f64)]);
            }
        }
        let mut hourly = query("m3", Metric::InvocationLatency, "Sum");
        hourly.metric_stat.as_mut().unwrap().period = 3_600;
        let queries = [latency("m1", "p50"), query("m2", Metric::TimeToFirstToken, "Sum"), hourly];
        let mut request = request(&queries, NOON - 3_600, NOON + 300);
        request.scan_by = ascending.then(|| "TimestampAscending".to_owned());
        let ask = Ask { telemetry: &script, now: NOON + 7_200, faults: Vec::new() };
        let whole = ask.send(&request);
        prop_assert_eq!(&whole.next_token, &None);

        request.max_datapoints = Some(size);
        let mut together = ask.send(&request);
        while let Some(token) = together.next_token.take() {
            request.next_token = Some(token);
            let page = ask.send(&request);
            together.next_token = page.next_token;
            for (result, more) in together.metric_data_results.iter_mut().zip(page.metric_data_results) {
                prop_assert!(result.status_code == StatusCode::PartialData || more.values.is_empty());
                result.timestamps.extend(more.timestamps);
                result.values.extend(more.values);
                result.status_code = more.status_code;
            }
        }
        prop_assert_eq!(together, whole);
    }
}

#[test]
fn a_late_period_shows_its_first_part_until_it_is_settled() {
    let script = script();
    let request = request(&[latency("m1", "SampleCount")], NOON - 600, NOON - 300);
    let late = FaultRule::new(Fault::Late { seconds: 120, share: 0.4 });
    for (age, expected) in [(60, 2.0), (119, 2.0), (120, 4.0)] {
        let ask = Ask { telemetry: &script, now: NOON - 300 + age, faults: vec![late.clone()] };
        assert_eq!(only(&ask.send(&request)), [(-600, expected)], "{age} s after its end");
    }
}

#[test]
fn statistics_come_late_and_revised_too() {
    let period = Period::containing(at(NOON - 600));
    let known = Statistics { p50: Some(8.0), p95: Some(9.0), sum: Some(40.0), sample_count: Some(5.0) };
    let script = Script::new().statistics(&alpha(), Metric::OutputTokenCount, period, known);
    let queries =
        ["p50", "Sum", "SampleCount"].map(|stat| query(&stat.to_lowercase(), Metric::OutputTokenCount, stat));
    let values = |fault: Fault| -> Vec<f64> {
        let ask = Ask { telemetry: &script, now: NOON, faults: vec![fault.into()] };
        let answer = ask.send(&request(&queries, NOON - 600, NOON - 300));
        answer.metric_data_results.iter().map(|result| result.values[0]).collect()
    };
    assert_eq!(values(Fault::Late { seconds: 600, share: 0.5 }), [8.0, 20.0, 2.0]);
    assert_eq!(values(Fault::Revised { seconds: 600, factor: 0.5 }), [4.0, 20.0, 5.0]);
    assert_eq!(values(Fault::Revised { seconds: 300, factor: 0.5 }), [8.0, 40.0, 5.0]);
}

#[test]
fn results_can_fail_go_missing_and_come_in_disorder() {
    let script = script();
    let queries = [latency("m1", "Sum"), query("m2", Metric::TimeToFirstToken, "Sum")];
    let answer = |rules: Vec<FaultRule>| {
        Ask { telemetry: &script, now: NOON + 900, faults: rules }.send(&request(&queries, NOON - 600, NOON))
    };
    let summary = |answer: &GetMetricDataAnswer| -> Vec<(String, usize, StatusCode)> {
        let results = answer.metric_data_results.iter();
        results.map(|result| (result.id.clone(), result.values.len(), result.status_code)).collect()
    };
    let row = |id: &str, count, status| (id.to_owned(), count, status);
    let failed = answer(vec![FaultRule::new(Fault::FailResults).metric(Metric::TimeToFirstToken)]);
    assert_eq!(
        summary(&failed),
        [row("m1", 2, StatusCode::Complete), row("m2", 0, StatusCode::InternalError)]
    );
    let missing = answer(vec![FaultRule::new(Fault::Missing).metric(Metric::InvocationLatency).model(MODEL)]);
    assert_eq!(summary(&missing), [row("m1", 0, StatusCode::Complete), row("m2", 2, StatusCode::Complete)]);
    let disorder = answer(vec![Fault::ShuffleResults.into(), Fault::UnknownIds.into()]);
    assert_eq!(
        summary(&disorder),
        [
            row("m2", 2, StatusCode::Complete),
            row("m1", 2, StatusCode::Complete),
            row("nobody_asked", 2, StatusCode::Complete),
        ]
    );
    let small = answer(vec![Fault::SmallPages { datapoints: 1 }.into()]);
    assert_eq!(
        summary(&small),
        [row("m1", 1, StatusCode::PartialData), row("m2", 0, StatusCode::PartialData)]
    );
    assert!(small.next_token.is_some());
}
