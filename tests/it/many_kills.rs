//! `kill -9` two hundred times while incidents come and go and receivers fail, answer late or not at all: by its key each incident has
//! one open and one resolve at each receiver, and none is missing.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Key, PERIODS_PER_DAY, Series};
use simulator::loopback::{Fault, FaultRule, PagerDutyStatus, Refusal};

use crate::rehearsal::Scene;
use crate::story::{reading, series_in};

const KILLS: u64 = 200;
/// Each series is slow for so many periods, and then well for as many.
const EPISODE: i64 = 24;

fn fleet() -> Vec<Series> {
    (0..8).map(|number| series_in("us-east-1", &format!("us.example.model-{number}-v1:0"))).collect()
}

/// The series take turns: the first period of an episode of each is three after that of the one before.
fn place(series: &Series, k: i64) -> i64 {
    let number: i64 = series.model().split('-').nth(1).unwrap().parse().unwrap();
    (k - 3 * number).rem_euclid(2 * EPISODE)
}

/// A number that follows from another one, in no order that anybody could see.
fn scattered(number: u64) -> u64 {
    let mut x = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

fn trouble(turn: u64) -> Vec<FaultRule> {
    let to = |fault: Fault| FaultRule::new(fault);
    match turn % 6 {
        0 => vec![to(Fault::Refuse(Refusal::Unavailable)).operation("enqueue")],
        1 => vec![
            to(Fault::LoseReply).operation("enqueue").times(3),
            to(Fault::LoseReply).operation("Publish").times(2),
        ],
        2 => vec![to(Fault::Refuse(Refusal::Unavailable)).operation("Publish")],
        3 => vec![to(Fault::LoseReply).operation("Publish").times(3)],
        _ => Vec::new(),
    }
}

#[test]
fn two_hundred_kills_lose_and_repeat_nothing() {
    let rehearsal = Scene {
        lead: 3,
        series: fleet(),
        tell: Box::new(|one, k| {
            (k >= -3 * PERIODS_PER_DAY).then(|| reading(k >= 0 && place(one, k) < EPISODE))
        }),
        config: "[alarm]\ngroup-by = \"series\"\n[baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n",
        ..Scene::new()
    }
    .open();
    for kill in 0..KILLS {
        rehearsal.loopback().faults().set(trouble(kill / 5));
        let daemon = rehearsal.start();
        // Between the first poll of its life and some polls later.
        rehearsal.pause(120 + scattered(kill) % 500);
        daemon.kill();
    }
    rehearsal.loopback().faults().clear();
    let last = rehearsal.period();
    let daemon = rehearsal.start();
    // Whatever is open is resolved some periods after its episode.
    rehearsal.wait_until_all_judged(&fleet(), last + 2 * EPISODE, &daemon);

    let episodes = last / (2 * EPISODE);
    assert!(episodes >= 2, "the clock ran for {last} periods only");
    let mut opens: BTreeMap<String, usize> = BTreeMap::new();
    for alert in rehearsal.alerts() {
        *opens.entry(alert.dedup_key.clone()).or_default() += 1;
        let is_over = alert.status == PagerDutyStatus::Resolved;
        assert!(is_over || alert.opened > (rehearsal.story + last).start(), "never resolved: {alert:#?}");
    }
    let repeated: Vec<_> = opens.iter().filter(|(_, opens)| **opens > 1).collect();
    assert!(repeated.is_empty(), "opened again after their resolve: {repeated:?}");
    // Every incident that began and ended while the daemon was killed again and again was told, under the key of its third slow period,
    // or of the next one or two where that could not be read in time.
    let mut looked_at = 0;
    for series in fleet() {
        for episode in 0..episodes {
            let begins = (0..last).filter(|k| place(&series, *k) == 0).nth(usize::try_from(episode).unwrap());
            let Some(begins) = begins.filter(|begins| begins + 2 * EPISODE < last) else { continue };
            let key = |k: i64| Key::of_incident(&series, rehearsal.story + k).to_string();
            let keys: BTreeSet<String> = (begins + 2..begins + 6).map(key).collect();
            let told = opens.keys().filter(|key| keys.contains(*key)).count();
            assert_eq!(told, 1, "{series}, episode at {begins}");
            looked_at += 1;
        }
    }
    assert!(looked_at >= 16, "only {looked_at} incidents in {last} periods");
    // The topic: for each key an ALARM before an OK, however often each came.
    let mut states: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for message in rehearsal.published("llm-pages") {
        let body: serde_json::Value = serde_json::from_str(&message.message).unwrap();
        let key = body["otpsd"]["key"].as_str().unwrap().to_owned();
        states.entry(key).or_default().push(body["NewStateValue"] == "ALARM");
    }
    for (key, states) in &states {
        let first_end = states.iter().position(|alarm| !alarm).unwrap_or(states.len());
        assert!(first_end > 0, "{key}: resolved before it was told");
        assert!(!states[first_end..].contains(&true), "{key}: told again after its resolve: {states:?}");
    }
    let told: BTreeSet<&String> = opens.keys().collect();
    assert_eq!(states.keys().collect::<BTreeSet<_>>(), told, "both receivers were told of the same");
    daemon.terminate();
}
