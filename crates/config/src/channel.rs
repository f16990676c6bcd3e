//! `[channel.KIND.NAME]`: where messages go. One file a kind.

use domain::ChannelPlan;

use crate::environment::Environment;
use crate::report::{At, Report};
use crate::table::Table;
use crate::tree::Named;
use crate::{Purpose, schema};

mod pagerduty;
mod sns;

/// A channel that the configuration declares, whether it can be used or not, so that a route to one with a mistake is
/// not a second mistake.
#[derive(Debug)]
pub(crate) struct Channel {
    /// As routes write it: `sns.ops`.
    pub(crate) name: String,
    /// Where its name is.
    pub(crate) at: At,
    pub(crate) kind: Kind,
    /// What to build, if nothing is wrong with it.
    pub(crate) plan: Option<ChannelPlan>,
}

/// What matters about a channel to the routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An SNS topic, with its ARN where that is one.
    Sns(Option<String>),
    PagerDuty,
    Log,
    /// A kind that there is not, which is a problem already.
    Unknown,
}

/// Reads one channel.
pub(crate) fn read(
    report: &mut Report<'_>,
    channel: Named<'_>,
    surroundings: (Purpose, &dyn Environment),
) -> Channel {
    let (name, title) = (channel.name, channel.title());
    let node = Some(channel.node);
    let (kind, plan) = match channel.kind {
        "sns" => {
            let plan = sns::read(Table::open(report, &schema::SNS, title, node), name);
            (Kind::Sns(plan.topic_arn.clone()), plan.whole())
        }
        "pagerduty" => {
            let plan =
                pagerduty::read(Table::open(report, &schema::PAGERDUTY, title, node), name, surroundings);
            (Kind::PagerDuty, plan.map(ChannelPlan::PagerDuty))
        }
        "log" => {
            let table = Table::open(report, &schema::LOG, title, node);
            (Kind::Log, table.is_table().then(|| ChannelPlan::Log { name: name.to_owned() }))
        }
        _ => (Kind::Unknown, None),
    };
    Channel { name: format!("{}.{name}", channel.kind), at: channel.node.key_at, kind, plan }
}
