//! `[channel.pagerduty.NAME]`: a PagerDuty service with an Events API v2 integration.

use domain::{ChannelPlan, PagerDutyPlan, PagerDutySeverity};

use super::{Read, delivery};
use crate::environment::Environment;
use crate::table::Table;
use crate::value::{choice, text};
use crate::{Purpose, address, secret};

/// Where PagerDuty takes events, in its service regions but the EU.
const URL: &str = "https://events.pagerduty.com/v2/enqueue";

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: (Purpose, &dyn Environment),
) -> Read {
    let routing_key =
        table.required("routing-key", "{ env = \"PD_ROUTING_KEY\" }", secret::reference("PD_ROUTING_KEY"));
    let url = table.setting("url", URL.to_owned(), text(address::web));
    let severity = table.setting(
        "severity",
        PagerDutySeverity::Critical,
        choice(&[
            (PagerDutySeverity::Critical.as_str(), PagerDutySeverity::Critical),
            (PagerDutySeverity::Error.as_str(), PagerDutySeverity::Error),
            (PagerDutySeverity::Warning.as_str(), PagerDutySeverity::Warning),
            (PagerDutySeverity::Info.as_str(), PagerDutySeverity::Info),
        ]),
    );
    let delivery = delivery::read(&mut table);
    let whence = routing_key.value.clone();
    let routing_key = secret::resolve(table.report, surroundings, "routing-key", routing_key);
    let leads = super::leads(url.value.as_deref(), whence.as_ref(), routing_key.as_ref());
    let plan = || {
        Some(ChannelPlan::PagerDuty(PagerDutyPlan {
            name: name.to_owned(),
            routing_key: routing_key?,
            url: url.value?,
            severity: severity.value?,
            delivery: delivery.plan?,
        }))
    };
    Read { leads, fallback: delivery.fallback, notifies: None, plan: plan() }
}
