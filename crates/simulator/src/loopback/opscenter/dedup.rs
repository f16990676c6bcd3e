//! What makes two OpsItems the same: `/aws/dedup`, a JSON object with one string.

use std::collections::BTreeMap;

use serde_json::Value;

use super::OpsData;
use crate::loopback::aws_error::AwsError;

/// The key that holds the string.
pub(super) const KEY: &str = "/aws/dedup";

/// The deduplication string, if one is given.
pub(super) fn string(data: &BTreeMap<String, OpsData>) -> Result<Option<String>, AwsError> {
    let Some(given) = data.get(KEY) else { return Ok(None) };
    let read: Option<Value> = serde_json::from_str(&given.value).ok();
    let string =
        read.as_ref().and_then(|read| read.get("dedupString")?.as_str()).filter(|text| !text.is_empty());
    match string {
        Some(string) => Ok(Some(string.to_owned())),
        None => Err(AwsError::ops_item(
            "OpsItemInvalidParameterException",
            format!("The value of {KEY} must be a JSON object with a dedupString"),
            vec![("ParameterNames", vec!["OperationalData"].into())],
        )),
    }
}
