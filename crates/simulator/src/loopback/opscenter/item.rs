//! An OpsItem, and how answers describe it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::OVER;
use super::shapes::{CreateOpsItem, UpdateOpsItem};
use crate::loopback::caller::Caller;
use crate::loopback::clock;

/// An OpsItem as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpsItem {
    /// `oi-` and twelve hexadecimal digits.
    pub id: String,
    /// Its ARN.
    pub arn: String,
    /// Whose it is.
    pub account: String,
    /// Where it is.
    pub region: String,
    /// Who created it.
    pub created_by: String,
    /// One line.
    pub title: String,
    /// What opened it.
    pub source: String,
    /// Markdown.
    pub description: String,
    /// `/aws/issue`, if nothing else was said.
    pub kind: String,
    /// `Open`, `InProgress`, `Resolved` and others.
    pub status: String,
    /// As it was given.
    pub severity: Option<String>,
    /// As it was given.
    pub category: Option<String>,
    /// 1 to 5.
    pub priority: Option<i64>,
    /// By key.
    pub data: BTreeMap<String, OpsData>,
    /// What makes it the same as another one.
    pub dedup: Option<String>,
    /// By key.
    pub tags: BTreeMap<String, String>,
    /// The ARNs of the topics that are told of changes; nobody is, here.
    pub notifications: Vec<String>,
    /// By the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub created: Timestamp,
    /// When anything of it last changed.
    #[serde(serialize_with = "clock::as_text")]
    pub modified: Timestamp,
    /// How often it was updated by a call.
    pub updates: u64,
}

/// A piece of operational data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct OpsData {
    /// A text, which may be JSON.
    pub value: String,
    /// `SearchableString`, which anybody can search for, or `String`.
    #[serde(rename = "Type")]
    pub kind: String,
}

impl OpsItem {
    pub(super) fn new(
        number: usize,
        request: CreateOpsItem,
        dedup: Option<String>,
        caller: &Caller,
        now: Timestamp,
    ) -> Self {
        let id = format!("oi-{:012x}", number + 1);
        let (account, region) = (caller.home.clone(), caller.region.clone());
        Self {
            arn: format!("arn:aws:ssm:{region}:{account}:opsitem/{id}"),
            id,
            account,
            region,
            created_by: caller.arn.clone(),
            title: request.title.unwrap_or_default(),
            source: request.source.unwrap_or_default(),
            description: request.description.unwrap_or_default(),
            kind: request.ops_item_type.unwrap_or_else(|| "/aws/issue".to_owned()),
            status: "Open".to_owned(),
            severity: request.severity,
            category: request.category,
            priority: request.priority,
            data: request.operational_data,
            dedup,
            tags: request.tags.into_iter().map(|tag| (tag.key, tag.value)).collect(),
            notifications: request.notifications.into_iter().map(|one| one.arn).collect(),
            created: now,
            modified: now,
            updates: 0,
        }
    }

    pub(super) fn is_of(&self, caller: &Caller) -> bool {
        self.account == caller.home && self.region == caller.region
    }

    pub(super) fn is_over(&self) -> bool {
        OVER.contains(&self.status.as_str())
    }

    pub(super) fn update(&mut self, request: UpdateOpsItem, now: Timestamp) {
        let set = |field: &mut String, new: Option<String>| {
            if let Some(new) = new {
                *field = new;
            }
        };
        set(&mut self.title, request.title);
        set(&mut self.description, request.description);
        set(&mut self.status, request.status);
        self.severity = request.severity.or_else(|| self.severity.take());
        self.category = request.category.or_else(|| self.category.take());
        self.priority = request.priority.or(self.priority);
        for key in request.operational_data_to_delete {
            self.data.remove(&key);
        }
        self.data.extend(request.operational_data);
        self.modified = now;
        self.updates += 1;
    }

    /// As `GetOpsItem` has it.
    pub(super) fn described(&self) -> Value {
        let mut item = self.common(|_| true);
        item.insert("OpsItemArn".to_owned(), self.arn.as_str().into());
        item.insert("Description".to_owned(), self.description.as_str().into());
        item.insert("Version".to_owned(), (self.updates + 1).to_string().into());
        item.into()
    }

    /// As `DescribeOpsItems` has it, with what anybody can search for.
    pub(super) fn summary(&self) -> Value {
        self.common(OpsData::is_searchable).into()
    }

    fn common(&self, shown: fn(&OpsData) -> bool) -> Map<String, Value> {
        let data: BTreeMap<&String, &OpsData> = self.data.iter().filter(|(_, data)| shown(data)).collect();
        let fields = [
            ("OpsItemId", json!(self.id)),
            ("OpsItemType", json!(self.kind)),
            ("Title", json!(self.title)),
            ("Source", json!(self.source)),
            ("Status", json!(self.status)),
            ("Severity", json!(self.severity)),
            ("Category", json!(self.category)),
            ("Priority", json!(self.priority)),
            ("CreatedBy", json!(self.created_by)),
            ("CreatedTime", json!(self.created.as_second())),
            ("LastModifiedTime", json!(self.modified.as_second())),
            ("OperationalData", json!(data)),
        ];
        let there = fields.into_iter().filter(|(_, value)| !value.is_null());
        there.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl OpsData {
    pub(super) fn is_searchable(&self) -> bool {
        self.kind == "SearchableString"
    }
}
