//! Requests of OpsCenter, under the service's own names.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::OpsData;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct CreateOpsItem {
    pub(super) title: Option<String>,
    pub(super) source: Option<String>,
    pub(super) description: Option<String>,
    pub(super) ops_item_type: Option<String>,
    pub(super) severity: Option<String>,
    pub(super) category: Option<String>,
    pub(super) priority: Option<i64>,
    pub(super) operational_data: BTreeMap<String, OpsData>,
    pub(super) tags: Vec<Tag>,
    pub(super) notifications: Vec<Notification>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Notification {
    pub(super) arn: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Tag {
    pub(super) key: String,
    pub(super) value: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct UpdateOpsItem {
    pub(super) ops_item_id: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) status: Option<String>,
    pub(super) severity: Option<String>,
    pub(super) category: Option<String>,
    pub(super) priority: Option<i64>,
    pub(super) operational_data: BTreeMap<String, OpsData>,
    pub(super) operational_data_to_delete: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct GetOpsItem {
    pub(super) ops_item_id: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct DescribeOpsItems {
    pub(super) ops_item_filters: Vec<OpsItemFilter>,
    pub(super) max_results: Option<i64>,
    pub(super) next_token: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct OpsItemFilter {
    pub(super) key: String,
    pub(super) values: Vec<String>,
    pub(super) operator: String,
}
