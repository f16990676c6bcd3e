//! The channel of a plan.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig};
use domain::{Channel, ChannelPlan, DeliveryError};
use jiff::Timestamp;

use crate::log::LogChannel;
use crate::pagerduty::PagerDutyChannel;
use crate::sns::SnsChannel;
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

/// The same as [`open()`], with the credentials of `aws` in place of those that the ordinary chain finds.
///
/// # Errors
///
/// Those of [`open()`].
pub async fn open_with(plan: &ChannelPlan, aws: &SdkConfig) -> Result<Box<dyn Channel>, DeliveryError> {
    let (ChannelPlan::Sns(sns), Some(credentials)) = (plan, aws.credentials_provider()) else {
        return open(plan).await;
    };
    let loader = aws_config::defaults(BehaviorVersion::latest()).credentials_provider(credentials);
    Ok(Box::new(SnsChannel::load(plan.name(), sns, Timeouts::DELIVERY, loader).await?))
}

/// Opens the channel of a plan. Nothing is sent, and nothing outside this machine is asked: credentials are looked up
/// when a message is sent. Files and environment of the AWS configuration are read here, once.
///
/// # Errors
///
/// [`domain::Retry::Never`] when the channel cannot ever be used as it is configured: a topic ARN without a Region, a
/// URL that is none, no certificates to trust.
pub async fn open(plan: &ChannelPlan) -> Result<Box<dyn Channel>, DeliveryError> {
    let name = plan.name();
    Ok(match plan {
        ChannelPlan::Sns(plan) => Box::new(SnsChannel::open(name, plan, Timeouts::DELIVERY).await?),
        ChannelPlan::PagerDuty(plan) => Box::new(PagerDutyChannel::open(name, plan, Timeouts::DELIVERY)?),
        ChannelPlan::Log { .. } => Box::new(LogChannel::new(name)),
        ChannelPlan::Webhook(plan) => {
            Box::new(WebhookChannel::open(name, plan, Timeouts::DELIVERY, Timestamp::now)?)
        }
        ChannelPlan::OpsItem(_) | ChannelPlan::Jira(_) => {
            return Err(DeliveryError {
                retry: domain::Retry::Never,
                message: format!("opening {name}: channels of this kind cannot send yet"),
                hint: None,
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DeliveryPlan, PagerDutyPlan, PagerDutySeverity, Secret, SnsFormat, SnsPlan};

    #[tokio::test]
    async fn a_channel_is_called_as_its_plan_is() {
        let plans = [
            ChannelPlan::Sns(SnsPlan {
                name: "ops".to_owned(),
                topic_arn: "arn:aws:sns:eu-west-1:111122223333:llm-pages".to_owned(),
                endpoint_url: None,
                profile: None,
                format: SnsFormat::Alarm,
                delivery: DeliveryPlan::DEFAULT,
            }),
            ChannelPlan::PagerDuty(PagerDutyPlan {
                name: "oncall".to_owned(),
                routing_key: Secret::new("R0123456789abcdefghijklmnopqrstu"),
                url: "https://events.pagerduty.com/v2/enqueue".to_owned(),
                severity: PagerDutySeverity::Critical,
                delivery: DeliveryPlan::DEFAULT,
            }),
            ChannelPlan::Log { name: "all".to_owned() },
        ];
        for plan in plans {
            assert_eq!(open(&plan).await.unwrap().name(), plan.name());
        }
    }
}
