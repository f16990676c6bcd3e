//! Silences and maintenance windows: judged and recorded, told nobody; what still stands when they end is told then.

use jiff::SignedDuration;
use serde_json::{Value, json};
use simulator::loopback::PagerDutyStatus;

use crate::rehearsal::{Rehearsal, Scene};
use crate::story::reading;

fn audit(daemon: &crate::rehearsal::Daemon) -> Value {
    let answer = daemon.get("/api/v1/audit");
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn what_still_stands_when_a_silence_ends_is_told_then() {
    let rehearsal = Rehearsal::new(6, |k| (0..60).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-3, &daemon);
    let added = rehearsal.run(&[
        "silence",
        "add",
        "--model",
        "*sonnet*",
        "--until",
        "2026-11-03T00:00:00Z",
        "--comment",
        "load test",
        "--author",
        "ada",
    ]);
    let about = "it is about 1 of 1 series\n111122223333/us-east-1/us.example.sonnet-large-v1:0\n";
    assert_eq!((added.code, added.err.as_str()), (0, about), "{added:?}");
    let id = added.out.split_whitespace().next().unwrap().to_owned();
    assert_eq!(added.out, format!("{id}  silent until 2026-11-03T00:00:00Z: model *sonnet*\n"));
    rehearsal.wait_until_judged(10, &daemon);
    assert!(rehearsal.alerts().is_empty(), "it is silent");
    let status = daemon.get("/");
    assert!(status.contains("load test") && status.contains("ada"), "who silenced it, and why");

    // A restart forgets no silence.
    daemon.kill();
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(14, &daemon);
    assert!(rehearsal.alerts().is_empty(), "it is still silent");
    let listed = rehearsal.run(&["silence", "list"]);
    assert!(listed.out.contains(&id) && listed.out.contains("load test"), "{listed:?}");

    let expired = rehearsal.run(&["silence", "expire", &id, "--author", "grace"]);
    assert_eq!(expired.code, 0, "{expired:?}");
    rehearsal.wait(&daemon, "what stands was not told", |me| me.alerts().len() == 1);
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 1));
    assert_eq!(rehearsal.run(&["silence", "list"]).out, "nothing is silent\n");
    let acts: Vec<String> = audit(&daemon)["audit"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| format!("{} {}", entry["who"].as_str().unwrap(), entry["act"].as_str().unwrap()))
        .collect();
    for act in ["ada silence_add", "otpsd untold", "grace silence_expire"] {
        assert!(acts.iter().any(|one| one == act), "{act}: {acts:?}");
    }
    daemon.terminate();
}

#[test]
fn what_cleared_in_a_silence_is_told_nobody() {
    let rehearsal = Rehearsal::new(6, |k| (0..8).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-3, &daemon);
    let until = rehearsal.time() + SignedDuration::from_hours(3);
    let silence = json!({"models": ["*"], "author": "ada", "comment": "drill", "until": until.to_string()});
    let answer = rehearsal.ask(&json!({"v": 1, "command": "silence_add", "silence": silence}));
    assert_eq!(answer["ok"], true, "{answer}");
    // It ends three hours later, 36 periods.
    rehearsal.wait_until_judged(44, &daemon);
    assert!(rehearsal.alerts().is_empty(), "{:?}", rehearsal.alerts());
    assert!(rehearsal.subjects().is_empty(), "{:?}", rehearsal.subjects());
    daemon.terminate();
}

#[test]
fn a_maintenance_window_mutes_until_it_ends() {
    let rehearsal = Scene {
        lead: 6,
        tell: Box::new(|_, k| (k >= -14 * 288).then(|| reading((0..60).contains(&k)))),
        config: "[maintenance.move]\nmodels = [\"*sonnet*\"]\nfrom = \"2026-11-02T00:00\"\nto = \"2026-11-02T01:30\"\n\
                 zone = \"UTC\"\ncomment = \"moving to another profile\"\n",
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(12, &daemon);
    assert!(rehearsal.alerts().is_empty(), "the window is open until period 18");
    assert!(daemon.get("/").contains("moving to another profile"));
    rehearsal.wait(&daemon, "what stands was not told", |me| me.alerts().len() == 1);
    let told = rehearsal.minutes(rehearsal.alerts()[0].opened);
    assert!((90..=110).contains(&told), "told after {told} minutes");
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    daemon.terminate();
}
