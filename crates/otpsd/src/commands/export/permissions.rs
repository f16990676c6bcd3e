//! What a configuration must be allowed, and no more.

use std::collections::BTreeSet;

use domain::{ChannelPlan, Plan, SourcePlan};

/// Models are found by these, so none can be named; what can be narrowed is the Region.
const READ: [&str; 2] = ["cloudwatch:GetMetricData", "cloudwatch:ListMetrics"];
/// What the channel of OpsItems calls. The id of an OpsItem is not known before it is filed, so here too it is the Region.
const OPS_ITEMS: [&str; 4] =
    ["ssm:CreateOpsItem", "ssm:DescribeOpsItems", "ssm:GetOpsItem", "ssm:UpdateOpsItem"];
const EVERYTHING: &str = "*";

/// One statement of a policy. All lists are sorted and without repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// Why it is there; letters and digits only, as IAM wants it.
    pub(super) sid: &'static str,
    pub(super) actions: Vec<&'static str>,
    pub(super) resources: Vec<String>,
    /// Keys that must be equal to one of their values.
    pub(super) equals: Vec<(&'static str, Vec<String>)>,
}

/// Whose permissions they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose<'a> {
    /// Of whoever runs otpsd, whatever profiles it uses.
    Runner,
    /// Of one profile; `None` is that of a process without one.
    Profile(Option<&'a str>),
    /// Of a role that sources assume.
    Role(&'a str),
}

/// What is needed. PagerDuty, Jira, webhooks and the log need nothing of AWS, and nobody needs a permission to ask STS who they are.
/// `looks` asks also for what only a look at the configuration calls.
pub(super) fn needed(plan: &Plan, whose: Whose<'_>, looks: bool) -> Vec<Statement> {
    let counts = |profile: Option<&str>| match whose {
        Whose::Runner => true,
        Whose::Profile(name) => profile == name,
        Whose::Role(_) => false,
    };
    let (mut read_in, mut roles) = (BTreeSet::new(), BTreeSet::new());
    for SourcePlan::CloudWatch(source) in &plan.sources {
        let role = source.role.as_ref().map(|role| role.arn.as_str());
        match (role, whose) {
            (Some(role), Whose::Role(name)) if role == name => {
                read_in.extend(source.regions.iter().cloned());
            }
            // Its figures are read with the credentials of the role alone.
            (Some(role), _) if counts(source.profile.as_deref()) => {
                roles.insert(role.to_owned());
            }
            (None, _) if counts(source.profile.as_deref()) => {
                read_in.extend(source.regions.iter().cloned());
            }
            _ => {}
        }
    }
    let (mut topics, mut filed_in) = (BTreeSet::new(), BTreeSet::new());
    for channel in &plan.channels {
        match channel {
            ChannelPlan::Sns(topic) if counts(topic.profile.as_deref()) => {
                topics.insert(topic.topic_arn.clone());
            }
            ChannelPlan::OpsItem(ops) if counts(ops.profile.as_deref()) => {
                filed_in.insert(ops.region.clone());
            }
            ChannelPlan::Sns(_)
            | ChannelPlan::OpsItem(_)
            | ChannelPlan::PagerDuty(_)
            | ChannelPlan::Webhook(_)
            | ChannelPlan::Jira(_)
            | ChannelPlan::Log { .. } => {}
        }
    }
    let mut statements = Vec::new();
    if !read_in.is_empty() {
        statements.push(Statement {
            sid: "ReadTheModelsThatAreWatched",
            actions: READ.to_vec(),
            resources: vec![EVERYTHING.to_owned()],
            equals: vec![in_regions(read_in)],
        });
    }
    if !roles.is_empty() {
        statements.push(Statement {
            sid: "AssumeTheRolesOfSources",
            actions: vec!["sts:AssumeRole"],
            resources: roles.into_iter().collect(),
            equals: Vec::new(),
        });
    }
    if !topics.is_empty() {
        let resources: Vec<String> = topics.into_iter().collect();
        if looks {
            statements.push(Statement {
                sid: "LookAtTopics",
                actions: vec!["sns:GetTopicAttributes"],
                resources: resources.clone(),
                equals: Vec::new(),
            });
        }
        statements.push(Statement {
            sid: "SendPagesAndTickets",
            actions: vec!["sns:Publish"],
            resources,
            equals: Vec::new(),
        });
    }
    if !filed_in.is_empty() {
        statements.push(Statement {
            sid: "FilePagesAndTicketsAsOpsItems",
            actions: OPS_ITEMS.to_vec(),
            resources: vec![EVERYTHING.to_owned()],
            equals: vec![in_regions(filed_in)],
        });
    }
    if let Some(heartbeat) = plan.heartbeat.as_ref().filter(|heartbeat| counts(heartbeat.profile.as_deref()))
    {
        statements.push(Statement {
            sid: "PutTheHeartbeatMetric",
            actions: vec!["cloudwatch:PutMetricData"],
            resources: vec![EVERYTHING.to_owned()],
            equals: vec![
                in_regions(BTreeSet::from([heartbeat.region.clone()])),
                ("cloudwatch:namespace", vec![heartbeat.namespace.clone()]),
            ],
        });
    }
    statements
}

fn in_regions(regions: BTreeSet<String>) -> (&'static str, Vec<String>) {
    ("aws:RequestedRegion", regions.into_iter().collect())
}
