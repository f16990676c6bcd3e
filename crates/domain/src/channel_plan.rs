//! Where messages go: the channels of a validated configuration.

use std::time::Duration;

use crate::Secret;

/// A channel by its kind.
#[derive(Debug, Clone)]
pub enum ChannelPlan {
    /// `[channel.sns.NAME]`
    Sns(SnsPlan),
    /// `[channel.pagerduty.NAME]`
    PagerDuty(PagerDutyPlan),
    /// `[channel.webhook.NAME]`
    Webhook(WebhookPlan),
    /// `[channel.opsitem.NAME]`
    OpsItem(OpsItemPlan),
    /// `[channel.jira.NAME]`
    Jira(JiraPlan),
    /// `[channel.log.NAME]`: the daemon's own log.
    Log {
        /// The name in the configuration.
        name: String,
    },
}

/// How a channel is used, whatever its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPlan {
    /// The channel that gets what this one refuses for good, as [`ChannelPlan::name`] writes it.
    pub fallback: Option<String>,
    /// How many messages may be under way to it at once, at least 1.
    pub in_flight: u8,
}

impl DeliveryPlan {
    /// What holds where nothing is said.
    pub const DEFAULT: Self = Self { fallback: None, in_flight: 8 };
    /// The log takes one message after the other.
    const LOG: Self = Self { fallback: None, in_flight: 1 };
}

impl Default for DeliveryPlan {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ChannelPlan {
    /// The name as routes write it: `sns.ops`, `pagerduty.oncall`, `webhook.chat`, `opsitem.ops`, `jira.llm`, `log.all`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Sns(plan) => format!("sns.{}", plan.name),
            Self::PagerDuty(plan) => format!("pagerduty.{}", plan.name),
            Self::Webhook(plan) => format!("webhook.{}", plan.name),
            Self::OpsItem(plan) => format!("opsitem.{}", plan.name),
            Self::Jira(plan) => format!("jira.{}", plan.name),
            Self::Log { name } => format!("log.{name}"),
        }
    }

    /// How it is used.
    #[must_use]
    pub const fn delivery(&self) -> &DeliveryPlan {
        match self {
            Self::Sns(plan) => &plan.delivery,
            Self::PagerDuty(plan) => &plan.delivery,
            Self::Webhook(plan) => &plan.delivery,
            Self::OpsItem(plan) => &plan.delivery,
            Self::Jira(plan) => &plan.delivery,
            Self::Log { .. } => &DeliveryPlan::LOG,
        }
    }

    /// Where it leads: the same for two channels that reach the same receiver, whatever they are called. It shows no secret: of a
    /// key or an address that may hold one, only a digest that cannot be turned back.
    #[must_use]
    pub fn receiver(&self) -> String {
        match self {
            Self::Sns(plan) => format!("sns {}", plan.topic_arn),
            Self::PagerDuty(plan) => {
                format!("pagerduty {}", digest(&[&plan.url, plan.routing_key.expose()]))
            }
            Self::Webhook(plan) => format!("webhook {}", digest(&[plan.url.expose()])),
            Self::OpsItem(plan) => format!("opsitem {} {}", plan.region, plan.source),
            Self::Jira(plan) => format!("jira {} {}", plan.url, plan.project),
            Self::Log { name } => format!("log {name}"),
        }
    }
}

/// FNV-1a over the parts, twice with different beginnings: 128 bits, so that two receivers never meet.
fn digest(parts: &[&str]) -> String {
    let fnv = |mut hash: u64| {
        for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
            hash ^= u64::from(byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
        hash
    };
    format!("{:016x}{:016x}", fnv(0xcbf2_9ce4_8422_2325), fnv(0x9e37_79b9_7f4a_7c15))
}

/// An SNS topic.
#[derive(Debug, Clone)]
pub struct SnsPlan {
    /// The name in the configuration.
    pub name: String,
    /// The topic; its fourth part is the Region that is called. One that ends in `.fifo` keeps order.
    pub topic_arn: String,
    /// Another address for SNS.
    pub endpoint_url: Option<String>,
    /// A profile of the shared AWS files.
    pub profile: Option<String>,
    /// What pages look like.
    pub format: SnsFormat,
    /// How it is used.
    pub delivery: DeliveryPlan,
}

impl SnsPlan {
    /// Whether the topic keeps order, and drops what it has seen.
    #[must_use]
    pub fn is_fifo(&self) -> bool {
        self.topic_arn.ends_with(".fifo")
    }
}

/// What pages and tickets to a topic look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnsFormat {
    /// Pages as a CloudWatch alarm publishes them, tickets as text.
    Alarm,
    /// Text for people.
    Text,
    /// The daemon's own JSON.
    Json,
    /// The custom notifications of Amazon Q Developer in chat applications, which was AWS Chatbot.
    Chatbot,
}

impl SnsFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Alarm, Self::Text, Self::Json, Self::Chatbot];

    /// As configuration writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alarm => "alarm",
            Self::Text => "text",
            Self::Json => "json",
            Self::Chatbot => "chatbot",
        }
    }
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
    /// How it is used.
    pub delivery: DeliveryPlan,
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

/// An address that takes JSON.
#[derive(Debug, Clone)]
pub struct WebhookPlan {
    /// The name in the configuration.
    pub name: String,
    /// Where messages are posted. It may hold a token, so it is never shown beyond its host.
    pub url: Secret,
    /// What messages are signed with; without it they are not signed.
    pub secret: Option<Secret>,
    /// How it is used.
    pub delivery: DeliveryPlan,
}

/// OpsCenter of AWS Systems Manager: an OpsItem for each page or ticket.
#[derive(Debug, Clone)]
pub struct OpsItemPlan {
    /// The name in the configuration.
    pub name: String,
    /// The Region of the OpsItems.
    pub region: String,
    /// The source that they are shown with.
    pub source: String,
    /// The severity of those about pages, `1` to `4`; those about tickets are one step lower.
    pub severity: u8,
    /// A topic that OpsCenter tells of changes.
    pub notification_arn: Option<String>,
    /// Another address for Systems Manager.
    pub endpoint_url: Option<String>,
    /// A profile of the shared AWS files.
    pub profile: Option<String>,
    /// How it is used.
    pub delivery: DeliveryPlan,
}

/// A project in Jira Cloud: an issue for each page or ticket.
#[derive(Debug, Clone)]
pub struct JiraPlan {
    /// The name in the configuration.
    pub name: String,
    /// The address of the site, without a slash at the end.
    pub url: String,
    /// The key of the project.
    pub project: String,
    /// The type of the issues.
    pub issue_type: String,
    /// The account that the token belongs to; without it the token is sent as a bearer token.
    pub user: Option<String>,
    /// The API token.
    pub token: Secret,
    /// Further labels of the issues.
    pub labels: Vec<String>,
    /// An issue that was closed by the daemon is opened again within this time; later a new one is filed.
    pub reopen_within: Duration,
    /// Resolutions that mean that nobody wants it: such an issue is neither opened again nor filed anew.
    pub wont_fix: Vec<String>,
    /// How it is used.
    pub delivery: DeliveryPlan,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oncall(name: &str, key: &str) -> ChannelPlan {
        ChannelPlan::PagerDuty(PagerDutyPlan {
            name: name.to_owned(),
            routing_key: Secret::new(key),
            url: "https://events.pagerduty.com/v2/enqueue".to_owned(),
            severity: PagerDutySeverity::Critical,
            delivery: DeliveryPlan::DEFAULT,
        })
    }

    #[test]
    fn a_renamed_channel_leads_to_the_same_receiver_and_shows_no_key() {
        let key = "R0123456789abcdefghijklmnopqrstu";
        let (one, renamed) = (oncall("oncall", key), oncall("primary", key));
        assert_ne!(one.name(), renamed.name());
        assert_eq!(one.receiver(), renamed.receiver());
        assert_ne!(one.receiver(), oncall("oncall", "another").receiver());
        assert!(!one.receiver().contains(key));
    }
}
