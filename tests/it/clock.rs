//! The zone and the language of the machine change no output, and a daemon that was stopped for a while makes up for it in one go.

use std::fmt::Write as _;

use simulator::loopback::PagerDutyStatus;

use crate::process::{Ran, otpsd, write};
use crate::rehearsal::{Daemon, Rehearsal};

/// Twenty days to 14 March 2026, the last week behind the night on which New York puts its clocks forward: 8 March, 07:00Z. That night and
/// five days later models are slow for an hour.
fn across_eight_march() -> String {
    let begin: jiff::Timestamp = "2026-02-22T00:00:00Z".parse().unwrap();
    let mut text = "Timestamp,Region,ModelId,InvocationLatency.SampleCount,InvocationLatency.p50,TimeToFirstToken.p50,OutputTokenCount.p50\n".to_owned();
    for k in 0..20 * 288_i64 {
        let time = begin + jiff::SignedDuration::from_secs(k * 300);
        // 06:30Z on the 8th and 12:00Z on the 13th.
        let slow =
            (14 * 288 + 78..14 * 288 + 90).contains(&k) || (19 * 288 + 144..19 * 288 + 156).contains(&k);
        let latency = if slow { "7000.5" } else { "5000.5" };
        writeln!(text, "{time},eu-west-1,example.alpha-large-v1:0,200,{latency},1000.25,400").unwrap();
    }
    text
}

#[test]
fn zone_and_language_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "recording.csv", &across_eight_march());
    let backtest = |format: &str, surroundings: &[(&str, &str)]| -> Ran {
        let config = ["backtest", "--config", "config/examples/backtest.toml", "--format", format];
        let mut command = otpsd();
        command.args(config).arg(&path).envs(surroundings.iter().copied());
        command.output().unwrap().into()
    };
    for format in ["jsonl", "table"] {
        let utc = backtest(format, &[("TZ", "UTC")]);
        assert_eq!((utc.code, utc.err.as_str()), (0, ""));
        for surroundings in [
            vec![("TZ", "America/New_York")],
            vec![("TZ", "Asia/Kolkata")],
            vec![("TZ", "Europe/Berlin"), ("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8")],
            vec![("TZ", "nowhere/at-all"), ("LANG", "tr_TR.UTF-8")],
        ] {
            let other = backtest(format, &surroundings);
            assert_eq!(other.out, utc.out, "{surroundings:?}");
            assert_eq!((other.code, other.err.as_str()), (0, ""), "{surroundings:?}");
        }
    }
    let said: Vec<(String, String)> = backtest("jsonl", &[])
        .out
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            (line["event"].as_str().unwrap().to_owned(), line["time"].as_str().unwrap().to_owned())
        })
        .collect();
    let said: Vec<(&str, &str)> = said.iter().map(|(event, time)| (event.as_str(), time.as_str())).collect();
    assert_eq!(
        said,
        [
            ("page_opened", "2026-03-08T06:45:00Z"),
            ("page_resolved", "2026-03-08T07:45:00Z"),
            ("page_opened", "2026-03-13T12:15:00Z"),
            ("page_resolved", "2026-03-13T13:15:00Z"),
        ]
    );
}

fn signal(daemon: &Daemon, name: &str) {
    let sent = std::process::Command::new("kill").args([name, &daemon.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Stops the daemon for a number of periods, lets it go on, and gives how often CloudWatch was asked for readings until all was judged.
fn stopped(rehearsal: &Rehearsal, daemon: &Daemon, periods: i64) -> usize {
    let asked = || {
        let mut calls = rehearsal.loopback().recent_calls();
        calls.retain(|call| call.operation == "GetMetricData");
        calls.len()
    };
    signal(daemon, "-STOP");
    let until = rehearsal.period() + periods;
    while rehearsal.period() < until {
        rehearsal.pause(20);
    }
    let before = asked();
    signal(daemon, "-CONT");
    rehearsal.wait_until_judged(until - 2, daemon);
    asked() - before
}

#[test]
fn a_daemon_that_was_stopped_makes_up_for_it_in_one_poll() {
    // Well when it is stopped, and slow for some periods that nobody saw.
    let rehearsal = Rehearsal::new(4, |k| (6..8).contains(&k) || (18..400).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(0, &daemon);
    let asked = stopped(&rehearsal, &daemon, 12);
    assert!(asked <= 6, "{asked} calls to catch up with twelve periods");
    assert!(rehearsal.alerts().is_empty(), "a gap pages nobody");
    let series = daemon.get("/api/v1/series/111122223333/us-east-1/us.example.sonnet-large-v1:0");
    let body: serde_json::Value = serde_json::from_str(series.split_once("\r\n\r\n").unwrap().1).unwrap();
    let history = body["history"].as_array().unwrap();
    for k in -2..11 {
        let period = (rehearsal.story + k).start().to_string();
        let one = history.iter().find(|one| one["period"] == period.as_str());
        assert!(one.is_some_and(|one| one["reason"].is_null()), "the gap is not filled at {period}: {one:?}");
    }

    // It stops once more, and what began meanwhile is told.
    stopped(&rehearsal, &daemon, 12);
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    let alerts = rehearsal.alerts();
    assert_eq!((alerts[0].triggers.len(), alerts[0].status), (1, PagerDutyStatus::Triggered));
    daemon.terminate();
}
