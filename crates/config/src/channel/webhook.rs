//! `[channel.webhook.NAME]`: an address that takes JSON.

use domain::{ChannelPlan, WebhookPlan};

use super::{Read, delivery};
use crate::environment::Environment;
use crate::secret_url::{self, Address};
use crate::table::{Setting, Table};
use crate::{Purpose, secret};

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: (Purpose, &dyn Environment),
) -> Read {
    let url = table.required("url", "{ env = \"WEBHOOK_URL\" }", secret_url::read("WEBHOOK_URL"));
    let secret = table.optional("secret", secret::reference("WEBHOOK_SECRET"));
    let delivery = delivery::read(&mut table);
    let whence = match &url.value {
        Some(Address::Named(reference)) => Some(reference.clone()),
        _ => None,
    };
    let url = secret_url::resolve(table.report, surroundings, "url", url);
    let leads = super::leads(Some(""), whence.as_ref(), url.as_ref());
    let secret = match secret.value {
        None => None,
        Some(None) => Some(None),
        Some(Some(reference)) => {
            let setting = Setting { value: Some(reference), at: secret.at };
            secret::resolve(table.report, surroundings, "secret", setting).map(Some)
        }
    };
    let plan = || {
        Some(ChannelPlan::Webhook(WebhookPlan {
            name: name.to_owned(),
            url: url?,
            secret: secret?,
            delivery: delivery.plan?,
        }))
    };
    Read { leads, fallback: delivery.fallback, notifies: None, plan: plan() }
}
