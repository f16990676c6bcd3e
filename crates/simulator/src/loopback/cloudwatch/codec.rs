//! The three protocols that clients of CloudWatch speak: Smithy RPC v2 CBOR (the Rust SDK, boto3), awsJson 1.0 (the AWS
//! command line) and awsQuery (older ones).

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::loopback::aws_error::AwsError;
use crate::loopback::form::{Form, element_xml};

/// Reads a request in CBOR.
pub(crate) fn from_cbor<T: DeserializeOwned>(body: &[u8]) -> Result<T, AwsError> {
    ciborium::from_reader(body).map_err(|error| AwsError::serialization(error.to_string()))
}

/// Reads a request in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, AwsError> {
    serde_json::from_slice(body).map_err(|error| AwsError::serialization(error.to_string()))
}

/// Reads a request in a form.
pub(crate) fn from_form<T: DeserializeOwned>(form: &Form) -> Result<T, AwsError> {
    serde_json::from_value(form.tree(leaf)).map_err(|error| AwsError::serialization(error.to_string()))
}

/// A form has texts only; these fields are something else.
fn leaf(name: &str, text: &str) -> Value {
    let number = || text.parse::<i64>().ok().map(Value::from);
    let truth = || text.parse::<bool>().ok().map(Value::from);
    match name {
        "Period" | "MaxDatapoints" => number(),
        "ReturnData" | "IncludeLinkedAccounts" => truth(),
        _ => None,
    }
    .unwrap_or_else(|| Value::from(text))
}

/// Writes an answer in CBOR.
pub(crate) fn to_cbor(answer: &impl Serialize) -> Result<Vec<u8>, AwsError> {
    let mut bytes = Vec::new();
    ciborium::into_writer(answer, &mut bytes).map_err(|_| AwsError::internal())?;
    Ok(bytes)
}

/// Writes an answer in JSON.
pub(crate) fn to_json(answer: &impl Serialize) -> Result<Vec<u8>, AwsError> {
    serde_json::to_vec(answer).map_err(|_| AwsError::internal())
}

/// Writes an answer in XML, without the elements around it.
pub(crate) fn to_xml(answer: &impl Serialize) -> Result<String, AwsError> {
    let mut xml = String::new();
    write_members(&serde_json::to_value(answer).map_err(|_| AwsError::internal())?, "", &mut xml);
    Ok(xml)
}

fn write_members(value: &Value, name: &str, xml: &mut String) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                write_element(field, value, field, xml);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| write_element("member", value, name, xml)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `holder` is the field that the element belongs to, which may be a list of them.
fn write_element(element: &str, value: &Value, holder: &str, xml: &mut String) {
    match value {
        Value::Object(_) | Value::Array(_) => {
            xml.push_str(&format!("<{element}>"));
            write_members(value, holder, xml);
            xml.push_str(&format!("</{element}>"));
        }
        Value::String(text) => xml.push_str(&element_xml(element, text)),
        Value::Number(number) if holder == "Timestamps" => {
            let time =
                number.as_i64().and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or_default();
            xml.push_str(&element_xml(element, &time.to_string()));
        }
        other => xml.push_str(&element_xml(element, &other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{
        GetMetricDataAnswer, GetMetricDataRequest, MetricDataResult, StatusCode, Time,
    };
    use super::*;

    #[test]
    fn a_form_and_json_say_the_same() {
        let form = Form::read(
            b"Action=GetMetricData&Version=2010-08-01&StartTime=2026-10-15T12%3A00%3A00Z&EndTime=2026-10-15T13:00:00Z\
              &MetricDataQueries.member.1.Id=m1&MetricDataQueries.member.1.ReturnData=false\
              &MetricDataQueries.member.1.MetricStat.Period=300&MetricDataQueries.member.1.MetricStat.Stat=p50\
              &MetricDataQueries.member.1.MetricStat.Metric.Namespace=AWS%2FBedrock\
              &MetricDataQueries.member.1.MetricStat.Metric.MetricName=InvocationLatency\
              &MetricDataQueries.member.1.MetricStat.Metric.Dimensions.member.1.Name=ModelId\
              &MetricDataQueries.member.1.MetricStat.Metric.Dimensions.member.1.Value=300",
        );
        let json = br#"{"StartTime": 1792065600, "EndTime": 1792069200.0, "MetricDataQueries": [{"Id": "m1",
            "ReturnData": false, "MetricStat": {"Period": 300, "Stat": "p50", "Metric": {"Namespace": "AWS/Bedrock",
            "MetricName": "InvocationLatency", "Dimensions": [{"Name": "ModelId", "Value": "300"}]}}}]}"#;
        let from_form: GetMetricDataRequest = from_form(&form).unwrap();
        assert_eq!(from_form, from_json::<GetMetricDataRequest>(json).unwrap());
        assert_eq!(from_form.start_time, Some(Time(1_792_065_600)));
    }

    #[test]
    fn xml_has_members_and_iso_times() {
        let answer = GetMetricDataAnswer {
            metric_data_results: vec![MetricDataResult {
                id: "m1".to_owned(),
                label: "a & b".to_owned(),
                timestamps: vec![Time(1_792_065_600)],
                values: vec![41.5],
                status_code: StatusCode::Complete,
                messages: Vec::new(),
            }],
            ..GetMetricDataAnswer::default()
        };
        assert_eq!(
            to_xml(&answer).unwrap(),
            "<Messages></Messages><MetricDataResults><member><Id>m1</Id><Label>a &amp; b</Label>\
             <StatusCode>Complete</StatusCode><Timestamps><member>2026-10-15T12:00:00Z</member></Timestamps>\
             <Values><member>41.5</member></Values></member></MetricDataResults>"
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert_eq!(from_json::<GetMetricDataRequest>(b"{").unwrap_err().shape, "SerializationException");
        assert_eq!(from_cbor::<GetMetricDataRequest>(b"\xff").unwrap_err().shape, "SerializationException");
    }
}
