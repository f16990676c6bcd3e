//! What OpsCenter refuses. Where a message of AWS is known, it is that one.

use std::collections::BTreeMap;

use super::shapes::{CreateOpsItem, UpdateOpsItem};
use super::{OpsData, dedup};
use crate::loopback::aws_error::AwsError;

const TITLE_MAX: usize = 1_024;
const SOURCE_MAX: usize = 128;
const DESCRIPTION_MAX: usize = 2_048;
const SHORT_MAX: usize = 64;
const DATA_KEY_MAX: usize = 128;
/// Bytes of a value.
const DATA_VALUE_MAX: usize = 20 * 1_024;
/// Keys that belong to AWS.
const RESERVED: [&str; 4] = ["amazon", "aws", "amzn", "ssm"];
/// Keys of AWS that callers may use.
const OWN: [&str; 3] = [dedup::KEY, "/aws/resources", "/aws/automations"];

/// Statuses that an OpsItem may have.
pub(super) const STATUSES: [&str; 20] = [
    "Open",
    "InProgress",
    "Resolved",
    "Pending",
    "TimedOut",
    "Cancelling",
    "Cancelled",
    "Failed",
    "CompletedWithSuccess",
    "CompletedWithFailure",
    "Scheduled",
    "RunbookInProgress",
    "PendingChangeCalendarOverride",
    "ChangeCalendarOverrideApproved",
    "ChangeCalendarOverrideRejected",
    "PendingApproval",
    "Approved",
    "Revoked",
    "Rejected",
    "Closed",
];

pub(super) fn of_new(request: &CreateOpsItem) -> Result<(), AwsError> {
    text("title", request.title.as_deref(), TITLE_MAX, true)?;
    text("source", request.source.as_deref(), SOURCE_MAX, true)?;
    text("description", request.description.as_deref(), DESCRIPTION_MAX, true)?;
    let source = request.source.as_deref().unwrap_or_default().to_lowercase();
    if let Some(word) = ["aws", "amazon", "amzn"].into_iter().find(|word| source.contains(word)) {
        return Err(invalid("Source", format!("Source can't contain the string {word}")));
    }
    common(request.severity.as_deref(), request.category.as_deref(), request.priority)?;
    data(&request.operational_data)
}

pub(super) fn of_update(request: &UpdateOpsItem) -> Result<(), AwsError> {
    if !is_id(&request.ops_item_id) {
        let message = constraint(
            "opsItemId",
            &request.ops_item_id,
            "Member must satisfy regular expression pattern: ^(oi)-[0-9a-f]{12}$",
        );
        return Err(AwsError::validation(message));
    }
    text("title", request.title.as_deref(), TITLE_MAX, false)?;
    text("description", request.description.as_deref(), DESCRIPTION_MAX, false)?;
    if let Some(status) = request.status.as_deref().filter(|status| !STATUSES.contains(status)) {
        return Err(AwsError::not_in_set(status, "status", &STATUSES.join(", ")));
    }
    common(request.severity.as_deref(), request.category.as_deref(), request.priority)?;
    let deleted = request.operational_data_to_delete.iter().any(|key| key == dedup::KEY);
    if deleted || request.operational_data.contains_key(dedup::KEY) {
        return Err(invalid("OperationalData", format!("{} can't be changed", dedup::KEY)));
    }
    data(&request.operational_data)
}

fn common(severity: Option<&str>, category: Option<&str>, priority: Option<i64>) -> Result<(), AwsError> {
    text("severity", severity, SHORT_MAX, false)?;
    text("category", category, SHORT_MAX, false)?;
    match priority.filter(|priority| !(1..=5).contains(priority)) {
        Some(wrong) => {
            let must = "Member must have value between 1 and 5";
            Err(AwsError::validation(constraint("priority", &wrong.to_string(), must)))
        }
        None => Ok(()),
    }
}

fn text(name: &str, given: Option<&str>, max: usize, needed: bool) -> Result<(), AwsError> {
    match given {
        None if needed => Err(AwsError::validation(format!(
            "1 validation error detected: Value null at '{name}' failed to satisfy constraint: Member must not be null"
        ))),
        None => Ok(()),
        Some(text) if text.trim().is_empty() => {
            let must = "Member must have length greater than or equal to 1";
            Err(AwsError::validation(constraint(name, text, must)))
        }
        Some(text) if text.chars().count() > max => {
            let must = format!("Member must have length less than or equal to {max}");
            Err(AwsError::validation(constraint(name, text, &must)))
        }
        Some(_) => Ok(()),
    }
}

fn data(data: &BTreeMap<String, OpsData>) -> Result<(), AwsError> {
    for (key, OpsData { value, kind }) in data {
        let bare = key.strip_prefix('/').unwrap_or(key).to_lowercase();
        if !OWN.contains(&key.as_str()) && RESERVED.iter().any(|reserved| bare.starts_with(reserved)) {
            return Err(invalid("OperationalData", format!("Operational data keys can't begin with {key}")));
        }
        if key.trim().is_empty() || key.chars().count() > DATA_KEY_MAX {
            let must = format!("Map keys must have length less than or equal to {DATA_KEY_MAX}");
            return Err(AwsError::validation(constraint("operationalData", key, &must)));
        }
        if value.len() > DATA_VALUE_MAX {
            return Err(invalid("OperationalData", format!("The value of {key} exceeds 20 KB")));
        }
        if !["SearchableString", "String"].contains(&kind.as_str()) {
            return Err(AwsError::not_in_set(kind, "operationalData.type", "SearchableString, String"));
        }
    }
    Ok(())
}

fn is_id(id: &str) -> bool {
    id.strip_prefix("oi-").is_some_and(|digits| {
        digits.len() == 12 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn constraint(name: &str, value: &str, must: &str) -> String {
    format!("1 validation error detected: Value '{value}' at '{name}' failed to satisfy constraint: {must}")
}

fn invalid(parameter: &str, message: String) -> AwsError {
    AwsError::ops_item(
        "OpsItemInvalidParameterException",
        message,
        vec![("ParameterNames", vec![parameter].into())],
    )
}
