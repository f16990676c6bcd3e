//! The filters of `DescribeOpsItems`. Values of one filter are alternatives; all filters must fit.

use serde_json::Value;

use super::OpsItem;
use super::shapes::{DescribeOpsItems, OpsItemFilter};
use crate::loopback::aws_error::AwsError;

/// OpsItems on a page, if not said, and at most.
const PAGE_MAX: i64 = 50;

/// Which operators a key has.
const KEYS: [(&str, &[&str]); 11] = [
    ("Status", &["Equal"]),
    ("OpsItemId", &["Equal"]),
    ("OpsItemType", &["Equal"]),
    ("Severity", &["Equal"]),
    ("Category", &["Equal"]),
    ("Priority", &["Equal"]),
    ("Source", &["Equal", "Contains"]),
    ("Title", &["Equal", "Contains"]),
    ("OperationalData", &["Equal"]),
    ("OperationalDataKey", &["Equal"]),
    ("OperationalDataValue", &["Equal", "Contains"]),
];

/// A filter that can be applied.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    asked: &'a OpsItemFilter,
}

/// The filters, the size of a page, and the place of its first OpsItem.
pub(super) fn read(request: &DescribeOpsItems) -> Result<(Vec<Filter<'_>>, usize, usize), AwsError> {
    let size = request.max_results.unwrap_or(PAGE_MAX);
    if !(1..=PAGE_MAX).contains(&size) {
        return Err(AwsError::validation(format!(
            "1 validation error detected: Value '{size}' at 'maxResults' failed to satisfy constraint: Member must have \
             value between 1 and {PAGE_MAX}"
        )));
    }
    let first = match &request.next_token {
        None => 0,
        Some(token) => token.parse().map_err(|_| AwsError::validation("The next token is invalid."))?,
    };
    let filters = request.ops_item_filters.iter().map(Filter::new).collect::<Result<_, _>>()?;
    Ok((filters, usize::try_from(size).unwrap_or(1), first))
}

impl<'a> Filter<'a> {
    fn new(asked: &'a OpsItemFilter) -> Result<Self, AwsError> {
        let OpsItemFilter { key, values, operator } = asked;
        let Some((_, operators)) = KEYS.iter().find(|(known, _)| known == key) else {
            let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
            return Err(AwsError::not_in_set(key, "opsItemFilters.key", &keys.join(", ")));
        };
        if !operators.contains(&operator.as_str()) {
            return Err(AwsError::validation(format!(
                "Filter {key} does not support the operator {operator}"
            )));
        }
        if values.is_empty() {
            return Err(AwsError::validation(format!("Filter {key} needs a value")));
        }
        if key == "OperationalData" && values.iter().any(|value| pair(value).is_none()) {
            let message =
                "The value of the filter OperationalData must be {\"key\":\"...\",\"value\":\"...\"}";
            return Err(AwsError::validation(message));
        }
        Ok(Self { asked })
    }

    pub(super) fn fits(&self, item: &OpsItem) -> bool {
        self.asked.values.iter().any(|value| self.fits_value(item, value))
    }

    fn fits_value(&self, item: &OpsItem, value: &str) -> bool {
        let equals = self.asked.operator == "Equal";
        let same = |text: &str| if equals { text == value } else { text.contains(value) };
        let mut searchable = item.data.iter().filter(|(_, data)| data.is_searchable());
        match self.asked.key.as_str() {
            "Status" => same(&item.status),
            "OpsItemId" => same(&item.id),
            "OpsItemType" => same(&item.kind),
            "Severity" => item.severity.as_deref().is_some_and(same),
            "Category" => item.category.as_deref().is_some_and(same),
            "Priority" => item.priority.is_some_and(|priority| same(&priority.to_string())),
            "Source" => same(&item.source),
            "Title" => same(&item.title),
            "OperationalDataKey" => searchable.any(|(key, _)| same(key)),
            "OperationalDataValue" => searchable.any(|(_, data)| same(&data.value)),
            _ => pair(value).is_some_and(|(key, value)| {
                searchable.any(|(known, data)| *known == key && data.value == value)
            }),
        }
    }
}

/// `{"key":"K","value":"V"}`
fn pair(text: &str) -> Option<(String, String)> {
    let pair: Value = serde_json::from_str(text).ok()?;
    let text = |name: &str| Some(pair.get(name)?.as_str()?.to_owned());
    Some((text("key")?, text("value")?))
}
