//! Requests and answers of CloudWatch. The names are the service's own, so that CBOR and awsJson are one derivation;
//! the only difference is how a time is written.

use ciborium::tag::{Accepted, Required};
use jiff::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Unix seconds. CBOR writes them with tag 1, awsJson as a number, awsQuery in ISO 8601. CloudWatch disregards
/// fractions of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Time(pub(crate) i64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Whole(i64),
    Fraction(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = if deserializer.is_human_readable() {
            Written::deserialize(deserializer)?
        } else {
            Accepted::<Written, 1>::deserialize(deserializer)?.0
        };
        Ok(Self(match written {
            Written::Whole(seconds) => seconds,
            Written::Fraction(seconds) => seconds.floor() as i64,
            Written::Text(text) => text.parse::<Timestamp>().map_err(D::Error::custom)?.as_second(),
        }))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_i64(self.0)
        } else {
            Required::<i64, 1>(self.0).serialize(serializer)
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct GetMetricDataRequest {
    pub(crate) metric_data_queries: Vec<MetricDataQuery>,
    pub(crate) start_time: Option<Time>,
    pub(crate) end_time: Option<Time>,
    pub(crate) next_token: Option<String>,
    pub(crate) scan_by: Option<String>,
    pub(crate) max_datapoints: Option<i64>,
}

#[derive(Debug, Clone, Default, PartialEq, Hash, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct MetricDataQuery {
    pub(crate) id: String,
    pub(crate) metric_stat: Option<MetricStat>,
    pub(crate) expression: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) return_data: Option<bool>,
    pub(crate) account_id: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Hash, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct MetricStat {
    pub(crate) metric: Metric,
    pub(crate) period: i64,
    pub(crate) stat: String,
    pub(crate) unit: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Metric {
    pub(crate) namespace: String,
    pub(crate) metric_name: String,
    pub(crate) dimensions: Vec<Dimension>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Dimension {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetMetricDataAnswer {
    pub(crate) messages: Vec<MessageData>,
    pub(crate) metric_data_results: Vec<MetricDataResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_token: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MetricDataResult {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) timestamps: Vec<Time>,
    pub(crate) values: Vec<f64>,
    pub(crate) status_code: StatusCode,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) messages: Vec<MessageData>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum StatusCode {
    Complete,
    PartialData,
    InternalError,
    Forbidden,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MessageData {
    pub(crate) code: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListMetricsRequest {
    pub(crate) namespace: Option<String>,
    pub(crate) metric_name: Option<String>,
    pub(crate) dimensions: Vec<DimensionFilter>,
    pub(crate) next_token: Option<String>,
    pub(crate) recently_active: Option<String>,
    pub(crate) include_linked_accounts: Option<bool>,
    pub(crate) owning_account: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DimensionFilter {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListMetricsAnswer {
    pub(crate) metrics: Vec<Metric>,
    /// The account of each metric, where linked accounts are included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owning_accounts: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_token: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_tag_one_in_cbor_and_are_numbers_in_json() {
        let time = Time(1_700_000_000);
        let mut cbor = Vec::new();
        ciborium::into_writer(&time, &mut cbor).unwrap();
        // RFC 8949, 3.4.2: tag 1 is 0xc1, and 1,700,000,000 is 0x6553f100.
        assert_eq!(cbor, [0xc1, 0x1a, 0x65, 0x53, 0xf1, 0x00]);
        assert_eq!(ciborium::from_reader::<Time, _>(cbor.as_slice()).unwrap(), time);
        assert_eq!(serde_json::to_string(&time).unwrap(), "1700000000");
    }

    #[test]
    fn times_are_read_however_clients_write_them() {
        let read = |bytes: &[u8]| ciborium::from_reader::<Time, _>(bytes).unwrap().0;
        // With tag 1 a float of 1,700,000,000.5; without a tag an integer.
        assert_eq!(read(&[0xc1, 0xfb, 0x41, 0xd9, 0x54, 0xfc, 0x40, 0x20, 0x00, 0x00]), 1_700_000_000);
        assert_eq!(read(&[0x1a, 0x65, 0x53, 0xf1, 0x00]), 1_700_000_000);
        for json in ["1700000000", "1700000000.9", "1.7E9", "\"2023-11-14T22:13:20Z\""] {
            assert_eq!(serde_json::from_str::<Time>(json).unwrap().0, 1_700_000_000, "{json}");
        }
    }
}
