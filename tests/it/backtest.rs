//! `otpsd backtest` on recordings that are written here, by hand.

mod cloudwatch;
mod two;

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::process::run;

const CONFIG: [&str; 2] = ["--config", "config/examples/backtest.toml"];

/// Fifteen days of one series at 100 tokens a second; the last day has a slow hour from 12:00 on.
fn recording(folder: &std::path::Path, reversed: bool) -> PathBuf {
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut lines: Vec<String> = (0..15 * 288_i64)
        .map(|k| {
            let time = begin + jiff::SignedDuration::from_secs(k * 300);
            let slow = (14 * 288 + 144..14 * 288 + 156).contains(&k);
            let latency = if slow { 7_000 } else { 5_000 };
            format!("200,{latency},1000,400,{time},eu-west-1,example.alpha-large-v1:0")
        })
        .collect();
    if reversed {
        lines.reverse();
    }
    let mut text = "InvocationLatency.SampleCount,InvocationLatency.p50,TimeToFirstToken.p50,OutputTokenCount.p50,Timestamp,Region,ModelId\n".to_owned();
    for line in lines {
        writeln!(text, "{line}").unwrap();
    }
    crate::process::write(folder, "recording.csv", &text)
}

fn backtest(arguments: &[&str]) -> crate::process::Ran {
    run(&[&["backtest"], &CONFIG[..], arguments].concat())
}

#[test]
fn a_slow_hour_is_one_page_and_one_resolve() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path(), false);
    let ran = backtest(&["--format", "jsonl", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<_> =
        lines.iter().map(|line| (line["event"].as_str().unwrap(), line["time"].as_str().unwrap())).collect();
    // Slow from 12:00; the third period ends at 12:15. Well from 13:00; the third one ends at 13:15.
    assert_eq!(said, [("page_opened", "2026-03-16T12:15:00Z"), ("page_resolved", "2026-03-16T13:15:00Z")]);
    let page = &lines[0];
    assert_eq!((&page["account"], &page["region"]), (&"-".into(), &"eu-west-1".into()));
    assert_eq!((&page["model"], &page["cause"]), (&"example.alpha-large-v1:0".into(), &"otps_drop".into()));
    assert_eq!(page["key"], lines[1]["key"]);
    assert_eq!(page["onset"], "2026-03-16T12:00:00Z");
    let slots = page["slots"].as_array().unwrap();
    assert_eq!(slots.len(), 5);
    assert_eq!((&slots[4]["verdict"], &slots[4]["ratio"]), (&"breaching".into(), &0.6667.into()));
}

#[test]
fn the_order_of_rows_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let forward = backtest(&["--format", "jsonl", recording(folder.path(), false).to_str().unwrap()]);
    let backward = backtest(&["--format", "jsonl", recording(folder.path(), true).to_str().unwrap()]);
    assert!(!forward.out.is_empty());
    assert_eq!(forward.out, backward.out);
}

#[test]
fn a_page_can_fail_a_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path(), false);
    assert_eq!(backtest(&["--fail-on-page", path.to_str().unwrap()]).code, 1);
}

#[test]
fn the_table_is_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let ran = backtest(&[recording(folder.path(), false).to_str().unwrap()]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = crate::process::write(
        folder.path(),
        "bad.csv",
        "Timestamp,Region,ModelId,InvocationLatency.p50\n2026-03-02T00:00:00Z,eu-west-1,m,fast\n",
    );
    let ran = backtest(&[path.to_str().unwrap()]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("bad.csv:2") || ran.err.contains("line 2"), "{}", ran.err);
    assert!(ran.err.contains("fast"), "{}", ran.err);
    let missing = backtest(&["no-such-file.csv"]);
    assert_eq!(missing.code, 3);
    assert!(missing.err.contains("no-such-file.csv"), "{}", missing.err);
}
