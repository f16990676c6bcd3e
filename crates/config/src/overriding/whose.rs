//! `match` of an override: `{ model = "*haiku*", account = "111122223333", region = ["us-*", "eu-*"], source = "main" }`.

use domain::{Glob, Matcher};

use crate::hint;
use crate::matching;
use crate::quote::quoted;
use crate::reach::Reach;
use crate::report::At;
use crate::schema;
use crate::source::Known;
use crate::table::{Setting, Table};
use crate::value::{glob, text, word};

const MATCH: &str = "{ model = \"*claude*\" }";

/// Which series are meant.
#[derive(Debug)]
pub(super) struct Whose {
    pub(super) matcher: Matcher,
    pub(super) source: Option<String>,
}

type Globs = Setting<Option<Vec<(String, At)>>>;

pub(super) fn read(
    table: &mut Table<'_, '_, '_>,
    sources: Option<&[Known<'_>]>,
    reach: Option<Reach<'_>>,
) -> Option<Whose> {
    let Some(node) = table.get("match") else {
        table.lacks("match", MATCH);
        return None;
    };
    let mut inner = Table::open(table.report, &schema::MATCH, "match", &[node]);
    if !inner.is_table() {
        return None;
    }
    let models = inner.one_or_more("model", "\"*claude*\"", glob("model"));
    let accounts = inner.one_or_more("account", "\"111122223333\"", matching::account);
    let regions = inner.one_or_more("region", "\"us-east-1\"", glob("Region"));
    let source = inner.optional("source", text(word));
    if [&models.at, &accounts.at, &regions.at, &source.at].into_iter().all(Option::is_none) {
        if !inner.is_misspelt() {
            let draft = table.report.error(node.at, "`match` must hold at least one of its keys");
            draft.hint(format!("write `match = {MATCH}`, with \"*\" for everything"));
        }
        return None;
    }
    let mut matcher = Matcher {
        models: plain(models.value.clone()?),
        accounts: plain(accounts.value.clone()?),
        regions: plain(regions.value.clone()?),
        ..Matcher::default()
    };
    if let (Some(name), Some(at), Some(sources)) = (source.value.as_ref()?, source.at, sources) {
        let plan = named(&mut inner, (name, at), sources)?;
        let place = of_source(&mut inner, (plan, at), (&accounts, &regions), sources)?;
        (matcher.accounts, matcher.regions) = place;
    } else if let Some(reach) = reach {
        each(&accounts, |glob, at| reach.account(inner.report, glob, at));
        each(&regions, |glob, at| reach.region(inner.report, glob, at));
    }
    if let Some(reach) = reach {
        each(&models, |glob, at| reach.model(inner.report, glob, at));
    }
    Some(Whose { matcher, source: source.value? })
}

fn each(globs: &Globs, mut see: impl FnMut(&str, At)) {
    globs.value.iter().flatten().flatten().for_each(|(glob, at)| see(glob, *at));
}

fn plain(list: Option<Vec<(String, At)>>) -> Vec<String> {
    let mut globs: Vec<_> = list.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect();
    globs.sort();
    globs.dedup();
    globs
}

/// The source of a name. One with a mistake of its own is not a second mistake here.
fn named<'s>(
    table: &mut Table<'_, '_, '_>,
    (name, at): (&str, At),
    sources: &'s [Known<'s>],
) -> Option<&'s Known<'s>> {
    let found = sources.iter().find(|source| source.name == name);
    if found.is_none() {
        let names: Vec<_> = sources.iter().map(|source| source.name).collect();
        let draft = table.report.error(at, format!("there is no source {}", quoted(name)));
        draft.hint(match hint::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if names.is_empty() => "there is none at all: match by account and Region".to_owned(),
            None => format!("the sources are {}", hint::listed(&names, "and")),
        });
    }
    found
}

/// The account and the Regions that a source stands for. A series knows its account and its Region, and not who read it, so
/// that a recording can be judged as the source itself would be.
fn of_source(
    table: &mut Table<'_, '_, '_>,
    (source, at): (&Known<'_>, At),
    (accounts, regions): (&Globs, &Globs),
    sources: &[Known<'_>],
) -> Option<(Vec<String>, Vec<String>)> {
    let plan = source.plan?;
    let title = format!("[source.cloudwatch.{}]", source.name);
    if plan.linked_accounts {
        let message = format!("`source` cannot tell the accounts of {}", quoted(source.name));
        let draft = table.report.error(at, message);
        draft.hint("match by account: a series is known by its own").see(source.at, "it has linked accounts");
        return None;
    }
    let Some(account) = &plan.account_id else {
        let message = format!("`source` needs the account of {}", quoted(source.name));
        let draft = table.report.error(at, message);
        draft.hint(format!("add `account-id` or `role-arn` to `{title}`: a series is known by its account"));
        draft.see(source.at, "it does not say whose series these are");
        return None;
    };
    let fits = |globs: &Globs, text: &str| match &globs.value {
        Some(Some(globs)) => globs.iter().any(|(glob, _)| Glob::new(glob).matches(text)),
        _ => true,
    };
    let read: Vec<String> = plan.regions.iter().filter(|region| fits(regions, region)).cloned().collect();
    let miss = if fits(accounts, account) { regions.at.filter(|_| read.is_empty()) } else { accounts.at };
    if let Some(miss) = miss {
        let place = format!("account {account} in {}", plan.regions.join(", "));
        let draft = table.report.error(miss, format!("{} reads nothing that fits this", quoted(source.name)));
        draft.hint(format!("it reads {place}")).see(source.at, "the source that `match` names");
        return None;
    }
    for other in sources.iter().filter(|other| other.at != source.at) {
        let Some(theirs) = other.plan.filter(|theirs| theirs.account_id.as_ref() == Some(account)) else {
            continue;
        };
        if let Some(region) = read.iter().find(|region| theirs.regions.contains(region)) {
            let message = format!(
                "`source` cannot tell {} from {}: both read account {account} in {region}",
                quoted(source.name),
                quoted(other.name)
            );
            let draft = table.report.error(at, message);
            draft.hint("match by model instead").see(other.at, "the other one");
            return None;
        }
    }
    Some((vec![account.clone()], read))
}
