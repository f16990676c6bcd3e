//! A page or a ticket as an item of a tracker of work.

use std::collections::BTreeMap;

use crate::item::{self, Item, ItemAction};
use crate::notice::{Notice, SeriesNotice};

/// More models are counted, not named.
const MODELS: usize = 10;

/// What a tracker is told.
pub(crate) fn item(notice: &Notice) -> Item {
    let subject: Vec<&str> = notice.subject.iter().map(String::as_str).collect();
    Item {
        action: ItemAction::of(notice.kind),
        key: notice.key.to_string(),
        subject: (!subject.is_empty()).then(|| item::subject(&subject)),
        title: notice.summary.clone(),
        text: notice.text.clone(),
        labels: labels(notice),
        fields: fields(notice),
        link: notice.link.clone(),
    }
}

/// `otpsd`, the cause, and the Region where there is one.
fn labels(notice: &Notice) -> Vec<String> {
    let test = notice.test.then_some("otpsd-test");
    let words = ["otpsd", notice.cause].into_iter().chain(notice.region()).chain(test);
    words.map(str::to_owned).collect()
}

fn fields(notice: &Notice) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            fields.insert(name.to_owned(), value);
        }
    };
    let of_all = |part: fn(&SeriesNotice) -> Option<&str>| {
        let mut all: Vec<&str> = Vec::new();
        for value in notice.series.iter().filter_map(part) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        let more = all.len().saturating_sub(MODELS);
        all.truncate(MODELS);
        let named = all.join(", ");
        if more > 0 { format!("{named} and {more} more") } else { named }
    };
    put("key", Some(notice.key.to_string()));
    put("cause", Some(notice.cause.to_owned()));
    put("group", notice.group.as_ref().map(ToString::to_string));
    put("region", notice.region().map(str::to_owned));
    put("model", Some(of_all(|series| Some(&series.named.model))));
    put("account", Some(of_all(|series| Some(&series.named.account))));
    put("alias", Some(of_all(|series| series.alias.as_deref())));
    put("owner", Some(of_all(|series| series.owner.as_deref())));
    put("source", notice.source.as_ref().map(|source| source.source.clone()));
    put("since", Some(notice.since.to_string()));
    put("until", notice.until.map(|until| until.to_string()));
    if let [series] = &notice.series[..] {
        put("ratio", series.ratio.map(|ratio| ratio.to_string()));
        put("otps", series.otps.map(|otps| otps.to_string()));
        put("baseline", series.baseline.map(|baseline| baseline.to_string()));
    }
    fields
}
