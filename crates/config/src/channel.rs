//! `[channel.KIND.NAME]`: where messages go. One file a kind.

use domain::{ChannelPlan, Secret};

use crate::environment::Environment;
use crate::report::{At, Report};
use crate::secret::Reference;
use crate::tree::Named;
use crate::{Purpose, schema};

mod delivery;
mod jira;
mod opsitem;
mod pagerduty;
mod sns;
mod webhook;

/// A channel that the configuration declares, whether it can be used or not, so that a route to one with a mistake is
/// not a second mistake.
#[derive(Debug)]
pub(crate) struct Channel {
    /// As routes write it: `sns.ops`.
    pub(crate) name: String,
    /// Where its name is.
    pub(crate) at: At,
    pub(crate) kind: Kind,
    /// Where it leads, with its kind; equal for two that lead to one receiver. `None` when that is not known.
    pub(crate) leads: Option<(Kind, Secret)>,
    /// The channel that gets what this one refuses.
    pub(crate) fallback: Option<(String, At)>,
    /// A topic that is told of what this channel files.
    pub(crate) notifies: Option<(String, At)>,
    /// What to build, if nothing is wrong with it.
    pub(crate) plan: Option<ChannelPlan>,
}

/// What matters about a channel to the routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sns,
    PagerDuty,
    Webhook,
    OpsItem,
    Jira,
    Log,
    /// A kind that there is not, which is a problem already.
    Unknown,
}

impl Kind {
    /// What may wake whoever listens to it, so that it gets pages or tickets, and never both.
    pub(crate) fn listener(self) -> Option<&'static str> {
        match self {
            Self::Sns => Some("topic"),
            Self::Webhook => Some("address"),
            Self::PagerDuty | Self::OpsItem | Self::Jira | Self::Log | Self::Unknown => None,
        }
    }
}

/// What was read of a channel. The rest is known even when there is no plan.
#[derive(Debug, Default)]
struct Read {
    leads: Option<Secret>,
    fallback: Option<(String, At)>,
    notifies: Option<(String, At)>,
    plan: Option<ChannelPlan>,
}

/// Reads one channel.
pub(crate) fn read(
    report: &mut Report<'_>,
    channel: Named<'_>,
    surroundings: (Purpose, &dyn Environment),
) -> Channel {
    let name = channel.name;
    let (kind, read) = match channel.kind {
        "sns" => (Kind::Sns, sns::read(channel.open(report, &schema::SNS), name)),
        "pagerduty" => {
            (Kind::PagerDuty, pagerduty::read(channel.open(report, &schema::PAGERDUTY), name, surroundings))
        }
        "webhook" => {
            (Kind::Webhook, webhook::read(channel.open(report, &schema::WEBHOOK), name, surroundings))
        }
        "opsitem" => (Kind::OpsItem, opsitem::read(channel.open(report, &schema::OPSITEM), name)),
        "jira" => (Kind::Jira, jira::read(channel.open(report, &schema::JIRA), name, surroundings)),
        "log" => {
            let is_table = channel.open(report, &schema::LOG).is_table();
            let plan = is_table.then(|| ChannelPlan::Log { name: name.to_owned() });
            (Kind::Log, Read { plan, ..Read::default() })
        }
        _ => (Kind::Unknown, Read::default()),
    };
    Channel {
        name: format!("{}.{name}", channel.kind),
        at: channel.node.key_at,
        kind,
        leads: read.leads.map(|leads| (kind, leads)),
        fallback: read.fallback,
        notifies: read.notifies,
        plan: read.plan,
    }
}

/// Where an address and a secret lead together: by the secret itself where it was read, else by where it is.
fn leads(address: Option<&str>, whence: Option<&Reference>, secret: Option<&Secret>) -> Option<Secret> {
    let address = address?;
    match secret.map(Secret::expose) {
        Some(secret) if !secret.is_empty() => Some(Secret::new(format!("{address} {secret}"))),
        _ => whence.map(|whence| Secret::new(format!("{address} {whence:?}"))),
    }
}
