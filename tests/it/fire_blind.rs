//! A source that fails is blind, not healthy: nothing is paged or resolved, somebody is told once, and the gap is healed.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use domain::Series;
use serde_json::Value;
use simulator::loopback::{Fault, FaultRule, PagerDutyStatus, Refusal, SnsMessage};

use crate::rehearsal::{Daemon, Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

const REGIONS: [&str; 3] = ["eu-west-1", "us-east-1", "us-west-2"];

/// Ten models in each of three Regions.
fn fleet() -> Vec<Series> {
    let models = (0..10).map(|number| format!("us.example.model-{number}-v1:0"));
    models.flat_map(|model| REGIONS.map(|region| series_in(region, &model))).collect()
}

fn refuse(refusal: Refusal) -> FaultRule {
    FaultRule::new(Fault::Refuse(refusal))
}

fn get_metric_data(fault: Fault) -> FaultRule {
    FaultRule::new(fault).operation("GetMetricData")
}

/// The JSON body of an answer.
fn json(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn open_source_tickets(daemon: &Daemon) -> Vec<Value> {
    let list = json(&daemon.get("/api/v1/incidents"));
    let tickets = list["tickets"].as_array().unwrap().iter();
    tickets.filter(|ticket| ticket["cause"] == "source_failing").cloned().collect()
}

fn triggers(rehearsal: &Rehearsal) -> usize {
    rehearsal.alerts().iter().map(|alert| alert.triggers.len()).sum()
}

/// A text without the ends of its lines.
fn flowing(message: &SnsMessage) -> String {
    message.message.replace('\n', " ")
}

fn key(message: &SnsMessage) -> String {
    message.message.rsplit_once("Key: ").unwrap().1.to_owned()
}

/// Two models are slow before CloudWatch fails everywhere. While it does, one more becomes slow and stays so, and another
/// one is slow for half an hour.
#[test]
fn an_outage_is_one_ticket_and_nothing_else_until_it_ends() {
    let all = fleet();
    let [first, second, third, fourth] = [&all[0], &all[1], &all[2], &all[3]].map(Clone::clone);
    let outage = Arc::new(AtomicI64::new(i64::MAX));
    let begins = Arc::clone(&outage);
    let (stays, ends) = (third.clone(), fourth.clone());
    let slow = move |one: &Series, k: i64| {
        let since = k.saturating_sub(begins.load(Ordering::Relaxed));
        ((*one == first || *one == second) && k >= 0)
            || (*one == stays && since >= 1)
            || (*one == ends && (1..7).contains(&since))
    };
    let rehearsal = Scene {
        regions: &REGIONS,
        series: all.clone(),
        tell: Box::new(move |one, k| (k >= -3 * 288).then(|| reading(slow(one, k)))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the first two were not paged", |me| triggers(me) == 2);

    let faults = rehearsal.loopback().faults();
    faults.set([refuse(Refusal::Unavailable).operation("GetMetricData")]);
    let begin = rehearsal.period() + 1;
    outage.store(begin, Ordering::Relaxed);
    rehearsal.wait(&daemon, "nobody was told of the outage", |me| me.tickets().len() == 1);
    rehearsal.wait_until(begin + 14, &daemon);
    assert_eq!((triggers(&rehearsal), rehearsal.tickets().len()), (2, 1), "nothing else was said");
    assert!(rehearsal.alerts().iter().all(|alert| alert.status == PagerDutyStatus::Triggered));

    let ticket = &rehearsal.tickets()[0];
    assert_eq!(ticket.subject.as_deref(), Some("TICKET: source failing, main"));
    let text = flowing(ticket);
    assert!(text.starts_with("main cannot be read: CloudWatch fails on its side since "), "{text}");
    // On a clock that runs so fast, a Region may notice later than another one has failed long enough; then it joins.
    assert!(text.contains(" series in ") && text.contains("its incidents"), "{text}");
    assert!(text.contains("It worked until "), "{text}");
    assert_eq!(open_source_tickets(&daemon).len(), 1);
    assert!(daemon.get("/").contains("source_failing"));
    let ready = daemon.get("/readyz");
    assert!(ready.starts_with("HTTP/1.1 503") && ready.contains("server"), "{ready}");

    faults.clear();
    rehearsal.wait(&daemon, "the third was not paged", |me| triggers(me) == 3);
    rehearsal.wait(&daemon, "the ticket did not close", |me| me.tickets().len() == 2);
    let closed = &rehearsal.tickets()[1];
    assert_eq!(closed.subject.as_deref(), Some("TICKET: source failing, main (closed)"));
    assert!(flowing(closed).contains("30 series in 3 Regions are judged"), "{}", closed.message);
    assert_eq!(key(closed), key(ticket));
    assert!(open_source_tickets(&daemon).is_empty());
    // What began and ended meanwhile is written down, and told nobody.
    let incidents = json(&daemon.get("/api/v1/incidents"));
    let of_fourth: Vec<_> = incidents["incidents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|incident| incident["id"] == fourth.to_string())
        .collect();
    assert_eq!(of_fourth.len(), 1, "{incidents}");
    assert_eq!(of_fourth[0]["open"], false);
    assert_eq!(triggers(&rehearsal), 3);
}

#[test]
fn a_restart_neither_repeats_nor_forgets_the_ticket() {
    let rehearsal = Scene::new().open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-1, &daemon);
    rehearsal.loopback().faults().set([get_metric_data(Fault::Refuse(Refusal::Denied))]);
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    let text = flowing(&rehearsal.tickets()[0]);
    assert!(text.starts_with("main cannot be read: cloudwatch:GetMetricData denied since "), "{text}");
    assert!(text.contains("1. Allow `cloudwatch:GetMetricData` to the credentials of the source."), "{text}");
    // What is killed before it wrote down that a message was taken sends it again.
    rehearsal.wait_until_nothing_is_owed(&daemon);
    daemon.kill();

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it does not run", |me| {
        me.status().is_some() && daemon.log().matches("status page at").count() == 2
    });
    let (before, now) = (rehearsal.period(), |me: &Rehearsal| me.period());
    rehearsal.wait(&daemon, "time stands still", |me| now(me) >= before + 6);
    assert_eq!(rehearsal.tickets().len(), 1, "half an hour later it is not repeated");
    assert_eq!(open_source_tickets(&daemon).len(), 1);
    rehearsal.loopback().faults().clear();
    rehearsal.wait(&daemon, "it was forgotten", |me| me.tickets().len() == 2);
    let tickets = rehearsal.tickets();
    assert_eq!(key(&tickets[0]), key(&tickets[1]));
    assert!(flowing(&tickets[1]).starts_with("Closed: main can be read again"), "{}", tickets[1].message);
    assert!(rehearsal.alerts().is_empty());
}

/// Listing is denied and reading is not, after a restart: the ledger knows what to read.
#[test]
fn known_series_are_judged_where_they_may_not_be_listed() {
    let slow = Arc::new(AtomicI64::new(i64::MAX));
    let since = Arc::clone(&slow);
    let rehearsal = Scene {
        tell: Box::new(move |_, k| (k >= -14 * 288).then(|| reading(k >= since.load(Ordering::Relaxed)))),
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-1, &daemon);
    daemon.kill();
    rehearsal.loopback().faults().set([refuse(Refusal::Denied).operation("ListMetrics")]);
    let daemon = rehearsal.start();
    slow.store(rehearsal.period() + 1, Ordering::Relaxed);
    rehearsal.wait(&daemon, "nobody was paged", |me| triggers(me) == 1);
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    let text = flowing(&rehearsal.tickets()[0]);
    let line = "main cannot be asked for new models: cloudwatch:ListMetrics denied since ";
    assert!(
        text.starts_with(line) && text.contains("1 series in us-east-1 is judged all the same"),
        "{text}"
    );
    let status = rehearsal.status().unwrap();
    assert_eq!(status["sources"][0]["failure"], Value::Null, "{status}");
    assert_eq!(status["sources"][0]["limited"]["kind"], "denied", "{status}");
    let told = rehearsal.told_status();
    assert!(told.out.contains("hint: allow `cloudwatch:ListMetrics`"), "{}", told.out);
    assert_eq!(told.code, 1, "not all is well");
    let series = json(&daemon.get("/api/v1/series"));
    assert_eq!(series["series"][0]["seen"], true, "{series}");
}

/// CloudWatch fails on one of two models, time and again.
#[test]
fn a_series_that_is_not_answered_holds_up_nobody_and_is_healed() {
    let (broken, well) =
        (series_in("us-east-1", "us.example.broken-v1:0"), series_in("us-east-1", "us.example.well-v1:0"));
    let slow = Arc::new(AtomicI64::new(i64::MAX));
    let since = Arc::clone(&slow);
    let rehearsal = Scene {
        series: vec![broken.clone(), well.clone()],
        tell: Box::new(move |_, k| (k >= -3 * 288).then(|| reading(k >= since.load(Ordering::Relaxed)))),
        config: "[alarm]\ngroup-by = \"series\"\n[baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n",
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&[broken.clone(), well.clone()], -1, &daemon);
    rehearsal.loopback().faults().set([FaultRule::new(Fault::FailResults).model(broken.model())]);
    let begin = rehearsal.period() + 1;
    slow.store(begin, Ordering::Relaxed);
    rehearsal.wait(&daemon, "the other one was not paged", |me| triggers(me) == 1);
    rehearsal.wait_until_all_judged(std::slice::from_ref(&well), begin + 8, &daemon);
    assert!(rehearsal.judged_through(&broken).unwrap() < begin);
    assert_eq!(triggers(&rehearsal), 1);
    let series = json(&daemon.get("/api/v1/series"));
    let seen: Vec<_> = series["series"].as_array().unwrap().iter().map(|one| &one["seen"]).collect();
    assert_eq!(seen, [false, true], "{series}");
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    let text = flowing(&rehearsal.tickets()[0]);
    assert!(text.contains("1 series in us-east-1 is not judged"), "{text}");
    assert!(text.contains("answers 1 of 2 series only in part") || text.contains("InternalError"), "{text}");

    rehearsal.loopback().faults().clear();
    rehearsal.wait(&daemon, "the gap was not healed", |me| triggers(me) == 2);
    rehearsal.wait(&daemon, "the ticket did not close", |me| me.tickets().len() == 2);
}
