//! `[channel.pagerduty.NAME]`: a PagerDuty service with an Events API v2 integration.

use domain::{DeliveryPlan, PagerDutyPlan, PagerDutySeverity};

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
) -> Option<PagerDutyPlan> {
    let routing_key = table.required("routing-key", "{ env = \"PD_ROUTING_KEY\" }", secret::reference);
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
    let routing_key = secret::resolve(table.report, surroundings, "routing-key", routing_key);
    Some(PagerDutyPlan {
        name: name.to_owned(),
        routing_key: routing_key?,
        url: url.value?,
        severity: severity.value?,
        delivery: DeliveryPlan::DEFAULT,
    })
}
