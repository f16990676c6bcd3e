//! PagerDuty takes no more for now, or not this at all: pauses are kept, nothing is lost, and what is refused for good goes elsewhere.

use domain::Series;
use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{CallRecord, Fault, FaultRule, Refusal};

use crate::rehearsal::{Rehearsal, Scene};
use crate::story::{reading, series_in};

fn calls(rehearsal: &Rehearsal, operation: &str) -> Vec<CallRecord> {
    let mut calls = rehearsal.loopback().recent_calls();
    calls.retain(|call| call.operation == operation && call.status != 0);
    calls
}

/// Three times too many, and then taken: the statuses, and the shortest time from one attempt to the next.
fn throttled(retry_after_seconds: Option<u64>) -> (Vec<u16>, SignedDuration) {
    let rehearsal = Rehearsal::new(4, |k| (0..400).contains(&k));
    let throttle = Fault::Throttle { retry_after_seconds };
    rehearsal.loopback().faults().set([FaultRule::new(throttle).operation("enqueue").times(3)]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the page was lost", |me| me.alerts().len() == 1);
    rehearsal.wait_until_judged(8, &daemon);
    assert_eq!(rehearsal.alerts()[0].triggers.len(), 1, "it was delivered once");
    let attempts = calls(&rehearsal, "enqueue");
    let times: Vec<Timestamp> = attempts.iter().map(|call| call.at).collect();
    let published = calls(&rehearsal, "Publish");
    assert!(published[0].at < times[1], "the topic waited for PagerDuty: {published:?} {attempts:?}");
    daemon.terminate();
    let least = times.windows(2).map(|pair| pair[1].duration_since(pair[0])).min().unwrap();
    (attempts.iter().map(|call| call.status).collect(), least)
}

#[test]
fn a_pause_that_is_asked_for_is_kept_and_holds_up_nobody_else() {
    let (statuses, least) = throttled(Some(30));
    assert_eq!(statuses, [429, 429, 429, 202]);
    assert!(least >= SignedDuration::from_secs(30), "{least}");
}

#[test]
fn without_a_time_it_is_a_minute() {
    let (statuses, least) = throttled(None);
    assert_eq!(statuses, [429, 429, 429, 202]);
    assert!(least >= SignedDuration::from_secs(60), "{least}");
}

/// Twenty-four at once, and eight a minute.
#[test]
fn a_burst_that_is_too_much_arrives_whole() {
    let all: Vec<Series> =
        (0..24).map(|number| series_in("us-east-1", &format!("us.example.model-{number:02}-v1:0"))).collect();
    let rehearsal = Scene {
        lead: 4,
        series: all.clone(),
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(k >= 0))),
        config: "[alarm]\ngroup-by = \"series\"\n[baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n",
        ..Scene::new()
    }
    .open();
    rehearsal.loopback().limit_events(Some(8));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "some were lost", |me| me.alerts().len() == 24);
    let known = rehearsal.loopback().pagerduty_incidents();
    assert_eq!(known.len(), 24);
    assert!(known.iter().all(|one| (one.triggers, one.opens, one.open) == (1, 1, true)), "{known:#?}");
    let attempts = calls(&rehearsal, "enqueue");
    assert!(attempts.iter().any(|call| call.status == 429), "it was no burst");
    rehearsal.wait(&daemon, "the topic lost some", |me| me.subjects().len() == 24);
    daemon.terminate();
}

#[test]
fn what_is_refused_for_good_goes_to_the_fallback_and_so_does_its_resolve() {
    let rehearsal = Scene {
        lead: 4,
        tell: Box::new(|_, k| (k >= -14 * 288).then(|| reading((0..8).contains(&k)))),
        ..Scene::new()
    }
    .open();
    let url = rehearsal.loopback().url();
    rehearsal.edit(|text| {
        let text = text.replace("/v2/enqueue\"", "/v2/enqueue\"\nfallback = \"sns.standby\"");
        let topic = "arn:aws:sns:us-east-1:111122223333:llm-standby";
        format!("{text}\n[channel.sns.standby]\ntopic-arn = \"{topic}\"\nendpoint-url = \"{url}\"\n")
    });
    // Of PagerDuty: an invalid routing key.
    rehearsal.loopback().faults().set([FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("enqueue")]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody stood by", |me| me.published("llm-standby").len() == 1);
    let attempts = calls(&rehearsal, "enqueue").len();
    assert_eq!(attempts, 1, "what is refused for good is not repeated");
    let why = "400: Event object is invalid; Invalid routing key";
    assert!(daemon.log().contains(why), "{}", daemon.log());
    rehearsal.wait(&daemon, "the page does not say why", |_| daemon.get("/").contains(why));
    let counted = "channel=\"pagerduty.oncall\",kind=\"page\",outcome=\"refused\"} 1";
    rehearsal.wait(&daemon, "it was not counted", |_| daemon.get("/metrics").contains(counted));
    let status = rehearsal.told_status().out;
    assert!(status.contains("1 refused"), "{status}");
    // PagerDuty is well again. It never got the page.
    rehearsal.loopback().faults().clear();
    rehearsal.wait(&daemon, "who stood by got no resolve", |me| me.published("llm-standby").len() == 2);
    rehearsal.wait(&daemon, "the others got no resolve", |me| me.subjects().len() == 2);
    let states: Vec<serde_json::Value> = rehearsal
        .published("llm-standby")
        .iter()
        .map(|message| {
            let body: serde_json::Value = serde_json::from_str(&message.message).unwrap();
            body["NewStateValue"].clone()
        })
        .collect();
    assert_eq!(states, ["ALARM", "OK"]);
    assert!(rehearsal.alerts().is_empty());
    assert_eq!(calls(&rehearsal, "enqueue").len(), 1, "no resolve of what PagerDuty never got");
    daemon.terminate();
}
