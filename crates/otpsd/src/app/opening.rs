//! Opens what a plan names: sources, channels, and where signs of life go. Nothing outside this machine is asked.

use std::sync::Arc;

use domain::{Channel, ChannelPlan, CloudWatchPlan, PERIODS_PER_DAY, Plan, Source, SourcePlan};
use jiff::SignedDuration;
use notifier::heartbeat::{self, Ping};
use poller::Quotas;

use super::StartError;
use crate::tasks::heartbeat::Heartbeats;
use crate::tasks::poll::Timing;

/// When what of a source is read.
pub(super) fn timing(source: &CloudWatchPlan, plan: &Plan) -> Timing {
    let signed = |duration| SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX);
    Timing {
        settle_delay: signed(source.settle_delay),
        reread_periods: i64::from(source.reread_periods),
        discover_every: signed(source.discover_every),
        backfill_periods: i64::from(plan.learning.backfill_days) * PERIODS_PER_DAY,
    }
}

/// The source of a plan, an object for each Region. Those of an account share its quotas.
pub(super) async fn open_source(
    plan: &CloudWatchPlan,
    quotas: &Quotas,
    aws: Option<&aws_config::SdkConfig>,
) -> Vec<Arc<dyn Source>> {
    let opened = match aws {
        Some(aws) => poller::CloudWatch::with_config(plan, aws).await,
        None => poller::CloudWatch::open_all(plan).await,
    };
    opened.into_iter().map(|source| Arc::new(source.within(quotas)) as Arc<dyn Source>).collect()
}

/// Where signs of life go.
pub(super) async fn open_heartbeats(
    plan: &Plan,
    aws: Option<&aws_config::SdkConfig>,
) -> Result<Heartbeats, StartError> {
    let ping = |what: &str, url: &domain::Secret| {
        Ping::open(url).map_err(|error| {
            let hint = "look at `heartbeat-url`, and at what the variable or file it names holds";
            StartError::new(format!("the heartbeat of {what} cannot be sent: {error}"), Some(hint.to_owned()))
        })
    };
    let daemon = plan.daemon.heartbeat_url.as_ref().map(|url| ping("the daemon", url)).transpose()?;
    let mut heartbeats = Heartbeats { daemon, ..Heartbeats::default() };
    for SourcePlan::CloudWatch(source) in &plan.sources {
        if let Some(url) = &source.heartbeat_url {
            heartbeats.sources.insert(source.name.clone(), ping(&source.name, url)?);
        }
    }
    heartbeats.metric = match (&plan.heartbeat, aws) {
        (None, _) => None,
        (Some(plan), None) => Some(heartbeat::CloudWatch::open(plan).await),
        (Some(plan), Some(aws)) => Some(heartbeat::CloudWatch::open_with(plan, aws).await),
    };
    Ok(heartbeats)
}

pub(super) async fn open_channel(
    plan: &ChannelPlan,
    aws: Option<&aws_config::SdkConfig>,
) -> Result<Arc<dyn Channel>, StartError> {
    let opened = match aws {
        Some(aws) => notifier::open_with(plan, aws).await,
        None => notifier::open(plan).await,
    };
    opened.map(Arc::from).map_err(|error| StartError::new(error.message, error.hint))
}
