use serde_json::{Value, json};

use super::*;

/// 2026-10-15T12:00:00Z.
const NOON: i64 = 1_792_065_600;

fn caller() -> Caller {
    Caller {
        access_key: "AKIA".to_owned(),
        region: "us-east-1".to_owned(),
        account: None,
        home: "111122223333".to_owned(),
        arn: String::new(),
    }
}

fn put(request: Value) -> Result<Vec<PutDatum>, AwsError> {
    let put = Put::default();
    put.take(&serde_json::from_value(request).unwrap(), &caller(), NOON)?;
    Ok(put.data())
}

fn datum(more: Value) -> Value {
    let mut datum = json!({"MetricName": "PagesOwed", "Dimensions": [{"Name": "Host", "Value": "otpsd-1"}]});
    datum.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"Namespace": "otpsd", "MetricData": [datum]})
}

fn refusal(more: Value) -> String {
    let error = put(datum(more)).unwrap_err();
    format!("{}: {}", error.code, error.message)
}

#[test]
fn a_value_many_values_and_a_statistic_set_are_kept() {
    let one = put(datum(json!({"Value": 3, "Unit": "Count", "Timestamp": NOON - 60}))).unwrap();
    assert_eq!((one[0].namespace.as_str(), one[0].metric_name.as_str()), ("otpsd", "PagesOwed"));
    assert_eq!(one[0].dimensions["Host"], "otpsd-1");
    assert_eq!((one[0].values.clone(), one[0].unit.as_str()), (vec![(3.0, 1.0)], "Count"));
    assert_eq!(one[0].timestamp.as_second(), NOON - 60);
    let many = put(datum(json!({"Values": [1.5, 2], "Counts": [2, "3"]}))).unwrap();
    assert_eq!(many[0].values, [(1.5, 2.0), (2.0, 3.0)]);
    assert_eq!((many[0].samples, many[0].sum, many[0].unit.as_str()), (5.0, 9.0, "None"));
    assert_eq!(many[0].timestamp.as_second(), NOON, "when it came, if nothing is said");
    let set = json!({"SampleCount": 4, "Sum": 10, "Minimum": 1, "Maximum": 4});
    let set = put(datum(json!({"StatisticValues": set}))).unwrap();
    assert_eq!((set[0].is_statistic_set, set[0].samples, set[0].sum), (true, 4.0, 10.0));
}

#[test]
fn what_cloudwatch_refuses_is_refused() {
    let none = "MissingParameter: At least one of the parameters must be specified: MetricData.member.1.Value, \
                MetricData.member.1.Values, MetricData.member.1.StatisticValues.";
    assert_eq!(refusal(json!({})), none);
    assert!(refusal(json!({"Value": 1, "Values": [1]})).starts_with("InvalidParameterCombination"));
    for wrong in [
        json!({"Value": "NaN"}),
        json!({"Value": "Infinity"}),
        json!({"Value": 1e109}),
        json!({"Value": 1, "Unit": "Tokens"}),
        json!({"Value": 1, "StorageResolution": 30}),
        json!({"Value": 1, "Timestamp": NOON - 14 * 86_400 - 1}),
        json!({"Value": 1, "Timestamp": NOON + 7_201}),
        json!({"Value": 1, "Dimensions": [{"Name": "Model", "Value": "größer"}]}),
        json!({"Value": 1, "Dimensions": [{"Name": ":x", "Value": "1"}]}),
        json!({"Value": 1, "Dimensions": [{"Name": "x", "Value": " "}]}),
        json!({"Value": 1, "Dimensions": vec![json!({"Name": "x", "Value": "1"}); 31]}),
        json!({"Values": vec![1; 151]}),
        json!({"Values": [1, 2], "Counts": [1]}),
        json!({"StatisticValues": {"SampleCount": 1, "Sum": 1, "Minimum": 2, "Maximum": 1}}),
    ] {
        assert!(refusal(wrong.clone()).starts_with("InvalidParameterValue: "), "{wrong}");
    }
    // 2^360 is about 2.35e108.
    for right in [
        json!({"Value": -2.3e108}),
        json!({"Value": 1, "Timestamp": NOON + 7_200}),
        json!({"Values": vec![1; 150]}),
    ] {
        assert!(put(datum(right.clone())).is_ok(), "{right}");
    }
    let mut request = datum(json!({"Value": 1}));
    request["Namespace"] = json!("AWS/Bedrock");
    assert_eq!(
        put(request.clone()).unwrap_err().message,
        "The value AWS/ for parameter Namespace is invalid."
    );
    request["Namespace"] = json!("");
    assert_eq!(put(request).unwrap_err().code, "MissingParameter");
    let data =
        |count| json!({"Namespace": "n", "MetricData": vec![json!({"MetricName": "m", "Value": 1}); count]});
    assert!(put(data(1_000)).is_ok());
    assert!(put(data(1_001)).is_err());
}

#[test]
fn a_request_is_taken_whole_or_not_at_all() {
    let put = Put::default();
    let request =
        json!({"Namespace": "n", "MetricData": [{"MetricName": "m", "Value": 1}, {"MetricName": "m"}]});
    assert!(put.take(&serde_json::from_value(request).unwrap(), &caller(), NOON).is_err());
    assert_eq!(put.data(), []);
}

#[test]
fn metrics_are_listed_once_with_their_last_time() {
    let put = Put::default();
    for minute in [5, 1, 3] {
        let request = datum(json!({"Value": 1, "Timestamp": NOON - minute * 60}));
        put.take(&serde_json::from_value(request).unwrap(), &caller(), NOON).unwrap();
    }
    let metrics = put.metrics(&caller());
    assert_eq!(metrics.len(), 1);
    assert_eq!(metrics.values().copied().collect::<Vec<_>>(), [NOON - 60]);
    let elsewhere = Caller { region: "eu-west-1".to_owned(), ..caller() };
    assert!(put.metrics(&elsewhere).is_empty());
    let stranger = Caller { account: Some("444455556666".to_owned()), ..caller() };
    assert!(put.metrics(&stranger).is_empty());
}
