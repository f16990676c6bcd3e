//! `[channel.opsitem.NAME]`: OpsCenter of AWS Systems Manager.

use domain::{ChannelPlan, OpsItemPlan, Secret};

use super::{Read, delivery};
use crate::quote::quoted;
use crate::table::{Fault, Table};
use crate::value::{integer, text, word};
use crate::{address, aws};

const SOURCE: &str = "otpsd";
const SEVERITY: u8 = 3;

pub(crate) fn read(mut table: Table<'_, '_, '_>, name: &str) -> Read {
    let region = table.required("region", "\"us-east-1\"", text(aws::the_region));
    let source = table.setting("source", SOURCE.to_owned(), text(source));
    let severity = table.setting("severity", SEVERITY, integer(1..=4));
    let notification_arn = table.optional("notification-arn", text(aws::topic_arn));
    let profile = table.optional("profile", text(word));
    let endpoint_url = table.optional("endpoint-url", text(address::web));
    let delivery = delivery::read(&mut table);
    let leads = region
        .value
        .as_ref()
        .zip(source.value.as_ref())
        .map(|(region, source)| Secret::new(format!("{region} {source}")));
    let notifies = notification_arn.value.clone().flatten().zip(notification_arn.at);
    let plan = || {
        Some(ChannelPlan::OpsItem(OpsItemPlan {
            name: name.to_owned(),
            region: region.value?,
            source: source.value?,
            severity: severity.value?,
            notification_arn: notification_arn.value?,
            endpoint_url: endpoint_url.value?,
            profile: profile.value?,
            delivery: delivery.plan?,
        }))
    };
    Read { leads, fallback: delivery.fallback, notifies, plan: plan() }
}

/// What OpsCenter takes as the source of an item.
fn source(text: &str) -> Result<String, Fault> {
    let lower = text.to_lowercase();
    if let Some(word) = ["aws", "amazon", "amzn"].into_iter().find(|word| lower.contains(word)) {
        return Err(Fault::new(format!(
            "must not hold \"{word}\", which is for AWS alone: {}",
            quoted(text)
        )));
    }
    if text.chars().count() > 128 || text.chars().any(char::is_control) {
        return Err(Fault::new("must have at most 128 characters, on one line"));
    }
    word(text)
}
