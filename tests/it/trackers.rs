//! Creep becomes one item in each tracker, however long it goes on, whatever the tracker forgets, and however long it is down; and a page
//! that goes to a tracker is an item that is opened and closed.

use std::collections::BTreeSet;

use domain::{PERIODS_PER_DAY, Reading, Series, Statistics};
use simulator::loopback::{Fault, FaultRule, JiraIssue, JiraSettings, JiraStatus};

use crate::rehearsal::{Daemon, Rehearsal, Scene};
use crate::story::{reading, series_in};

/// What an item is called may not be longer than 255 characters, in Jira: this model is.
const MODEL: &str = "arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
                     aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
                     aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Decodes 400 tokens at 100 a second, after a first token that comes 6 % later every day, since a week before the story: half as late again
/// as a week before.
fn creeping(k: i64) -> Reading {
    let mut reading = reading(false);
    let days = i32::try_from(k.div_euclid(PERIODS_PER_DAY) + 7).unwrap().max(0);
    let ttft = 1_000.0 * 1.06_f64.powi(days);
    for (metric, p50) in
        [(domain::Metric::TimeToFirstToken, ttft), (domain::Metric::InvocationLatency, ttft + 4_000.0)]
    {
        *reading.of_mut(metric) = Statistics {
            p50: Some(p50),
            p95: Some(p50 * 1.5),
            sum: Some(p50 * 200.0),
            sample_count: Some(200.0),
        };
    }
    reading
}

/// The routes of tickets lead to a project in Jira and to OpsCenter.
fn to_trackers(rehearsal: &Rehearsal) {
    let url = rehearsal.loopback().url();
    rehearsal.set("JIRA_TOKEN", "tok-4f9a7c31d2e8b6");
    rehearsal.edit(|text| {
        let text = text.replace(
            "channels = [\"sns.tickets\"]",
            "channels = [\"jira.llm\", \"opsitem.ops\", \"sns.tickets\"]",
        );
        format!(
            "{text}
[channel.jira.llm]
url = \"{url}\"
project = \"LLM\"
user = \"otpsd@example.com\"
token = {{ env = \"JIRA_TOKEN\" }}
labels = [\"team-llm\"]
[channel.opsitem.ops]
region = \"us-east-1\"
endpoint-url = \"{url}\"
"
        )
    });
}

fn creep(regions: &'static [&'static str]) -> (Rehearsal, Vec<Series>) {
    let all: Vec<Series> = regions.iter().map(|region| series_in(region, MODEL)).collect();
    let rehearsal = Scene {
        rate: 1_200.0,
        regions,
        series: all.clone(),
        tell: Box::new(|_, k| (k >= -18 * PERIODS_PER_DAY).then(|| creeping(k))),
        ..Scene::new()
    }
    .open();
    to_trackers(&rehearsal);
    (rehearsal, all)
}

fn wait_for_items(rehearsal: &Rehearsal, daemon: &Daemon, count: usize) {
    rehearsal.wait(daemon, "not all were filed", |me| {
        me.loopback().jira_issues().len() == count
            && me.loopback().ops_items().len() == count
            && me.tickets().len() == count
    });
}

fn is_no_page(rehearsal: &Rehearsal) {
    assert!(rehearsal.alerts().is_empty() && rehearsal.subjects().is_empty(), "creep pages nobody");
}

/// The project stores no labels, and its search finds nothing.
#[test]
fn two_weeks_of_creep_are_one_item_where_nothing_is_found_again() {
    let (rehearsal, all) = creep(&["us-east-1"]);
    rehearsal.loopback().set_jira(JiraSettings { drop_labels: true, index_delay_seconds: 365 * 86_400 });
    let daemon = rehearsal.start();
    wait_for_items(&rehearsal, &daemon, 1);
    daemon.terminate();
    for week in 1..=2 {
        rehearsal.skip(7);
        let daemon = rehearsal.start();
        rehearsal.wait_until_all_judged(&all, week * 7 * PERIODS_PER_DAY + 2, &daemon);
        let issues = |me: &Rehearsal| me.loopback().jira_issues();
        rehearsal.wait(&daemon, "it was not updated after a week", |me| {
            issues(me)[0].comments.len() == usize::try_from(week).unwrap()
        });
        rehearsal.wait_until_nothing_is_owed(&daemon);
        daemon.terminate();
    }
    let issues = rehearsal.loopback().jira_issues();
    assert_eq!(issues.len(), 1, "{issues:#?}");
    assert_eq!((issues[0].status, issues[0].labels.len()), (JiraStatus::ToDo, 0));
    let items = rehearsal.loopback().ops_items();
    assert_eq!(items.len(), 1, "{items:#?}");
    assert_eq!(items[0].status, "Open");
    is_no_page(&rehearsal);
}

/// One model creeps in two Regions, and two accounts are read.
#[test]
fn each_account_and_region_has_an_item_of_its_own() {
    let (rehearsal, _) = creep(&["us-east-1", "us-west-2"]);
    let url = rehearsal.loopback().url();
    rehearsal.edit(|text| {
        let text = text
            .replace("[source.cloudwatch.main]", "[source.cloudwatch.main]\naccount-id = \"111122223333\"");
        let regions = "regions = [\"us-east-1\", \"us-west-2\"]\naccount-id = \"444455556666\"";
        format!("{text}\n[source.cloudwatch.other]\n{regions}\nendpoint-url = \"{url}\"\n")
    });
    let daemon = rehearsal.start();
    wait_for_items(&rehearsal, &daemon, 4);
    let judged = rehearsal.period() + 4;
    rehearsal.wait_until(judged, &daemon);
    let issues = rehearsal.loopback().jira_issues();
    let places: BTreeSet<(bool, bool)> = issues
        .iter()
        .map(|issue| {
            let text = issue.description.to_string();
            (text.contains("444455556666"), text.contains("us-west-2"))
        })
        .collect();
    assert_eq!((issues.len(), places.len()), (4, 4), "{issues:#?}");
    // What finds an issue again is its own, and none has been written over.
    let labels: BTreeSet<Vec<String>> = issues.iter().map(|issue| issue.labels.clone()).collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    for issue in &issues {
        is_well_labelled(issue);
        assert_eq!((issue.edits, issue.comments.len()), (0, 0), "{issue:#?}");
    }
    let items = rehearsal.loopback().ops_items();
    let dedup: BTreeSet<&str> = items.iter().filter_map(|item| item.dedup.as_deref()).collect();
    assert_eq!((items.len(), dedup.len()), (4, 4), "{items:#?}");
    is_no_page(&rehearsal);
    daemon.terminate();
}

/// As Jira takes labels.
fn is_well_labelled(issue: &JiraIssue) {
    assert!(issue.labels.contains(&"team-llm".to_owned()), "{:?}", issue.labels);
    for label in &issue.labels {
        assert!(label.chars().count() <= 255 && !label.contains(char::is_whitespace), "{label}");
    }
}

#[test]
fn a_tracker_that_is_down_gets_its_item_once_when_it_is_back() {
    let (rehearsal, all) = creep(&["us-east-1"]);
    let down = || FaultRule::new(Fault::Status { code: 503, retry_after_seconds: None });
    rehearsal.loopback().faults().set([down().operation("jira"), down().operation("CreateOpsItem")]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody else was told", |me| me.tickets().len() == 1);
    // Two hours, and a restart in them.
    rehearsal.wait_until(12, &daemon);
    daemon.kill();
    let daemon = rehearsal.start();
    rehearsal.wait_until(24, &daemon);
    assert!(rehearsal.loopback().jira_issues().is_empty() && rehearsal.loopback().ops_items().is_empty());
    let status = rehearsal.told_status().out;
    assert!(status.contains("outbox: 2 owed, 0 refused"), "{status}");
    rehearsal.loopback().faults().clear();
    wait_for_items(&rehearsal, &daemon, 1);
    let judged = rehearsal.period() + 6;
    rehearsal.wait_until_all_judged(&all, judged, &daemon);
    wait_for_items(&rehearsal, &daemon, 1);
    is_well_labelled(&rehearsal.loopback().jira_issues()[0]);
    is_no_page(&rehearsal);
    daemon.terminate();
}

/// A page to both. Somebody settles the issue in Jira by hand while the slump goes on.
#[test]
fn a_page_is_an_item_until_it_is_over_and_what_a_human_closed_stays_as_it_is() {
    let rehearsal = Rehearsal::new(4, |k| (0..12).contains(&k));
    to_trackers(&rehearsal);
    rehearsal.edit(|text| text.replace("\"pagerduty.oncall\"", "\"jira.llm\", \"opsitem.ops\""));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nothing was filed", |me| {
        me.loopback().jira_issues().len() == 1 && me.loopback().ops_items().len() == 1
    });
    let key = rehearsal.loopback().jira_issues()[0].key.clone();
    assert_eq!(rehearsal.loopback().jira_issues()[0].status, JiraStatus::ToDo);
    assert!(rehearsal.loopback().move_issue(&key, JiraStatus::Done, Some("Won't Do")));
    assert_eq!(rehearsal.loopback().ops_items()[0].status, "Open");
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() == 2);
    rehearsal
        .wait(&daemon, "the item is not settled", |me| me.loopback().ops_items()[0].status == "Resolved");
    rehearsal.wait_until_nothing_is_owed(&daemon);
    let (issues, items) = (rehearsal.loopback().jira_issues(), rehearsal.loopback().ops_items());
    assert_eq!((issues.len(), items.len()), (1, 1));
    assert_eq!((issues[0].status, issues[0].resolution.as_deref()), (JiraStatus::Done, Some("Won't Do")));
    assert!(rehearsal.tickets().is_empty(), "a page is no ticket");
    daemon.terminate();
}
