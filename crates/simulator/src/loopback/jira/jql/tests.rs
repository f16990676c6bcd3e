use proptest::prelude::*;
use serde_json::{Map, Value};

use super::super::JiraStatus;
use super::*;

fn now() -> Timestamp {
    // 2026-10-15T12:00:00Z.
    Timestamp::from_second(1_792_065_600).unwrap()
}

fn issue(key: &str, labels: &[&str], resolution: Option<&str>, hours_ago: i64) -> JiraIssue {
    let created = now() - jiff::SignedDuration::from_hours(hours_ago);
    let done = resolution.is_some();
    JiraIssue {
        id: format!("1{}", key.rsplit('-').next().unwrap()),
        key: key.to_owned(),
        project: key.split('-').next().unwrap().to_owned(),
        issue_type: "Task".to_owned(),
        summary: "TTFT of example.alpha creeps".to_owned(),
        description: Value::Null,
        properties: Map::new(),
        category_changed: created,
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        priority: "Medium".to_owned(),
        status: if done { JiraStatus::Done } else { JiraStatus::ToDo },
        resolution: resolution.map(str::to_owned),
        created,
        updated: created,
        resolved: done.then_some(created),
        comments: Vec::new(),
        edits: 0,
        others: Map::new(),
    }
}

/// The keys that a query finds, in its order.
fn found(jql: &str) -> String {
    let issues = [
        issue("OPS-1", &["otpsd-a", "slow"], Some("Won't Do"), 72),
        issue("OPS-2", &["otpsd-a"], None, 48),
        issue("OPS-10", &["otpsd-b"], Some("Done"), 24),
        issue("LLM-3", &[], None, 1),
    ];
    match Query::parse(jql, now()) {
        Ok(query) => {
            let fitting = issues.iter().filter(|issue| query.fits(issue)).collect();
            query.sort(fitting).iter().map(|issue| issue.key.as_str()).collect::<Vec<_>>().join(" ")
        }
        Err(message) => message,
    }
}

#[test]
fn the_query_of_a_tracker_client_finds_the_newest_first() {
    assert_eq!(found("project = OPS AND labels = \"otpsd-a\" ORDER BY created DESC"), "OPS-2 OPS-1");
    assert_eq!(found("project = 'OPS' and labels = otpsd-a order by created"), "OPS-1 OPS-2");
    assert_eq!(found("project in (OPS, LLM) ORDER BY key ASC"), "LLM-3 OPS-1 OPS-2 OPS-10");
    assert_eq!(found("labels in (slow, otpsd-b)"), "OPS-10 OPS-1");
    assert_eq!(found("labels is EMPTY"), "LLM-3");
    assert_eq!(found("labels = empty"), "LLM-3");
    assert_eq!(found("labels = \"empty\""), "");
    assert_eq!(found("project = LLM OR labels = slow AND NOT labels = otpsd-a"), "LLM-3");
    assert_eq!(found("(project = LLM OR labels = slow) AND NOT status = \"To Do\""), "OPS-1");
}

#[test]
fn what_differs_from_a_value_leaves_out_what_is_empty() {
    assert_eq!(found("resolution != \"Won't Do\""), "OPS-10");
    assert_eq!(found("resolution is EMPTY OR resolution != \"Won't Do\""), "LLM-3 OPS-10 OPS-2");
    assert_eq!(found("resolution = Unresolved"), "LLM-3 OPS-2");
    assert_eq!(found("resolution is not EMPTY"), "OPS-10 OPS-1");
    assert_eq!(found("labels not in (otpsd-a)"), "OPS-10");
}

#[test]
fn statuses_have_categories() {
    assert_eq!(found("statusCategory != Done"), "LLM-3 OPS-2");
    assert_eq!(found("statusCategory = new"), "LLM-3 OPS-2");
    assert_eq!(found("statusCategory = done AND project = OPS"), "OPS-10 OPS-1");
}

#[test]
fn times_are_relative_or_dates() {
    assert_eq!(found("created >= -25h"), "LLM-3 OPS-10");
    assert_eq!(found("created >= -2d"), "LLM-3 OPS-10 OPS-2");
    assert_eq!(found("created > -2d"), "LLM-3 OPS-10");
    assert_eq!(found("created < \"2026-10-13 12:00\""), "OPS-1");
    assert_eq!(found("created < \"2026/10/14\""), "OPS-2 OPS-1");
    assert_eq!(found("resolved <= now()"), "OPS-10 OPS-1");
    assert!(found("created > soon").starts_with("Date value 'soon'"));
}

#[test]
fn texts_are_searched_by_words() {
    assert_eq!(found("project = LLM AND summary ~ \"ttft creeps\""), "LLM-3");
    assert_eq!(found("summary ~ otps"), "");
    assert_eq!(found("summary ~ \"cree*\" AND project = LLM"), "LLM-3");
    assert_eq!(found("summary ~ \"\\\"of example\\\"\" AND project = LLM"), "LLM-3");
    assert_eq!(found("summary !~ creeps"), "");
    assert_eq!(found("summary !~ otps AND project = LLM"), "LLM-3");
    assert_eq!(found("text ~ creeps AND project = LLM"), "LLM-3");
    assert_eq!(found("description ~ creeps OR comment ~ creeps"), "");
    assert_eq!(found("description is EMPTY AND project = LLM"), "LLM-3");
    assert_eq!(found("description !~ creeps"), "", "what is empty lacks nothing");
}

#[test]
fn a_field_has_operators_of_its_own() {
    for (jql, operator, field) in [
        ("summary = x", "=", "summary"),
        ("description in (x)", "in", "description"),
        ("text is EMPTY", "is", "text"),
        ("comment is not EMPTY", "is not", "comment"),
        ("labels ~ x", "~", "labels"),
        ("labels >= x", ">=", "labels"),
        ("created !~ x", "!~", "created"),
    ] {
        let expected = format!("The operator '{operator}' is not supported by the '{field}' field.");
        assert_eq!(found(jql), expected);
    }
}

#[test]
fn what_cannot_be_understood_is_said() {
    let unbounded =
        "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.";
    assert_eq!(found(""), unbounded);
    assert_eq!(found("ORDER BY created DESC"), unbounded);
    assert_eq!(
        found("sprint = 1"),
        "Field 'sprint' does not exist or you do not have permission to view it."
    );
    assert_eq!(
        found("labels = ALERT{a}"),
        "Error in the JQL Query: The character '{' is a reserved JQL character. You must enclose it in a string or use \
         the escape '\\u007b' instead."
    );
    assert_eq!(found("labels = \"ALERT{a=\\\"b\\\"}\""), "");
    assert!(found("labels = \"open").contains("has not been completed"));
    assert!(found("labels =").contains("before the end"));
    assert!(found("project = OPS labels = x").contains("Expecting either 'OR' or 'AND' but got 'labels'"));
    assert!(found("labels in otpsd-a").contains("Expecting '('"));
    let rules = JiraRules { projects: ["OPS".to_owned()].into(), ..JiraRules::default() };
    let check = |jql| Query::parse(jql, now()).unwrap().check(&rules);
    assert_eq!(check("project = ops"), Ok(()));
    let unknown = "The value 'OTHER' does not exist for the field 'project'.";
    assert_eq!(check("labels = x AND project = OTHER"), Err(unknown.to_owned()));
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| format!("{}labels = otpsd-b{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(found(&nested(100)), "OPS-10");
    assert!(found(&nested(101)).contains("nested"));
    assert!(found(&"NOT ".repeat(1_000_000)).contains("nested"));
}

proptest! {
    #[test]
    fn no_query_is_too_strange_to_be_answered(jql in "\\PC*|([a-z]+ ?(=|!=|~|in|is|>=|not) ?\\(?[\"'a-z\\\\,]*\\)? ?(and|or|order by)? ?){0,4}") {
        found(&jql);
    }

    #[test]
    fn a_label_in_quotation_marks_is_found_by_itself_alone(label in "[^\\s\\p{C}]{1,40}", other in "[^\\s\\p{C}]{1,40}") {
        prop_assume!(label != other);
        let quoted = label.replace('\\', "\\\\").replace('"', "\\\"");
        let query = Query::parse(&format!("project = OPS AND labels = \"{quoted}\""), now()).unwrap();
        prop_assert!(query.fits(&issue("OPS-1", &[&other, &label], None, 1)));
        prop_assert!(!query.fits(&issue("OPS-2", &[&other], None, 1)));
    }
}
