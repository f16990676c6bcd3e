//! One page for one episode, however long it lasts.

use domain::{GroupBy, Key};
use simulator::loopback::PagerDutyStatus;

use crate::rehearsal::{SHORT_HISTORY, Scene, series};
use crate::story::reading;

/// Twelve hours: 144 slow periods, and a datapoint of each is read.
#[test]
fn twelve_slow_hours_are_one_trigger_and_one_resolve() {
    let rehearsal = Scene {
        rate: 3_600.0,
        lead: 24,
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading((0..144).contains(&k)))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    let opened = rehearsal.alerts()[0].opened;
    assert!(opened >= (rehearsal.story + 2).end(), "paged at {opened}, before the third breach was over");
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() >= 2);
    let known = rehearsal.loopback().pagerduty_incidents();
    assert_eq!(known.len(), 1, "{known:#?}");
    assert_eq!((known[0].triggers, known[0].opens, known[0].resolves, known[0].dropped), (1, 1, 1, 0));
    let key = Key::of_page(&GroupBy::Region.group(&series()), rehearsal.story + 2);
    assert_eq!(known[0].dedup_key, key.as_str());
    let resolved = rehearsal.alerts()[0].resolved.unwrap();
    assert!(resolved >= (rehearsal.story + 144).end(), "{resolved}");
    assert_eq!(rehearsal.subjects().len(), 2);
    daemon.terminate();
}
