//! The role that is assumed to read a source.

use domain::{RolePlan, Secret};

use super::Values;
use crate::aws::{self, RoleArn};
use crate::environment::Environment;
use crate::quote::quoted;
use crate::report::At;
use crate::secret::{self, Reference};
use crate::table::{Setting, Table};
use crate::{Purpose, Severity};

/// The role, if there is one, and the account that the source reads, as far as it is known without asking.
pub(super) fn read(
    table: &mut Table<'_, '_, '_>,
    values: &Values,
    account_id: &Setting<Option<String>>,
    surroundings: (Purpose, &dyn Environment),
) -> Option<(Option<RolePlan>, Option<String>)> {
    let arn = values.role_arn.value.as_ref()?;
    let Some(arn) = arn else {
        needs_a_role(table);
        return Some((None, account_id.value.clone()?));
    };
    let external_id = external_id(table, &values.external_id, surroundings);
    let is_there = is_in_its_partition(table, (arn, values.role_arn.at), values);
    if let (Some(Some(account)), Some(at)) = (&account_id.value, account_id.at)
        && *account != arn.account
    {
        let message = format!("`account-id` is {account}, but the role is one of {}", arn.account);
        let draft = table.report.error(at, message);
        draft.hint("leave it out: whose series these are follows from the role");
        if let Some(role) = values.role_arn.at {
            draft.see(role, "this role is assumed");
        }
        return None;
    }
    account_id.value.as_ref()?;
    let role = RolePlan {
        arn: arn.arn.clone(),
        external_id: external_id?,
        session_name: values.role_session_name.value.clone()?,
    };
    is_there.then_some((Some(role), Some(arn.account.clone())))
}

/// What belongs to a role means nothing without one. What sources share may be for others of them.
fn needs_a_role(table: &mut Table<'_, '_, '_>) {
    for key in ["external-id", "role-session-name"] {
        if !table.owns(key) || table.is_misspelt() {
            continue;
        }
        if let Some(node) = table.get(key) {
            let message = format!("`{key}` needs `role-arn`");
            let example = "arn:aws:iam::111122223333:role/otpsd-read";
            table
                .report
                .error(node.key_at, message)
                .hint(format!("add `role-arn = \"{example}\"`, or leave it out"));
        }
    }
}

/// `Some(None)` when the role needs none.
fn external_id(
    table: &mut Table<'_, '_, '_>,
    setting: &Setting<Option<Reference>>,
    surroundings: (Purpose, &dyn Environment),
) -> Option<Option<Secret>> {
    let Some(reference) = setting.value.as_ref()? else { return Some(None) };
    let named = Setting { value: Some(reference.clone()), at: setting.at };
    let secret = secret::resolve(table.report, surroundings, "external-id", named)?;
    let is_there = !secret.expose().is_empty();
    if is_there && !aws::is_external_id(secret.expose()) {
        let severity = if surroundings.0 == Purpose::Run { Severity::Error } else { Severity::Warning };
        let message = format!("{} does not hold what can be an external id", reference.described());
        let draft = table.report.add(severity, setting.at, message);
        draft.hint("AWS takes 2 to 1224 letters, digits and any of _ + = , . @ : / -");
        return (surroundings.0 != Purpose::Run).then_some(Some(secret));
    }
    Some(Some(secret))
}

/// Credentials of one partition of AWS open nothing in another.
fn is_in_its_partition(
    table: &mut Table<'_, '_, '_>,
    (arn, at): (&RoleArn, Option<At>),
    values: &Values,
) -> bool {
    let regions = values.regions.value.iter().flatten().flatten();
    let Some((region, region_at)) =
        regions.into_iter().find(|(region, _)| aws::partition_of(region) != arn.partition)
    else {
        return true;
    };
    let message = format!(
        "a role of {} cannot read {}, which is in {}",
        quoted(&arn.partition),
        quoted(region),
        quoted(aws::partition_of(region))
    );
    let draft = table.report.error(*region_at, message);
    draft.hint("a partition of AWS has accounts and roles of its own");
    if let Some(at) = at {
        draft.see(at, "this role is assumed");
    }
    false
}
