use axum::http::Request as HttpRequest;

use super::*;

mod properties;

/// 2026-10-15T12:00:00Z and so many seconds.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_792_065_600 + seconds).unwrap()
}

fn call_at(jira: &Jira, now: Timestamp, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = HttpRequest::builder()
        .method(method)
        .uri(format!("/rest/api/3/{path}"))
        .header("host", "jira.example.com")
        .header("authorization", "Bearer token-1")
        .header("content-type", "application/json; charset=utf-8");
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let body = body.to_string().into_bytes();
    let answer = jira.answer(&Request { parts: &parts, body: &body, now });
    (answer.status, answer.body)
}

fn call(jira: &Jira, method: &str, path: &str, body: &Value) -> (u16, Value) {
    call_at(jira, at(0), method, path, body)
}

fn document(text: &str) -> Value {
    let paragraph = json!({"type": "paragraph", "content": [{"type": "text", "text": text}]});
    json!({"type": "doc", "version": 1, "content": [paragraph]})
}

fn ticket(label: &str) -> Value {
    json!({"fields": {
        "project": {"key": "OPS"},
        "issuetype": {"name": "Task"},
        "summary": "TTFT creeps",
        "description": document("since Monday"),
        "labels": [label, "bedrock"],
    }})
}

fn search(jira: &Jira, now: Timestamp, more: &[(&str, Value)]) -> Value {
    let mut body = json!({"jql": "project = OPS AND labels = \"otpsd-a\" ORDER BY created DESC"});
    for (name, value) in more {
        body[name] = value.clone();
    }
    call_at(jira, now, "POST", "search/jql", &body).1
}

#[test]
fn a_ticket_is_filed_found_moved_and_read() {
    let jira = Jira::default();
    let (status, told) = call(&jira, "POST", "issue", &ticket("otpsd-a"));
    let expected =
        json!({"id": "10001", "key": "OPS-1", "self": "http://jira.example.com/rest/api/3/issue/10001"});
    assert_eq!((status, &told), (201, &expected));
    let found = search(&jira, at(1), &[("fields", json!(["summary", "status", "resolution"]))]);
    assert_eq!(found["isLast"], true);
    assert_eq!(found["issues"][0]["key"], "OPS-1");
    let fields = &found["issues"][0]["fields"];
    assert_eq!(fields["status"]["statusCategory"]["key"], "new");
    assert_eq!((&fields["resolution"], fields.get("labels")), (&Value::Null, None));

    let comment = call_at(&jira, at(2), "POST", "issue/OPS-1/comment", &json!({"body": document("still")}));
    assert_eq!(comment.0, 201);
    let edit = json!({"fields": {"summary": "TTFT creeps on"}, "update": {"labels": [{"add": "slow"}, {"remove": "bedrock"}]}});
    assert_eq!(call_at(&jira, at(3), "PUT", "issue/ops-1", &edit), (204, Value::Null));
    let close = json!({"transition": {"id": "31"}, "fields": {"resolution": {"name": "Won't Do"}}});
    assert_eq!(call_at(&jira, at(4), "POST", "issue/10001/transitions", &close), (204, Value::Null));

    let (_, read) = call(&jira, "GET", "issue/OPS-1", &Value::Null);
    assert_eq!(read["fields"]["resolution"]["name"], "Won't Do");
    assert_eq!(read["fields"]["status"]["statusCategory"]["key"], "done");
    assert_eq!(read["fields"]["resolutiondate"], "2026-10-15T12:00:04.000+0000");
    assert_eq!(read["fields"]["comment"]["total"], 1);
    let issue = &jira.issues()[0];
    assert_eq!(issue.labels, ["otpsd-a", "slow"]);
    assert_eq!((issue.summary.as_str(), issue.edits), ("TTFT creeps on", 1));
    assert_eq!(issue.comments[0].body, document("still"));

    let reopen = json!({"transition": {"id": 11}});
    assert_eq!(call_at(&jira, at(5), "POST", "issue/OPS-1/transitions", &reopen).0, 204);
    assert_eq!((jira.issues()[0].resolution.clone(), jira.issues()[0].resolved), (None, None));
}

#[test]
fn the_old_search_is_gone() {
    for method in ["GET", "POST"] {
        let (status, body) = call(&Jira::default(), method, "search", &json!({"jql": "project = OPS"}));
        assert_eq!(status, 410);
        assert!(
            body["errorMessages"][0].as_str().unwrap().starts_with("The requested API has been removed.")
        );
        assert_eq!(body["errors"], json!({}));
    }
}

#[test]
fn who_names_no_fields_gets_ids_page_by_page() {
    let jira = Jira::default();
    for _ in 0..3 {
        call(&jira, "POST", "issue", &ticket("otpsd-a"));
    }
    let first = search(&jira, at(0), &[("maxResults", json!(2))]);
    assert_eq!(first["issues"], json!([{"id": "10003"}, {"id": "10002"}]));
    assert_eq!(first["isLast"], false);
    let token = first["nextPageToken"].clone();
    let last = search(&jira, at(0), &[("nextPageToken", token.clone())]);
    assert_eq!(last, json!({"issues": [{"id": "10001"}], "isLast": true}));
    let other = json!({"jql": "project = OPS", "nextPageToken": token});
    assert_eq!(call(&jira, "POST", "search/jql", &other).0, 400, "a token is of one query");
}

#[test]
fn what_is_wrong_is_said_field_by_field() {
    let rules = JiraRules { projects: ["OPS".to_owned()].into(), token: None };
    let jira = Jira::new(rules);
    let case = |field: &str, value: Value| {
        let mut body = ticket("otpsd-a");
        body["fields"][field] = value;
        let (status, body) = call(&jira, "POST", "issue", &body);
        assert_eq!((status, &body["errorMessages"]), (400, &json!([])), "{field}");
        body["errors"].clone()
    };
    assert_eq!(
        case("labels", json!(["two words"])),
        json!({"labels": "The label 'two words' contains spaces which is invalid."})
    );
    let long = "x".repeat(256);
    let message =
        format!("The label '{long}' exceeds the maximum length for a single label of 255 characters.");
    assert_eq!(case("labels", json!([long])), json!({"labels": message}));
    assert_eq!(
        case("project", json!({"key": "LLM"})),
        json!({"project": "Specify a valid project ID or key"})
    );
    assert_eq!(case("issuetype", json!({})), json!({"issuetype": "Specify an issue type"}));
    assert_eq!(
        case("summary", json!("x".repeat(256))),
        json!({"summary": "Summary can't exceed 255 characters."})
    );
    assert_eq!(case("summary", json!(" ")), json!({"summary": "You must specify a summary of the issue."}));
    assert!(case("summary", json!("a\nb"))["summary"].as_str().unwrap().contains("newline"));
    assert!(case("sprint", json!(1))["sprint"].as_str().unwrap().contains("cannot be set"));
    assert_eq!(
        case("priority", json!({"name": "P1"})),
        json!({"priority": "The priority selected is invalid."})
    );
    assert_eq!(
        case("description", json!("plain")),
        json!({"description": "Operation value must be an Atlassian Document (see the Atlassian Document Format)"})
    );
    assert!(jira.issues().is_empty());

    let mut body = ticket("otpsd-a");
    body["fields"]["description"] =
        json!({"type": "doc", "version": 1, "content": [{"type": "text", "text": "x"}]});
    let invalid = call(&jira, "POST", "issue", &body).1;
    assert_eq!(invalid, json!({"errorMessages": ["INVALID_INPUT"], "errors": {}}));
    let longest = "x".repeat(255);
    assert_eq!(call(&jira, "POST", "issue", &ticket(&longest)).0, 201, "255 characters are a label");
}

#[test]
fn what_is_not_there_or_cannot_be_done_is_refused() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    for (method, path) in [("GET", "issue/OPS-2"), ("PUT", "issue/OPS-2"), ("POST", "issue/OPS-2/comment")] {
        let (status, body) = call(&jira, method, path, &json!({}));
        assert_eq!(status, 404, "{path}");
        assert_eq!(body["errorMessages"][0], "Issue does not exist or you do not have permission to see it.");
    }
    let transition = |body| call(&jira, "POST", "issue/OPS-1/transitions", &body);
    assert_eq!(transition(json!({})).0, 400);
    assert_eq!(
        transition(json!({"transition": {"id": "99"}})).1["errorMessages"][0],
        "Transition id '99' is not valid for this issue."
    );
    let resolution = json!({"resolution": {"name": "Done"}});
    let (status, body) = transition(json!({"transition": {"id": "21"}, "fields": resolution}));
    assert_eq!(status, 400);
    assert!(body["errors"]["resolution"].as_str().unwrap().contains("not on the appropriate screen"));
    assert_eq!(
        transition(json!({"transition": {"id": "31"}, "fields": {"resolution": {"name": "Bored"}}})).0,
        400
    );
    assert_eq!(jira.issues()[0].status, JiraStatus::ToDo, "what is refused changes nothing");
    let (_, all) = call(&jira, "GET", "issue/OPS-1/transitions?expand=transitions.fields", &Value::Null);
    assert_eq!(all["transitions"][2]["to"]["statusCategory"]["key"], "done");
    assert_eq!(all["transitions"][2]["fields"]["resolution"]["allowedValues"][1]["name"], "Won't Do");
    assert_eq!(call(&jira, "POST", "issue/OPS-1/comment", &json!({"body": "plain"})).0, 400);
    assert_eq!(call(&jira, "DELETE", "issue/OPS-1", &json!({})).0, 404);
}

#[test]
fn labels_can_be_lost_and_searches_can_lag() {
    let jira = Jira::default();
    jira.set(JiraSettings { drop_labels: true, index_delay_seconds: 0 });
    assert_eq!(call(&jira, "POST", "issue", &ticket("otpsd-a")).0, 201);
    assert_eq!(search(&jira, at(0), &[])["issues"], json!([]), "taken, and not to be found");
    jira.set(JiraSettings { drop_labels: false, index_delay_seconds: 60 });
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    assert_eq!(search(&jira, at(59), &[])["issues"], json!([]));
    assert_eq!(
        search(&jira, at(59), &[("reconcileIssues", json!([10_002]))])["issues"],
        json!([{"id": "10002"}])
    );
    assert_eq!(search(&jira, at(60), &[])["issues"], json!([{"id": "10002"}]));
}

#[test]
fn an_issue_is_closed_by_hand() {
    let jira = Jira::default();
    call(&jira, "POST", "issue", &ticket("otpsd-a"));
    assert!(jira.move_by_hand("OPS-1", JiraStatus::Done, Some("Won't Do"), at(9)));
    assert!(!jira.move_by_hand("OPS-2", JiraStatus::Done, None, at(9)));
    let issue = &jira.issues()[0];
    assert_eq!((issue.resolution.as_deref(), issue.resolved), (Some("Won't Do"), Some(at(9))));
}

#[test]
fn nobody_is_let_in_without_credentials_or_json() {
    let jira = Jira::default();
    let answer = |headers: &[(&str, &str)]| {
        let mut request = HttpRequest::post("/rest/api/3/issue");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        jira.answer(&Request { parts: &parts, body: b"{", now: at(0) })
    };
    assert_eq!(answer(&[("content-type", "application/json")]).status, 401);
    assert_eq!(answer(&[("authorization", "Bearer t")]).status, 415);
    let broken = answer(&[("authorization", "Bearer t"), ("content-type", "application/json")]);
    assert_eq!(broken.status, 400);
    let myself = call(&jira, "GET", "myself", &Value::Null);
    assert_eq!((myself.0, &myself.1["active"]), (200, &json!(true)));
    assert_eq!(call(&jira, "GET", "project/OPS", &Value::Null).1["key"], "OPS");
    assert_eq!(call(&jira, "GET", "project/nope", &Value::Null).0, 404);
}
