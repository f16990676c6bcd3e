//! What an issue that is there means for what is to be said.

use std::cmp::Reverse;
use std::time::Duration;

use domain::JiraPlan;
use jiff::{SignedDuration, Timestamp};

use super::issue::{Category, Issue};

/// The clocks of the daemon and the site may differ by this much.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

/// What an issue means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is not done; somebody may have begun.
    Open { begun: bool },
    /// It is done, and nobody wants it to be done.
    Unwanted,
    /// A human closed it.
    ClosedByHand,
    /// The daemon closed it.
    Closed { recently: bool },
}

impl Standing {
    pub(super) fn of(issue: &Issue, plan: &JiraPlan, now: Timestamp) -> Self {
        match issue.category {
            Category::ToDo => return Self::Open { begun: false },
            Category::Begun => return Self::Open { begun: true },
            Category::Done => {}
        }
        let is = |name: &str| plan.wont_fix.iter().any(|given| given.to_lowercase() == name.to_lowercase());
        if issue.resolution.as_deref().is_some_and(is) || is(&issue.status) {
            return Self::Unwanted;
        }
        let Some(closed) = issue.mark.closed.and_then(|seconds| Timestamp::from_second(seconds).ok()) else {
            return Self::ClosedByHand;
        };
        let changed = issue.changed.unwrap_or(closed);
        if changed.duration_since(closed).abs() > CLOCKS_DIFFER {
            return Self::ClosedByHand;
        }
        let ago = Duration::try_from(now.duration_since(changed)).unwrap_or_default();
        Self::Closed { recently: ago <= plan.reopen_within }
    }
}

/// Of several issues about the same, the one that counts: one that is open, otherwise the one that changed last.
pub(super) fn foremost<'a>(issues: impl Iterator<Item = &'a Issue>) -> Option<&'a Issue> {
    issues.min_by_key(|issue| (issue.category == Category::Done, Reverse(issue.changed.max(issue.created))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DeliveryPlan, Secret};
    use serde_json::{Value, json};

    fn plan() -> JiraPlan {
        JiraPlan {
            name: "llm".to_owned(),
            url: "https://example.atlassian.net".to_owned(),
            project: "LLM".to_owned(),
            issue_type: "Task".to_owned(),
            user: None,
            token: Secret::new("t"),
            labels: Vec::new(),
            reopen_within: Duration::from_secs(14 * 86_400),
            wont_fix: vec!["Won't Do".to_owned()],
            delivery: DeliveryPlan::DEFAULT,
        }
    }

    const CLOSED: &str = "2026-12-03T06:00:00.000+0000";

    fn issue(category: &str, status: &str, resolution: Value, changed: Value, closed: Value) -> Issue {
        Issue::read(&json!({
            "key": "LLM-1",
            "fields": {
                "status": { "name": status, "statusCategory": { "key": category } },
                "resolution": { "name": resolution },
                "statuscategorychangedate": changed
            },
            "properties": { "otpsd": { "closed": closed } }
        }))
        .unwrap()
    }

    fn of(issue: &Issue, now: &str) -> Standing {
        Standing::of(issue, &plan(), now.parse().unwrap())
    }

    #[test]
    fn whoever_closed_it_and_when_and_why_decides() {
        use Standing::{Closed, ClosedByHand, Open, Unwanted};
        let closed: Timestamp = "2026-12-03T06:00:00Z".parse().unwrap();
        let at = |minutes: i64| json!(closed.as_second() - minutes * 60);
        let done =
            |resolution: &str, mark: Value| issue("done", "Done", json!(resolution), json!(CLOSED), mark);
        let soon = "2026-12-04T06:00:00Z";
        assert_eq!(
            of(&issue("new", "To Do", Value::Null, Value::Null, Value::Null), soon),
            Open { begun: false }
        );
        assert_eq!(
            of(&issue("indeterminate", "Doing", Value::Null, Value::Null, at(0)), soon),
            Open { begun: true }
        );
        assert_eq!(of(&done("won't do", at(0)), soon), Unwanted);
        assert_eq!(of(&issue("done", "Won't do", Value::Null, Value::Null, Value::Null), soon), Unwanted);
        assert_eq!(of(&done("Done", Value::Null), soon), ClosedByHand);
        assert_eq!(of(&done("Done", at(0)), soon), Closed { recently: true });
        assert_eq!(of(&done("Done", at(9)), soon), Closed { recently: true });
        assert_eq!(of(&done("Done", at(-9)), soon), Closed { recently: true });
        assert_eq!(of(&done("Done", at(11)), soon), ClosedByHand, "somebody opened and closed it since");
        assert_eq!(of(&done("Done", at(0)), "2026-12-17T06:00:00Z"), Closed { recently: true });
        assert_eq!(of(&done("Done", at(0)), "2026-12-17T06:00:01Z"), Closed { recently: false });
    }

    #[test]
    fn an_open_issue_counts_more_than_a_newer_one() {
        let named = |key: &str, category: &str, changed: &str| {
            let mut issue = issue(category, "", Value::Null, json!(changed), Value::Null);
            issue.key = key.to_owned();
            issue
        };
        let old = named("LLM-1", "done", "2026-12-01T00:00:00.000+0000");
        let new = named("LLM-2", "done", "2026-12-02T00:00:00.000+0000");
        let open = named("LLM-3", "new", "2026-11-01T00:00:00.000+0000");
        let key = |issues: &[&Issue]| foremost(issues.iter().copied()).map(|issue| issue.key.clone());
        assert_eq!(key(&[&old, &new]).as_deref(), Some("LLM-2"));
        assert_eq!(key(&[&old, &open, &new]).as_deref(), Some("LLM-3"));
        assert_eq!(key(&[]), None);
    }
}
