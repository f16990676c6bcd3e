//! What routes and maintenance windows are about: models, accounts, Regions, labels and causes.

use domain::{Cause, Glob, Labels, Matcher, PAGE_CAUSE};

use crate::labels::{self, Label};
use crate::quote::quoted;
use crate::reach::Reach;
use crate::report::{At, Report};
use crate::table::{Fault, Table};
use crate::value::glob;
use crate::{aws, hint};

/// A matcher that was read, and where its parts are.
#[derive(Debug)]
pub(crate) struct Matching {
    pub(crate) matcher: Matcher,
    models: Vec<(String, At)>,
    accounts: Vec<(String, At)>,
    regions: Vec<(String, At)>,
    labels: Vec<Label>,
}

/// What there is to match.
#[derive(Debug, Default)]
pub(crate) struct Known<'s> {
    /// What sources reach; `None` when that is not known.
    pub(crate) reach: Option<Reach<'s>>,
    /// The labels that overrides give; `None` when that is not known.
    pub(crate) labels: Option<Vec<(String, String)>>,
}

/// Reads those parts of a table, but for the causes, which only tickets have.
pub(crate) fn read(table: &mut Table<'_, '_, '_>) -> Option<Matching> {
    let models = table.list("models", "[\"*claude*\"]", glob("model"));
    let accounts = table.list("accounts", "[\"111122223333\"]", account);
    let regions = table.list("regions", "[\"eu-*\"]", glob("Region"));
    let labels = labels::asked(table);
    let plain = |list: &[(String, At)]| list.iter().map(|(text, _)| text.clone()).collect();
    let (models, accounts) = (models.value?.unwrap_or_default(), accounts.value?.unwrap_or_default());
    let (regions, labels) = (regions.value?.unwrap_or_default(), labels?);
    let matcher = Matcher {
        models: plain(&models),
        accounts: plain(&accounts),
        regions: plain(&regions),
        causes: Vec::new(),
        labels: labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect(),
    };
    Some(Matching { matcher, models, accounts, regions, labels })
}

/// A glob of accounts. One that is nearly twelve digits would match nothing.
pub(crate) fn account(text: &str) -> Result<String, Fault> {
    let is_number = text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' '));
    if is_number { aws::account_id(text) } else { glob("account")(text) }
}

/// Reads the causes of tickets.
pub(crate) fn causes(table: &mut Table<'_, '_, '_>) -> Option<Vec<String>> {
    let causes = table.list("causes", "[\"queueing\"]", cause).value?;
    Some(causes.unwrap_or_default().into_iter().map(|(cause, _)| cause).collect())
}

fn cause(text: &str) -> Result<String, Fault> {
    if Cause::from_name(text).is_some() {
        return Ok(text.to_owned());
    }
    let fault = Fault::new(format!("has no cause {}", quoted(text)));
    if text == PAGE_CAUSE {
        return Err(fault.hint("that is the cause of every page; tickets have others"));
    }
    let names = Cause::ALL.map(Cause::as_str);
    Err(match hint::nearest(text, names.into_iter()) {
        Some(near) => fault.hint(format!("did you mean \"{near}\"?")),
        None => fault.hint(format!("the causes are {}", hint::listed(&names, "and"))),
    })
}

impl Matching {
    /// Warns of parts that nothing can match: whoever wrote them meant something else.
    pub(crate) fn warn_of_misses(&self, report: &mut Report<'_>, known: &Known<'_>) {
        if let Some(reach) = known.reach {
            self.models.iter().for_each(|(glob, at)| reach.model(report, glob, *at));
            self.accounts.iter().for_each(|(glob, at)| reach.account(report, glob, *at));
            self.regions.iter().for_each(|(glob, at)| reach.region(report, glob, *at));
        }
        for label in &self.labels {
            let Some(there) = &known.labels else { break };
            let of_key = there.iter().filter(|(key, _)| *key == label.key);
            let values: Vec<_> = of_key.map(|(_, value)| value.as_str()).collect();
            if values.is_empty() {
                let message = format!("no `[override.NAME]` gives a label {}", quoted(&label.key));
                let draft = report.warning(label.key_at, message);
                let keys = there.iter().map(|(key, _)| key.as_str());
                if let Some(near) = hint::nearest(&label.key, keys) {
                    draft.hint(format!("did you mean `{near}`?"));
                } else {
                    draft.hint("nothing has it, so that this matches nothing");
                }
            } else if !values.iter().any(|value| Glob::new(&label.value).matches(value)) {
                let message = format!(
                    "no `[override.NAME]` gives {} a value that fits {}",
                    quoted(&label.key),
                    quoted(&label.value)
                );
                report.warning(label.at, message).hint("nothing has it, so that this matches nothing");
            }
        }
    }
}

/// Whether `wide` surely matches all that `narrow` matches. `is_page` says that only pages come by: they are all about a series, while
/// a ticket may be about a source, which has neither a model nor an account.
pub(crate) fn covers(wide: &Matcher, narrow: &Matcher, is_page: bool) -> bool {
    let some = |wide: &[String], narrow: &[String], is_always_there: bool| {
        let covered = |glob: &String| wide.iter().any(|one| Glob::new(one).covers(Glob::new(glob)));
        let takes_any = is_always_there && covered(&"*".to_owned());
        wide.is_empty() || takes_any || (!narrow.is_empty() && narrow.iter().all(covered))
    };
    some(&wide.models, &narrow.models, is_page)
        && some(&wide.accounts, &narrow.accounts, is_page)
        && some(&wide.regions, &narrow.regions, true)
        && (wide.causes.is_empty()
            || (!narrow.causes.is_empty() && narrow.causes.iter().all(|cause| wide.causes.contains(cause))))
        && labels_cover(&wide.labels, &narrow.labels)
}

fn labels_cover(wide: &Labels, narrow: &Labels) -> bool {
    wide.iter()
        .all(|(key, glob)| narrow.get(key).is_some_and(|narrow| Glob::new(glob).covers(Glob::new(narrow))))
}

#[cfg(test)]
mod tests {
    use domain::{About, Series};
    use proptest::prelude::*;

    use super::*;

    fn matcher(parts: &[(&str, &str)]) -> Matcher {
        let mut matcher = Matcher::default();
        for (part, value) in parts {
            let value = (*value).to_owned();
            match *part {
                "model" => matcher.models.push(value),
                "account" => matcher.accounts.push(value),
                "region" => matcher.regions.push(value),
                "cause" => matcher.causes.push(value),
                label => drop(matcher.labels.insert(label.to_owned(), value)),
            }
        }
        matcher
    }

    #[test]
    fn a_matcher_covers_what_it_surely_takes() {
        let covers = |wide: &[(&str, &str)], narrow: &[(&str, &str)], is_page: bool| {
            covers(&matcher(wide), &matcher(narrow), is_page)
        };
        assert!(covers(&[], &[], false));
        assert!(covers(&[], &[("tier", "2"), ("region", "eu-*")], true));
        assert!(!covers(&[("region", "eu-*")], &[], true));
        assert!(covers(&[("region", "eu-*")], &[("region", "eu-west-1"), ("tier", "2")], true));
        assert!(covers(&[("model", "a*"), ("model", "b*")], &[("model", "b1"), ("model", "a2")], true));
        assert!(!covers(&[("model", "a*")], &[("model", "a1"), ("model", "b1")], true));
        assert!(covers(&[("tier", "*")], &[("tier", "2")], true));
        assert!(!covers(&[("tier", "*")], &[("owner", "team-a")], true));
        assert!(covers(&[("cause", "no_data"), ("cause", "queueing")], &[("cause", "queueing")], false));
        assert!(!covers(&[("cause", "no_data")], &[], false));
        // A ticket about a source has no model, but it has Regions.
        assert!(covers(&[("model", "*")], &[], true));
        assert!(!covers(&[("model", "*")], &[], false));
        assert!(covers(&[("region", "*")], &[], false));
    }

    fn some(of: &[&'static str]) -> impl Strategy<Value = Vec<String>> {
        let one = prop::sample::select(of.to_vec()).prop_map(str::to_owned);
        prop::collection::vec(one, 0..3)
    }

    fn any_matcher() -> impl Strategy<Value = Matcher> {
        let labels = prop::option::of(prop::sample::select(vec!["*", "1", "2", "?"]));
        (
            some(&["*", "a*", "ab", "?b", "b"]),
            some(&["*", "1*", "11"]),
            some(&["*", "eu-*", "eu-west-1", "us-?"]),
            some(&["queueing", "no_data"]),
            labels,
        )
            .prop_map(|(models, accounts, regions, causes, tier)| Matcher {
                models,
                accounts,
                regions,
                causes,
                labels: tier.map(|tier| ("tier".to_owned(), tier.to_owned())).into_iter().collect(),
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_096, ..ProptestConfig::default() })]

        /// A route that is called unreachable, or the last one complete, must be so whatever comes by.
        #[test]
        fn what_is_covered_is_taken(
            wide in any_matcher(),
            narrow in any_matcher(),
            model in prop::sample::select(vec!["a", "ab", "b", "c"]),
            account in prop::sample::select(vec!["1", "11", "22"]),
            region in prop::sample::select(vec!["eu-west-1", "eu-1", "us-1"]),
            tier in prop::option::of(prop::sample::select(vec!["1", "2", "10"])),
            is_about_source in any::<bool>(),
            cause in prop::sample::select(vec!["queueing", "no_data", "level_shift"]),
        ) {
            let series = Series::new(account, region, model);
            let series = (!is_about_source).then_some(&series);
            let labels = tier.map(|tier| ("tier".to_owned(), tier.to_owned())).into_iter().collect();
            let about = About { series, regions: &[region], cause, labels: &labels };
            for is_page in [false, true] {
                if (!is_page || !is_about_source) && covers(&wide, &narrow, is_page) && narrow.takes(&about) {
                    prop_assert!(wide.takes(&about));
                }
            }
        }
    }
}
