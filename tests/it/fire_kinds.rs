//! Every way in which a source fails, on the wire: its kind, what is said of it, what to do, and its metric.

use serde_json::Value;
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::rehearsal::{Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

fn of_source(me: &Rehearsal, what: &str) -> Value {
    me.status().map(|status| status["sources"][0][what].clone()).unwrap_or_default()
}

fn failure_metric(kind: &str) -> String {
    format!("otpsd_source_failure{{source=\"main\",region=\"us-east-1\",kind=\"{kind}\"}} 1")
}

#[test]
fn every_failure_has_its_kind_message_hint_and_metric_and_heals_by_itself() {
    let rehearsal = Scene {
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        source: "attempt-timeout = \"1s\"",
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-1, &daemon);
    let refuse = Fault::Refuse;
    let kinds = [
        (refuse(Refusal::ExpiredToken), "credentials", "ExpiredToken", "renew the credentials"),
        (
            refuse(Refusal::UnknownKey),
            "credentials",
            "UnrecognizedClientException",
            "the key is not known there",
        ),
        (refuse(Refusal::Denied), "denied", "AccessDenied", "allow `cloudwatch:GetMetricData`"),
        (
            Fault::Throttle { retry_after_seconds: None },
            "throttled",
            "Rate exceeded",
            "find who else calls so often",
        ),
        (Fault::HangUp, "network", "", "look at DNS, routes, proxies"),
        (Fault::CutReply, "network", "", "look at DNS, routes, proxies"),
        (Fault::Hang, "timeout", "", "look at the route to AWS"),
        (refuse(Refusal::ClockSkew), "clock_skew", "", "set this machine's clock"),
        (refuse(Refusal::Internal), "server", "", "AWS Health Dashboard"),
        (Fault::FailResults, "server", "InternalError for every metric", "AWS Health Dashboard"),
        (Fault::Malformed, "malformed", "cannot be understood", "look at what answers"),
    ];
    for (fault, kind, message, hint) in kinds {
        let what = format!("{fault:?}");
        rehearsal.loopback().faults().set([FaultRule::new(fault).operation("GetMetricData")]);
        rehearsal
            .wait(&daemon, &format!("{what} is not {kind}"), |me| of_source(me, "failure")["kind"] == kind);
        let failure = of_source(&rehearsal, "failure");
        let text = failure["message"].as_str().unwrap();
        assert!(text.starts_with("GetMetricData of source `main` in us-east-1 failed: "), "{what}: {text}");
        assert!(text.contains(message), "{what}: {text}");
        assert!(failure["hint"].as_str().unwrap().contains(hint), "{what}: {failure}");
        assert!(daemon.get("/metrics").contains(&failure_metric(kind)), "{what}");
        rehearsal.loopback().faults().clear();
        rehearsal.wait(&daemon, &format!("{what} does not heal"), |me| of_source(me, "failure").is_null());
    }
    assert!(rehearsal.alerts().is_empty());
    let polls = daemon.get("/metrics");
    for kind in
        ["credentials", "denied", "throttled", "network", "timeout", "clock_skew", "server", "malformed"]
    {
        assert!(polls.contains(&format!("region=\"us-east-1\",outcome=\"{kind}\"")), "{kind}: {polls}");
    }
}

/// One of two models is not answered whole, time and again.
#[test]
fn what_is_answered_in_part_is_partial() {
    let [broken, well] =
        ["broken", "well"].map(|name| series_in("us-east-1", &format!("us.example.{name}-v1:0")));
    let rehearsal = Scene {
        series: vec![broken.clone(), well.clone()],
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&[broken.clone(), well], -1, &daemon);
    let one_metric =
        FaultRule::new(Fault::FailResults).model(broken.model()).metric(domain::Metric::TimeToFirstToken);
    rehearsal.loopback().faults().set([one_metric]);
    rehearsal.wait(&daemon, "it is not partial", |me| of_source(me, "limited")["kind"] == "partial");
    let limited = of_source(&rehearsal, "limited");
    let message = "GetMetricData of source `main` in us-east-1 answers 1 of 2 series only in part";
    assert_eq!(limited["message"], message);
    assert!(limited["hint"].as_str().unwrap().contains("asked for again"), "{limited}");
    assert!(daemon.get("/metrics").contains(&failure_metric("partial")));
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    let text = rehearsal.tickets()[0].message.replace('\n', " ");
    assert!(
        text.starts_with("main cannot be read: CloudWatch answers some series only in part since "),
        "{text}"
    );
    rehearsal.loopback().faults().clear();
    rehearsal.wait(&daemon, "it does not heal", |me| of_source(me, "limited").is_null());
    rehearsal.wait(&daemon, "the ticket did not close", |me| me.tickets().len() == 2);
}

/// CloudWatch answers well, and none of its models is wanted.
#[test]
fn a_source_that_watches_nothing_is_empty() {
    let rehearsal = Scene {
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        source: "include = [\"*opus*\"]",
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it is not empty", |me| of_source(me, "limited")["kind"] == "empty");
    let limited = of_source(&rehearsal, "limited");
    let message = "ListMetrics of source `main` in us-east-1 names no model that streams and may be watched";
    assert_eq!(limited["message"], message);
    assert!(limited["hint"].as_str().unwrap().contains("`include` and `ignore`"), "{limited}");
    let metrics = daemon.get("/metrics");
    assert!(metrics.contains(&failure_metric("empty")), "{metrics}");
    assert!(metrics.contains("region=\"us-east-1\",outcome=\"empty\""), "{metrics}");
    let begun = rehearsal.period();
    rehearsal.wait(&daemon, "nobody was told", |me| me.tickets().len() == 1);
    assert!(rehearsal.period() - begun >= 11, "told within the hour");
    let text = rehearsal.tickets()[0].message.replace('\n', " ");
    let line = "main has nothing to watch: CloudWatch lists no model that it may watch since ";
    assert!(text.starts_with(line) && text.contains("nothing of it can page"), "{text}");
    assert!(text.contains("looks healthy, and can never page"), "{text}");
}
