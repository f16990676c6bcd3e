//! What holds between sources: each series is read by one of them, and what they share is of use to one of them.

use domain::{CloudWatchPlan, Glob};

use crate::quote::quoted;
use crate::report::{At, Report};
use crate::table::Node;

/// A source that the configuration has, whether it can be used or not.
#[derive(Debug)]
pub(crate) struct Known<'s> {
    pub(crate) name: &'s str,
    /// Where its name is.
    pub(crate) at: At,
    pub(crate) plan: Option<&'s CloudWatchPlan>,
}

/// Warns of two sources that read the same series.
pub(crate) fn read_apart(report: &mut Report<'_>, sources: &[Known<'_>]) {
    let mut ordered: Vec<_> = sources.iter().collect();
    ordered.sort_by_key(|source| source.at);
    for (index, later) in ordered.iter().enumerate() {
        for first in ordered.iter().take(index) {
            let (Some(one), Some(two)) = (first.plan, later.plan) else { continue };
            let region = one.regions.iter().find(|region| two.regions.contains(region));
            let Some(region) = region.filter(|_| is_one_account(one, two) && may_share_a_model(one, two))
            else {
                continue;
            };
            let account = match &one.account_id {
                Some(account) => format!("account {account}"),
                None => "the account of the same credentials".to_owned(),
            };
            let message =
                format!("{} and {} both read {account} in {region}", quoted(first.name), quoted(later.name));
            let draft = report.warning(later.at, message);
            draft.hint("each series is read and paid for twice: `include` or `ignore` can divide the models");
            draft.see(first.at, "the other one");
        }
    }
}

fn is_one_account(one: &CloudWatchPlan, two: &CloudWatchPlan) -> bool {
    let credentials = |plan: &CloudWatchPlan| (plan.profile.clone(), plan.endpoint_url.clone());
    match (&one.account_id, &two.account_id) {
        (Some(one), Some(two)) => one == two,
        (None, None) => credentials(one) == credentials(two),
        _ => false,
    }
}

fn may_share_a_model(one: &CloudWatchPlan, two: &CloudWatchPlan) -> bool {
    let all = ["*".to_owned()];
    let taken =
        |plan: &CloudWatchPlan| if plan.include.is_empty() { all.to_vec() } else { plan.include.clone() };
    let is_ignored = |glob: &str| {
        one.ignore.iter().chain(&two.ignore).any(|ignored| Glob::new(ignored).covers(Glob::new(glob)))
    };
    taken(one)
        .iter()
        .filter(|a| !is_ignored(a))
        .any(|a| taken(two).iter().filter(|b| !is_ignored(b)).any(|b| Glob::new(a).meets(Glob::new(b))))
}

/// Reports keys of a role that sources share where none of them has a role.
pub(crate) fn shared_is_used(report: &mut Report<'_>, shared: &[Node<'_>], sources: &[Known<'_>]) {
    let mut plans = sources.iter().map(|source| source.plan);
    if sources.is_empty() || plans.any(|plan| plan.is_none_or(|plan| plan.role.is_some())) {
        return;
    }
    for node in shared {
        for key in ["external-id", "role-session-name"] {
            let Some((key, _)) = node.value.as_table().and_then(|table| table.get_key_value(key)) else {
                continue;
            };
            let message = format!("{} needs `role-arn`, which no source has", quoted(key.get_ref()));
            let draft = report.error(At::new(node.at.file, key.span()), message);
            draft.hint("it belongs to the role that a source assumes");
        }
    }
}
