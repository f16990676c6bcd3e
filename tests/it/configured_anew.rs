//! The configuration changes while an incident is open: its resolve goes to whoever got the page, with the same key.

use simulator::loopback::{PagerDutyAlert, PagerDutyStatus};

use crate::rehearsal::{Daemon, Rehearsal};

/// A page is out, and the daemon is stopped.
fn paged() -> Rehearsal {
    let rehearsal = Rehearsal::new(4, |k| (0..30).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    daemon.terminate();
    rehearsal
}

fn resolved(rehearsal: &Rehearsal, daemon: &Daemon) -> PagerDutyAlert {
    rehearsal.wait(daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    rehearsal.wait(daemon, "the topic got no resolve", |me| me.subjects().len() >= 2);
    let mut alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1, "{alerts:#?}");
    alerts.remove(0)
}

#[test]
fn a_channel_that_was_renamed_still_leads_to_who_got_the_page() {
    let rehearsal = paged();
    rehearsal.edit(|text| text.replace("pagerduty.oncall", "pagerduty.primary"));
    let daemon = rehearsal.start();
    let alert = resolved(&rehearsal, &daemon);
    assert_eq!((alert.triggers.len(), alert.resolved.is_some()), (1, true));
    daemon.terminate();
}

#[test]
fn a_route_that_was_changed_does_not_move_the_page() {
    let rehearsal = paged();
    rehearsal.edit(|text| {
        text.replace("channels = [\"pagerduty.oncall\", \"sns.pages\"]", "channels = [\"sns.pages\"]")
    });
    let daemon = rehearsal.start();
    resolved(&rehearsal, &daemon);
    daemon.terminate();
}

#[test]
fn a_rule_that_was_changed_goes_on_with_the_same_incident() {
    let rehearsal = paged();
    // 66.7 of 100 is still below.
    rehearsal.edit(|text| format!("{text}\n[alarm]\npage-below = 0.75\n"));
    let daemon = rehearsal.start();
    let alert = resolved(&rehearsal, &daemon);
    assert_eq!(alert.triggers.len(), 1);
    daemon.terminate();
}

/// Two thirds are no breach any more, and more than what a recovery takes.
#[test]
fn a_rule_that_the_slump_does_not_break_any_more_resolves_it_under_its_key() {
    let rehearsal = paged();
    let key = rehearsal.alerts()[0].dedup_key.clone();
    rehearsal.edit(|text| format!("{text}\n[alarm]\npage-below = 0.6\nrecover-above = 0.65\n"));
    let daemon = rehearsal.start();
    let alert = resolved(&rehearsal, &daemon);
    assert_eq!((alert.triggers.len(), alert.dedup_key), (1, key));
    let ended = alert.resolved.unwrap();
    assert!(
        ended < (rehearsal.story + 30).start(),
        "it was resolved by the new rule, while it is still slow"
    );
    daemon.terminate();
}

#[test]
fn a_channel_that_was_removed_leaves_no_page_open_unseen() {
    let rehearsal = paged();
    let key = rehearsal.alerts()[0].dedup_key.clone();
    rehearsal.edit(|text| {
        let (before, rest) = text.split_once("[channel.pagerduty.oncall]").unwrap();
        let (_, after) = rest.split_once("[channel.sns.pages]").unwrap();
        format!("{before}[channel.sns.pages]{after}").replace("\"pagerduty.oncall\", ", "")
    });
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() == 2);
    let log = daemon.log();
    for what in ["no channel leads to who got the open page", "close it there by hand"] {
        assert!(log.lines().any(|line| line.contains(what) && line.contains(&key)), "{what}:\n{log}");
    }
    daemon.terminate();
}

#[test]
fn a_receiver_that_nobody_leads_to_any_more_is_named_loudly() {
    let rehearsal = paged();
    let key = rehearsal.alerts()[0].dedup_key.clone();
    rehearsal.edit(|text| text.replace("env = \"PD_ROUTING_KEY\"", "env = \"PD_OTHER_KEY\""));
    rehearsal.set("PD_OTHER_KEY", "fedcba9876543210fedcba9876543210");
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() == 2);
    let log = daemon.log();
    let said = |what: &str| log.lines().any(|line| line.contains(what) && line.contains(&key));
    assert!(said("no channel leads to who got the open page"), "at the start:\n{log}");
    assert!(said("close it there by hand"), "when it is over:\n{log}");
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1, "the other service got no resolve of what it never heard of: {alerts:#?}");
    assert_eq!(alerts[0].status, PagerDutyStatus::Triggered);
    assert!(!log.contains("0123456789abcdef") && !log.contains("fedcba9876543210"), "no key in the log");
    daemon.terminate();
}

#[test]
fn an_alarm_that_was_removed_is_resolved_with_the_reason() {
    let rehearsal = paged();
    rehearsal.edit(|text| {
        text.replace("regions = [\"us-east-1\"]", "regions = [\"us-east-1\"]\nignore = [\"*sonnet*\"]")
    });
    let daemon = rehearsal.start();
    let alert = resolved(&rehearsal, &daemon);
    assert_eq!(alert.triggers.len(), 1);
    let said = rehearsal.published("llm-pages").last().unwrap().message.clone();
    assert!(said.contains("not watched any more"), "{said}");
    daemon.terminate();
}
