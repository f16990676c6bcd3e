//! The real SDK against a CloudWatch that says what each test wants it to say.

mod addresses;
mod discovering;
mod failing;
mod fake;
mod linked;
mod reading;
mod throttling;
mod waiting;

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use domain::{CloudWatchPlan, MetricSet, Period, ReadRequest, Series};
use poller::CloudWatch;

const ACCOUNT: &str = "111122223333";
const SECRET: &str = "never-shown";

fn plan(endpoint_url: String) -> CloudWatchPlan {
    CloudWatchPlan {
        endpoint_url: Some(endpoint_url),
        account_id: Some(ACCOUNT.to_owned()),
        ..CloudWatchPlan::new("main", &["us-east-1"])
    }
}

/// Credentials from `provider`, and retries that do not wait.
fn config(provider: SharedCredentialsProvider) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(provider)
        .retry_config(
            RetryConfig::standard().with_max_attempts(3).with_initial_backoff(Duration::from_millis(1)),
        )
        .build()
}

fn fixed_credentials() -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(Credentials::new("AKIDEXAMPLE", SECRET, None, None, "test"))
}

async fn open_all(plan: &CloudWatchPlan) -> Vec<CloudWatch> {
    CloudWatch::with_config(plan, &config(fixed_credentials())).await
}

async fn open(plan: &CloudWatchPlan) -> CloudWatch {
    open_all(plan).await.remove(0)
}

/// 2026-10-01T00:00:00Z.
const MIDNIGHT: i64 = 1_790_812_800;

fn period(minute: i64) -> Period {
    Period::containing(jiff::Timestamp::from_second(MIDNIGHT + minute * 60).unwrap())
}

fn series(model: &str) -> Series {
    Series::new(ACCOUNT, "us-east-1", model)
}

/// The three periods from midnight on.
fn request(models: &[&str], metrics: MetricSet) -> ReadRequest {
    ReadRequest {
        series: models.iter().map(|model| series(model)).collect(),
        from: period(0),
        until: period(15),
        metrics,
    }
}
