//! Amazon CloudWatch as a source.
//!
//! One object is one source in one Region. The objects of a source share the account that was asked for, and nothing that
//! one of them waits for: a Region that hangs, with its STS, does not hold up another one.
//!
//! Sources of facts: the CloudWatch API reference (GetMetricData, ListMetrics, MetricDataResult) and the Amazon Bedrock
//! user guide ("Monitor Amazon Bedrock runtime metrics").

mod account;
mod answer;
mod calls;
mod cost;
mod credentials;
mod discover;
mod failure;
mod names;
mod read;
mod survey;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use aws_config::timeout::TimeoutConfig;
use aws_config::{Region, SdkConfig};
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
    /// nowhere else if it names one; otherwise from the ordinary chain of AWS. With a role they only assume it.
    ///
    /// Nothing is called here, so this cannot fail: what is wrong shows when the source is used, and heals there.
    pub async fn open_all(plan: &CloudWatchPlan) -> Vec<Self> {
        let (plan, known_account) = (Arc::new(plan.clone()), Arc::default());
        let mut opened = Vec::with_capacity(plan.regions.len());
        for region in &plan.regions {
            let config = credentials::of_region(&plan, region).await;
            opened.push(Self::open(&plan, region, config, &known_account).await);
        }
        opened
    }

    /// The same with base credentials, HTTP client and retries of `config`. Addresses, Regions and limits of time are those
    /// of the plan.
    pub async fn with_config(plan: &CloudWatchPlan, config: &SdkConfig) -> Vec<Self> {
        let (plan, known_account) = (Arc::new(plan.clone()), Arc::default());
        let mut opened = Vec::with_capacity(plan.regions.len());
        for region in &plan.regions {
            let config = config.clone().into_builder().region(Region::new(region.clone())).build();
            opened.push(Self::open(&plan, region, config, &known_account).await);
        }
        opened
    }

    async fn open(
        plan: &Arc<CloudWatchPlan>,
        region: &str,
        config: SdkConfig,
        known_account: &Arc<OnceLock<String>>,
    ) -> Self {
        let mut config = config.into_builder().timeout_config(timeouts(plan));
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        if plan.fips {
            config = config.use_fips(true);
        }
        if plan.dual_stack {
            config = config.use_dual_stack(true);
        }
        let mut config = config.build();
        if let Some(role) = &plan.role {
            config = credentials::assuming(role, config).await;
        }
        Self {
            plan: Arc::clone(plan),
            region: region.to_owned(),
            client: aws_sdk_cloudwatch::Client::new(&config),
            account: Account::new(plan.account_id.clone(), Arc::clone(known_account), &config),
            names: Mutex::default(),
        }
    }

    /// Where a call goes, for errors.
    fn place(&self, operation: Operation) -> Place<'_> {
        Place {
            source: &self.plan.name,
            profile: self.plan.profile.as_deref(),
            role: self.plan.role.as_ref(),
            region: &self.region,
            operation,
        }
    }

    fn names(&self) -> MutexGuard<'_, Names> {
        // Names are replaced as a whole, so that a thread that died has left them whole.
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn timeouts(plan: &CloudWatchPlan) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT.min(plan.attempt_timeout))
        .operation_attempt_timeout(plan.attempt_timeout.min(CALL_TIMEOUT))
        .operation_timeout(CALL_TIMEOUT)
        .build()
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
