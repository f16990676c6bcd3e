//! Pages and tickets as issues of a Jira: one for each, closed when it is over, and left to the humans who took it in hand.

use domain::{GroupBy, Key, PERIODS_PER_DAY};
use simulator::loopback::{Fault, FaultRule, JiraIssue, JiraSettings, JiraStatus, Refusal};

use crate::rehearsal::{Daemon, Rehearsal, SHORT_HISTORY, Scene, series};
use crate::story::reading;

/// A series that is slow for an hour from the beginning of the story, or never, and a Jira that gets pages and tickets beside the other
/// receivers.
fn scene(slow: bool) -> Rehearsal {
    let told = -3 * PERIODS_PER_DAY..2 * PERIODS_PER_DAY;
    let rehearsal = Scene {
        lead: 4,
        tell: Box::new(move |_, k| told.contains(&k).then(|| reading(slow && (0..12).contains(&k)))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    rehearsal.set("JIRA_TOKEN", "token-of-nobody");
    let url = rehearsal.loopback().url();
    rehearsal.edit(|text| {
        let table = format!(
            "[channel.jira.llm]\nurl = \"{url}\"\nproject = \"LLM\"\nuser = \"otpsd@example.com\"\n\
             token = {{ env = \"JIRA_TOKEN\" }}\n"
        );
        text.replace("\"sns.pages\"]", "\"sns.pages\", \"jira.llm\"]")
            .replace("\"sns.tickets\"]", "\"sns.tickets\", \"jira.llm\"]")
            + &table
    });
    rehearsal
}

/// The key of the page: the third slow period decides.
fn key(rehearsal: &Rehearsal) -> Key {
    Key::of_page(&GroupBy::Region.group(&series()), rehearsal.story + 2)
}

fn only(rehearsal: &Rehearsal) -> JiraIssue {
    let mut issues = rehearsal.loopback().jira_issues();
    assert_eq!(issues.len(), 1, "{issues:#?}");
    issues.remove(0)
}

fn wait_for_issue(rehearsal: &Rehearsal, daemon: &Daemon) -> JiraIssue {
    rehearsal.wait(daemon, "no issue was filed", |me| !me.loopback().jira_issues().is_empty());
    only(rehearsal)
}

/// Waits until the topic got so many messages, and what the other receivers are owed was told as well.
fn wait_until_told(rehearsal: &Rehearsal, daemon: &Daemon, topic: &str, messages: usize) {
    rehearsal.wait(daemon, "the topic was not told", |me| me.published(topic).len() >= messages);
    rehearsal.wait_until_nothing_is_owed(daemon);
}

fn is_closed_and_told_once(rehearsal: &Rehearsal) {
    let issue = only(rehearsal);
    assert_eq!((issue.status, issue.comments.len()), (JiraStatus::Done, 1), "{issue:#?}");
    assert_eq!(issue.properties["otpsd"]["key"], key(rehearsal).as_str());
    let message = issue.comments[0].properties["otpsd"]["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("{}:resolve:jira.llm@", key(rehearsal))), "{message}");
}

#[test]
fn a_page_is_an_issue_until_it_is_over() {
    let rehearsal = scene(true);
    let daemon = rehearsal.start();
    let issue = wait_for_issue(&rehearsal, &daemon);
    let key = key(&rehearsal);
    assert!(issue.labels.iter().any(|label| label == key.as_str()), "{:?}", issue.labels);
    assert_eq!((issue.key.as_str(), issue.issue_type.as_str()), ("LLM-1", "Task"));
    assert!(issue.summary.contains("us.example.sonnet-large-v1:0"), "{}", issue.summary);
    let description = issue.description.to_string();
    assert!(description.contains(&format!("Found again by: {key}")), "{description}");
    rehearsal.wait(&daemon, "the issue was not closed", |me| only(me).status == JiraStatus::Done);
    wait_until_told(&rehearsal, &daemon, "llm-pages", 2);
    is_closed_and_told_once(&rehearsal);
    assert_eq!(rehearsal.alerts()[0].dedup_key, key.as_str(), "all receivers know it by one key");
    daemon.terminate();
}

#[test]
fn what_a_human_works_on_is_told_that_it_is_over_and_stays_open() {
    let rehearsal = scene(true);
    let daemon = rehearsal.start();
    let issue = wait_for_issue(&rehearsal, &daemon);
    assert!(rehearsal.loopback().move_issue(&issue.key, JiraStatus::InProgress, None));
    wait_until_told(&rehearsal, &daemon, "llm-pages", 2);
    let issue = only(&rehearsal);
    assert_eq!((issue.status, issue.comments.len()), (JiraStatus::InProgress, 1), "{issue:#?}");
    assert!(issue.comments[0].body.to_string().contains("somebody works on it"), "{issue:#?}");
    daemon.terminate();
}

#[test]
fn a_ticket_that_nobody_wants_is_not_filed_again() {
    let rehearsal = scene(false);
    let faults = rehearsal.loopback().faults();
    let deny = || faults.set([FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("GetMetricData")]);
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-2, &daemon);
    deny();
    let issue = wait_for_issue(&rehearsal, &daemon);
    assert!(rehearsal.loopback().move_issue(&issue.key, JiraStatus::Done, Some("Won't Do")));
    faults.clear();
    wait_until_told(&rehearsal, &daemon, "llm-tickets", 2);
    // The same once more: the topic is told, the issue is left as it was.
    deny();
    wait_until_told(&rehearsal, &daemon, "llm-tickets", 3);
    faults.clear();
    wait_until_told(&rehearsal, &daemon, "llm-tickets", 4);
    let issue = only(&rehearsal);
    assert_eq!((issue.status, issue.resolution.as_deref()), (JiraStatus::Done, Some("Won't Do")));
    assert_eq!((issue.comments.len(), issue.edits), (0, 0), "{issue:#?}");
    daemon.terminate();
}

/// What the Jira of a site did that drops labels: one issue, which the daemon found again by what it had written in it.
fn is_one_issue_without_labels(rehearsal: &Rehearsal, daemon: &Daemon) {
    wait_for_issue(rehearsal, daemon);
    rehearsal.wait(daemon, "the issue was not closed", |me| only(me).status == JiraStatus::Done);
    rehearsal.wait_until_nothing_is_owed(daemon);
    is_closed_and_told_once(rehearsal);
    assert!(only(rehearsal).labels.is_empty());
    let calls = rehearsal.loopback().calls();
    let count = |operation: &str| calls.iter().find(|total| total.operation == operation).unwrap().calls;
    assert_eq!((count("jira.create"), count("jira.search")), (1, 2));
}

fn scene_that_drops_labels() -> Rehearsal {
    let rehearsal = scene(true);
    rehearsal.loopback().set_jira(JiraSettings { drop_labels: true, ..JiraSettings::default() });
    rehearsal
}

#[test]
fn an_issue_whose_filing_was_not_answered_is_found_without_its_label() {
    let rehearsal = scene_that_drops_labels();
    rehearsal.loopback().faults().set([FaultRule::new(Fault::LoseReply).operation("jira.create")]);
    let daemon = rehearsal.start();
    is_one_issue_without_labels(&rehearsal, &daemon);
    daemon.terminate();
}

#[test]
fn an_issue_whose_filing_was_not_recorded_is_found_after_a_kill() {
    let rehearsal = scene_that_drops_labels();
    // The issue is there, and its answer on the way for longer than the daemon lives.
    let late = Fault::SlowReply { milliseconds: 9_000 };
    rehearsal.loopback().faults().set([FaultRule::new(late).operation("jira.create")]);
    let daemon = rehearsal.start();
    wait_for_issue(&rehearsal, &daemon);
    daemon.kill();
    let daemon = rehearsal.start();
    is_one_issue_without_labels(&rehearsal, &daemon);
    daemon.terminate();
}
