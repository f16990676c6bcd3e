//! A store that another process has locked: who it is, and that everything goes on when it lets go.
//!
//! The test starts itself as a child that holds the lock until its input ends.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use domain::{AuditRecord, Commit, Ledger};
use jiff::Timestamp;
use rusqlite::Connection;
use store::Sqlite;
use tempfile::TempDir;

const CHILD: &str = "OTPSD_TEST_LOCKED_STORE";

#[tokio::test]
async fn a_lock_of_another_process_is_told_with_its_name() {
    if let Some(path) = std::env::var_os(CHILD) {
        return hold(Path::new(&path));
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.db");
    let ledger = Sqlite::open(&path).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["a_lock_of_another_process_is_told_with_its_name", "--exact", "--nocapture"])
        .env(CHILD, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "locked"));

    let entry = AuditRecord {
        at: Timestamp::UNIX_EPOCH,
        who: "ana".to_owned(),
        act: "accept".to_owned(),
        subject: String::new(),
        detail: String::new(),
    };
    let commit = Commit { audit: vec![entry.clone()], ..Commit::default() };
    let error = ledger.commit(commit.clone()).await.unwrap_err();
    let told = error
        .message
        .strip_prefix(&format!("cannot commit to the store {}: database is locked", path.display()));
    // Not every system shows who has which lock.
    let told = told.unwrap_or_else(|| panic!("{error}"));
    assert!(
        told.is_empty() || told.starts_with(&format!(" by process {} (locked-", child.id())),
        "{told}, and it is {}",
        child.id()
    );
    println!("{error}");

    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    ledger.commit(commit).await.unwrap();
    assert_eq!(ledger.audit(9).await.unwrap(), [entry]);
}

fn hold(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    println!("locked");
    let mut end = String::new();
    std::io::stdin().read_line(&mut end).unwrap();
    connection.execute_batch("COMMIT").unwrap();
}
