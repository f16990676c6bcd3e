//! The resolve that would get lost, and the breaches that nobody was up to see: what is over is told once to who got the page, and
//! what happened while no daemon ran counts like anything else.

use domain::{GroupBy, Key};
use simulator::loopback::{Fault, FaultRule, PagerDutyIncident, Refusal};

use crate::rehearsal::{Daemon, ROUTING_KEY, Rehearsal, series};

/// What PagerDuty took, all under one key.
fn only_incident(rehearsal: &Rehearsal) -> PagerDutyIncident {
    let mut all = rehearsal.loopback().pagerduty_incidents();
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

fn is_resolved_once(rehearsal: &Rehearsal, daemon: &Daemon) {
    rehearsal.wait(daemon, "the resolve was lost", |me| !only_incident(me).open);
    rehearsal.wait(daemon, "the topic got no resolve", |me| me.subjects().len() >= 2);
    let known = only_incident(rehearsal);
    assert_eq!((known.triggers, known.opens, known.resolves, known.dropped), (1, 1, 1, 0));
    assert_eq!(known.routing_key, ROUTING_KEY);
    assert_eq!(
        known.dedup_key,
        Key::of_page(&GroupBy::Region.group(&series()), rehearsal.story + 2).as_str()
    );
}

fn wait_for_page(rehearsal: &Rehearsal, daemon: &Daemon) {
    rehearsal.wait(daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
}

/// Lets the clock go on while no daemon runs.
fn sleep_until(rehearsal: &Rehearsal, k: i64) {
    while rehearsal.period() < k {
        rehearsal.pause(20);
    }
}

#[test]
fn a_resolve_that_is_not_taken_is_owed_beyond_a_restart() {
    let rehearsal = Rehearsal::new(4, |k| (0..8).contains(&k));
    let daemon = rehearsal.start();
    wait_for_page(&rehearsal, &daemon);
    let faults = rehearsal.loopback().faults();
    faults.set([FaultRule::new(Fault::Refuse(Refusal::Unavailable)).operation("enqueue")]);
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() == 2);
    let is_pending = |me: &Rehearsal| me.status().is_some_and(|status| status["outbox"]["owed"] == 1);
    rehearsal.wait(&daemon, "the resolve is not shown as owed", is_pending);
    assert!(rehearsal.told_status().out.contains("outbox: 1 owed, 0 refused"));
    daemon.terminate();

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "a restart forgot that it is owed", is_pending);
    assert!(only_incident(&rehearsal).open);
    faults.clear();
    is_resolved_once(&rehearsal, &daemon);
    rehearsal.wait_until_nothing_is_owed(&daemon);
    assert_eq!(rehearsal.subjects().len(), 2, "the topic was told once");
    daemon.terminate();
}

#[test]
fn what_recovered_while_nobody_looked_is_resolved() {
    let rehearsal = Rehearsal::new(4, |k| (0..8).contains(&k));
    let daemon = rehearsal.start();
    wait_for_page(&rehearsal, &daemon);
    daemon.terminate();
    sleep_until(&rehearsal, 14);
    let daemon = rehearsal.start();
    is_resolved_once(&rehearsal, &daemon);
    daemon.terminate();
}

#[test]
fn a_third_breach_while_nobody_looked_pages_at_once() {
    let rehearsal = Rehearsal::new(4, |k| (0..400).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(1, &daemon);
    daemon.kill();
    assert!(rehearsal.alerts().is_empty(), "two slow periods page nobody");
    // The third one is over and settled, the fifth is not.
    sleep_until(&rehearsal, 4);
    let daemon = rehearsal.start();
    wait_for_page(&rehearsal, &daemon);
    let known = only_incident(&rehearsal);
    assert_eq!(
        known.dedup_key,
        Key::of_page(&GroupBy::Region.group(&series()), rehearsal.story + 2).as_str()
    );
    // Five more starts while it is still slow. Whatever was taken is written down in a stop.
    daemon.terminate();
    for start in 0..5 {
        let daemon = rehearsal.start();
        rehearsal.wait_until_judged(rehearsal.period(), &daemon);
        assert_eq!(only_incident(&rehearsal).triggers, 1, "start {start}");
        daemon.kill();
    }
    assert!(only_incident(&rehearsal).open);
    assert_eq!(rehearsal.subjects().len(), 1);
}

#[test]
fn two_breaches_and_a_recovery_while_nobody_looked_page_nobody() {
    let rehearsal = Rehearsal::new(4, |k| (0..2).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(1, &daemon);
    daemon.kill();
    sleep_until(&rehearsal, 6);
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(12, &daemon);
    assert!(rehearsal.alerts().is_empty() && rehearsal.subjects().is_empty());
    daemon.terminate();
}
