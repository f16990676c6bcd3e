//! What was measured, in whatever order and form it arrives.

use std::collections::BTreeMap;

use ciborium::Value;
use domain::{Failure, Metric, MetricSet, Period, ReadAnswer, ReadRequest, Source, Statistic};

use super::fake::{Call, Fake, Query, Reply, map, page, queries, result, text, time, window};
use super::{MIDNIGHT, open, period, plan, request, series};

/// A value that says what it is a value of.
fn value(query: &Query, second: i64) -> f64 {
    let model = query.model.bytes().fold(0, |hash, byte| (hash * 31 + u32::from(byte)) % 9_973);
    let metric = Metric::from_name(&query.metric).unwrap() as u32;
    let statistic = Statistic::from_name(&query.statistic).unwrap() as u32;
    f64::from(model * 1_000 + metric * 100 + statistic * 10) + ((second - MIDNIGHT) / 300) as f64
}

/// All values of a query from the start of a call's window to its end.
fn points(call: &Call, query: &Query) -> Vec<(i64, f64)> {
    let (start, end) = window(call);
    (start..end).step_by(300).map(|second| (second, value(query, second))).collect()
}

fn whole(call: &Call) -> Vec<Value> {
    queries(call).iter().map(|query| result(&query.id, &points(call, query), "Complete")).collect()
}

async fn read(fake: &Fake, request: &ReadRequest) -> ReadAnswer {
    open(&plan(fake.url())).await.read(request).await.unwrap()
}

/// All values of an answer by model, metric, statistic and period.
fn values(answer: &ReadAnswer) -> BTreeMap<(String, Metric, Statistic, Period), f64> {
    let mut values = BTreeMap::new();
    for row in &answer.rows {
        for metric in Metric::ALL {
            for statistic in Statistic::ALL {
                if let Some(value) = row.reading.get(metric, statistic) {
                    let key = (row.series.model().to_owned(), metric, statistic, row.period);
                    assert_eq!(values.insert(key, value), None, "a row twice");
                }
            }
        }
    }
    values
}

/// What a whole answer to a request must hold.
fn expected(request: &ReadRequest) -> BTreeMap<(String, Metric, Statistic, Period), f64> {
    let mut values = BTreeMap::new();
    for series in &request.series {
        for &metric in request.metrics.metrics() {
            let counter = matches!(
                metric,
                Metric::InvocationThrottles | Metric::InvocationServerErrors | Metric::EstimatedTpmQuotaUsage
            );
            for statistic in
                Statistic::ALL.into_iter().filter(|statistic| !counter || *statistic == Statistic::Sum)
            {
                let query = Query {
                    id: String::new(),
                    model: series.model().to_owned(),
                    metric: metric.name().to_owned(),
                    statistic: statistic.name().to_owned(),
                    parts: Vec::new(),
                };
                for index in request.from.index()..request.until.index() {
                    let period = Period::from_index(index);
                    let key = (query.model.clone(), metric, statistic, period);
                    values.insert(key, value(&query, period.start().as_second()));
                }
            }
        }
    }
    values
}

#[tokio::test]
async fn every_value_finds_its_place() {
    let fake = Fake::start(|call| page(whole(call), None)).await;
    for set in [MetricSet::Decode, MetricSet::Diagnosis, MetricSet::All] {
        let request = request(&["3rd-gen.v1:0", "Big.Model", "a.b-c", "a-b.c", "arn:aws:bedrock:x/y z"], set);
        let answer = read(&fake, &request).await;
        assert_eq!(values(&answer), expected(&request));
        assert_eq!(answer.rows.len(), 15);
        assert!(answer.incomplete.is_empty());
        assert_eq!(answer.calls, 1);
        assert_eq!(answer.billed_metrics, 5 * set.metrics().len() as u64);
    }
}

#[tokio::test]
async fn windows_are_those_asked_for_and_aligned() {
    let fake = Fake::start(|call| page(whole(call), None)).await;
    let source = open(&plan(fake.url())).await;
    for minute in [0, 5, 10] {
        let mut request = request(&["m"], MetricSet::Decode);
        (request.from, request.until) = (period(minute), period(minute + 20));
        source.read(&request).await.unwrap();
    }
    let windows: Vec<_> = fake.calls().iter().map(window).collect();
    let minute = |minute: i64| MIDNIGHT + minute * 60;
    // The end is exclusive in CloudWatch, as it is here.
    assert_eq!(windows, [(minute(0), minute(20)), (minute(5), minute(25)), (minute(10), minute(30))]);
}

#[tokio::test]
async fn pages_are_read_to_the_last_one_and_counted_once() {
    let fake = Fake::start(|call| {
        let halves = |second: bool| {
            queries(call)
                .iter()
                .map(|query| {
                    let points = points(call, query);
                    let (left, right) = points.split_at(2);
                    if second {
                        result(&query.id, right, "Complete")
                    } else {
                        result(&query.id, left, "PartialData")
                    }
                })
                .collect()
        };
        match text(&call.body, "NextToken") {
            "" => page(halves(false), Some("two")),
            "two" => page(halves(true), Some("three")),
            "three" => page(Vec::new(), Some("four")),
            // Some services end with an empty token.
            _ => page(Vec::new(), Some("")),
        }
    })
    .await;
    let request = request(&["a", "b"], MetricSet::Decode);
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    assert!(answer.incomplete.is_empty());
    assert_eq!((answer.calls, answer.billed_metrics), (4, 6));
    // Every page is asked with the same queries and window.
    let calls = fake.calls();
    assert!(
        calls.iter().all(|call| queries(call) == queries(&calls[0]) && window(call) == window(&calls[0]))
    );
}

#[tokio::test]
async fn the_order_of_results_and_times_does_not_matter() {
    let fake = Fake::start(|call| {
        let mut results: Vec<_> = queries(call)
            .iter()
            .map(|query| {
                let mut points = points(call, query);
                points.reverse();
                result(&query.id, &points, "Complete")
            })
            .collect();
        results.reverse();
        results.rotate_left(5);
        page(results, None)
    })
    .await;
    let request = request(&["a", "b", "c"], MetricSet::All);
    assert_eq!(values(&read(&fake, &request).await), expected(&request));
}

#[tokio::test]
async fn many_metrics_are_asked_with_several_calls() {
    let fake = Fake::start(|call| page(whole(call), None)).await;
    let models: Vec<_> = (0..60).map(|number| format!("model-{number:03}-{}", "x".repeat(number))).collect();
    let request = request(&models.iter().map(String::as_str).collect::<Vec<_>>(), MetricSet::Decode);
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    // 180 metrics, of which 125 with four statistics are 500 queries.
    assert_eq!((answer.calls, answer.billed_metrics), (2, 180));
}

#[tokio::test]
async fn a_call_that_fails_after_others_leaves_what_they_brought() {
    let fake = Fake::start(|call| match call.number {
        0 => page(whole(call), None),
        _ => Reply::Error(403, "AccessDenied", "not any more"),
    })
    .await;
    let models: Vec<_> = (0..130).map(|number| format!("m{number:03}")).collect();
    let models: Vec<_> = models.iter().map(String::as_str).collect();
    let answer = read(&fake, &request(&models, MetricSet::Decode)).await;
    // 125 metrics fit a call: those of 41 models, and two of the three of the next one.
    assert_eq!(answer.incomplete, models[41..].iter().map(|model| series(model)).collect::<Vec<_>>());
    assert_eq!(answer.error.as_ref().map(|error| error.failure), Some(Failure::Denied));
    assert_eq!((answer.calls, answer.billed_metrics), (1, 125));
    assert_eq!(fake.calls().len(), 2, "the third call is not made");
    let (values, expected) = (values(&answer), expected(&request(&models[..41], MetricSet::Decode)));
    assert!(expected.iter().all(|(key, value)| values.get(key) == Some(value)));
}

#[tokio::test]
async fn a_long_window_is_asked_so_that_no_page_has_too_many_values() {
    let fake = Fake::start(|call| {
        let (start, end) = window(call);
        assert!(queries(call).len() as i64 * (end - start) / 300 <= 100_800);
        page(whole(call), None)
    })
    .await;
    let mut request = request(&["a"], MetricSet::Decode);
    request.until = request.from + 35 * 288;
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    // Two metrics of 35 days fit a page, and each is billed once.
    assert_eq!((answer.calls, answer.billed_metrics), (2, 3));
}

/// The models of a request whose answer is not whole, when the queries for `metric` of model `b` are answered by `odd`.
async fn incomplete_when(
    metric: &'static str,
    odd: impl Fn(&Query) -> Option<Value> + Send + Sync + 'static,
) -> Vec<String> {
    let fake = Fake::start(move |call| {
        let results = queries(call)
            .iter()
            .filter_map(|query| {
                if query.model == "b" && query.metric == metric {
                    odd(query)
                } else {
                    Some(result(&query.id, &points(call, query), "Complete"))
                }
            })
            .collect();
        page(results, None)
    })
    .await;
    let request = request(&["a", "b", "c"], MetricSet::Decode);
    let answer = read(&fake, &request).await;
    let mut values = values(&answer);
    let mut expected = expected(&request);
    values.retain(|key, _| key.0 != "b");
    expected.retain(|key, _| key.0 != "b");
    assert_eq!(values, expected, "the others are read all the same");
    answer.incomplete.iter().map(|series| series.model().to_owned()).collect()
}

#[tokio::test]
async fn a_series_that_was_not_answered_whole_is_named() {
    let at_midnight = [(MIDNIGHT, 1.0)];
    for status in ["PartialData", "InternalError", "Forbidden", "SomethingNew"] {
        let odd = move |query: &Query| Some(result(&query.id, &at_midnight, status));
        assert_eq!(incomplete_when("TimeToFirstToken", odd).await, ["b"], "{status}");
    }
    assert_eq!(incomplete_when("TimeToFirstToken", |_| None).await, ["b"], "not mentioned at all");
}

#[tokio::test]
async fn an_empty_result_is_a_whole_one() {
    let empty = |query: &Query| Some(result(&query.id, &[], "Complete"));
    assert!(incomplete_when("TimeToFirstToken", empty).await.is_empty());
    // As some write it: neither times nor values nor a status.
    let bare = |query: &Query| Some(map([("Id", Value::from(query.id.as_str()))]));
    assert!(incomplete_when("TimeToFirstToken", bare).await.is_empty());

    let fake = Fake::start(|call| {
        page(queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect(), None)
    })
    .await;
    let answer = read(&fake, &request(&["a"], MetricSet::All)).await;
    assert!(answer.rows.is_empty() && answer.incomplete.is_empty());
}

#[tokio::test]
async fn what_was_read_of_an_incomplete_series_is_kept() {
    let fake = Fake::start(|call| {
        let results =
            queries(call).into_iter().map(|query| result(&query.id, &[(MIDNIGHT, 7.0)], "PartialData"));
        page(results.collect(), None)
    })
    .await;
    let answer = read(&fake, &request(&["a"], MetricSet::Decode)).await;
    assert_eq!(answer.incomplete, [series("a")]);
    assert_eq!(answer.rows.len(), 1);
    assert_eq!(answer.rows[0].reading.get(Metric::OutputTokenCount, Statistic::Sum), Some(7.0));
}

#[tokio::test]
async fn an_internal_error_that_a_later_page_mends_is_none() {
    let fake = Fake::start(|call| {
        if text(&call.body, "NextToken").is_empty() {
            let failed = queries(call).iter().map(|query| result(&query.id, &[], "InternalError")).collect();
            page(failed, Some("again"))
        } else {
            page(whole(call), None)
        }
    })
    .await;
    let request = request(&["a"], MetricSet::Decode);
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    assert!(answer.incomplete.is_empty());
}

#[tokio::test]
async fn what_was_not_asked_for_is_left_out() {
    let fake = Fake::start(|call| {
        let mut results = whole(call);
        for id in ["q999", "q", "m1", "q-1", "q0x"] {
            results.push(result(id, &[(MIDNIGHT, 99_999.0)], "Complete"));
        }
        results.push(map([("Label", Value::from("no id"))]));
        // The period before the window, and the one after it, which has not settled.
        results.push(result("q0", &[(MIDNIGHT - 300, 1.0), (MIDNIGHT + 900, 1.0)], "Complete"));
        page(results, None)
    })
    .await;
    let request = request(&["a"], MetricSet::Decode);
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    assert!(answer.incomplete.is_empty());
}

#[tokio::test]
async fn values_that_are_no_numbers_are_left_out() {
    let fake = Fake::start(|call| {
        let odd = [(MIDNIGHT, f64::NAN), (MIDNIGHT + 300, f64::INFINITY), (MIDNIGHT + 600, 5.0)];
        page(queries(call).iter().map(|query| result(&query.id, &odd, "Complete")).collect(), None)
    })
    .await;
    let answer = read(&fake, &request(&["a"], MetricSet::Decode)).await;
    assert_eq!(answer.rows.iter().map(|row| row.period).collect::<Vec<_>>(), [period(10)]);
}

#[tokio::test]
async fn times_are_numbers_of_any_kind() {
    let fake = Fake::start(|call| {
        let first = queries(call).remove(0).id;
        let mut results: Vec<_> =
            queries(call).iter().map(|query| result(&query.id, &[], "Complete")).collect();
        let float = Value::Tag(1, Box::new(Value::from((MIDNIGHT + 300) as f64)));
        results[0] = map([
            ("Id", Value::from(first)),
            ("Timestamps", Value::Array(vec![time(MIDNIGHT), float])),
            ("Values", Value::Array(vec![Value::from(1.5), Value::from(2.5)])),
        ]);
        page(results, None)
    })
    .await;
    let answer = read(&fake, &request(&["a"], MetricSet::Decode)).await;
    let read: Vec<_> = answer
        .rows
        .iter()
        .map(|row| (row.period, row.reading.get(Metric::InvocationLatency, Statistic::P50).unwrap()))
        .collect();
    assert_eq!(read, [(period(0), 1.5), (period(5), 2.5)]);
}

async fn failure_of(reply: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> (Failure, String) {
    let fake = Fake::start(reply).await;
    let error = open(&plan(fake.url())).await.read(&request(&["a"], MetricSet::Decode)).await.unwrap_err();
    (error.failure, error.message)
}

fn odd_result(timestamps: Vec<Value>, values: Vec<Value>) -> impl Fn(&Call) -> Reply {
    move |_| {
        let result = map([
            ("Id", Value::from("q3")),
            ("Label", Value::from("a InvocationLatency")),
            ("Timestamps", Value::Array(timestamps.clone())),
            ("Values", Value::Array(values.clone())),
        ]);
        page(vec![result], None)
    }
}

#[tokio::test]
async fn an_answer_that_makes_no_sense_is_malformed() {
    let start = "GetMetricData of source `main` in us-east-1 failed: ";
    for (timestamps, values, what) in [
        (vec![time(MIDNIGHT)], vec![], "a InvocationLatency has 1 timestamps and 0 values"),
        (vec![], vec![Value::from(1.0)], "a InvocationLatency has 0 timestamps and 1 values"),
        (
            vec![time(MIDNIGHT + 60)],
            vec![Value::from(1.0)],
            "a InvocationLatency has a value at 1790812860 (Unix time), where no five-minute period starts",
        ),
    ] {
        let told = failure_of(odd_result(timestamps, values)).await;
        assert_eq!(told, (Failure::Malformed, format!("{start}{what}")));
    }
    // A time that is text is none.
    let told =
        failure_of(odd_result(vec![Value::from("2026-10-01T00:00:00Z")], vec![Value::from(1.0)])).await;
    assert_eq!(told.0, Failure::Malformed);
    let told = failure_of(|call| page(whole(call), Some("the same"))).await;
    assert_eq!(told, (Failure::Malformed, format!("{start}the pages of the answer do not end")));
}

#[tokio::test]
async fn when_nothing_may_be_read_the_source_is_denied_and_not_the_series() {
    let all = |status: &'static str| {
        move |call: &Call| {
            page(queries(call).iter().map(|query| result(&query.id, &[], status)).collect(), None)
        }
    };
    assert_eq!(failure_of(all("Forbidden")).await.0, Failure::Denied);
    assert_eq!(failure_of(all("InternalError")).await.0, Failure::Server);
}

fn with_message(call: &Call, code: &str, text: &str) -> Reply {
    let message = map([("Code", Value::from(code)), ("Value", Value::from(text))]);
    Reply::Data(map([
        ("MetricDataResults", Value::Array(whole(call))),
        ("Messages", Value::Array(vec![message])),
    ]))
}

#[tokio::test]
async fn what_is_said_of_the_whole_call_is_heeded() {
    let fake = Fake::start(|call| {
        with_message(call, "MaxMetricsExceeded", "Maximum number of allowed metrics exceeded")
    })
    .await;
    let request = request(&["a", "b"], MetricSet::Decode);
    let answer = read(&fake, &request).await;
    assert_eq!(values(&answer), expected(&request));
    assert_eq!(answer.incomplete, [series("a"), series("b")]);

    let told = failure_of(|call| {
        with_message(call, "Forbidden", "Authentication too complex to retrieve cross region data")
    })
    .await;
    assert_eq!(told.0, Failure::Denied);
}

#[tokio::test]
async fn nothing_is_called_for_nothing() {
    let fake = Fake::start(|call| page(whole(call), None)).await;
    let mut nothing = request(&["a"], MetricSet::All);
    nothing.until = nothing.from;
    for request in [request(&[], MetricSet::All), nothing] {
        let answer = read(&fake, &request).await;
        assert_eq!((answer.rows.len(), answer.calls, answer.billed_metrics), (0, 0, 0));
    }
    assert!(fake.calls().is_empty());
}
