//! One Region hangs; the others must not notice.

use domain::Series;
use simulator::loopback::{Fault, FaultRule};

use crate::rehearsal::{SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

const HANGS: &str = "us-east-1";
const WELL: &str = "eu-west-1";

/// A Region that accepts and never answers, or answers a byte from time to time, beside one that becomes slow.
fn beside(fault: Fault) {
    let [hanging, well] = [HANGS, WELL].map(|region| series_in(region, "us.example.sonnet-large-v1:0"));
    let slow_one = well.clone();
    let rehearsal = Scene {
        // A period is a second and a half, and a call is given up after four or five.
        rate: 200.0,
        regions: &[HANGS, WELL],
        series: vec![hanging.clone(), well.clone()],
        tell: Box::new(move |one: &Series, k| (k >= -3 * 288).then(|| reading(*one == slow_one && k >= 1))),
        source: "attempt-timeout = \"1s\"",
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&[hanging.clone(), well.clone()], -2, &daemon);
    rehearsal.loopback().faults().set([FaultRule::new(fault).region(HANGS).operation("GetMetricData")]);

    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    // Slow from minute 5 on: the third period ends in minute 20 and settles in minute 22. Waiting for the other Region would
    // take a quarter of an hour more.
    let opened = rehearsal.minutes(rehearsal.alerts()[0].opened);
    assert!((22..30).contains(&opened), "paged in minute {opened}");
    rehearsal.wait(&daemon, "nobody was told", |me| !me.tickets().is_empty());
    let text = rehearsal.tickets()[0].message.replace('\n', " ");
    assert!(text.starts_with("main cannot be read: no answer in time since "), "{text}");
    assert!(text.contains("1 series in us-east-1 is not judged"), "{text}");
    assert!(rehearsal.judged_through(&hanging).unwrap() < 3);

    // The first poll after the Region is back makes up for all.
    rehearsal.loopback().faults().clear();
    let back = rehearsal.period();
    rehearsal.wait_until_all_judged(&[hanging.clone(), well.clone()], back, &daemon);
    rehearsal.wait(&daemon, "the ticket did not close", |me| me.tickets().len() == 2);
    assert_eq!(rehearsal.alerts().len(), 1);
    let failed = daemon.get("/metrics");
    let timeouts = r#"otpsd_polls_total{source="main",region="us-east-1",outcome="timeout"}"#;
    assert!(failed.contains(timeouts), "{failed}");
    let well = r#"otpsd_polls_total{source="main",region="eu-west-1",outcome="timeout"}"#;
    assert!(!failed.contains(well), "{failed}");
}

#[test]
fn a_region_that_never_answers() {
    beside(Fault::Hang);
}

#[test]
fn a_region_that_answers_byte_by_byte() {
    beside(Fault::Trickle { milliseconds: 200 });
}
