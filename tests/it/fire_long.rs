//! Long runs, long gaps, and long histories that are interrupted.

use std::collections::BTreeSet;

use domain::{PERIODS_PER_DAY, Series};
use simulator::loopback::{Fault, FaultRule, PagerDutyStatus, Refusal};

use crate::rehearsal::{Daemon, Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

/// Nobody polled for three days. A model was slow for two hours in them, and another one since yesterday.
#[test]
fn a_gap_of_days_is_healed_in_order_and_told_only_where_it_still_matters() {
    let [ended, stands] =
        ["ended", "stands"].map(|name| series_in("us-east-1", &format!("us.example.{name}-v1:0")));
    let slow_one = stands.clone();
    let rehearsal = Scene {
        series: vec![ended.clone(), stands.clone()],
        tell: Box::new(move |one, k| {
            let slow = if *one == slow_one { k >= 2 * 288 } else { (288..312).contains(&k) };
            (k >= -3 * 288).then(|| reading(slow))
        }),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&[ended.clone(), stands.clone()], 1, &daemon);
    daemon.kill();
    let before = rehearsal.loopback().recent_calls().len();
    rehearsal.skip(3);

    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&[ended.clone(), stands.clone()], 3 * PERIODS_PER_DAY, &daemon);
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && !me.subjects().is_empty());
    let alerts = rehearsal.alerts();
    assert_eq!(alerts[0].status, PagerDutyStatus::Triggered);
    assert!(alerts[0].triggers[0].to_string().contains("us.example.stands-v1:0"));
    assert_eq!(rehearsal.subjects().len(), 1);
    let incidents = daemon.get("/api/v1/incidents");
    assert!(incidents.contains("us.example.ended-v1:0"), "it is written down: {incidents}");
    // The onset is that of the slow days, not of the return: Wednesday at midnight.
    assert!(incidents.contains("\"onset\":\"2026-11-04T00:00:00Z\""), "{incidents}");
    // All of the gap in one read, in which each metric is billed once, and nothing from before it but the last periods.
    let calls = &rehearsal.loopback().recent_calls()[before..];
    let (start, end) = calls.iter().find_map(|call| call.window).unwrap();
    let begin = rehearsal.story.start().as_second();
    assert!((begin - 4 * 300..begin + 300 * 12).contains(&start), "from {}", start - begin);
    assert!(end - begin >= 3 * 86_400, "until {}", end - begin);
    let long = |(start, end): &(i64, i64)| end - start > 86_400;
    let windows: BTreeSet<_> = calls.iter().filter_map(|call| call.window).filter(long).collect();
    assert_eq!(windows.len(), 1, "{windows:?}");
}

/// Calls that ask for most of 35 days: four for each series.
fn calls_for_history(rehearsal: &Rehearsal, from: usize) -> usize {
    let calls = &rehearsal.loopback().recent_calls()[from..];
    calls.iter().filter_map(|call| call.window).filter(|(start, end)| end - start > 30 * 86_400).count()
}

#[test]
fn a_history_that_is_interrupted_goes_on_where_it_was() {
    const MODELS: usize = 10;
    let all: Vec<Series> = (0..MODELS)
        .map(|number| series_in("us-east-1", &format!("us.example.model-{number}-v1:0")))
        .collect();
    let rehearsal = Scene {
        rate: 60.0,
        series: all.clone(),
        tell: Box::new(|_, k| (k >= -14 * 288).then(|| reading(false))),
        ..Scene::new()
    }
    .open();
    // Slow enough to be interrupted.
    let slowly = FaultRule::new(Fault::Slow { milliseconds: 400 }).operation("GetMetricData");
    rehearsal.loopback().faults().set([slowly]);
    let daemon = rehearsal.start();
    let history = |me: &Rehearsal| me.status().map(|status| status["sources"][0]["history"].clone());
    rehearsal.wait(&daemon, "nobody says how far it is", |me| {
        history(me).is_some_and(|history| history["read"].as_u64() >= Some(3))
    });
    assert_eq!(history(&rehearsal).unwrap()["of"], MODELS);
    let shown = daemon.get("/");
    assert!(shown.contains("Reading history: ") && shown.contains(" of 10 series"), "{shown}");
    let metrics = daemon.get("/metrics");
    assert!(
        metrics.contains("otpsd_history_series_wanted{source=\"main\",region=\"us-east-1\"} 10"),
        "{metrics}"
    );
    let told = rehearsal.told_status();
    assert!(told.out.contains("  reading history: ") && told.out.contains(" of 10 series"), "{}", told.out);
    let read = rehearsal.status().unwrap()["series"].as_array().unwrap().len();
    daemon.kill();
    let calls = rehearsal.loopback().recent_calls().len();

    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&all, 0, &daemon);
    // What had been judged is not asked for again.
    let (again, most) = (calls_for_history(&rehearsal, calls), 4 * (MODELS - read));
    assert!(read >= 3 && again <= most, "{again} calls for history where {read} of {MODELS} had been read");
    rehearsal.wait(&daemon, "it says that it reads", |me| history(me).is_some_and(|one| one.is_null()));
    assert!(rehearsal.alerts().is_empty());
    let status = rehearsal.status().unwrap();
    assert!(status["series"].as_array().unwrap().iter().all(|one| one["state"] == "OK"), "{status}");
    assert!(daemon.log().contains("history is read: 10 series in "), "{}", daemon.log());
}

/// Resident memory in KiB, and open files.
fn footprint(daemon: &Daemon) -> (u64, usize) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", daemon.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let memory = line.trim().trim_end_matches(" kB").parse().unwrap();
    (memory, std::fs::read_dir(format!("/proc/{}/fd", daemon.id())).unwrap().count())
}

const WELL: &str = "eu-west-1";
const DENIED: &str = "us-east-1";
const BROKEN: &str = "us-west-2";
/// Polls of the Region that is well after which everything has been done once.
const WARM: u64 = 100;
/// Polls of the Region that is well.
const ENOUGH: u64 = 500;

fn polls(daemon: &Daemon, region: &str) -> u64 {
    let text = daemon.get("/metrics");
    let of_region = format!("otpsd_polls_total{{source=\"main\",region=\"{region}\"");
    let lines = text.lines().filter(|line| line.starts_with(&of_region));
    lines.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap() as u64).sum()
}

/// One Region is well, one is denied, and one breaks off within every answer, so that no connection can be used again.
#[test]
fn hundreds_of_polls_leave_memory_and_descriptors_flat() {
    let regions: &[&str] = &[WELL, DENIED, BROKEN];
    let rehearsal = Scene {
        // Faster than the machine can poll: a period is over in 20 ms.
        rate: 15_000.0,
        regions,
        series: regions.iter().map(|region| series_in(region, "us.example.sonnet-large-v1:0")).collect(),
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it does not poll", |_| daemon.serves() && polls(&daemon, WELL) > 0);
    let faults = rehearsal.loopback().faults();
    let of_data = |fault| FaultRule::new(fault).operation("GetMetricData");
    faults.set([
        of_data(Fault::Refuse(Refusal::Denied)).region(DENIED),
        of_data(Fault::LoseReply).region(BROKEN),
    ]);
    rehearsal.wait(&daemon, "it does not poll", |_| polls(&daemon, WELL) >= WARM);
    let (memory, files) = footprint(&daemon);
    rehearsal.wait(&daemon, "it does not poll on", |_| polls(&daemon, WELL) >= ENOUGH);
    let (memory_after, files_after) = footprint(&daemon);
    println!("{memory} -> {memory_after} KiB, {files} -> {files_after} files");
    for region in regions {
        println!("{region}: {} polls", polls(&daemon, region));
    }
    assert!(polls(&daemon, DENIED) >= WARM);
    assert!(memory_after <= memory + 4_096, "{memory} KiB became {memory_after}");
    assert!(files_after <= files + 10, "{files} open files became {files_after}");
}
