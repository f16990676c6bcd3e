//! A metric, for an alarm on missing data.

use std::fmt;

use aws_config::SdkConfig;
use aws_sdk_cloudwatch::config::retry::RetryConfig;
use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{Dimension, MetricDatum, StandardUnit};
use aws_sdk_cloudwatch::{Client, config};
use domain::{DeliveryError, HeartbeatPlan, Retry};
use jiff::Timestamp;

use crate::aws::{self, Attempt, Caller};
use crate::open::Timeouts;

/// How many periods of a source were judged since the last sign.
const METRIC: &str = "JudgedPeriods";
/// The dimension of the metric: the name of the source in the configuration.
const SOURCE: &str = "Source";

/// A metric `JudgedPeriods` with the dimension `Source` in a namespace of the user's own. It needs `cloudwatch:PutMetricData`, which the
/// condition `cloudwatch:namespace` can limit to that namespace.
pub struct CloudWatch {
    namespace: String,
    region: String,
    client: Client,
}

impl CloudWatch {
    /// Reads the AWS configuration of this machine; nothing is sent. With a profile in the plan, credentials come from there alone.
    pub async fn open(plan: &HeartbeatPlan) -> Self {
        Self::open_as(plan, None).await
    }

    /// The same, with the credentials of `aws`.
    pub async fn open_with(plan: &HeartbeatPlan, aws: &SdkConfig) -> Self {
        Self::open_as(plan, aws.credentials_provider()).await
    }

    async fn open_as(
        plan: &HeartbeatPlan,
        credentials: Option<aws_credential_types::provider::SharedCredentialsProvider>,
    ) -> Self {
        let caller = Caller { region: &plan.region, profile: plan.profile.as_deref(), credentials };
        let mut config = config::Builder::from(&caller.config().await)
            // The next sign is the second attempt.
            .retry_config(RetryConfig::disabled())
            .timeout_config(aws::limits(Timeouts::DELIVERY));
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        Self {
            namespace: plan.namespace.clone(),
            region: plan.region.clone(),
            client: Client::from_conf(config.build()),
        }
    }

    /// Sends one sign of life: `judged_periods` of `source` were judged until `at`.
    ///
    /// # Errors
    ///
    /// In words, when it was not taken. No error of CloudWatch is worth a second attempt: the next sign is one.
    pub async fn put(&self, source: &str, judged_periods: f64, at: Timestamp) -> Result<(), String> {
        let datum = MetricDatum::builder()
            .metric_name(METRIC)
            .dimensions(Dimension::builder().name(SOURCE).value(source).build())
            .timestamp(DateTime::from_secs(at.as_second()))
            .value(judged_periods)
            .unit(StandardUnit::Count)
            .build();
        let sent = self.client.put_metric_data().namespace(&self.namespace).metric_data(datum).send().await;
        let attempt = Attempt {
            what: &format!("the heartbeat of source `{source}` to {} in {}", self.namespace, self.region),
            service: "CloudWatch",
            table: "heartbeat.cloudwatch",
        };
        sent.map(drop).map_err(|error| {
            let DeliveryError { message, hint, .. } = attempt.failed(&error, |code| {
                let denied = "allow cloudwatch:PutMetricData, for this namespace at least, in the policy of the daemon's role";
                aws::is_denied(code).then(|| (Retry::Never, denied.to_owned()))
            });
            hint.map_or_else(|| message.clone(), |hint| format!("{message}: {hint}"))
        })
    }
}

impl fmt::Debug for CloudWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CloudWatch")
            .field("namespace", &self.namespace)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use aws_config::BehaviorVersion;
    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;
    use ciborium::Value;

    use crate::fake::{Fake, Reply, nobody};

    async fn heartbeat(url: &str) -> CloudWatch {
        let plan = HeartbeatPlan {
            namespace: "otpsd".to_owned(),
            region: "eu-west-1".to_owned(),
            endpoint_url: Some(url.to_owned()),
            profile: None,
        };
        let credentials = Credentials::new(
            "AKIDEXAMPLE",
            "not-a-secret",
            Some("FwoGZXIvYXdzEXAMPLE".repeat(5)),
            None,
            "test",
        );
        let aws = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .build();
        CloudWatch::open_with(&plan, &aws).await
    }

    fn at() -> Timestamp {
        "2026-12-03T06:17:02Z".parse().unwrap()
    }

    fn cbor(value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        ciborium::into_writer(value, &mut bytes).unwrap();
        bytes
    }

    fn headers() -> Vec<(&'static str, String)> {
        let named = |name, value: &str| (name, value.to_owned());
        vec![named("smithy-protocol", "rpc-v2-cbor"), named("content-type", "application/cbor")]
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    /// The value of a field of a map.
    fn field(value: &Value, name: &str) -> Value {
        let fields = value.as_map().unwrap();
        fields
            .iter()
            .find(|(key, _)| *key == text(name))
            .unwrap_or_else(|| panic!("{name} in {value:?}"))
            .1
            .clone()
    }

    #[tokio::test]
    async fn a_sign_of_life_is_one_datum_of_its_source() {
        let fake = Fake::start(|_| Reply::Bytes(200, headers(), cbor(&Value::Map(Vec::new())))).await;
        assert_eq!(heartbeat(&fake.url).await.put("main", 3.0, at()).await, Ok(()));
        let [request] = &fake.received()[..] else { panic!("one") };
        assert!(request.target.ends_with("/operation/PutMetricData"), "{}", request.target);
        assert!(
            request.headers["authorization"].to_str().unwrap().contains("/eu-west-1/monitoring/aws4_request")
        );
        let input: Value = ciborium::from_reader(&request.bytes[..]).unwrap();
        assert_eq!(field(&input, "Namespace"), text("otpsd"));
        let data = field(&input, "MetricData");
        let [datum] = &data.as_array().unwrap()[..] else { panic!("one") };
        assert_eq!(field(datum, "MetricName"), text("JudgedPeriods"));
        assert_eq!(field(datum, "Value"), Value::Float(3.0));
        assert_eq!(field(datum, "Unit"), text("Count"));
        let (tag, seconds) = field(datum, "Timestamp").into_tag().unwrap();
        assert_eq!((tag, seconds.into_float().unwrap()), (1, 1_796_278_622.0));
        let dimensions = field(datum, "Dimensions");
        let [dimension] = &dimensions.as_array().unwrap()[..] else { panic!("one") };
        assert_eq!((field(dimension, "Name"), field(dimension, "Value")), (text("Source"), text("main")));
    }

    #[tokio::test]
    async fn one_that_is_not_taken_says_why_and_what_to_do() {
        for (status, code, hint) in [
            (403, "AccessDenied", "allow cloudwatch:PutMetricData"),
            (400, "ThrottlingException", "others of this account call CloudWatch"),
            (500, "InternalServiceFault", ""),
        ] {
            let fake = Fake::start(move |request| {
                let token = request.headers["x-amz-security-token"].to_str().unwrap();
                let body = Value::Map(vec![(text("__type"), text(code)), (text("message"), text(token))]);
                Reply::Bytes(status, headers(), cbor(&body))
            })
            .await;
            let error = heartbeat(&fake.url).await.put("main", 1.0, at()).await.unwrap_err();
            let start = format!("the heartbeat of source `main` to otpsd in eu-west-1: {code}: [secret]");
            assert!(error.starts_with(&start) && error.contains(hint), "{error}");
            assert_eq!(fake.received().len(), 1, "the next sign is the second attempt");
        }
        let error = heartbeat(&nobody().await).await.put("main", 1.0, at()).await.unwrap_err();
        assert!(error.contains("refused") && error.contains("network"), "{error}");
    }
}
