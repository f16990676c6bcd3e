//! A configuration that has been read and validated. Whoever holds one need not check it again.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use crate::matcher::any;
use crate::{
    About, ChannelPlan, GroupBy, Hours, Labels, Learning, Maintenance, Matcher, Mode, Override, Rule, Secret,
    Series, TicketRule,
};

/// A whole configuration.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The process.
    pub daemon: DaemonPlan,
    /// The rule of every series that no override is about.
    pub rule: Rule,
    /// What some series are judged by instead, in the order of the configuration.
    pub overrides: Vec<Override>,
    /// What it learns from.
    pub learning: Learning,
    /// When creep becomes a ticket.
    pub ticket_rule: TicketRule,
    /// Which incidents are one page.
    pub group_by: GroupBy,
    /// Labels of series, in the order of the configuration.
    pub labels: Vec<Labelling>,
    /// When nobody is to be told, by name.
    pub maintenance: Vec<Maintenance>,
    /// A heartbeat as a metric.
    pub heartbeat: Option<HeartbeatPlan>,
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
    /// Called every minute while all sources are judged and pages get through: a dead man's switch.
    pub heartbeat_url: Option<Secret>,
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
    /// The role that is assumed to read it.
    pub role: Option<RolePlan>,
    /// Whether the series of accounts that are linked to this one are read too: CloudWatch cross-account observability.
    pub linked_accounts: bool,
    /// Whether the FIPS endpoints of AWS are used.
    pub fips: bool,
    /// Whether the endpoints of AWS that also answer on IPv6 are used.
    pub dual_stack: bool,
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
    /// Globs of models of which each must match one that is there: a ticket says so when it does not, or not any more.
    pub expect: Vec<String>,
    /// Requests of the last day that a model must have had before it is taken up; 0 takes up all.
    pub min_daily_requests: u32,
    /// Series that are watched at most, over all Regions; those with the most requests are.
    pub max_series: u32,
    /// What CloudWatch may cost in a month, in US dollars.
    pub max_monthly_usd: Option<f64>,
    /// How often new series are looked for.
    pub discover_every: Duration,
    /// How long one attempt of a call may take.
    pub attempt_timeout: Duration,
    /// Called every minute while this source is judged in all its Regions: a dead man's switch.
    pub heartbeat_url: Option<Secret>,
}

/// A role that is assumed to read a source.
#[derive(Debug, Clone)]
pub struct RolePlan {
    /// Which.
    pub arn: String,
    /// What its trust policy asks for.
    pub external_id: Option<Secret>,
    /// How the session is named in CloudTrail.
    pub session_name: String,
}

impl CloudWatchPlan {
    /// A source as it is where nothing but its name and its Regions is configured.
    #[must_use]
    pub fn new(name: &str, regions: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            regions: regions.iter().copied().map(str::to_owned).collect(),
            endpoint_url: None,
            profile: None,
            role: None,
            linked_accounts: false,
            fips: false,
            dual_stack: false,
            account_id: None,
            settle_delay: Duration::from_secs(120),
            reread_periods: 3,
            include: Vec::new(),
            ignore: Vec::new(),
            expect: Vec::new(),
            min_daily_requests: 0,
            max_series: 1_000,
            max_monthly_usd: None,
            discover_every: Duration::from_secs(900),
            attempt_timeout: Duration::from_secs(10),
            heartbeat_url: None,
        }
    }

    /// Whether `include` and `ignore` leave a model to be watched.
    #[must_use]
    pub fn watches(&self, model: &str) -> bool {
        (self.include.is_empty() || any(&self.include, model)) && !any(&self.ignore, model)
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
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// What it takes.
    pub matcher: Matcher,
    /// When it takes it; `None` means always.
    pub hours: Option<Hours>,
    /// Names of channels, as [`ChannelPlan::name`] writes them.
    pub channels: Vec<String>,
}

impl Route {
    /// Whether the route takes what becomes owed at `now`.
    #[must_use]
    pub fn takes(&self, about: &About<'_>, now: Timestamp) -> bool {
        self.matcher.takes(about) && self.hours.as_ref().is_none_or(|hours| hours.contains(now))
    }
}

/// Labels that a configuration gives to series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelling {
    /// The name of the `[override.NAME]`.
    pub name: String,
    /// Whose labels these are. Its causes and labels are empty.
    pub matcher: Matcher,
    /// The labels.
    pub labels: Labels,
}

/// A heartbeat as a metric in CloudWatch: `[heartbeat.cloudwatch]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeartbeatPlan {
    /// The namespace of the metric.
    pub namespace: String,
    /// The Region that it is put into.
    pub region: String,
    /// Another address for CloudWatch.
    pub endpoint_url: Option<String>,
    /// A profile of the shared AWS files.
    pub profile: Option<String>,
}

impl Labelling {
    /// The labels of a series: those of all that match it. Of two values for one key the first holds.
    #[must_use]
    pub fn of(all: &[Self], series: &Series) -> Labels {
        let none = Labels::new();
        let regions = [series.region()];
        let about = About { series: Some(series), regions: &regions, cause: "", labels: &none };
        let mut labels = Labels::new();
        for labelling in all.iter().filter(|one| one.matcher.takes(&about)) {
            for (key, value) in &labelling.labels {
                labels.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        labels
    }
}

impl Plan {
    /// The source of a name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&SourcePlan> {
        self.sources.iter().find(|source| source.name() == name)
    }

    /// The rule of a series.
    #[must_use]
    pub fn rule_of(&self, series: &Series) -> Rule {
        Override::rule_of(&self.overrides, &self.rule, series)
    }

    /// Whether nothing is sent about any series.
    #[must_use]
    pub fn only_observes(&self) -> bool {
        let pages = |one: &Override| one.patch.mode == Some(Mode::Page);
        self.rule.mode == Mode::Observe && !self.overrides.iter().any(pages)
    }

    /// The labels of a series, in the order of the configuration.
    #[must_use]
    pub fn labels_of(&self, series: &Series) -> Labels {
        Labelling::of(&self.labels, series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_not_watched_even_when_it_is_included() {
        let mut plan = CloudWatchPlan {
            ignore: vec!["*embed*".to_owned()],
            ..CloudWatchPlan::new("main", &["us-east-1"])
        };
        assert!(plan.watches("amazon.nova-pro-v1:0"));
        assert!(!plan.watches("amazon.titan-embed-text-v2:0"));
        plan.include = vec!["amazon.*".to_owned()];
        assert!(plan.watches("amazon.nova-pro-v1:0"));
        assert!(!plan.watches("amazon.titan-embed-text-v2:0"));
        assert!(!plan.watches("us.anthropic.claude-haiku-4-5"));
    }
}
