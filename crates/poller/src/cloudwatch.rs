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
mod quota;
mod read;
mod survey;
mod tiers;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use aws_config::timeout::TimeoutConfig;
use aws_config::{Region, SdkConfig};
use aws_sdk_cloudwatch::config::retry::{RetryPartition, TokenBucket};
use aws_smithy_async::rt::sleep::{AsyncSleep as _, SharedAsyncSleep, default_async_sleep};
use domain::{Act, CloudWatchPlan, ReadAnswer, ReadRequest, Series, Source, SourceError};

use self::account::Account;
pub use self::cost::Cost;
use self::failure::{Operation, Place};
use self::names::Names;
pub use self::quota::{Pace, Quotas};
use self::quota::{Take, Throttles};
use self::tiers::Tiers;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a call may take with all its attempts: no Region is waited for longer.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// Attempts of a call, the first one included. The next poll is the retry after that.
const ATTEMPTS: u32 = 3;
/// What further attempts are paid with, five for each: the SDK's own figure. As many come back with every second, lest a long
/// time of throttling leaves none for good.
const ATTEMPTS_TOKENS: (usize, f32) = (500, 5.0);
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
    quotas: Quotas,
    throttles: Throttles,
    sleep: Option<SharedAsyncSleep>,
    /// Under which names the metrics are published, as far as the last discovery knows.
    names: Mutex<Names>,
    /// Which models are counted by service tier, as far as it knows.
    tiers: Mutex<Arc<Tiers>>,
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
        let throttles = Throttles::default();
        // By itself the SDK lets all sources of a Region pay for further attempts from one purse: one that is throttled
        // would leave none to the others.
        let (tokens, a_second) = ATTEMPTS_TOKENS;
        let purse = TokenBucket::builder().capacity(tokens).refill_rate(a_second).build();
        let partition =
            RetryPartition::custom(format!("{} in {region}", plan.name)).token_bucket(purse).build();
        let of_client = aws_sdk_cloudwatch::config::Builder::from(&config)
            .interceptor(throttles.clone())
            .retry_partition(partition)
            .build();
        Self {
            plan: Arc::clone(plan),
            region: region.to_owned(),
            client: aws_sdk_cloudwatch::Client::from_conf(of_client),
            account: Account::new(plan.account_id.clone(), Arc::clone(known_account), &config),
            quotas: Quotas::default(),
            throttles,
            sleep: config.sleep_impl().or_else(default_async_sleep),
            names: Mutex::default(),
            tiers: Mutex::default(),
        }
    }

    /// The same source, that goes by these quotas from now on, together with all others that do. By itself it has some of
    /// its own.
    #[must_use]
    pub fn within(self, quotas: &Quotas) -> Self {
        Self { quotas: quotas.clone(), ..self }
    }

    /// The account that is asked.
    async fn own_account(&self) -> Result<String, SourceError> {
        self.account.id(self.place(Operation::GetCallerIdentity)).await
    }

    /// Waits until `account` may be asked for something.
    async fn turn(&self, account: &str, what: Take) {
        let quota = self.throttles.quota.get_or_init(|| self.quotas.of(account, &self.region));
        let wait = quota.take(what, Instant::now());
        if let Some(sleep) = self.sleep.as_ref().filter(|_| !wait.is_zero()) {
            sleep.sleep(wait).await;
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

    fn tiers(&self) -> Arc<Tiers> {
        Arc::clone(&self.tiers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Remembers what was found.
    fn found(&self, tiers: Tiers) {
        *self.tiers.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(tiers);
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
        Box::pin(self.own_account())
    }

    /// Models that have a `TimeToFirstToken` of their own, sorted, after `include` and `ignore`: those that stream. With
    /// `linked-accounts` also those of the accounts that are linked to this one, each as a series of its own account.
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
