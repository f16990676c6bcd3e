//! On the wire, against a Jira on loopback.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::{DeliveryPlan, Key, NoticeKind, Retry, Secret};
use serde_json::json;

use super::tracker::{Jira, Setup};
use super::*;
use crate::fake::{Fake, Reply, nobody};
use crate::item;

const TOKEN: &str = "tok-4f9a7c31d2e8b6";
const KEY: &str = "otpsd-54dd9473edee387a";
/// The same condition of the same series, two weeks later.
const LATER: &str = "otpsd-762428875229261a";

pub(super) fn now() -> Timestamp {
    "2026-12-03T06:17:02Z".parse().unwrap()
}

fn plan(url: &str, user: Option<&str>) -> JiraPlan {
    JiraPlan {
        name: "llm".to_owned(),
        url: url.to_owned(),
        project: "LLM".to_owned(),
        issue_type: "Task".to_owned(),
        user: user.map(str::to_owned),
        token: Secret::new(TOKEN),
        labels: vec!["team llm".to_owned()],
        reopen_within: Duration::from_secs(14 * 86_400),
        wont_fix: vec!["Won't Do".to_owned()],
        delivery: DeliveryPlan::DEFAULT,
    }
}

fn channel(url: &str) -> JiraChannel {
    let impatient = Timeouts { attempt: Duration::from_millis(500), ..Timeouts::DELIVERY };
    JiraChannel::open("jira.llm".to_owned(), &plan(url, Some("bot@example.com")), impatient, now).unwrap()
}

fn subject() -> String {
    item::subject(&["ticket", "prompt_growth", "111122223333/us-east-1/m"])
}

fn message(kind: &str, key: &str, subject: Option<String>) -> Message {
    let kind = NoticeKind::from_name(kind).unwrap();
    let item = Item {
        action: ItemAction::of(kind),
        key: key.to_owned(),
        subject,
        title: format!("{} of {key}\n{}", kind.as_str(), "é".repeat(300)),
        text: format!("text of {}", kind.as_str()),
        labels: vec!["otpsd".to_owned(), "x".repeat(300)],
        fields: BTreeMap::new(),
        link: Some("https://otpsd.example.com/".to_owned()),
    };
    Message {
        id: format!("{key}:{}:jira.llm", kind.as_str()),
        channel: "jira.llm".to_owned(),
        kind,
        key: Key::from_text(key),
        summary: String::new(),
        body: item.body(),
        attributes: Vec::new(),
        created: now(),
        standby_for: None,
    }
}

/// Says it, and gives what the tracker calls it.
async fn told(
    jira: &Jira,
    kind: &str,
    key: &str,
    reference: Option<&str>,
) -> Result<Option<String>, DeliveryError> {
    let message = message(kind, key, Some(subject()));
    channel(&jira.fake.url).deliver(&message, reference).await.map(|receipt| receipt.reference)
}

fn some(key: &str) -> Result<Option<String>, DeliveryError> {
    Ok(Some(key.to_owned()))
}

const COMMENT: &str = "https://otpsd.example.com/";

#[tokio::test]
async fn a_ticket_is_one_issue_from_first_to_last() {
    let jira = Jira::start(Setup::default()).await;
    assert_eq!(told(&jira, "ticket_opened", KEY, None).await, some("LLM-1"));
    assert_eq!(jira.called(), ["POST search/jql", "POST issue"]);
    let issue = jira.lock().issues["LLM-1"].clone();
    assert_eq!(issue["fields"]["issuetype"], json!({ "name": "Task" }));
    let text = super::super::document::text(&issue["fields"]["description"]);
    for part in ["text of ticket_opened", KEY, &subject(), COMMENT] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let labels = jira.labels("LLM-1");
    assert_eq!(labels[..3], [KEY.to_owned(), subject(), "otpsd".to_owned()]);
    assert_eq!((labels[3].chars().count(), labels[4].as_str()), (255, "team-llm"));

    assert_eq!(told(&jira, "ticket_updated", KEY, Some("LLM-1")).await, some("LLM-1"));
    assert_eq!(jira.called(), ["GET issue/LLM-1", "GET issue/LLM-1/comment", "POST issue/LLM-1/comment"]);
    assert_eq!(jira.comments("LLM-1"), [format!("text of ticket_updated {COMMENT}")]);

    assert_eq!(told(&jira, "ticket_closed", KEY, Some("LLM-1")).await, some("LLM-1"));
    assert_eq!(jira.status("LLM-1"), "Done");
    assert_eq!(jira.comments("LLM-1").len(), 2);
    assert_eq!(jira.keys(), ["LLM-1"]);
}

#[tokio::test]
async fn an_answer_that_was_lost_changes_nothing() {
    for (lost, kinds) in [
        (1, vec!["ticket_opened"]),
        (1, vec!["ticket_opened", "ticket_updated", "ticket_closed"]),
        (4, vec!["ticket_opened", "ticket_closed"]),
    ] {
        let jira = Jira::start(Setup::default()).await;
        for (at, kind) in kinds.iter().enumerate() {
            jira.lock().setup.loses = lost;
            let mut tries = 0;
            while told(&jira, kind, KEY, (at > 0).then_some("LLM-1")).await.is_err() {
                tries += 1;
                assert!(tries < 6, "{kind}");
            }
            // The whole message once more, as after a restart.
            assert_eq!(told(&jira, kind, KEY, None).await, some("LLM-1"));
        }
        assert_eq!(jira.keys(), ["LLM-1"]);
        assert_eq!(jira.comments("LLM-1").len(), kinds.len() - 1, "each was said once");
        assert_eq!(jira.status("LLM-1"), if kinds.len() == 1 { "To Do" } else { "Done" });
    }
}

#[tokio::test]
async fn without_labels_it_is_found_by_its_text() {
    for setup in
        [Setup { drops_labels: true, ..Setup::default() }, Setup { refuses_labels: true, ..Setup::default() }]
    {
        let jira = Jira::start(setup).await;
        assert_eq!(told(&jira, "ticket_opened", KEY, None).await, some("LLM-1"));
        assert!(jira.labels("LLM-1").is_empty());
        assert_eq!(told(&jira, "ticket_updated", KEY, None).await, some("LLM-1"));
        // Another series: what the search finds beside is not taken for it.
        let other = message("ticket_opened", LATER, Some(item::subject(&["another"])));
        let receipt = channel(&jira.fake.url).deliver(&other, None).await.unwrap();
        assert_eq!(receipt.reference.as_deref(), Some("LLM-2"));
        assert_eq!(told(&jira, "ticket_closed", KEY, None).await, some("LLM-1"));
        assert_eq!((jira.status("LLM-1").as_str(), jira.status("LLM-2").as_str()), ("Done", "To Do"));
    }
}

#[tokio::test]
async fn with_labels_dropped_and_a_blind_search_the_reference_is_enough() {
    // A creep that holds for two weeks, said once a day.
    let jira = Jira::start(Setup { drops_labels: true, search_is_behind: true, ..Setup::default() }).await;
    let reference = told(&jira, "ticket_opened", KEY, None).await.unwrap();
    for day in 0..14 {
        let mut message = message("ticket_updated", KEY, Some(subject()));
        message.id = format!("{}:{day}", message.id);
        let receipt = channel(&jira.fake.url).deliver(&message, reference.as_deref()).await.unwrap();
        assert_eq!(receipt.reference, reference);
    }
    assert_eq!((jira.keys().len(), jira.comments("LLM-1").len()), (1, 14));
}

#[tokio::test]
async fn what_comes_back_soon_is_the_same_issue_again() {
    let jira = Jira::start(Setup::default()).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    told(&jira, "ticket_closed", KEY, Some("LLM-1")).await.unwrap();
    jira.age("LLM-1", 13 * 24);
    assert_eq!(told(&jira, "ticket_opened", LATER, None).await, some("LLM-1"));
    assert_eq!(jira.status("LLM-1"), "To Do");
    assert!(jira.labels("LLM-1").contains(&LATER.to_owned()));
    assert_eq!(jira.comments("LLM-1").len(), 2);
    // It is closed by the daemon once more, and comes back when it is too long ago.
    told(&jira, "ticket_closed", LATER, Some("LLM-1")).await.unwrap();
    jira.age("LLM-1", 15 * 24);
    assert_eq!(told(&jira, "ticket_opened", "otpsd-1111111111111111", None).await, some("LLM-2"));
    assert_eq!((jira.status("LLM-1").as_str(), jira.status("LLM-2").as_str()), ("Done", "To Do"));
}

#[tokio::test]
async fn what_nobody_wants_is_neither_opened_again_nor_filed_anew() {
    let jira = Jira::start(Setup::default()).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    jira.moved("LLM-1", "Done", Some("Won't Do"), "2026-12-04T00:00:00Z");
    for (kind, key, reference) in [
        ("ticket_updated", KEY, Some("LLM-1")),
        ("ticket_closed", KEY, Some("LLM-1")),
        ("ticket_opened", KEY, None),
        ("ticket_opened", LATER, None),
        ("ticket_updated", LATER, Some("LLM-1")),
    ] {
        assert_eq!(told(&jira, kind, key, reference).await, some("LLM-1"), "{kind}");
    }
    assert_eq!((jira.keys(), jira.status("LLM-1").as_str()), (vec!["LLM-1".to_owned()], "Done"));
    assert!(jira.comments("LLM-1").is_empty());
}

#[tokio::test]
async fn what_a_human_closed_stays_closed_and_what_comes_back_is_new() {
    let jira = Jira::start(Setup::default()).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    jira.moved("LLM-1", "Done", Some("Done"), "2026-12-04T00:00:00Z");
    for kind in ["ticket_opened", "ticket_updated", "ticket_closed"] {
        for reference in [None, Some("LLM-1")] {
            assert_eq!(told(&jira, kind, KEY, reference).await, some("LLM-1"), "{kind}");
        }
    }
    assert!(jira.comments("LLM-1").is_empty() && jira.status("LLM-1") == "Done");
    assert_eq!(told(&jira, "ticket_opened", LATER, None).await, some("LLM-2"));
    // Closed by the daemon, opened by a human, closed by a human.
    told(&jira, "ticket_closed", LATER, Some("LLM-2")).await.unwrap();
    jira.moved("LLM-2", "To Do", None, "2026-12-04T00:00:00Z");
    jira.moved("LLM-2", "Done", Some("Done"), "2026-12-05T00:00:00Z");
    assert_eq!(told(&jira, "ticket_opened", LATER, None).await, some("LLM-2"));
    assert_eq!(jira.status("LLM-2"), "Done");
}

#[tokio::test]
async fn what_somebody_works_on_is_left_to_them() {
    let jira = Jira::start(Setup::default()).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    jira.moved("LLM-1", "In Progress", None, "2026-12-04T00:00:00Z");
    assert_eq!(told(&jira, "ticket_closed", KEY, Some("LLM-1")).await, some("LLM-1"));
    assert_eq!(jira.status("LLM-1"), "In Progress");
    assert_eq!(jira.comments("LLM-1"), [format!("text of ticket_closed {COMMENT} {LEFT_TO_YOU}")]);
    // It comes back while they do: the same issue.
    assert_eq!(told(&jira, "ticket_opened", LATER, None).await, some("LLM-1"));
    assert_eq!(jira.keys().len(), 1);
}

#[tokio::test]
async fn a_workflow_that_asks_for_a_resolution_gets_one_and_a_stuck_one_a_comment() {
    let jira = Jira::start(Setup { asks_for_a_resolution: true, ..Setup::default() }).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    told(&jira, "ticket_closed", KEY, Some("LLM-1")).await.unwrap();
    assert_eq!(jira.lock().issues["LLM-1"]["fields"]["resolution"], json!({ "name": "Done" }));
    assert_eq!(jira.status("LLM-1"), "Done");

    let jira = Jira::start(Setup { is_stuck: true, ..Setup::default() }).await;
    told(&jira, "ticket_opened", KEY, None).await.unwrap();
    assert_eq!(told(&jira, "ticket_closed", KEY, Some("LLM-1")).await, some("LLM-1"));
    assert_eq!((jira.status("LLM-1").as_str(), jira.comments("LLM-1").len()), ("To Do", 1));
    assert!(jira.comments("LLM-1")[0].ends_with(NO_WAY));
}

#[tokio::test]
async fn without_leave_to_edit_it_is_closed_all_the_same() {
    for status in [403, 404] {
        let answers = vec![("PUT", Reply::status(status))];
        let jira = Jira::start(Setup { answers, ..Setup::default() }).await;
        told(&jira, "ticket_opened", KEY, None).await.unwrap();
        assert_eq!(told(&jira, "ticket_closed", KEY, Some("LLM-1")).await, some("LLM-1"));
        assert_eq!((jira.status("LLM-1").as_str(), jira.comments("LLM-1").len()), ("Done", 1));
        assert_eq!(told(&jira, "ticket_opened", LATER, None).await, some("LLM-2"), "it looks closed by hand");
    }
}

#[tokio::test]
async fn a_page_is_an_incident_of_its_own() {
    let jira = Jira::start(Setup::default()).await;
    let say = async |kind: &str, key: &str| {
        channel(&jira.fake.url).deliver(&message(kind, key, None), None).await.unwrap().reference
    };
    assert_eq!(say("resolve", KEY).await, None, "what was never filed is not closed");
    assert_eq!(say("page", KEY).await.as_deref(), Some("LLM-1"));
    jira.moved("LLM-1", "Done", Some("Won't Do"), "2026-12-04T00:00:00Z");
    assert_eq!(say("page", LATER).await.as_deref(), Some("LLM-2"), "another page is never kept back");
    assert_eq!(say("resolve", LATER).await.as_deref(), Some("LLM-2"));
    assert_eq!(jira.status("LLM-2"), "Done");
}

#[tokio::test]
async fn one_that_was_deleted_is_not_filed_again_unless_it_is_only_hidden() {
    let jira = Jira::start(Setup::default()).await;
    assert_eq!(told(&jira, "ticket_updated", KEY, Some("LLM-9")).await, some("LLM-9"));
    assert_eq!(jira.called(), ["GET issue/LLM-9", "GET project/LLM"]);
    let jira = Jira::start(Setup { hides_the_project: true, ..Setup::default() }).await;
    let error = told(&jira, "ticket_updated", KEY, Some("LLM-9")).await.unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert!(error.hint.unwrap().contains("`Browse projects` in project LLM"));
}

#[tokio::test]
async fn an_update_whose_opening_was_given_up_files_the_issue() {
    let jira = Jira::start(Setup::default()).await;
    assert_eq!(told(&jira, "ticket_updated", KEY, None).await, some("LLM-1"));
    assert_eq!(jira.called(), ["POST search/jql", "POST issue"]);
}

#[tokio::test]
async fn a_tracker_that_is_down_or_busy_is_tried_again() {
    let pause = vec![("retry-after", "17".to_owned())];
    for (reply, retry) in [
        (Reply::status(503), Retry::Backoff),
        (Reply::With(429, pause, String::new()), Retry::After(Duration::from_secs(17))),
        (Reply::Silence, Retry::Backoff),
        (Reply::With(200, Vec::new(), "<html>login</html>".to_owned()), Retry::Backoff),
        (Reply::Bytes(200, Vec::new(), vec![b' '; 9 << 20]), Retry::Backoff),
        (Reply::Bytes(200, Vec::new(), vec![b'"', 0xff, b'"']), Retry::Backoff),
    ] {
        let jira = Jira::start(Setup { answers: vec![("POST search", reply)], ..Setup::default() }).await;
        assert_eq!(told(&jira, "ticket_opened", KEY, None).await.unwrap_err().retry, retry);
        // It is filed once when the tracker returns.
        jira.lock().setup.answers.clear();
        assert_eq!(told(&jira, "ticket_opened", KEY, None).await, some("LLM-1"));
        assert_eq!(jira.keys(), ["LLM-1"]);
    }
    let error = channel(&nobody().await).deliver(&message("page", KEY, None), None).await.unwrap_err();
    assert_eq!((error.retry, error.message.contains("refused")), (Retry::Backoff, true), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_token() {
    let elsewhere = Fake::start(|_| Reply::status(200)).await;
    let location = vec![("location", elsewhere.url.clone())];
    let reply = Reply::With(302, location, String::new());
    let jira = Jira::start(Setup { answers: vec![("POST search", reply)], ..Setup::default() }).await;
    assert_eq!(told(&jira, "ticket_opened", KEY, None).await.unwrap_err().retry, Retry::Never);
    assert!(elsewhere.received().is_empty());
}

#[tokio::test]
async fn the_token_is_sent_as_configured_and_never_seen() {
    for user in [Some("bot@example.com"), None] {
        for status in [400, 500] {
            let echo = Fake::start(move |request| {
                let sent = format!("{:?} {TOKEN}", request.headers["authorization"].to_str());
                let body = json!({ "errorMessages": [sent], "errors": { "labels": TOKEN } });
                Reply::With(status, Vec::new(), body.to_string())
            })
            .await;
            let channel =
                JiraChannel::open("jira.llm".to_owned(), &plan(&echo.url, user), Timeouts::DELIVERY, now)
                    .unwrap();
            let error = channel.deliver(&message("page", KEY, None), None).await.unwrap_err();
            let sent = echo.received()[0].headers["authorization"].to_str().unwrap().to_owned();
            // printf 'bot@example.com:tok-4f9a7c31d2e8b6' | base64
            let basic = "Ym90QGV4YW1wbGUuY29tOnRvay00ZjlhN2MzMWQyZThiNg==";
            let expected = if user.is_some() { format!("Basic {basic}") } else { format!("Bearer {TOKEN}") };
            assert_eq!(sent, expected);
            let shown = format!("{error:?} {:?}", plan(&echo.url, user));
            assert!(shown.contains("[secret]"), "{shown}");
            for secret in [TOKEN, &basic[..12], &basic[20..32]] {
                assert!(!shown.contains(secret), "{secret}: {shown}");
            }
        }
    }
}

#[test]
fn what_cannot_be_used_cannot_be_opened() {
    let open = |plan: &JiraPlan| {
        JiraChannel::open("jira.llm".to_owned(), plan, Timeouts::DELIVERY, now).err().unwrap()
    };
    let error = open(&plan("jira", None));
    assert!(error.message.starts_with("opening jira.llm: its url cannot be read: "), "{error}");
    let error =
        open(&JiraPlan { token: Secret::new("two\nlines"), ..plan("https://example.atlassian.net", None) });
    assert_eq!(
        (error.retry, error.message.as_str()),
        (Retry::Never, "opening jira.llm: its token cannot stand in a header")
    );
}
