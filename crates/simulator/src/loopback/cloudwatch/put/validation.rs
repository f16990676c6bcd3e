//! What `PutMetricData` refuses. Source: the API reference of the service. Messages are its own where one is known.

use super::request::{Datum, Number, PutMetricData};
use crate::loopback::aws_error::AwsError;
use crate::loopback::cloudwatch::shapes::{Dimension, Time};

const DATA_MAX: usize = 1_000;
const NAME_MAX: usize = 255;
const DIMENSIONS_MAX: usize = 30;
const DIMENSION_VALUE_MAX: usize = 1_024;
const VALUES_MAX: usize = 150;
/// Values lie between -2^360 and 2^360.
const EXPONENT_MAX: i32 = 360;
/// How old a timestamp may be, and how far ahead, in seconds.
const PAST_MAX: i64 = 14 * 86_400;
const FUTURE_MAX: i64 = 2 * 3_600;

const UNITS: [&str; 27] = [
    "Seconds",
    "Microseconds",
    "Milliseconds",
    "Bytes",
    "Kilobytes",
    "Megabytes",
    "Gigabytes",
    "Terabytes",
    "Bits",
    "Kilobits",
    "Megabits",
    "Gigabits",
    "Terabits",
    "Percent",
    "Count",
    "Bytes/Second",
    "Kilobytes/Second",
    "Megabytes/Second",
    "Gigabytes/Second",
    "Terabytes/Second",
    "Bits/Second",
    "Kilobits/Second",
    "Megabits/Second",
    "Gigabits/Second",
    "Terabits/Second",
    "Count/Second",
    "None",
];

/// Checks a request as of `now`, in Unix seconds.
pub(super) fn check(request: &PutMetricData, now: i64) -> Result<(), AwsError> {
    let PutMetricData { namespace, metric_data } = request;
    if namespace.is_empty() {
        return Err(AwsError::missing_parameter("The parameter Namespace is required."));
    }
    if namespace.starts_with("AWS/") {
        return invalid("The value AWS/ for parameter Namespace is invalid.".to_owned());
    }
    if !is_name(namespace, NAME_MAX) {
        return invalid(format!("The value {namespace} for parameter Namespace is invalid."));
    }
    if metric_data.is_empty() {
        return Err(AwsError::missing_parameter("The parameter MetricData is required."));
    }
    if metric_data.len() > DATA_MAX {
        return invalid(format!("The collection MetricData must not have a size greater than {DATA_MAX}."));
    }
    (1..).zip(metric_data).try_for_each(|(number, datum)| datum_is_good(number, datum, now))
}

fn datum_is_good(number: usize, datum: &Datum, now: i64) -> Result<(), AwsError> {
    let member = format!("MetricData.member.{number}");
    if datum.metric_name.is_empty() {
        return Err(AwsError::missing_parameter(format!("The parameter {member}.MetricName is required.")));
    }
    if !is_name(&datum.metric_name, NAME_MAX) {
        return invalid(format!(
            "The value {} for parameter {member}.MetricName is invalid.",
            datum.metric_name
        ));
    }
    if datum.dimensions.len() > DIMENSIONS_MAX {
        return invalid(format!(
            "The collection {member}.Dimensions must not have a size greater than {DIMENSIONS_MAX}."
        ));
    }
    for (place, Dimension { name, value }) in (1..).zip(&datum.dimensions) {
        let named = [("Name", name, NAME_MAX), ("Value", value, DIMENSION_VALUE_MAX)];
        for (field, text, max) in named {
            // A value may begin with a colon.
            if text.trim().is_empty()
                || !is_name(text.trim_start_matches(|c| field == "Value" && c == ':'), max)
            {
                return invalid(format!(
                    "The value {text} for parameter {member}.Dimensions.member.{place}.{field} is invalid."
                ));
            }
        }
    }
    if let Some(unit) = datum.unit.as_ref().filter(|unit| !UNITS.contains(&unit.as_str())) {
        return invalid(format!("The value {unit} for parameter {member}.Unit is invalid."));
    }
    if let Some(Time(at)) = datum.timestamp {
        if at < now - PAST_MAX {
            return invalid(format!(
                "The parameter {member}.Timestamp must specify a time no more than two weeks in the past."
            ));
        }
        if at > now + FUTURE_MAX {
            return invalid(format!(
                "The parameter {member}.Timestamp must specify a time no more than two hours in the future."
            ));
        }
    }
    if let Some(resolution) = datum.storage_resolution.as_ref().map(Number::value)
        && resolution != 1.0
        && resolution != 60.0
    {
        return invalid(format!(
            "The value {resolution} for parameter {member}.StorageResolution is invalid."
        ));
    }
    values_are_good(&member, datum)
}

fn values_are_good(member: &str, datum: &Datum) -> Result<(), AwsError> {
    let given = [
        ("Value", datum.value.is_some()),
        ("StatisticValues", datum.statistic_values.is_some()),
        ("Values", !datum.values.is_empty()),
    ];
    let given: Vec<&str> = given.into_iter().filter_map(|(name, given)| given.then_some(name)).collect();
    match given.as_slice() {
        [] => {
            return Err(AwsError::missing_parameter(format!(
                "At least one of the parameters must be specified: {member}.Value, {member}.Values, {member}.StatisticValues."
            )));
        }
        [_] => {}
        [one, other, ..] => {
            return Err(AwsError::parameter_combination(format!(
                "The parameters {member}.{one} and {member}.{other} are mutually exclusive and you have specified both."
            )));
        }
    }
    if datum.values.len() > VALUES_MAX {
        return invalid(format!(
            "The collection {member}.Values must not have a size greater than {VALUES_MAX}."
        ));
    }
    if !datum.counts.is_empty() && datum.counts.len() != datum.values.len() {
        return invalid(format!(
            "The parameters {member}.Values and {member}.Counts must be of the same size."
        ));
    }
    let mut numbers: Vec<f64> =
        datum.occurrences().into_iter().flat_map(|(value, count)| [value, count]).collect();
    if let Some(set) = &datum.statistic_values {
        let [least, greatest] = [set.minimum.value(), set.maximum.value()];
        numbers.extend([set.sum.value(), set.sample_count.value()]);
        if least > greatest || set.sample_count.value() <= 0.0 {
            return invalid(format!("The parameter {member}.StatisticValues is not a set of statistics."));
        }
    }
    match numbers.into_iter().find(|number| !number.is_finite() || number.abs() > 2_f64.powi(EXPONENT_MAX)) {
        Some(wrong) => invalid(format!("The value {wrong} for parameter {member}.Value is invalid.")),
        None => Ok(()),
    }
}

fn invalid(message: String) -> Result<(), AwsError> {
    Err(AwsError::invalid_parameter_value(message))
}

/// ASCII that can be seen, and no colon first.
fn is_name(text: &str, max: usize) -> bool {
    text.len() <= max && !text.starts_with(':') && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
