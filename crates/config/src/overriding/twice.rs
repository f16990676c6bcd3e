//! Two overrides that set one thing: nobody could tell which of them was meant.

use domain::{Glob, Matcher};

use super::One;
use crate::matching::covers;
use crate::quote::quoted;
use crate::report::Report;

/// Of two overrides that match the same, each label is set by one.
pub(super) fn labels_once(report: &mut Report<'_>, all: &[&One<'_>]) {
    for (index, later) in all.iter().enumerate() {
        for label in &later.labels {
            let same = all.iter().take(index).filter(|first| first.matcher == later.matcher);
            let mut first = same.flat_map(|first| &first.labels).filter(|first| first.key == label.key);
            if let Some(first) = first.next() {
                let message = format!("the label {} is set twice for the same `match`", quoted(&label.key));
                report.error(label.key_at, message).see(first.key_at, "it is set here already");
            }
        }
    }
}

/// A key of the rule is set for a series by one override, as far as the patterns say. Where they only may meet, the first holds.
pub(super) fn keys_once(report: &mut Report<'_>, all: &[&One<'_>]) {
    for (index, later) in all.iter().enumerate() {
        for (key, at) in &later.keys {
            let of_first = |first: &&&One<'_>| first.keys.iter().any(|(other, _)| is_one_part(other, key));
            for first in all.iter().take(index).filter(of_first) {
                let Some((_, first_at)) = first.keys.iter().find(|(other, _)| is_one_part(other, key)) else {
                    continue;
                };
                let title = quoted(&first.named.title());
                if is_covered(later, first) || is_covered(first, later) {
                    let message = format!("`{key}` is set for the same series by {title}");
                    let draft = report.error(*at, message);
                    draft.hint("set it in one of them, or match so that no series is in both");
                    draft.see(*first_at, "it is set here already");
                } else if may_meet(&first.matcher, &later.matcher) {
                    let message = format!("`{key}` may be set for the same series by {title}");
                    let draft = report.warning(*at, message);
                    draft.hint("where it is, the first one in the order of the files holds");
                    draft.see(*first_at, "this one comes first");
                }
            }
        }
    }
}

/// Whether all series of `narrow` are surely those of `wide` too.
pub(super) fn is_covered(narrow: &One<'_>, wide: &One<'_>) -> bool {
    covers(&wide.matcher, &narrow.matcher, true)
}

/// The method is one part of a rule, with what belongs to it.
pub(crate) fn is_one_part(one: &str, other: &str) -> bool {
    let of_method = |key: &str| key == "method" || key.starts_with("anomaly-");
    one == other || (of_method(one) && of_method(other))
}

/// Whether two matchers meet in every part, as far as one pattern covers another. Two patterns such as `*haiku*` and `*sonnet*`
/// could meet in a name that nobody gives to a model.
fn may_meet(one: &Matcher, other: &Matcher) -> bool {
    let meet = |one: &[String], other: &[String]| {
        let pair = |a: &str, b: &str| Glob::new(a).covers(Glob::new(b)) || Glob::new(b).covers(Glob::new(a));
        one.is_empty() || other.is_empty() || one.iter().any(|a| other.iter().any(|b| pair(a, b)))
    };
    meet(&one.models, &other.models)
        && meet(&one.accounts, &other.accounts)
        && meet(&one.regions, &other.regions)
}
