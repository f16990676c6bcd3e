//! What slows down together is told together: one page, under one key, until the last of it is over.

use domain::{GroupBy, Key, Series};
use simulator::loopback::PagerDutyStatus;

use crate::rehearsal::{Daemon, Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

fn models(region: &'static str) -> impl Iterator<Item = Series> {
    (0..6).map(move |number| series_in(region, &format!("us.example.model-{number}-v1:0")))
}

/// Six models in each of two Regions. Those of us-east-1 are slow from the beginning until `until`, the last of them begins and ends
/// four periods later.
fn slump(until: i64, config: &'static str) -> Rehearsal {
    let series: Vec<Series> = models("us-east-1").chain(models("us-west-2")).collect();
    let late = models("us-east-1").last().unwrap();
    let slow = move |one: &Series, k: i64| {
        let k = if *one == late { k - 4 } else { k };
        one.region() == "us-east-1" && (0..until).contains(&k)
    };
    Scene {
        lead: 4,
        regions: &["us-east-1", "us-west-2"],
        series,
        tell: Box::new(move |one, k| (k >= -3 * 288).then(|| reading(slow(one, k)))),
        config,
        ..Scene::new()
    }
    .open()
}

fn wait_for_resolve(rehearsal: &Rehearsal, daemon: &Daemon) {
    rehearsal.wait(daemon, "the page was not resolved", |me| {
        me.alerts().iter().all(|alert| alert.status == PagerDutyStatus::Resolved)
    });
}

#[test]
fn a_regional_slump_is_one_page_until_the_last_series_is_back() {
    let rehearsal = slump(12, SHORT_HISTORY);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    wait_for_resolve(&rehearsal, &daemon);
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1, "{alerts:#?}");
    let alert = &alerts[0];
    assert_eq!((alert.triggers.len(), alert.resolved.is_some()), (1, true));
    // The third slow period decides.
    let key = Key::of_page(&GroupBy::Region.group(&models("us-east-1").next().unwrap()), rehearsal.story + 2);
    assert_eq!(alert.dedup_key, key.as_str());
    let page = alert.triggers[0].to_string();
    for number in 0..5 {
        assert!(page.contains(&format!("model-{number}")), "model-{number} is not listed: {page}");
    }
    assert!(page.contains("us-west-2"), "what is healthy elsewhere: {page}");
    // The last one joined without a word, and held the page open: it is back four periods after the others.
    let resolve = rehearsal.subjects();
    assert_eq!(resolve.len(), 2, "{resolve:?}");
    // Its third period above the line is that of 18, which ends after 95 minutes.
    let resolved = rehearsal.minutes(alert.resolved.unwrap());
    assert!(resolved >= 95, "it was resolved while a series was slow: {resolved}");
    daemon.terminate();
}

#[test]
fn each_series_may_be_a_page_of_its_own() {
    let rehearsal = slump(
        12,
        "[alarm]\ngroup-by = \"series\"\n[baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n",
    );
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "not all were paged", |me| me.alerts().len() == 6);
    wait_for_resolve(&rehearsal, &daemon);
    assert!(rehearsal.alerts().iter().all(|alert| alert.triggers.len() == 1));
    daemon.terminate();
}

#[test]
fn after_a_lost_store_the_same_slump_has_the_same_key() {
    let rehearsal = slump(400, SHORT_HISTORY);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    rehearsal.wait_until_judged_all(8, &daemon);
    daemon.kill();
    for file in ["otpsd.sqlite", "otpsd.sqlite-wal", "otpsd.sqlite-shm"] {
        let _ = std::fs::remove_file(rehearsal.state_dir().join(file));
    }
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it was not told again", |me| me.alerts()[0].triggers.len() == 2);
    rehearsal.wait_until_judged_all(14, &daemon);
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 2), "{alerts:#?}");
    daemon.terminate();
}

impl Rehearsal {
    /// Waits until all series of both Regions have been judged.
    fn wait_until_judged_all(&self, k: i64, daemon: &Daemon) {
        let all: Vec<Series> = models("us-east-1").chain(models("us-west-2")).collect();
        self.wait_until_all_judged(&all, k, daemon);
    }
}
