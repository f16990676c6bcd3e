use std::sync::Arc;
use std::time::Duration;

use domain::{AlarmState, Period, Rule};
use simulator::EventKind;
use web::snapshot::Waits;

use super::super::notice::tests::{owed, time};
use super::*;

fn series() -> Series {
    Series::new("111122223333", "us-east-1", "m")
}

/// What is known of the series when it was judged up to `until`.
fn judged(until: &str, state: AlarmState, since: &str) -> Snapshot {
    let mut snapshot = Snapshot::starting(time(until), "0.1.0", Rule::default());
    snapshot.series.push(SeriesStatus {
        series: series(),
        source: "demo".to_owned(),
        state,
        since: Period::containing(time(since)),
        judged_through: Period::last_ended(time(until)),
        last_data: None,
        slots: Vec::new(),
        waits: Waits::default(),
        quota: None,
        learned_from: None,
        learning: None,
        history: Arc::default(),
    });
    snapshot
}

/// Times and words of the lines that were printed since the last time.
fn fresh(out: &mut Vec<u8>) -> Vec<String> {
    let text = String::from_utf8(std::mem::take(out)).unwrap();
    let text = anstream::adapter::strip_str(&text).to_string();
    let lines = text.lines().filter(|line| line.starts_with("Mon"));
    lines.map(|line| line.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn nothing_is_told_while_something_may_come_before_it() {
    let hour = |hour: &str| Period::containing(time(&format!("2026-11-02T{hour}:00:00Z")));
    let slow = |from, until| Event {
        series: series(),
        kind: EventKind::Slowdown,
        from: hour(from),
        until: hour(until),
        magnitude: 0.35,
    };
    let events = [slow("02", "03")];
    let play =
        Play { begins: time("2026-11-02T00:00:00Z"), ends: time("2026-11-02T12:00:00Z"), events: &events };
    let out = std::cell::RefCell::new(Vec::new());
    let mut narrator = Narrator::new(play, Screen::new(Shared(&out), || None));
    let look =
        |narrator: &mut Narrator<'_, Shared<'_>>, now: &str, snapshot: &Snapshot, messages: &[Owed]| {
            narrator.look(&Sight { now: time(now), snapshot, messages, calls: &[] }).unwrap();
            fresh(&mut out.borrow_mut())
        };
    let ok = |until| judged(until, AlarmState::Ok, "2026-11-01T23:55:00Z");
    let start = ok("2026-11-02T00:00:00Z");
    let sight = Sight { now: time("2026-11-02T00:00:00Z"), snapshot: &start, messages: &[], calls: &[] };
    narrator.learned(&sight, Duration::from_secs(1)).unwrap();
    assert_eq!(fresh(&mut out.borrow_mut()), ["00:00 history", "00:00 poll"]);

    // The clock has run ahead to 04:00, the daemon has judged up to 02:05: what happened at 02:00 can be told, but a
    // state may still change at 02:10.
    let told = look(&mut narrator, "2026-11-02T04:00:00Z", &ok("2026-11-02T02:05:00Z"), &[]);
    assert_eq!(told, ["02:00 story"]);
    // It has paged, and PagerDuty has not taken it yet: nothing after that.
    let alarm = judged("2026-11-02T03:10:00Z", AlarmState::Alarm, "2026-11-02T02:10:00Z");
    let page = |state| [owed("log.terminal", NoticeKind::Page, "2026-11-02T02:17:00Z", state)];
    let due = page(OwedState::Due(time("2026-11-02T02:17:00Z")));
    assert_eq!(look(&mut narrator, "2026-11-02T04:10:00Z", &alarm, &due), ["02:15 state"]);
    let taken = page(OwedState::Delivered(time("2026-11-02T04:11:00Z")));
    assert_eq!(look(&mut narrator, "2026-11-02T04:12:00Z", &alarm, &taken), ["02:17 PAGE", "03:00 story"]);
    // Everything is told once.
    assert!(look(&mut narrator, "2026-11-02T04:13:00Z", &alarm, &taken).is_empty());
    let end = judged("2026-11-02T12:00:00Z", AlarmState::Ok, "2026-11-02T03:10:00Z");
    assert_eq!(look(&mut narrator, "2026-11-02T12:02:00Z", &end, &taken), ["03:15 state", "12:00 polled"]);
}

/// A buffer that can be read while somebody writes to it.
struct Shared<'a>(&'a std::cell::RefCell<Vec<u8>>);

impl Write for Shared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
