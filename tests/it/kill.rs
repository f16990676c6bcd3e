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
    let calls_before = rehearsal.loopback().recent_calls().len();

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1);
    rehearsal.wait(&daemon, "the page was not resolved", |me| {
        me.alerts().iter().all(|alert| alert.status == PagerDutyStatus::Resolved)
    });
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0].triggers.len(), 1);
    // It was asked only for what was missing: 35 days of one series would have been read in several calls of thousands.
    let after: Vec<_> = rehearsal.loopback().recent_calls().split_off(calls_before);
    assert!(after.iter().any(|call| call.operation == "GetMetricData"));
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
