//! The request, under the service's own names.

use serde::Deserialize;

use crate::loopback::cloudwatch::shapes::{Dimension, Time};

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutMetricData {
    pub(super) namespace: String,
    pub(super) metric_data: Vec<Datum>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Datum {
    pub(super) metric_name: String,
    pub(super) dimensions: Vec<Dimension>,
    pub(super) timestamp: Option<Time>,
    pub(super) value: Option<Number>,
    pub(super) statistic_values: Option<StatisticSet>,
    pub(super) values: Vec<Number>,
    pub(super) counts: Vec<Number>,
    pub(super) unit: Option<String>,
    pub(super) storage_resolution: Option<Number>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct StatisticSet {
    pub(super) sample_count: Number,
    pub(super) sum: Number,
    pub(super) minimum: Number,
    pub(super) maximum: Number,
}

/// A number. awsQuery has only texts, and awsJson writes those that are none in JSON as texts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(i64),
    Fraction(f64),
    Text(String),
}

impl Number {
    /// Not a number, where it is none.
    pub(super) fn value(&self) -> f64 {
        match self {
            Self::Whole(value) => *value as f64,
            Self::Fraction(value) => *value,
            Self::Text(text) => text.parse().unwrap_or(f64::NAN),
        }
    }
}

impl Datum {
    /// Values with how often each occurred.
    pub(super) fn occurrences(&self) -> Vec<(f64, f64)> {
        if let Some(set) = &self.statistic_values {
            return vec![(set.minimum.value(), 1.0), (set.maximum.value(), 1.0)];
        }
        if let Some(value) = &self.value {
            return vec![(value.value(), 1.0)];
        }
        let counts = self.counts.iter().map(Number::value).chain(std::iter::repeat(1.0));
        self.values.iter().map(Number::value).zip(counts).collect()
    }
}
