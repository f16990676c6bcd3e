//! The channel of a plan.

use std::time::Duration;

use aws_config::SdkConfig;
use aws_credential_types::provider::SharedCredentialsProvider;
use domain::{Channel, ChannelPlan, DeliveryError};
use jiff::Timestamp;

use crate::aws::Caller;
use crate::jira::JiraChannel;
use crate::log::LogChannel;
use crate::opsitem::OpsItemChannel;
use crate::pagerduty::PagerDutyChannel;
use crate::sns::{self, SnsChannel};
use crate::webhook::WebhookChannel;

/// How long a delivery may take before the outbox should try again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// Until there is a connection.
    pub(crate) connect: Duration,
    /// Until there is an answer.
    pub(crate) attempt: Duration,
}

impl Timeouts {
    /// A receiver that is well answers in well below a second; one that is not must not hold up the others.
    pub(crate) const DELIVERY: Self =
        Self { connect: Duration::from_secs(3), attempt: Duration::from_secs(10) };
}

/// Opens the channel of a plan. Nothing is sent, and nothing outside this machine is asked: credentials are looked up
/// when a message is sent. Files and environment of the AWS configuration are read here, once.
///
/// # Errors
///
/// [`domain::Retry::Never`] when the channel cannot ever be used as it is configured: a topic ARN without a Region, a
/// URL that is none, no certificates to trust.
pub async fn open(plan: &ChannelPlan) -> Result<Box<dyn Channel>, DeliveryError> {
    open_as(plan, None).await
}

/// The same as [`open()`], with the credentials of `aws` in place of those that the ordinary chain or a profile finds.
///
/// # Errors
///
/// Those of [`open()`].
pub async fn open_with(plan: &ChannelPlan, aws: &SdkConfig) -> Result<Box<dyn Channel>, DeliveryError> {
    open_as(plan, aws.credentials_provider()).await
}

async fn open_as(
    plan: &ChannelPlan,
    credentials: Option<SharedCredentialsProvider>,
) -> Result<Box<dyn Channel>, DeliveryError> {
    let name = plan.name();
    let timeouts = Timeouts::DELIVERY;
    Ok(match plan {
        ChannelPlan::Sns(plan) => {
            let region = sns::region_of(&name, plan)?;
            let caller = Caller { region, profile: plan.profile.as_deref(), credentials };
            Box::new(SnsChannel::open(name, plan, timeouts, &caller.config().await))
        }
        ChannelPlan::PagerDuty(plan) => Box::new(PagerDutyChannel::open(name, plan, timeouts)?),
        ChannelPlan::Webhook(plan) => Box::new(WebhookChannel::open(name, plan, timeouts, Timestamp::now)?),
        ChannelPlan::OpsItem(plan) => {
            let caller = Caller { region: &plan.region, profile: plan.profile.as_deref(), credentials };
            Box::new(OpsItemChannel::open(name, plan, timeouts, &caller.config().await))
        }
        ChannelPlan::Jira(plan) => Box::new(JiraChannel::open(name, plan, timeouts, Timestamp::now)?),
        ChannelPlan::Log { .. } => Box::new(LogChannel::new(name)),
    })
}

#[cfg(test)]
mod tests;
