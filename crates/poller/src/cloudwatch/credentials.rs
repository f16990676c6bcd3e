//! Whose credentials calls are signed with.
//!
//! Those of the source's profile, and of nobody else if it names one; otherwise those of the ordinary chain of AWS. With a
//! role they only assume it, and nothing but the role's own credentials ever reaches CloudWatch: where the role is
//! denied, there are none.

use std::fmt;
use std::time::{Duration, SystemTime};

use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_config::sts::AssumeRoleProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::provider::{self, ProvideCredentials, SharedCredentialsProvider, future};
use aws_smithy_async::time::SystemTimeSource;
use domain::{CloudWatchPlan, RolePlan};

use super::ATTEMPTS;

/// Credentials that do not say when they expire are looked up anew after this time: whoever renews a file of them
/// need not restart anything.
const LOOKED_UP_AGAIN: Duration = Duration::from_secs(300);

/// The configuration of one Region with base credentials.
///
/// Nothing is shared between Regions. Where credentials are of STS, each asks the STS of its own Region: one that hangs
/// takes no other with it.
pub(super) async fn of_region(plan: &CloudWatchPlan, region: &str) -> SdkConfig {
    let region = Region::new(region.to_owned());
    let base = Base { profile: plan.profile.clone(), region: region.clone() };
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .region(region)
        .credentials_provider(base);
    if let Some(profile) = &plan.profile {
        loader = loader.profile_name(profile);
    }
    loader.load().await
}

/// The same configuration with the credentials of a role, which are asked for anew before they expire.
pub(super) async fn assuming(role: &RolePlan, config: SdkConfig) -> SdkConfig {
    let config = match config.time_source() {
        Some(_) => config,
        // The provider needs one, and a configuration that was made by hand may have none.
        None => config.into_builder().time_source(SystemTimeSource::new()).build(),
    };
    let mut provider =
        AssumeRoleProvider::builder(&role.arn).session_name(&role.session_name).configure(&config);
    if let Some(external_id) = &role.external_id {
        provider = provider.external_id(external_id.expose());
    }
    let provider = SharedCredentialsProvider::new(Assumed(provider.build().await));
    config.into_builder().credentials_provider(provider).build()
}

/// The credentials of a role. What it is asked for with is not shown: the external id is among it.
struct Assumed(AssumeRoleProvider);

impl fmt::Debug for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Assumed")
    }
}

impl ProvideCredentials for Assumed {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        self.0.provide_credentials()
    }
}

/// The credentials of a profile, or of the ordinary chain.
#[derive(Debug)]
struct Base {
    profile: Option<String>,
    region: Region,
}

impl Base {
    /// The SDK reads the files of profiles once for all, so that they are opened anew each time.
    async fn look_up(&self) -> provider::Result {
        let config = ProviderConfig::without_region().with_region(Some(self.region.clone()));
        let mut credentials = match &self.profile {
            // The ordinary chain looks at the environment before it looks at a profile, even at one that was asked for
            // by name: it would read another account's metrics under this one's name.
            Some(profile) => {
                let provider = ProfileFileCredentialsProvider::builder();
                provider.configure(&config).profile_name(profile).build().provide_credentials().await?
            }
            None => {
                let chain = DefaultCredentialsChain::builder().region(self.region.clone()).configure(config);
                chain.build().await.provide_credentials().await?
            }
        };
        let expiry = credentials.expiry_mut();
        *expiry = expiry.or_else(|| SystemTime::now().checked_add(LOOKED_UP_AGAIN));
        Ok(credentials)
    }
}

impl ProvideCredentials for Base {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(self.look_up())
    }
}
