//! Whether a receiver answers, without telling it anything: for a look at a configuration before it runs.

use domain::{ChannelPlan, DeliveryError, HeartbeatPlan};
use jiff::Timestamp;
use reqwest::{StatusCode, Url};

use crate::aws::Caller;
use crate::http;
use crate::jira::JiraChannel;
use crate::open::Timeouts;
use crate::opsitem::OpsItemChannel;
use crate::sns::{self, SnsChannel};

/// What a receiver said for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What is known now, in lower case, on one line.
    pub said: String,
    /// What is not: only a message would tell.
    pub not_checked: Option<String>,
}

/// Why it is not known whether a message would arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// What was asked, of whom, and what came back, without secrets.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl From<DeliveryError> for Unanswered {
    fn from(error: DeliveryError) -> Self {
        Self { message: error.message, hint: error.hint }
    }
}

/// Asks the receiver of a channel. Nothing is sent to anybody: a topic and a project are looked at, OpsItems are searched, and an
/// address that takes nothing but messages is only connected to.
///
/// # Errors
///
/// When it does not answer, or answers that it is not what the plan says.
pub async fn probe(plan: &ChannelPlan) -> Result<Answered, Unanswered> {
    let (name, timeouts) = (plan.name(), Timeouts::DELIVERY);
    let answered = |said: String, not_checked: &str| {
        let not_checked = Some(not_checked.to_owned());
        Ok(Answered { said, not_checked })
    };
    match plan {
        ChannelPlan::Sns(plan) => {
            let region = sns::region_of(&name, plan)?;
            let caller = Caller { region, profile: plan.profile.as_deref(), credentials: None };
            let channel = SnsChannel::open(name, plan, timeouts, &caller.config().await);
            let key = channel.look().await?;
            let said = format!("the topic {} is there", plan.topic_arn);
            match key {
                Some(key) => {
                    answered(said, &format!("whether sns:Publish and the KMS key {key} are allowed"))
                }
                None => answered(said, "whether sns:Publish is allowed"),
            }
        }
        ChannelPlan::OpsItem(plan) => {
            let caller = Caller { region: &plan.region, profile: plan.profile.as_deref(), credentials: None };
            OpsItemChannel::open(name, plan, timeouts, &caller.config().await).look().await?;
            let said = format!("OpsItems can be searched in {}", plan.region);
            answered(said, "whether they can be created and updated")
        }
        ChannelPlan::Jira(plan) => {
            require(&name, "token", plan.token.expose())?;
            JiraChannel::open(name, plan, timeouts, Timestamp::now)?.look().await?;
            let said =
                format!("the token is good, and project {} has the type {}", plan.project, plan.issue_type);
            answered(said, "whether issues may be created, commented on and moved")
        }
        ChannelPlan::PagerDuty(plan) => {
            require(&name, "routing-key", plan.routing_key.expose())?;
            let origin = reach(&plan.url).await?;
            answered(format!("{origin} answers"), "the routing key: PagerDuty has no call that only asks")
        }
        ChannelPlan::Webhook(plan) => {
            require(&name, "url", plan.url.expose())?;
            let origin = reach(plan.url.expose()).await?;
            answered(format!("{origin} answers"), "its path, and whether it takes messages")
        }
        ChannelPlan::Log { .. } => {
            Ok(Answered { said: "it is the log of the daemon".to_owned(), not_checked: None })
        }
    }
}

/// Asks CloudWatch where a heartbeat is put for nothing but a connection.
///
/// # Errors
///
/// When there is none.
pub async fn probe_heartbeat(plan: &HeartbeatPlan) -> Result<Answered, Unanswered> {
    let china = if plan.region.starts_with("cn-") { ".cn" } else { "" };
    let own = || format!("https://monitoring.{}.amazonaws.com{china}", plan.region);
    let origin = reach(&plan.endpoint_url.clone().unwrap_or_else(own)).await?;
    let not_checked = Some("whether cloudwatch:PutMetricData is allowed".to_owned());
    Ok(Answered { said: format!("{origin} answers"), not_checked })
}

/// Connects to the host of an address, with TLS if it has it, and asks for nothing but a head: not for its path, which may be one that
/// takes whatever comes. Gives scheme, host and port; what else is in an address is never shown.
///
/// # Errors
///
/// When there is no connection, or something in between says so.
pub async fn reach(url: &str) -> Result<String, Unanswered> {
    let parsed: Url = url.parse().map_err(|error| Unanswered {
        message: format!("the address cannot be read: {error}"),
        hint: Some("write it whole, with its scheme: https://…".replace('…', "host/path")),
    })?;
    let origin = http::origin(&parsed);
    let unreached = |why: &str| Unanswered {
        message: format!("{origin} does not answer: {why}"),
        hint: Some(format!(
            "see that the network lets this machine reach {origin}, by proxy or directly, and that it trusts its certificate"
        )),
    };
    let client = http::client(&parsed, Timeouts::DELIVERY).map_err(|why| unreached(&why))?;
    let asked = client.head(format!("{origin}/")).send().await;
    let status = asked.map_err(|error| unreached(&http::unanswered(error)))?.status();
    let in_between = [
        StatusCode::PROXY_AUTHENTICATION_REQUIRED,
        StatusCode::BAD_GATEWAY,
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::GATEWAY_TIMEOUT,
    ];
    if in_between.contains(&status) {
        return Err(unreached(&format!("something in between says {}", status.as_u16())));
    }
    Ok(origin)
}

fn require(channel: &str, key: &str, secret: &str) -> Result<(), Unanswered> {
    if secret.is_empty() {
        return Err(Unanswered {
            message: format!("`{key}` of {channel} is not there"),
            hint: Some("set the variable or the file that it names".to_owned()),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, Reply, nobody};

    #[tokio::test]
    async fn an_address_is_reached_by_its_host_alone() {
        let fake = Fake::start(|_| Reply::With(404, Vec::new(), String::new())).await;
        let url = format!("{}/services/T0-marker?token=marker", fake.url);
        assert_eq!(reach(&url).await, Ok(fake.url.clone()));
        let [request] = &fake.received()[..] else { panic!("one") };
        assert_eq!((request.method.as_str(), request.target.as_str()), ("HEAD", "/"));
    }

    #[tokio::test]
    async fn nobody_and_a_gateway_are_no_answer_and_no_secret_is_shown() {
        let url = format!("{}/marker", nobody().await);
        let error = reach(&url).await.unwrap_err();
        assert!(
            error.message.contains("does not answer: ") && !error.message.contains("marker"),
            "{error:?}"
        );
        let fake = Fake::start(|_| Reply::With(502, Vec::new(), String::new())).await;
        let error = reach(&fake.url).await.unwrap_err();
        assert!(error.message.ends_with("something in between says 502"), "{error:?}");
        assert_eq!(
            reach("marker").await.unwrap_err().message,
            "the address cannot be read: relative URL without a base"
        );
    }
}
