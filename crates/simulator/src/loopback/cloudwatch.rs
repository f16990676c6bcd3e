//! CloudWatch: `GetMetricData`, `ListMetrics` and `PutMetricData`.
//!
//! Facts are from the API reference of the service; labels and messages of errors are those that AWS has been seen to
//! give. Not simulated: metric math, Metrics Insights, trimmed statistics and periods under a minute, which are
//! refused as invalid.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aws_error::{AwsError, Service};
use super::caller::Caller;
use super::calls::Volume;
use super::fault::CallFaults;
use super::form::Form;
use crate::Telemetry;

mod age;
mod catalogue;
mod codec;
mod label;
mod list_metrics;
mod metric_data;
mod page_token;
mod put;
mod shapes;
mod statistic;
mod validation;

pub use catalogue::CacheNames;
pub use put::PutDatum;

use catalogue::Catalogue;
use list_metrics::Activity;
use metric_data::Desk;
use put::Put;

/// Bytes of a `PutMetricData`.
const PUT_BYTES_MAX: usize = 1_024 * 1_024;

/// The service.
pub(crate) struct CloudWatch {
    pub(crate) telemetry: Arc<dyn Telemetry>,
    pub(crate) names: CacheNames,
    /// How long after its end a period shows, in seconds.
    pub(crate) publish_delay: i64,
    /// By monitoring account, the accounts that are linked to it.
    links: BTreeMap<String, BTreeSet<String>>,
    activity: Activity,
    put: Put,
}

/// A request in its protocol.
pub(crate) enum Wire<'a> {
    Cbor(&'a [u8]),
    Json(&'a [u8]),
    Query(&'a Form),
}

/// An answer in its protocol.
pub(crate) struct Written {
    pub(crate) body: Vec<u8>,
    pub(crate) volume: Volume,
}

impl CloudWatch {
    pub(crate) fn new(
        telemetry: Arc<dyn Telemetry>,
        names: CacheNames,
        publish_delay: i64,
        links: BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        Self { telemetry, names, publish_delay, links, activity: Activity::default(), put: Put::default() }
    }

    /// What callers published, oldest first.
    pub(crate) fn put_data(&self) -> Vec<PutDatum> {
        self.put.data()
    }

    /// Carries out an operation as of `now`, in Unix seconds. What is written for awsQuery is the result's inside.
    pub(crate) fn answer(
        &self,
        operation: &str,
        wire: &Wire<'_>,
        caller: &Caller,
        now: i64,
        faults: &CallFaults,
    ) -> Result<Written, AwsError> {
        let links = self.links.get(&caller.home);
        let catalogue =
            Catalogue::new(&*self.telemetry, caller, links, self.names).with_put(self.put.metrics(caller));
        match operation {
            "GetMetricData" => {
                let desk = Desk {
                    telemetry: &*self.telemetry,
                    catalogue: &catalogue,
                    region: &caller.region,
                    account: &caller.home,
                    now,
                    publish_delay: self.publish_delay,
                    faults,
                };
                let (answer, volume) = metric_data::metric_data(&desk, &wire.read()?)?;
                Ok(Written { body: wire.write(&answer)?, volume })
            }
            "ListMetrics" => {
                let request = wire.read()?;
                let answer = list_metrics::list_metrics(
                    &*self.telemetry,
                    &catalogue,
                    &caller.home,
                    &self.activity,
                    now,
                    &request,
                    faults,
                )?;
                Ok(Written { body: wire.write(&answer)?, volume: Volume::default() })
            }
            "PutMetricData" => {
                if wire.bytes() > PUT_BYTES_MAX {
                    return Err(AwsError::request_too_large(PUT_BYTES_MAX));
                }
                let answer = self.put.take(&wire.read()?, caller, now)?;
                Ok(Written { body: wire.write(&answer)?, volume: Volume::default() })
            }
            other => Err(AwsError::unknown_operation(Service::CloudWatch, other)),
        }
    }
}

impl Wire<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Cbor(body) | Self::Json(body) => body.len(),
            Self::Query(form) => form.bytes(),
        }
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, AwsError> {
        match self {
            Self::Cbor(body) => codec::from_cbor(body),
            Self::Json(body) => codec::from_json(body),
            Self::Query(form) => codec::from_form(form),
        }
    }

    fn write(&self, answer: &impl Serialize) -> Result<Vec<u8>, AwsError> {
        match self {
            Self::Cbor(_) => codec::to_cbor(answer),
            Self::Json(_) => codec::to_json(answer),
            Self::Query(_) => codec::to_xml(answer).map(String::into_bytes),
        }
    }
}
