//! Two configurations, and the history that both are tried on.

use config::Origins;
use domain::{Plan, Series, SourcePlan, Span};

use super::hindsight::Line;
use super::watched::Watched;
use crate::commands::plan::Why;
use crate::markdown::code;

/// One of two configurations.
pub(super) struct Side<'a> {
    pub(super) plan: &'a Plan,
    pub(super) origins: &'a Origins,
    pub(super) watched: Watched,
}

/// Two configurations on one history.
pub(super) struct Two<'a> {
    /// The one that is compared with.
    pub(super) old: Side<'a>,
    /// The one that is looked at.
    pub(super) new: Side<'a>,
    /// All series of the history, in order.
    pub(super) series: &'a [Series],
    /// The whole history.
    pub(super) span: Span,
}

impl Two<'_> {
    /// Why one of the two does not read a series at all, and the line of that; `None` when both do, or neither.
    pub(super) fn unseen(&self, series: &Series) -> Option<Line> {
        let place = self.series.binary_search(series).ok()?;
        let (old, new) = (&self.old, &self.new);
        match (old.watched.why_not(place), new.watched.why_not(place)) {
            (None, Some(why)) => {
                let (key, words) = reason(why, new, old.watched.source(place), series);
                Some(line(&format!("{words} any more"), old, new, &key))
            }
            (Some(why), None) => {
                let (key, words) = reason(why, old, new.watched.source(place), series);
                Some(line(&format!("{words} before"), old, new, &key))
            }
            _ => None,
        }
    }
}

/// What keeps a side from reading a series: the source and the keys that say so, and words to which `any more` or `before` is added. `source`
/// is the one that reads it on the other side.
fn reason(why: &Why, side: &Side<'_>, source: Option<&str>, series: &Series) -> (Keys, String) {
    let keys = |source: &str, keys: &[&'static str]| Keys { source: source.to_owned(), keys: keys.to_vec() };
    match why {
        Why::LeftOut(name) => {
            (keys(name, &["include", "ignore"]), format!("source `{name}` does not take this model"))
        }
        Why::TooFew { source, wanted, .. } => (
            keys(source, &["min-daily-requests"]),
            format!("source `{source}` does not watch it with less than {wanted} requests a day"),
        ),
        Why::OverMost { source, most } => (
            keys(source, &["max-series"]),
            format!("source `{source}`, which watches {most}, does not watch it"),
        ),
        Why::NoSource | Why::NeverStreams => {
            let name = source.unwrap_or_default();
            let there = side.plan.source(name);
            match there {
                None if name.is_empty() => (keys("", &[]), "no source reads it".to_owned()),
                None => (keys(name, &[]), format!("source `{name}` is not there, so that nobody reads it")),
                Some(SourcePlan::CloudWatch(one))
                    if one.regions.iter().all(|region| region != series.region()) =>
                {
                    (
                        keys(name, &["regions"]),
                        format!("source `{name}` does not read {}", code(series.region())),
                    )
                }
                Some(_) => (
                    keys(name, &["account-id", "linked-accounts"]),
                    format!("source `{name}` does not read account {}", code(series.account())),
                ),
            }
        }
    }
}

/// Keys of a source; without any it is its table.
struct Keys {
    source: String,
    keys: Vec<&'static str>,
}

impl Keys {
    /// Where they are written on one side, of those that are otherwise on the other one.
    fn places(&self, side: &Side<'_>, other: &Side<'_>) -> Option<String> {
        let table = format!("source.cloudwatch.{}", self.source);
        if self.keys.is_empty() {
            return side.origins.table(&table).map(ToString::to_string);
        }
        let value = |side: &Side<'_>, key: &str| {
            let shared = side.origins.value("default.cloudwatch", key);
            side.origins.value(&table, key).or(shared).map(str::to_owned)
        };
        let differ = self.keys.iter().filter(|key| value(side, key) != value(other, key));
        let places: Vec<String> = differ
            .filter_map(|key| side.origins.of_source(&self.source, key))
            .map(ToString::to_string)
            .collect();
        (!places.is_empty()).then(|| places.join(", "))
    }
}

fn line(words: &str, old: &Side<'_>, new: &Side<'_>, keys: &Keys) -> Line {
    Line { words: words.to_owned(), at: keys.places(new, old), was: keys.places(old, new) }
}
