//! A name that nobody calls, and one that nobody calls any more: both look like peace, and are told apart from it.

use simulator::loopback::{Fault, FaultRule};

use crate::rehearsal::{Scene, series};
use crate::story::{reading, series_in};

#[test]
fn what_has_no_data_since_yesterday_is_no_peace() {
    let gone = series_in("us-east-1", "us.example.gone-v1:0");
    let until_yesterday = gone.clone();
    let rehearsal = Scene {
        rate: 3_600.0,
        lead: 12,
        series: vec![gone.clone(), series()],
        tell: Box::new(move |one, k| {
            let until = if *one == until_yesterday { 0 } else { i64::MAX };
            (-14 * 288..until).contains(&k).then(|| reading(false))
        }),
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it is not well before", |me| me.told_status().code == 0);
    // Six hours are one too many.
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    let ticket = rehearsal.tickets().remove(0);
    assert!(ticket.message.contains("us.example.gone-v1:0"), "{}", ticket.message);
    rehearsal.wait(&daemon, "the status does not differ from peace", |me| me.told_status().code == 1);
    let status = rehearsal.told_status().out;
    let line = |of: &domain::Series| {
        let mut lines = status.lines().map(str::trim).filter(|line| line.ends_with(&of.to_string()));
        lines.next().unwrap().to_owned()
    };
    assert!(line(&gone).contains("2026-11-01T23:55:00Z"), "the last period in which it had any: {status}");
    assert!(!line(&series()).contains("2026-11-01T23:55:00Z"), "{status}");
    let metrics = daemon.get("/metrics");
    let name = "otpsd_series_last_data_timestamp_seconds";
    let line = metrics.lines().find(|line| line.starts_with(name) && line.contains("gone")).unwrap();
    let last: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(last, rehearsal.story.start().as_second() as f64);
    assert!(rehearsal.alerts().is_empty() && rehearsal.subjects().is_empty(), "silence pages nobody");
    daemon.terminate();
}

#[test]
fn a_configuration_that_watches_nothing_is_no_peace() {
    let rehearsal = Scene { source: "include = [\"us.example.snonet-*\"]", ..Scene::new() }.open();
    let url = rehearsal.loopback().url();
    rehearsal.set("HEARTBEAT_URL", &format!("{url}/webhook/heartbeat"));
    rehearsal.edit(|text| text.replace("[daemon]", "[daemon]\nheartbeat-url = { env = \"HEARTBEAT_URL\" }"));
    let daemon = rehearsal.start();
    let is_read = |me: &crate::rehearsal::Rehearsal| {
        me.status().is_some_and(|status| status["sources"][0]["last_success"].is_string())
    };
    rehearsal.wait(&daemon, "it does not read", is_read);
    assert_eq!(rehearsal.told_status().code, 1);
    // Some turns of the heartbeat later.
    rehearsal.pause(1_500);
    assert!(rehearsal.loopback().webhook_requests().is_empty(), "a sign of life, where nothing is judged");
    daemon.terminate();
}

/// One is listed, and never has data. What stands since before the first start need not wait for it.
#[test]
fn what_never_has_data_holds_up_no_page() {
    let never = series_in("us-east-1", "us.example.never-v1:0");
    let rehearsal = Scene {
        // Reading two weeks takes a minute or two of this clock; what is found there is held for ten at most.
        rate: 60.0,
        series: vec![never.clone(), series()],
        tell: Box::new(|_, k| (k >= -14 * 288).then(|| reading(k >= -20))),
        ..Scene::new()
    }
    .open();
    let nothing = FaultRule::new(Fault::Missing).operation("GetMetricData").model(never.model());
    rehearsal.loopback().faults().set([nothing]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    let since = rehearsal.alerts()[0].opened.duration_since((rehearsal.story - 2).start());
    assert!(since.as_secs() < 600, "{since} after the start");
    daemon.terminate();
}
