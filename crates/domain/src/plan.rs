//! A configuration that has been read and validated. Whoever holds one need not check it again.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Glob, Learning, Rule, Secret, TicketRule};

/// A whole configuration.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The process.
    pub daemon: DaemonPlan,
    /// The rule of every series.
    pub rule: Rule,
    /// What it learns from.
    pub learning: Learning,
    /// When creep becomes a ticket.
    pub ticket_rule: TicketRule,
    /// Where readings come from, by name.
    pub sources: Vec<SourcePlan>,
    /// Where messages go, by name.
    pub channels: Vec<ChannelPlan>,
    /// Who gets what.
    pub routes: Routes,
}

/// The process.
#[derive(Debug, Clone)]
pub struct DaemonPlan {
    /// Where the page, the metrics and the API are served, for reading only.
    pub listen: SocketAddr,
    /// The address of that page as its readers know it, without a slash at the end; links in messages start with it.
    pub public_url: Option<String>,
    /// Where the store and the control socket live.
    pub state_dir: PathBuf,
    /// How logs are written.
    pub log: LogPlan,
}

/// How logs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPlan {
    /// For people on a terminal, as JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// A source by its kind.
#[derive(Debug, Clone)]
pub enum SourcePlan {
    /// `[source.cloudwatch.NAME]`
    CloudWatch(CloudWatchPlan),
}

impl SourcePlan {
    /// The name in the configuration.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::CloudWatch(plan) => &plan.name,
        }
    }
}

/// Amazon CloudWatch of one account.
#[derive(Debug, Clone)]
pub struct CloudWatchPlan {
    /// The name in the configuration.
    pub name: String,
    /// The Regions that are read, in the order given, without repeats, at least one.
    pub regions: Vec<String>,
    /// Another address for CloudWatch, and for STS.
    pub endpoint_url: Option<String>,
    /// A profile of the shared AWS files.
    pub profile: Option<String>,
    /// The account whose series these are; asked from STS when it is not given.
    pub account_id: Option<String>,
    /// How long after its end a period is read.
    pub settle_delay: Duration,
    /// How many closed periods are read again with each poll, since CloudWatch may still revise them.
    pub reread_periods: u8,
    /// Globs of models to watch; empty means all.
    pub include: Vec<String>,
    /// Globs of models not to watch.
    pub ignore: Vec<String>,
    /// How often new series are looked for.
    pub discover_every: Duration,
    /// How long one attempt of a call may take.
    pub attempt_timeout: Duration,
}

impl CloudWatchPlan {
    /// Whether `include` and `ignore` leave a model to be watched.
    #[must_use]
    pub fn watches(&self, model: &str) -> bool {
        (self.include.is_empty() || any(&self.include, model)) && !any(&self.ignore, model)
    }
}

/// A channel by its kind.
#[derive(Debug, Clone)]
pub enum ChannelPlan {
    /// `[channel.sns.NAME]`
    Sns(SnsPlan),
    /// `[channel.pagerduty.NAME]`
    PagerDuty(PagerDutyPlan),
    /// `[channel.log.NAME]`: the daemon's own log.
    Log {
        /// The name in the configuration.
        name: String,
    },
}

impl ChannelPlan {
    /// The name as routes write it: `sns.ops`, `pagerduty.oncall`, `log.all`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Sns(plan) => format!("sns.{}", plan.name),
            Self::PagerDuty(plan) => format!("pagerduty.{}", plan.name),
            Self::Log { name } => format!("log.{name}"),
        }
    }
}

/// An SNS topic.
#[derive(Debug, Clone)]
pub struct SnsPlan {
    /// The name in the configuration.
    pub name: String,
    /// The topic; its fourth part is the Region that is called.
    pub topic_arn: String,
    /// Another address for SNS.
    pub endpoint_url: Option<String>,
    /// A profile of the shared AWS files.
    pub profile: Option<String>,
}

/// A PagerDuty service with an Events API v2 integration.
#[derive(Debug, Clone)]
pub struct PagerDutyPlan {
    /// The name in the configuration.
    pub name: String,
    /// The integration key.
    pub routing_key: Secret,
    /// Where events are posted.
    pub url: String,
    /// The severity of a page.
    pub severity: PagerDutySeverity,
}

/// The severities of PagerDuty's Events API v2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagerDutySeverity {
    /// `critical`
    Critical,
    /// `error`
    Error,
    /// `warning`
    Warning,
    /// `info`
    Info,
}

impl PagerDutySeverity {
    /// As PagerDuty and configuration write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Who gets pages and who gets tickets. The first route that matches wins.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// `[[route.page]]`
    pub page: Vec<Route>,
    /// `[[route.ticket]]`
    pub ticket: Vec<Route>,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Globs of models; empty means all.
    pub models: Vec<String>,
    /// Names of channels, as [`ChannelPlan::name`] writes them.
    pub channels: Vec<String>,
}

impl Route {
    /// Whether the route takes what is said of a model.
    #[must_use]
    pub fn takes(&self, model: &str) -> bool {
        self.models.is_empty() || any(&self.models, model)
    }
}

fn any(globs: &[String], model: &str) -> bool {
    globs.iter().any(|glob| Glob::new(glob).matches(model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_without_models_takes_all() {
        let channels = vec!["log.all".to_owned()];
        let haiku = Route { models: vec!["*haiku*".to_owned()], channels: channels.clone() };
        assert!(haiku.takes("us.anthropic.claude-haiku-4-5"));
        assert!(!haiku.takes("us.anthropic.claude-sonnet-4-5"));
        assert!(Route { models: Vec::new(), channels }.takes("anything"));
    }

    #[test]
    fn what_is_ignored_is_not_watched_even_when_it_is_included() {
        let mut plan = CloudWatchPlan {
            name: "main".to_owned(),
            regions: vec!["us-east-1".to_owned()],
            endpoint_url: None,
            profile: None,
            account_id: None,
            settle_delay: Duration::from_secs(120),
            reread_periods: 3,
            include: Vec::new(),
            ignore: vec!["*embed*".to_owned()],
            discover_every: Duration::from_secs(900),
            attempt_timeout: Duration::from_secs(10),
        };
        assert!(plan.watches("amazon.nova-pro-v1:0"));
        assert!(!plan.watches("amazon.titan-embed-text-v2:0"));
        plan.include = vec!["amazon.*".to_owned()];
        assert!(plan.watches("amazon.nova-pro-v1:0"));
        assert!(!plan.watches("amazon.titan-embed-text-v2:0"));
        assert!(!plan.watches("us.anthropic.claude-haiku-4-5"));
    }
}
