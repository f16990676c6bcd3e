//! Each call of Systems Manager.

use std::cmp::Ordering;
use std::error::Error;

use aws_config::SdkConfig;
use aws_sdk_ssm::config::http::HttpResponse;
use aws_sdk_ssm::config::retry::RetryConfig;
use aws_sdk_ssm::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_ssm::operation::create_ops_item::CreateOpsItemError;
use aws_sdk_ssm::operation::get_ops_item::GetOpsItemError;
use aws_sdk_ssm::types::{
    OpsItemFilter, OpsItemFilterKey, OpsItemFilterOperator, OpsItemNotification, OpsItemStatus,
    OpsItemSummary,
};
use aws_sdk_ssm::{Client, config};
use domain::{DeliveryError, NoticeKind, OpsItemPlan, Retry};

use super::fields;
use super::refusal::refusal;
use crate::aws;
use crate::item::Item;
use crate::open::Timeouts;

/// What every OpsItem of the daemon is about.
const CATEGORY: &str = "Performance";
/// The most OpsItems of one answer. There is one of each key.
const MAX_RESULTS: i32 = 50;

/// OpsCenter of one Region.
pub(super) struct OpsCenter {
    channel: String,
    plan: OpsItemPlan,
    client: Client,
}

/// An OpsItem that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: String,
    /// Nobody is to do anything about it any more.
    pub(super) over: bool,
}

/// What became of an attempt to create one.
pub(super) enum Created {
    /// It is there now.
    New(String),
    /// It was there, open or in progress.
    Already(String),
}

impl OpsCenter {
    pub(super) fn new(channel: String, plan: &OpsItemPlan, timeouts: Timeouts, config: &SdkConfig) -> Self {
        let mut config = config::Builder::from(config)
            // The outbox tries again, with a memory of its own that survives a restart.
            .retry_config(RetryConfig::disabled())
            .timeout_config(aws::limits(timeouts));
        if let Some(url) = &plan.endpoint_url {
            config = config.endpoint_url(url);
        }
        Self { channel, plan: plan.clone(), client: Client::from_conf(config.build()) }
    }

    pub(super) fn channel(&self) -> &str {
        &self.channel
    }

    /// The OpsItem of that id; one that was deleted is over.
    pub(super) async fn get(&self, id: &str) -> Result<Known, DeliveryError> {
        match self.client.get_ops_item().ops_item_id(id).send().await {
            Ok(answer) => {
                let over = answer.ops_item().and_then(|item| item.status()).is_some_and(is_over);
                Ok(Known { id: id.to_owned(), over })
            }
            Err(error)
                if error.as_service_error().is_some_and(GetOpsItemError::is_ops_item_not_found_exception) =>
            {
                Ok(Known { id: id.to_owned(), over: true })
            }
            Err(error) => Err(self.refused(&error, &format!("reading OpsItem {id}"), "ssm:GetOpsItem")),
        }
    }

    /// The OpsItem with that key: one that is not over, otherwise the newest.
    pub(super) async fn find(&self, key: &str) -> Result<Option<Known>, DeliveryError> {
        let filter = OpsItemFilter::builder()
            .key(OpsItemFilterKey::OperationalData)
            .operator(OpsItemFilterOperator::Equal)
            .values(serde_json::json!({ "key": fields::KEY, "value": key }).to_string())
            .build()
            .map_err(|error| self.unsaid(Retry::Never, "looking for", &error.to_string()))?;
        let asked =
            self.client.describe_ops_items().ops_item_filters(filter).max_results(MAX_RESULTS).send().await;
        let answer =
            asked.map_err(|error| self.refused(&error, "looking for the OpsItem", "ssm:DescribeOpsItems"))?;
        let best = answer.ops_item_summaries().iter().max_by(|a, b| preferred(a, b));
        Ok(best.and_then(|summary| {
            let id = summary.ops_item_id()?.to_owned();
            Some(Known { id, over: summary.status().is_some_and(is_over) })
        }))
    }

    pub(super) async fn create(&self, item: &Item, kind: NoticeKind) -> Result<Created, DeliveryError> {
        let mut request = self
            .client
            .create_ops_item()
            .title(fields::title(item))
            .description(fields::description(item))
            .source(&self.plan.source)
            .category(CATEGORY)
            .severity(fields::severity(kind, &self.plan))
            .set_operational_data(Some(fields::data_with_deduplication(item)));
        if let Some(arn) = &self.plan.notification_arn {
            request = request.notifications(OpsItemNotification::builder().arn(arn).build());
        }
        let unsaid = || self.unsaid(Retry::Backoff, "creating", "it is there, but its id was not said");
        match request.send().await {
            Ok(answer) => Ok(Created::New(answer.ops_item_id().ok_or_else(unsaid)?.to_owned())),
            Err(error) => match error.as_service_error() {
                Some(CreateOpsItemError::OpsItemAlreadyExistsException(exists)) => {
                    Ok(Created::Already(exists.ops_item_id().ok_or_else(unsaid)?.to_owned()))
                }
                _ => Err(self.refused(&error, "creating the OpsItem", "ssm:CreateOpsItem")),
            },
        }
    }

    /// Brings the text up to date, and resolves it if it is over.
    pub(super) async fn update(&self, id: &str, item: &Item, over: bool) -> Result<(), DeliveryError> {
        let sent = self
            .client
            .update_ops_item()
            .ops_item_id(id)
            .title(fields::title(item))
            .description(fields::description(item))
            .set_operational_data(Some(fields::data(item)))
            .set_status(over.then_some(OpsItemStatus::Resolved))
            .send()
            .await;
        sent.map(drop)
            .map_err(|error| self.refused(&error, &format!("updating OpsItem {id}"), "ssm:UpdateOpsItem"))
    }

    fn refused<E>(&self, error: &SdkError<E, HttpResponse>, act: &str, action: &str) -> DeliveryError
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        refusal(error, act, action, &self.channel, &self.plan.region)
    }

    fn unsaid(&self, retry: Retry, act: &str, why: &str) -> DeliveryError {
        DeliveryError {
            retry,
            message: format!("{act} the OpsItem of {} in {}: {why}", self.channel, self.plan.region),
            hint: Some(format!(
                "look at `endpoint-url` of [channel.{}], and at what stands between",
                self.channel
            )),
        }
    }
}

/// The greater one is open, or else newer.
fn preferred(a: &OpsItemSummary, b: &OpsItemSummary) -> Ordering {
    let open = |summary: &OpsItemSummary| !summary.status().is_some_and(is_over);
    let created = a.created_time().partial_cmp(&b.created_time()).unwrap_or(Ordering::Equal);
    open(a).cmp(&open(b)).then(created)
}

fn is_over(status: &OpsItemStatus) -> bool {
    matches!(status, OpsItemStatus::Resolved | OpsItemStatus::Closed)
}
