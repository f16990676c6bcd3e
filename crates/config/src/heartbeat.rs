//! `[heartbeat.cloudwatch]`: a heartbeat as a metric.

use domain::HeartbeatPlan;

use crate::table::{Fault, Table};
use crate::value::{text, word};
use crate::{address, aws};

const NAMESPACE: &str = "otpsd";

/// `Some(None)` when the table is not written.
pub(crate) fn read(mut table: Table<'_, '_, '_>) -> Option<Option<HeartbeatPlan>> {
    if !table.is_written() {
        return Some(None);
    }
    let region = table.required("region", "\"us-east-1\"", text(aws::the_region));
    let namespace = table.setting("namespace", NAMESPACE.to_owned(), text(namespace));
    let profile = table.optional("profile", text(word));
    let endpoint_url = table.optional("endpoint-url", text(address::web));
    Some(Some(HeartbeatPlan {
        namespace: namespace.value?,
        region: region.value?,
        endpoint_url: endpoint_url.value?,
        profile: profile.value?,
    }))
}

/// The namespaces that CloudWatch takes from its callers.
fn namespace(text: &str) -> Result<String, Fault> {
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-_/#: ".contains(c);
    if text.starts_with("AWS/") {
        Err(Fault::new("must not begin with AWS/, which is for AWS alone"))
    } else if (1..=255).contains(&text.len()) && text.chars().all(fits) && text.trim() == text {
        Ok(text.to_owned())
    } else {
        Err(Fault::new("must have 1 to 255 letters, digits and any of . - _ / # :"))
    }
}
