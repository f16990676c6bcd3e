//! Signs of life come while everything is judged and pages get through, and stop when that is not so.

use jiff::Timestamp;
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::rehearsal::{Daemon, Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

const EAST: &str = "us.example.east-v1:0";
const WEST: &str = "us.example.west-v1:0";

/// Two sources of one Region each, with heartbeats of all kinds.
fn scene(slow: impl Fn(i64) -> bool + Send + Sync + 'static) -> Rehearsal {
    let rehearsal = Scene {
        rate: 900.0,
        lead: 4,
        series: vec![series_in("us-east-1", EAST), series_in("us-west-2", WEST)],
        tell: Box::new(move |one, k| {
            (k >= -3 * 288).then(|| reading(one.region() == "us-east-1" && slow(k)))
        }),
        source: "heartbeat-url = { env = \"HEARTBEAT_MAIN\" }",
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let url = rehearsal.loopback().url();
    for (name, path) in [("HEARTBEAT_MAIN", "main"), ("HEARTBEAT_WEST", "west"), ("HEARTBEAT_URL", "daemon")]
    {
        rehearsal.set(name, &format!("{url}/webhook/heartbeat/{path}"));
    }
    rehearsal.edit(|text| {
        let text = text.replace("[daemon]", "[daemon]\nheartbeat-url = { env = \"HEARTBEAT_URL\" }");
        let west = "regions = [\"us-west-2\"]\nheartbeat-url = { env = \"HEARTBEAT_WEST\" }";
        format!(
            "{text}\n[source.cloudwatch.west]\n{west}\nendpoint-url = \"{url}\"\n\
             [heartbeat.cloudwatch]\nregion = \"us-east-1\"\nendpoint-url = \"{url}\"\n"
        )
    });
    rehearsal
}

/// When the heartbeats of one kind came.
fn beats(rehearsal: &Rehearsal, of: &str) -> Vec<Timestamp> {
    let requests = rehearsal.loopback().webhook_requests().into_iter();
    requests.filter(|one| one.path == format!("/webhook/heartbeat/{of}")).map(|one| one.at).collect()
}

/// Waits until a heartbeat of each of these comes anew.
fn wait_for(rehearsal: &Rehearsal, daemon: &Daemon, all: &[&str]) {
    let now = rehearsal.time();
    rehearsal.wait(daemon, &format!("not all of {all:?} give signs of life"), |me| {
        all.iter().all(|of| beats(me, of).iter().any(|at| *at > now))
    });
}

/// Waits until a heartbeat has not come for six periods, while the one of main does.
fn wait_for_silence(rehearsal: &Rehearsal, daemon: &Daemon, of: &str) {
    let periods = |me: &Rehearsal, of: &str| {
        let last = beats(me, of).last().copied().unwrap_or_else(|| (me.story - 4).start());
        me.time().duration_since(last).as_secs() / 300
    };
    rehearsal.wait(daemon, &format!("{of} gives signs of life"), |me| periods(me, of) >= 6);
    assert!(periods(rehearsal, "main") < 6, "and so does main not");
}

/// How many periods of a source were said to be judged, in all.
fn judged(rehearsal: &Rehearsal, source: &str) -> f64 {
    let data = rehearsal.loopback().put_data().into_iter();
    data.filter(|datum| datum.dimensions["Source"] == source).map(|datum| datum.sum).sum()
}

#[test]
fn a_source_that_is_denied_is_quiet_and_so_is_the_daemon() {
    let rehearsal = scene(|_| false);
    let faults = rehearsal.loopback().faults();
    let denied =
        || [FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("GetMetricData").region("us-west-2")];
    faults.set(denied());
    let daemon = rehearsal.start();
    wait_for(&rehearsal, &daemon, &["main"]);
    rehearsal.wait_until_all_judged(&[series_in("us-east-1", EAST)], 2, &daemon);
    assert!(beats(&rehearsal, "west").is_empty(), "nothing of it was ever judged");
    assert!(beats(&rehearsal, "daemon").is_empty(), "not all is judged");
    assert_eq!(judged(&rehearsal, "west"), 0.0);

    faults.clear();
    wait_for(&rehearsal, &daemon, &["main", "west", "daemon"]);
    rehearsal.wait(&daemon, "the metric does not say so", |me| judged(me, "west") >= 1.0);

    faults.set(denied());
    wait_for_silence(&rehearsal, &daemon, "west");
    wait_for_silence(&rehearsal, &daemon, "daemon");
    wait_for(&rehearsal, &daemon, &["main"]);
    let (before, quiet) = (judged(&rehearsal, "main"), judged(&rehearsal, "west"));
    rehearsal.wait(&daemon, "main is not counted any more", |me| judged(me, "main") >= before + 2.0);
    assert_eq!(judged(&rehearsal, "west"), quiet);

    // One series a source: what was said is what was judged, without its history.
    let data = rehearsal.loopback().put_data();
    assert!(data.iter().all(|datum| {
        (datum.namespace.as_str(), datum.metric_name.as_str(), datum.unit.as_str())
            == ("otpsd", "JudgedPeriods", "Count")
    }));
    assert!(judged(&rehearsal, "main") <= (rehearsal.period() + 5) as f64, "{data:#?}");
    daemon.terminate();
}

#[test]
fn a_page_that_does_not_get_through_stops_the_daemons_heartbeat() {
    let rehearsal = scene(|k| (0..400).contains(&k));
    let faults = rehearsal.loopback().faults();
    faults.set([FaultRule::new(Fault::Refuse(Refusal::Unavailable)).operation("enqueue")]);
    let daemon = rehearsal.start();
    wait_for(&rehearsal, &daemon, &["main", "west", "daemon"]);
    rehearsal.wait(&daemon, "nobody was paged", |me| me.subjects().len() == 1);
    let owed = rehearsal.time();
    wait_for_silence(&rehearsal, &daemon, "daemon");
    let last = *beats(&rehearsal, "daemon").last().unwrap();
    // Five minutes, and the minute in which it beats; the snapshot may be one beat old.
    assert!(last.duration_since(owed).as_secs() <= 600, "{last} is long after {owed}");
    let ready = daemon.get("/readyz");
    assert!(ready.starts_with("HTTP/1.1 503") && ready.contains("a page has been owed for"), "{ready}");
    assert!(!daemon.get("/metrics").contains("oldest_unsent_page_seconds 0\n"));
    assert_eq!(rehearsal.told_status().out.matches("a page has been owed since").count(), 1);

    faults.clear();
    wait_for(&rehearsal, &daemon, &["main", "west", "daemon"]);
    assert_eq!(rehearsal.alerts().len(), 1);
    daemon.terminate();
}

#[test]
fn where_nothing_is_judged_nothing_is_said() {
    let rehearsal = scene(|_| false);
    rehearsal
        .loopback()
        .faults()
        .set([FaultRule::new(Fault::Refuse(Refusal::Internal)).operation("GetMetricData")]);
    let daemon = rehearsal.start();
    rehearsal.wait_until(12, &daemon);
    let said: Vec<_> = ["main", "west", "daemon"].iter().flat_map(|of| beats(&rehearsal, of)).collect();
    assert!(said.is_empty() && rehearsal.loopback().put_data().is_empty(), "{said:?}");
    assert!(daemon.get("/readyz").starts_with("HTTP/1.1 503"));
    daemon.terminate();
}
