//! The store is damaged, locked or of another version: the daemon keeps watching, says so once and loudly, and loses no page.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use rusqlite::Connection;
use simulator::loopback::PagerDutyStatus;

use crate::process::otpsd_ignoring;
use crate::rehearsal::{Daemon, Rehearsal};

fn store(rehearsal: &Rehearsal) -> PathBuf {
    rehearsal.state_dir().join("otpsd.sqlite")
}

/// A page is out, and the daemon was killed.
fn paged() -> Rehearsal {
    let rehearsal = Rehearsal::new(4, |k| (0..60).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    daemon.kill();
    rehearsal
}

fn set_aside(rehearsal: &Rehearsal) -> Vec<String> {
    let names = std::fs::read_dir(rehearsal.state_dir()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| {
            name.starts_with("otpsd.sqlite.damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm")
        })
        .collect()
}

/// It goes on as if nothing had happened: the same incident, under the same key, until it is over.
fn goes_on(rehearsal: &Rehearsal, daemon: &Daemon) {
    rehearsal.wait(daemon, "what stands was not told again", |me| me.alerts()[0].triggers.len() == 2);
    rehearsal.wait(daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 2), "{alerts:#?}");
}

fn is_rebuilt(damage: impl FnOnce(&Rehearsal)) {
    let rehearsal = paged();
    damage(&rehearsal);
    let daemon = rehearsal.start();
    goes_on(&rehearsal, &daemon);
    assert_eq!(set_aside(&rehearsal).len(), 1, "the damaged store is kept: {:?}", set_aside(&rehearsal));
    let log = daemon.log();
    let loud = log.lines().filter(|line| line.contains("was set aside")).count();
    assert_eq!(loud, 1, "one loud notice:\n{log}");
    assert!(daemon.get("/").contains(&set_aside(&rehearsal)[0]), "the status page says so");
    daemon.terminate();
}

#[test]
fn a_store_with_noise_in_it() {
    is_rebuilt(|rehearsal| {
        let mut file = std::fs::OpenOptions::new().write(true).open(store(rehearsal)).unwrap();
        let middle = file.metadata().unwrap().len() / 2 / 4096 * 4096;
        file.seek(SeekFrom::Start(middle)).unwrap();
        file.write_all(&[0xa5; 4096]).unwrap();
    });
}

#[test]
fn a_store_that_was_cut() {
    is_rebuilt(|rehearsal| {
        let file = std::fs::OpenOptions::new().write(true).open(store(rehearsal)).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2).unwrap();
        let _ = std::fs::remove_file(rehearsal.state_dir().join("otpsd.sqlite-wal"));
    });
}

#[test]
fn a_store_that_was_emptied() {
    is_rebuilt(|rehearsal| {
        std::fs::File::create(store(rehearsal)).unwrap();
        let _ = std::fs::remove_file(rehearsal.state_dir().join("otpsd.sqlite-wal"));
    });
}

#[test]
fn a_store_that_is_damaged_while_the_daemon_runs() {
    let rehearsal = Rehearsal::new(4, |k| (0..60).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    // Between two writes: damage in the midst of one is met as a failing disk first.
    rehearsal.wait_until_judged(4, &daemon);
    rehearsal.wait_until_nothing_is_owed(&daemon);
    {
        let mut file = std::fs::OpenOptions::new().write(true).open(store(&rehearsal)).unwrap();
        let length = file.metadata().unwrap().len();
        for page in 1..length / 4096 {
            file.seek(SeekFrom::Start(page * 4096)).unwrap();
            file.write_all(&[0xa5; 4096]).unwrap();
        }
        // The pages that it holds in memory are read again once the index of the log is not what it was.
        for (name, bytes) in [("otpsd.sqlite-wal", 4096), ("otpsd.sqlite-shm", 256)] {
            let path = rehearsal.state_dir().join(name);
            let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            file.write_all(&vec![0xa5; bytes]).unwrap();
        }
    }
    goes_on(&rehearsal, &daemon);
    assert_eq!(set_aside(&rehearsal).len(), 1);
    daemon.terminate();
}

#[test]
fn a_page_goes_out_while_the_store_is_locked() {
    let rehearsal = Rehearsal::new(6, |k| (0..400).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait_until_judged(1, &daemon);
    let other = Connection::open(store(&rehearsal)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    rehearsal.wait(&daemon, "the page waits for the store", |me| !me.alerts().is_empty());
    assert!(daemon.get("/readyz").starts_with("HTTP/1.1 503"), "that it cannot be written is seen");
    assert!(daemon.log().contains("sent from memory"), "{}", daemon.log());
    assert_eq!(rehearsal.told_status().code, 0, "the daemon still answers");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    let judged = rehearsal.period() + 6;
    rehearsal.wait_until_judged(judged, &daemon);
    rehearsal.wait(&daemon, "it did not become ready again", |_| {
        daemon.get("/readyz").starts_with("HTTP/1.1 200")
    });
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 1), "and is not sent again: {alerts:#?}");
    daemon.terminate();
}

/// From now on no file may grow beyond a size: writes fail as those on a full disk do.
fn limit_files(daemon: &Daemon, size: &str) {
    let (pid, limit) = (format!("--pid={}", daemon.id()), format!("--fsize={size}:"));
    let limited = std::process::Command::new("prlimit").args([pid, limit]).status().unwrap();
    assert!(limited.success());
}

/// Neither the store nor the file that the log goes to takes a byte.
#[test]
fn a_page_goes_out_while_the_disk_is_full() {
    let rehearsal = Rehearsal::new(6, |k| (0..20).contains(&k));
    // A file that may not grow is an error then, and not the end.
    let daemon = rehearsal.start_with(otpsd_ignoring("XFSZ"));
    rehearsal.wait_until_judged(1, &daemon);
    limit_files(&daemon, "0");
    let logged = daemon.log();
    rehearsal.wait(&daemon, "the page waits for the store", |me| {
        me.alerts().len() == 1 && me.subjects().len() == 1
    });
    let late = rehearsal.alerts()[0].opened.duration_since((rehearsal.story + 2).end());
    // Its settle delay, and five seconds without a commit, which are ten periods of this clock.
    assert!(late.as_secs() <= 4_500, "{late} after the third breach was over");
    assert!(daemon.get("/readyz").starts_with("HTTP/1.1 503"), "that it cannot be written is seen");
    assert_eq!(rehearsal.told_status().code, 0, "the daemon still answers");
    assert_eq!(daemon.log(), logged, "the log took something");
    limit_files(&daemon, "unlimited");
    rehearsal.wait(&daemon, "it did not become ready again", |_| {
        daemon.get("/readyz").starts_with("HTTP/1.1 200")
    });
    rehearsal.wait(&daemon, "it was not resolved", |me| me.alerts()[0].status == PagerDutyStatus::Resolved);
    rehearsal.wait(&daemon, "the topic got no resolve", |me| me.subjects().len() == 2);
    assert_eq!(rehearsal.alerts().len(), 1);
    daemon.terminate();
    // What was in memory is in the store now.
    let store = Connection::open(store(&rehearsal)).unwrap();
    let sound: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    assert!(set_aside(&rehearsal).is_empty(), "a full disk is no damage");
}

#[test]
fn a_store_of_a_newer_version_is_refused_and_not_touched() {
    let rehearsal = paged();
    let path = store(&rehearsal);
    {
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 99").unwrap();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    }
    let before = std::fs::read(&path).unwrap();
    let refused = rehearsal.run(&["run"]);
    assert_eq!(refused.code, 3, "{refused:?}");
    assert!(refused.err.contains("newer"), "{}", refused.err);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert!(set_aside(&rehearsal).is_empty());
}
