//! Amazon CloudWatch as a source.
//!
//! One object is one source in one Region. The objects of a source share its credentials and the account that was asked
//! for, and nothing that one of them waits for: a Region that hangs does not hold up another one.
//!
//! Sources of facts: the CloudWatch API reference (GetMetricData, ListMetrics, MetricDataResult) and the Amazon Bedrock
//! user guide ("Monitor Amazon Bedrock runtime metrics").

mod account;
mod answer;
mod calls;
mod cost;
mod discover;
mod failure;
mod names;
mod read;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use domain::{Act, CloudWatchPlan, ReadAnswer, ReadRequest, Series, Source, SourceError};

use self::account::Account;
pub use self::cost::Cost;
use self::failure::{Operation, Place};
use self::names::Names;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a call may take with all its attempts: no Region is waited for longer.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// Attempts of a call, the first one included. The next poll is the retry after that.
const ATTEMPTS: u32 = 3;
/// Pages of one answer. The longest that is asked for has a few; an answer with more never ends.
const MAX_PAGES: usize = 1_000;
/// Where Bedrock puts its metrics.
const NAMESPACE: &str = "AWS/Bedrock";
/// The only dimension of the metrics that are read.
const MODEL_ID: &str = "ModelId";

/// CloudWatch of one account in one Region.
#[derive(Debug)]
pub struct CloudWatch {
    plan: Arc<CloudWatchPlan>,
    region: String,
    client: aws_sdk_cloudwatch::Client,
    account: Account,
    /// Under which names the metrics are published, as far as the last discovery knows.
    names: Mutex<Names>,
}

impl CloudWatch {
    /// A source for each Region of the plan, in the plan's order. Credentials come from the profile of the plan, and from
    /// nowhere else if it names one; otherwise from the ordinary chain of AWS.
    ///
    /// Nothing is called here, so this cannot fail: what is wrong shows when the source is used, and heals there.
    pub async fn open_all(plan: &CloudWatchPlan) -> Vec<Self> {
        let mut loader = aws_config::defaults(BehaviorVersion::latest())
            .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS));
        // Credentials are of the account, but a role may have to be assumed in some Region.
        let region = plan.regions.first().map(|region| Region::new(region.clone()));
        loader = loader.region(region.clone());
        if let Some(profile) = &plan.profile {
            // The ordinary chain looks at the environment before it looks at a profile, even at one that was asked for
            // by name: it would read another account's metrics under this one's name.
            let credentials = ProfileFileCredentialsProvider::builder()
                .configure(&ProviderConfig::without_region().with_region(region))
                .profile_name(profile)
                .build();
            loader = loader.profile_name(profile).credentials_provider(credentials);
        }
        Self::with_config(plan, &loader.load().await)
    }

    /// The same with credentials, HTTP client and retries of `config`. Addresses, Regions and limits of time are those of
    /// the plan.
    #[must_use]
    pub fn with_config(plan: &CloudWatchPlan, config: &SdkConfig) -> Vec<Self> {
        let plan = Arc::new(plan.clone());
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(CONNECT_TIMEOUT.min(plan.attempt_timeout))
            .operation_attempt_timeout(plan.attempt_timeout.min(CALL_TIMEOUT))
            .operation_timeout(CALL_TIMEOUT)
            .build();
        let mut config = config.clone().into_builder().timeout_config(timeouts);
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        let config = config.build();
        let known_account = Arc::default();
        plan.regions
            .iter()
            .map(|region| {
                let config = config.clone().into_builder().region(Region::new(region.clone())).build();
                Self {
                    plan: Arc::clone(&plan),
                    region: region.clone(),
                    client: aws_sdk_cloudwatch::Client::new(&config),
                    account: Account::new(plan.account_id.clone(), Arc::clone(&known_account), &config),
                    names: Mutex::default(),
                }
            })
            .collect()
    }

    /// Where a call goes, for errors.
    fn place(&self, operation: Operation) -> Place<'_> {
        Place {
            source: &self.plan.name,
            profile: self.plan.profile.as_deref(),
            region: &self.region,
            operation,
        }
    }

    fn names(&self) -> MutexGuard<'_, Names> {
        // Names are replaced as a whole, so that a thread that died has left them whole.
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for CloudWatch {
    fn name(&self) -> &str {
        &self.plan.name
    }

    fn region(&self) -> &str {
        &self.region
    }

    /// Given by the plan, or asked of STS once.
    fn account(&self) -> Act<'_, Result<String, SourceError>> {
        Box::pin(self.account.id(self.place(Operation::GetCallerIdentity)))
    }

    /// Models that have a `TimeToFirstToken` of their own, sorted, after `include` and `ignore`: those that stream.
    ///
    /// CloudWatch shows a new metric after up to 15 minutes, and one without data for two weeks.
    fn discover(&self) -> Act<'_, Result<Vec<Series>, SourceError>> {
        Box::pin(discover::discover(self))
    }

    /// Asks for as many metrics with each call as CloudWatch answers in one page, so that a metric is billed once. An
    /// error means that nothing was read.
    fn read<'a>(&'a self, request: &'a ReadRequest) -> Act<'a, Result<ReadAnswer, SourceError>> {
        Box::pin(read::read(self, request))
    }
}
