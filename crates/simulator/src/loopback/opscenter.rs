//! OpsCenter of Systems Manager: `CreateOpsItem`, `UpdateOpsItem`, `GetOpsItem` and `DescribeOpsItems`, in awsJson 1.1.
//!
//! Facts are from the API reference of the service, and from "Reducing duplicate OpsItems" of its user guide.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::aws_error::{AwsError, Service};
use super::caller::Caller;

mod dedup;
mod filter;
mod item;
mod shapes;
mod validation;

pub use item::{OpsData, OpsItem};

use shapes::{CreateOpsItem, DescribeOpsItems, GetOpsItem, UpdateOpsItem};

/// Statuses in which an OpsItem is over, so that another one may be opened for the same thing.
const OVER: [&str; 2] = ["Resolved", "Closed"];

/// The service.
#[derive(Debug, Default)]
pub(crate) struct OpsCenter {
    /// In the order they were created.
    items: Mutex<Vec<OpsItem>>,
}

/// The OpsItem that a request names, for counters and faults.
pub(crate) fn named(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    Some(body.get("OpsItemId")?.as_str()?.to_owned())
}

impl OpsCenter {
    /// In the order they were created.
    pub(crate) fn items(&self) -> Vec<OpsItem> {
        self.lock().clone()
    }

    /// Moves an OpsItem as a person would. False if there is none, or no such status.
    pub(crate) fn move_by_hand(&self, id: &str, status: &str, now: Timestamp) -> bool {
        let mut items = self.lock();
        let Some(item) = items.iter_mut().find(|item| item.id == id) else { return false };
        if !validation::STATUSES.contains(&status) {
            return false;
        }
        status.clone_into(&mut item.status);
        item.modified = now;
        true
    }

    /// Carries out an operation, and gives the JSON of its answer.
    pub(crate) fn answer(
        &self,
        operation: &str,
        body: &[u8],
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Vec<u8>, AwsError> {
        let answer = match operation {
            "CreateOpsItem" => self.create(read(body)?, caller, now)?,
            "UpdateOpsItem" => self.update(read(body)?, caller, now)?,
            "GetOpsItem" => self.get(&read(body)?, caller)?,
            "DescribeOpsItems" => self.describe(&read(body)?, caller)?,
            other => return Err(AwsError::unknown_operation(Service::Ssm, other)),
        };
        Ok(answer.to_string().into_bytes())
    }

    fn create(&self, request: CreateOpsItem, caller: &Caller, now: Timestamp) -> Result<Value, AwsError> {
        validation::of_new(&request)?;
        let dedup = dedup::string(&request.operational_data)?;
        let mut items = self.lock();
        if let Some(dedup) = &dedup {
            refuse_duplicate(&items, caller, dedup)?;
        }
        let item = OpsItem::new(items.len(), request, dedup, caller, now);
        let answer = json!({"OpsItemId": item.id, "OpsItemArn": item.arn});
        items.push(item);
        Ok(answer)
    }

    fn update(&self, request: UpdateOpsItem, caller: &Caller, now: Timestamp) -> Result<Value, AwsError> {
        validation::of_update(&request)?;
        let mut items = self.lock();
        let place = place(&items, &request.ops_item_id, caller)?;
        let opens = request.status.as_deref().is_some_and(|status| !OVER.contains(&status));
        if opens
            && items[place].is_over()
            && let Some(dedup) = &items[place].dedup
        {
            refuse_duplicate(&items, caller, dedup)?;
        }
        items[place].update(request, now);
        Ok(json!({}))
    }

    fn get(&self, request: &GetOpsItem, caller: &Caller) -> Result<Value, AwsError> {
        let items = self.lock();
        let item = &items[place(&items, &request.ops_item_id, caller)?];
        Ok(json!({"OpsItem": item.described()}))
    }

    fn describe(&self, request: &DescribeOpsItems, caller: &Caller) -> Result<Value, AwsError> {
        let (filters, size, first) = filter::read(request)?;
        let items = self.lock();
        // The newest come first.
        let found: Vec<&OpsItem> = items
            .iter()
            .rev()
            .filter(|item| item.is_of(caller) && filters.iter().all(|filter| filter.fits(item)))
            .collect();
        let page = found.iter().skip(first).take(size).map(|item| item.summary()).collect::<Vec<_>>();
        let next = first + page.len();
        let mut answer = json!({"OpsItemSummaries": page});
        if next < found.len() {
            answer["NextToken"] = next.to_string().into();
        }
        Ok(answer)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<OpsItem>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, AwsError> {
    serde_json::from_slice(body).map_err(|error| AwsError::serialization(error.to_string()))
}

fn place(items: &[OpsItem], id: &str, caller: &Caller) -> Result<usize, AwsError> {
    items.iter().position(|item| item.id == id && item.is_of(caller)).ok_or_else(|| {
        AwsError::ops_item("OpsItemNotFoundException", format!("OpsItem ID {id} not found"), Vec::new())
    })
}

fn refuse_duplicate(items: &[OpsItem], caller: &Caller, dedup: &str) -> Result<(), AwsError> {
    let open = items
        .iter()
        .find(|item| item.is_of(caller) && !item.is_over() && item.dedup.as_deref() == Some(dedup));
    match open {
        None => Ok(()),
        Some(open) => Err(AwsError::ops_item(
            "OpsItemAlreadyExistsException",
            format!("An OpsItem with the same deduplication string is open already: {}", open.id),
            vec![("OpsItemId", open.id.as_str().into())],
        )),
    }
}

#[cfg(test)]
mod tests;
