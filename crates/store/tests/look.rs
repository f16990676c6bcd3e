//! A store that is only looked at.

use std::fs;
use std::path::Path;

use domain::{Commit, Ledger, LedgerError, Metric, Period, Reading, Row, Series, Statistic};
use store::{OpenError, Sqlite};
use tempfile::TempDir;

fn series() -> Series {
    Series::new("111122223333", "us-east-1", "amazon.nova-pro-v1:0")
}

fn commit() -> Commit {
    let mut reading = Reading::default();
    reading.of_mut(Metric::OutputTokenCount).set(Statistic::P50, Some(318.0));
    Commit {
        rows: vec![Row { series: series(), period: Period::from_index(5_973_627), reading }],
        ..Commit::default()
    }
}

/// Names and contents of all files in a folder, but for the index of the log, which readers share.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|extension| extension != "sqlite-shm"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn it_shows_what_was_committed_beside_the_daemon_and_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.sqlite");
    let owner = Sqlite::open(&path).unwrap();
    owner.commit(commit()).await.unwrap();

    let looks = Sqlite::look_at(&path).unwrap();
    assert_eq!(looks.history(&series(), Period::from_index(0)).await.unwrap().len(), 1);
    let error: LedgerError = looks.commit(commit()).await.unwrap_err();
    assert!(error.message.contains("readonly"), "{}", error.message);
    drop(looks);

    // The owner is not disturbed, and still the owner.
    owner.commit(commit()).await.unwrap();
    assert!(matches!(Sqlite::open(&path), Err(OpenError::Locked { .. })));
}

#[tokio::test]
async fn what_a_killed_daemon_left_in_the_log_is_shown_and_stays_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.sqlite");
    let owner = Sqlite::open(&path).unwrap();
    owner.commit(commit()).await.unwrap();
    // A copy of both files is what a kill leaves.
    let left = TempDir::new().unwrap();
    for name in ["otpsd.sqlite", "otpsd.sqlite-wal"] {
        fs::copy(folder.path().join(name), left.path().join(name)).unwrap();
    }
    let before = content(left.path());

    let looks = Sqlite::look_at(&left.path().join("otpsd.sqlite")).unwrap();
    assert_eq!(looks.history(&series(), Period::from_index(0)).await.unwrap().len(), 1);
    drop(looks);
    assert_eq!(content(left.path()), before);
}

#[test]
fn what_is_not_there_is_not_made_and_what_is_no_store_stays_as_it_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.sqlite");
    assert!(matches!(Sqlite::look_at(&path), Err(OpenError::NotReadable { .. })));
    assert!(content(folder.path()).is_empty());

    for wrong in ["", "no database at all, but long enough to be looked at".repeat(9).as_str()] {
        fs::write(&path, wrong).unwrap();
        assert!(matches!(Sqlite::look_at(&path), Err(OpenError::Damaged { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
        assert_eq!(content(folder.path()).len(), 1, "nothing was set aside");
    }
}

#[test]
fn a_store_of_another_version_is_refused_and_not_brought_up_to_date() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.sqlite");
    drop(Sqlite::open(&path).unwrap());
    let set = |number: i32| {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", number).unwrap();
    };
    set(1);
    let Err(error @ OpenError::Older { found: 1, .. }) = Sqlite::look_at(&path) else { panic!() };
    assert!(error.hint().unwrap().contains("start the daemon"), "{error}");
    set(1_000);
    assert!(matches!(Sqlite::look_at(&path), Err(OpenError::Newer { found: 1_000, .. })));
}
