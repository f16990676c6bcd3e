//! What is kept beside an issue and its comments, and the search for what is written in them.

use super::*;

fn noted(value: &Value) -> Value {
    json!([{"key": "otpsd", "value": value}])
}

#[test]
fn what_is_kept_beside_an_issue_is_given_to_who_asks() {
    let jira = Jira::default();
    let mut new = ticket("otpsd-a");
    new["properties"] = noted(&json!({"key": "otpsd-a"}));
    assert_eq!(call(&jira, "POST", "issue", &new).0, 201);
    let read = |query: &str| call(&jira, "GET", &format!("issue/OPS-1?fields=labels{query}"), &Value::Null).1;
    assert_eq!(read("").get("properties"), None, "nobody asked");
    assert_eq!(read("&properties=otpsd")["properties"], json!({"otpsd": {"key": "otpsd-a"}}));
    assert_eq!(read("&properties=other")["properties"], json!({}));

    // Any JSON is a value: the first is new, the second replaces it.
    let set = |value: Value| call_at(&jira, at(9), "PUT", "issue/OPS-1/properties/other", &value);
    assert_eq!(set(json!(7)), (201, Value::Null));
    assert_eq!(set(json!({"closed": 8})), (200, Value::Null));
    let both = json!({"otpsd": {"key": "otpsd-a"}, "other": {"closed": 8}});
    assert_eq!(read("&properties=otpsd,other")["properties"], both);
    assert_eq!(read("&properties=*all")["properties"], both);
    assert_eq!(read("&properties=*all,-otpsd")["properties"], json!({"other": {"closed": 8}}));
    let one = call(&jira, "GET", "issue/OPS-1/properties/other", &Value::Null);
    assert_eq!(one, (200, json!({"key": "other", "value": {"closed": 8}})));
    assert_eq!(call(&jira, "GET", "issue/OPS-1/properties/none", &Value::Null).0, 404);
    let (_, keys) = call(&jira, "GET", "issue/OPS-1/properties", &Value::Null);
    let link = "http://jira.example.com/rest/api/3/issue/10001/properties/other";
    assert_eq!(keys["keys"][0], json!({"key": "other", "self": link}));
    let issue = &jira.issues()[0];
    assert_eq!((issue.edits, issue.updated), (0, at(0)), "it is no edit");

    let found = search(&jira, at(9), &[("fields", json!(["labels"])), ("properties", json!(["otpsd"]))]);
    assert_eq!(found["issues"][0]["properties"], json!({"otpsd": {"key": "otpsd-a"}}));
    let found = search(&jira, at(9), &[("fields", json!(["labels"]))]);
    assert_eq!(found["issues"][0].get("properties"), None);
    let six = json!({"jql": "project = OPS", "properties": ["a", "b", "c", "d", "e", "f"]});
    assert_eq!(call(&jira, "POST", "search/jql", &six).0, 400);
}

#[test]
fn what_cannot_be_kept_is_refused_and_changes_nothing() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    let set =
        |name: &str, value: &Value| call(&jira, "PUT", &format!("issue/OPS-1/properties/{name}"), value).0;
    assert_eq!(set("otpsd", &Value::Null), 400);
    assert_eq!(set(&"x".repeat(256), &json!(1)), 400);
    assert_eq!(set(&"x".repeat(255), &json!(1)), 201);
    // Two of the characters are quotation marks.
    assert_eq!(set("long", &json!("x".repeat(32_767))), 400);
    assert_eq!(set("long", &json!("x".repeat(32_766))), 201);
    assert_eq!(call(&jira, "PUT", "issue/OPS-2/properties/otpsd", &json!(1)).0, 404);
    let mut new = ticket("otpsd-a");
    new["properties"] = json!([{"value": 1}]);
    assert_eq!(call(&jira, "POST", "issue", &new).0, 400);
    assert_eq!(jira.issues().len(), 1);
}

#[test]
fn an_edit_and_a_transition_bring_properties_too() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    assert_eq!(call(&jira, "PUT", "issue/OPS-1", &json!({"properties": noted(&json!(1))})).0, 204);
    assert_eq!(jira.issues()[0].properties["otpsd"], 1);
    let close = json!({"transition": {"id": "31"}, "properties": noted(&json!(2))});
    assert_eq!(call(&jira, "POST", "issue/OPS-1/transitions", &close).0, 204);
    assert_eq!(jira.issues()[0].properties["otpsd"], 2);
}

#[test]
fn comments_come_in_pages_with_what_is_kept_beside_them() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    for number in 0..3 {
        let comment = json!({"body": document("still"), "properties": noted(&json!({"message": number}))});
        let (status, told) = call_at(&jira, at(number), "POST", "issue/OPS-1/comment", &comment);
        assert_eq!((status, told.get("properties")), (201, None));
    }
    let list = |query: &str| call(&jira, "GET", &format!("issue/OPS-1/comment{query}"), &Value::Null);
    let (_, all) = list("");
    assert_eq!((all["total"].as_u64(), all["comments"][0].get("properties")), (Some(3), None));
    let (_, newest) = list("?orderBy=-created&maxResults=2&expand=properties");
    assert_eq!(newest["total"], 3);
    let kept: Vec<&Value> =
        newest["comments"].as_array().unwrap().iter().map(|comment| &comment["properties"]).collect();
    assert_eq!(kept, [&noted(&json!({"message": 2})), &noted(&json!({"message": 1}))]);
    assert_eq!(list("?startAt=2").1["comments"][0]["id"], "10003");
    assert_eq!(list("?orderBy=author").0, 400);
    assert_eq!(list("?maxResults=few").0, 400);
}

#[test]
fn an_issue_whose_labels_were_lost_is_found_by_what_is_written_in_it() {
    let jira = Jira::default();
    jira.set(JiraSettings { drop_labels: true, index_delay_seconds: 0 });
    let mut new = ticket("otpsd-a");
    for text in ["Found again by: otpsd-54dd9473edee387a", "Found again by: otpsd-762428875229261a"] {
        new["fields"]["description"] = document(text);
        call(&jira, "POST", "issue", &new);
    }
    let find = |jql: &str| {
        let (status, found) = call(&jira, "POST", "search/jql", &json!({"jql": jql, "fields": []}));
        let keys = found["issues"].as_array().into_iter().flatten();
        (status, keys.map(|issue| issue["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let both = "project = \"OPS\" AND (labels in (\"otpsd-54dd9473edee387a\") \
                OR description ~ \"\\\"otpsd-54dd9473edee387a\\\"\") ORDER BY created DESC";
    assert_eq!(find(both), (200, vec!["OPS-1".to_owned()]));
    assert_eq!(find("description ~ otpsd").1, ["OPS-2", "OPS-1"], "a word of it is in both");
    assert_eq!(find("labels ~ otpsd").0, 400);
}

#[test]
fn it_is_known_when_an_issue_came_to_another_category() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    let changed = || {
        let (_, issue) = call(&jira, "GET", "issue/OPS-1?fields=statuscategorychangedate", &Value::Null);
        issue["fields"]["statuscategorychangedate"].as_str().unwrap().to_owned()
    };
    assert_eq!(changed(), "2026-10-15T12:00:00.000+0000");
    jira.move_by_hand("OPS-1", JiraStatus::ToDo, None, at(3));
    assert_eq!(changed(), "2026-10-15T12:00:00.000+0000", "it is where it was");
    jira.move_by_hand("OPS-1", JiraStatus::Done, Some("Done"), at(4));
    assert_eq!(changed(), "2026-10-15T12:00:04.000+0000");
}
