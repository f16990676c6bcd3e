//! `kill -9` at the worst moments: no page is lost, and none is repeated under another key.

use simulator::loopback::{Fault, FaultRule, PagerDutyStatus, Refusal};

use crate::rehearsal::Rehearsal;

#[test]
fn between_two_breaches() {
    let rehearsal = Rehearsal::new(4, |k| (0..12).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(1, &daemon);
    assert!(rehearsal.alerts().is_empty(), "two slow periods page nobody");
    daemon.kill();
    let read_before = datapoints(&rehearsal);
    // Two weeks of one series, every five minutes, and more than one statistic of each.
    assert!(read_before > 14 * 288, "{read_before}");

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1);
    rehearsal.wait(&daemon, "the page was not resolved", |me| {
        me.alerts().iter().all(|alert| alert.status == PagerDutyStatus::Resolved)
    });
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0].triggers.len(), 1);
    // CloudWatch was asked only for what was missing: some twenty periods of up to 26 statistics, each at most a few times.
    let read_after = datapoints(&rehearsal) - read_before;
    assert!((1..5_000).contains(&read_after), "{read_after} datapoints, {read_before} before");
    daemon.terminate();
}

#[test]
fn between_verdict_and_delivery() {
    let rehearsal = Rehearsal::new(4, |k| (0..400).contains(&k));
    // PagerDuty takes nothing: the page is owed.
    rehearsal
        .loopback()
        .faults()
        .set([FaultRule::new(Fault::Refuse(Refusal::Unavailable)).operation("enqueue")]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "PagerDuty was not tried", |me| {
        me.loopback().calls().iter().any(|total| total.operation == "enqueue" && total.refused > 0)
    });
    daemon.kill();
    assert!(rehearsal.alerts().is_empty());
    rehearsal.loopback().faults().clear();

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the page was lost", |me| me.alerts().len() == 1);
    rehearsal.wait(&daemon, "the topic got no page", |me| !me.subjects().is_empty());
    // Whatever was sent before and after the kill carries one key.
    for _ in 0..3 {
        rehearsal.start().kill();
    }
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1);
    let subjects = rehearsal.subjects();
    assert!(subjects.iter().all(|subject| subject.starts_with("ALARM: ")), "{subjects:?}");
    daemon.terminate();
}

/// Datapoints that CloudWatch has given so far.
fn datapoints(rehearsal: &Rehearsal) -> u64 {
    rehearsal.loopback().calls().iter().map(|total| total.datapoints).sum()
}

#[test]
fn between_the_receivers_answer_and_its_record() {
    let rehearsal = Rehearsal::new(4, |k| (0..400).contains(&k));
    // PagerDuty takes the page, and the connection breaks before it can say so.
    let faults = rehearsal.loopback().faults();
    faults.set([FaultRule::new(Fault::LoseReply).operation("enqueue")]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1);
    daemon.kill();
    faults.clear();
    // One, or more where the machine was too slow to kill it before it tried again.
    let unanswered = rehearsal.alerts()[0].triggers.len();

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "what was not acknowledged is sent again", |me| {
        me.alerts()[0].triggers.len() == unanswered + 1
    });
    rehearsal.wait_until_judged(8, &daemon);
    let alerts = rehearsal.alerts();
    let sent = (alerts.len(), alerts[0].triggers.len());
    assert_eq!(sent, (1, unanswered + 1), "again, with the same key, and no further");
    daemon.terminate();
}
