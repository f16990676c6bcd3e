//! A human resolves or acknowledges the alert while the slump goes on: nothing is triggered again, and the page goes on to its own end.

use domain::{GroupBy, Key, Series};
use serde_json::Value;
use simulator::loopback::PagerDutyIncident;

use crate::rehearsal::{Daemon, ROUTING_KEY, Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

fn both() -> [Series; 2] {
    ["first", "second"].map(|name| series_in("us-east-1", &format!("us.example.{name}-v1:0")))
}

/// The first is slow in 0..16, the second one joins, and is slow in 8..24. Much later the first is slow again.
fn slump() -> Rehearsal {
    let [first, second] = both();
    let slow = move |one: &Series, k: i64| {
        (*one == first && ((0..16).contains(&k) || (38..50).contains(&k)))
            || (*one == second && (8..24).contains(&k))
    };
    Scene {
        rate: 1_200.0,
        lead: 8,
        series: both().to_vec(),
        tell: Box::new(move |one, k| (k >= -3 * 288).then(|| reading(slow(one, k)))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open()
}

/// What PagerDuty knows under a key.
fn known(rehearsal: &Rehearsal, key: &str) -> PagerDutyIncident {
    let mut all = rehearsal.loopback().pagerduty_incidents().into_iter();
    all.find(|one| one.dedup_key == key).unwrap()
}

fn paged(rehearsal: &Rehearsal, daemon: &Daemon) -> String {
    rehearsal.wait(daemon, "nobody was paged", |me| !me.alerts().is_empty());
    rehearsal.alerts()[0].dedup_key.clone()
}

/// Waits until the second one has joined the page of the first.
fn wait_for_both(rehearsal: &Rehearsal, daemon: &Daemon) {
    rehearsal.wait(daemon, "the second one did not join", |_| {
        let answer = daemon.get("/api/v1/pages");
        let list: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let pages = list["pages"].as_array().unwrap();
        !pages.is_empty() && pages.iter().all(|page| page["members"].as_array().unwrap().len() == 2)
    });
}

#[test]
fn after_a_resolve_by_hand_nothing_is_triggered_until_the_next_slump() {
    let rehearsal = slump();
    let daemon = rehearsal.start();
    let key = paged(&rehearsal, &daemon);
    assert!(rehearsal.loopback().resolve_alert(ROUTING_KEY, &key), "it is open");
    wait_for_both(&rehearsal, &daemon);
    // A restart does not make it news either.
    daemon.kill();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the page did not come to its end", |me| me.subjects().len() == 2);
    rehearsal.wait(&daemon, "its resolve was not sent", |me| known(me, &key).dropped == 1);
    let expected = PagerDutyIncident {
        routing_key: ROUTING_KEY.to_owned(),
        dedup_key: key.clone(),
        open: false,
        triggers: 1,
        opens: 1,
        acknowledges: 0,
        resolves: 0,
        // Our own, once, which changes nothing there.
        dropped: 1,
        resolved_by_hand: 1,
    };
    assert_eq!(known(&rehearsal, &key), expected);

    rehearsal.wait(&daemon, "the next slump paged nobody", |me| me.alerts().len() == 2);
    let next = rehearsal.alerts()[1].dedup_key.clone();
    assert_eq!(
        next,
        Key::of_page(&GroupBy::Region.group(&both()[0]), rehearsal.story + 40).to_string(),
        "its third slow period"
    );
    rehearsal.wait(&daemon, "the next slump was not resolved", |me| known(me, &next).resolves == 1);
    assert_eq!(known(&rehearsal, &key), expected, "what was over stays over");
    let second = known(&rehearsal, &next);
    assert_eq!((second.triggers, second.opens, second.dropped), (1, 1, 0));
    daemon.terminate();
}

#[test]
fn an_acknowledged_alert_goes_on_to_its_own_end() {
    let rehearsal = slump();
    let daemon = rehearsal.start();
    let key = paged(&rehearsal, &daemon);
    assert!(rehearsal.loopback().acknowledge_alert(ROUTING_KEY, &key), "it is open");
    wait_for_both(&rehearsal, &daemon);
    assert!(known(&rehearsal, &key).open);
    rehearsal.wait(&daemon, "it was not resolved", |me| known(me, &key).resolves == 1);
    let ended = rehearsal.alerts()[0].resolved.unwrap();
    // The second one is well from 24 on, and three datapoints end its incident.
    assert!(ended >= (rehearsal.story + 26).end(), "resolved at {ended}, while one was slow");
    let known = known(&rehearsal, &key);
    assert_eq!((known.triggers, known.opens, known.dropped), (1, 1, 0));
    daemon.terminate();
}
