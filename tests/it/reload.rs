//! The configuration is read again while the daemon runs.

use simulator::loopback::PagerDutyStatus;

use crate::rehearsal::{Daemon, Rehearsal};

impl Daemon {
    /// SIGHUP.
    fn hang_up(&self) {
        let pid = self.id().to_string();
        assert!(std::process::Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    }

    /// How often it began.
    fn begun(&self) -> usize {
        self.log().matches("status page at http://").count()
    }
}

#[test]
fn an_unchanged_configuration_changes_nothing() {
    let rehearsal = Rehearsal::new(6, |k| (0..30).contains(&k));
    let daemon = rehearsal.start();
    // Two of three breaches are there.
    rehearsal.wait_until_judged(1, &daemon);
    daemon.hang_up();
    daemon.hang_up();
    rehearsal.wait(&daemon, "it was not read again", |_| daemon.begun() >= 2);
    rehearsal.wait(&daemon, "the third breach does not page", |me| me.alerts().len() == 1);
    let told = rehearsal.minutes(rehearsal.alerts()[0].opened);
    assert!((17..=35).contains(&told), "it pages in time: after {told} minutes");
    daemon.hang_up();
    rehearsal.wait(&daemon, "it was not read again", |_| daemon.begun() >= 3);
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 1), "{alerts:#?}");
    daemon.terminate();
}

#[test]
fn whoever_looks_while_it_is_read_again_is_answered() {
    let rehearsal = Rehearsal::new(6, |_| false);
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-4, &daemon);
    let mut answered = 0;
    for times in 2..=4 {
        daemon.hang_up();
        // Every one opens a connection of its own.
        while daemon.begun() < times {
            let answer = daemon.get("/healthz");
            assert!(answer.starts_with("HTTP/1.1 200"), "after {answered} answers: {answer}");
            answered += 1;
        }
    }
    assert!(answered >= 3);
    daemon.terminate();
}

#[test]
fn a_broken_configuration_keeps_the_one_before_and_is_seen() {
    let rehearsal = Rehearsal::new(6, |k| (0..400).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(-4, &daemon);
    rehearsal.edit(|text| format!("{text}\n[alarm]\npage-belw = 0.5\n"));
    daemon.hang_up();
    rehearsal.wait(&daemon, "it is not seen", |_| daemon.get("/readyz").starts_with("HTTP/1.1 503"));
    let ready = daemon.get("/readyz");
    assert!(ready.contains("the configuration that was read at") && ready.contains("otpsd.toml:"), "{ready}");
    assert!(daemon.get("/metrics").contains("otpsd_configuration_valid 0"));
    assert!(daemon.get("/").contains("page-belw"));
    assert!(daemon.log().contains("did you mean `page-below`?"), "{}", daemon.log());
    let refused = rehearsal.run(&["reload"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("page-belw"), "{}", refused.err);
    assert_eq!(daemon.begun(), 1, "nothing was begun anew");
    rehearsal.wait(&daemon, "the one before does not hold", |me| me.alerts().len() == 1);

    rehearsal.edit(|text| text.replace("page-belw = 0.5", "page-below = 0.5\nrecover-above = 0.55"));
    let done = rehearsal.run(&["reload"]);
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "the configuration is valid, and is taken up\n"),
        "{done:?}"
    );
    // 66.7 of 100 is above the new lines: the incident ends, under the key that it had.
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    assert_eq!(rehearsal.alerts().len(), 1);
    assert!(daemon.get("/metrics").contains("otpsd_configuration_valid 1"));
    daemon.terminate();
}
