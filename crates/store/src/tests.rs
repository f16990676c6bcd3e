//! SQLite passes the contract, and keeps its own promises beside it.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use domain::{
    AlarmState, AuditRecord, Commit, Incident, Ledger, Message, Metric, NoticeKind, Period, Reading,
    RegionState, Row, Series, SeriesState, SourceState, Statistic,
};
use jiff::Timestamp;
use proptest::prelude::*;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::{COMMIT_ROWS_MAX, Sqlite, contract, wal};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn store(&self) -> PathBuf {
        self.0.path().join("otpsd.db")
    }

    fn open(&self) -> Sqlite {
        Sqlite::open(&self.store()).unwrap()
    }
}

/// As an operator's `sqlite3` would.
fn look(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

fn row(model: &str, index: i64) -> Row {
    let mut reading = Reading::default();
    reading.of_mut(Metric::InvocationLatency).set(Statistic::P50, Some(6161.7));
    Row {
        series: Series::new("111122223333", "us-east-1", model),
        period: Period::from_index(5_973_627 + index),
        reading,
    }
}

fn rows(rows: Vec<Row>) -> Commit {
    Commit { rows, ..Commit::default() }
}

fn message(id: &str, kind: NoticeKind, incident: &Incident, created: Timestamp) -> Message {
    Message {
        id: id.to_owned(),
        channel: "sns.ops".to_owned(),
        kind,
        key: incident.key.clone(),
        summary: String::new(),
        body: String::new(),
        attributes: Vec::new(),
        created,
        standby_for: None,
    }
}

#[tokio::test]
async fn the_contract_holds_in_a_file_and_in_memory() {
    let folder = Folder::new();
    let mut number = 0;
    contract::cases(|| {
        number += 1;
        Sqlite::open(&folder.0.path().join(format!("{number}.db"))).unwrap()
    })
    .await;
    contract::cases(|| Sqlite::open_in_memory().unwrap()).await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_steps_leave_what_the_model_has(steps in contract::steps()) {
        let folder = Folder::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(contract::follow(steps, || folder.open()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whoever_has_a_page_gets_its_end((acts, refuses) in contract::lives()) {
        let ledger = Sqlite::open_in_memory().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(contract::live(&ledger, acts, refuses));
    }
}

#[tokio::test]
async fn a_commit_that_fails_midway_changes_nothing() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.commit(rows(vec![row("m", 0)])).await.unwrap();
    // A full disk, as SQLite sees it: the file may not have one page more.
    let pages = ledger.writer.run(|connection| {
        let pages = connection.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0)).unwrap();
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
        pages
    });
    assert!(pages.await.unwrap() > 1);
    let incident = Incident::new(row("n", 0).series, Period::from_index(1), Period::from_index(2));
    let page = message("p", NoticeKind::Page, &incident, Timestamp::UNIX_EPOCH);
    let commit = Commit {
        rows: (0..200).map(|index| row("n", index)).collect(),
        outbox: vec![Message { body: "long ".repeat(10_000), ..page.clone() }],
        ..Commit::default()
    };
    let error = ledger.commit(commit.clone()).await.unwrap_err();
    assert_eq!(
        error.message,
        format!("cannot commit to the store {}: database or disk is full", folder.store().display())
    );
    assert_eq!(error.hint.as_deref(), Some("make room on the disk; nothing that was committed is lost"));
    assert_eq!(ledger.history(&row("n", 0).series, Period::from_index(0)).await.unwrap(), []);
    assert_eq!(ledger.messages(10).await.unwrap(), []);

    // With room again, the same commit goes through: also the series that was new in it has a number.
    let room = ledger.writer.run(|connection| {
        connection.pragma_update_and_check(None, "max_page_count", 1_000_000, |_| Ok(())).unwrap();
    });
    room.await.unwrap();
    ledger.commit(commit).await.unwrap();
    assert_eq!(ledger.history(&row("n", 0).series, Period::from_index(0)).await.unwrap().len(), 200);
    assert_eq!(ledger.history(&row("m", 0).series, Period::from_index(0)).await.unwrap(), [row("m", 0)]);
}

#[tokio::test]
async fn a_commit_whose_caller_went_away_is_still_written() {
    let folder = Folder::new();
    {
        let ledger = folder.open();
        let mut commit = pin!(ledger.commit(rows(vec![row("m", 0)])));
        // One poll hands it in; then nobody waits for it any more.
        std::future::poll_fn(|context| {
            let _ = commit.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
    }
    let history = folder.open().history(&row("m", 0).series, Period::from_index(0)).await.unwrap();
    assert_eq!(history, [row("m", 0)]);
}

#[tokio::test]
async fn commits_are_synced_and_closing_folds_the_log_in() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.commit(rows(vec![row("m", 0)])).await.unwrap();
    let pragmas = ledger.writer.run(|connection| {
        ["journal_mode", "synchronous", "foreign_keys"].map(|pragma| {
            connection
                .pragma_query_value(None, pragma, |row| row.get::<_, rusqlite::types::Value>(0))
                .unwrap()
        })
    });
    let full = 2;
    assert_eq!(pragmas.await.unwrap(), ["wal".to_owned().into(), full.into(), 1.into()]);
    assert!(wal::size(&wal::file(&folder.store())) > 0);
    drop(ledger);
    assert!(!wal::file(&folder.store()).exists());
}

/// What a poll of one model in one Region changes.
fn poll(index: i64) -> Commit {
    let row = row("m", index);
    let period = row.period;
    let state = SeriesState {
        series: row.series.clone(),
        state: AlarmState::Ok,
        since: Period::from_index(0),
        judged_through: period,
        incident: None,
        tickets: Vec::new(),
        untrained: Vec::new(),
    };
    let region = RegionState {
        region: "us-east-1".to_owned(),
        last_good: Some(period.end()),
        good_polls: 2,
        trouble: None,
    };
    Commit {
        diagnosed: vec![(row.series.clone(), period)],
        rows: vec![row],
        states: vec![state],
        sources: vec![SourceState {
            source: "main".to_owned(),
            regions: vec![region],
            ..SourceState::default()
        }],
        ..Commit::default()
    }
}

#[tokio::test]
async fn a_reader_during_five_thousand_polls_leaves_the_log_small_and_it_shrinks_when_he_ends() {
    const MIB: u64 = 1024 * 1024;
    let folder = Folder::new();
    let ledger = folder.open();
    // What is synced when does not change what is written.
    let unsynced = ledger.writer.run(|connection| connection.pragma_update(None, "synchronous", "off"));
    unsynced.await.unwrap().unwrap();
    let log = || wal::size(&wal::file(&folder.store()));
    for index in 0..1_500 {
        ledger.commit(poll(index)).await.unwrap();
    }
    assert!(log() < 8 * MIB, "{}", log());

    let reader = look(&folder.store());
    reader.execute_batch("BEGIN; SELECT count(*) FROM series").unwrap();
    for index in 1_500..6_500 {
        ledger.commit(poll(index)).await.unwrap();
    }
    assert!(log() > 20 * MIB, "a reader keeps the log from being folded in: {}", log());
    assert!(log() < 64 * MIB, "{}", log());
    reader.execute_batch("COMMIT").unwrap();
    // Any act will do, also one that writes nothing.
    ledger.next_due().await.unwrap();
    ledger.next_due().await.unwrap();
    assert!(log() <= 8 * MIB, "{}", log());
}

#[tokio::test]
async fn what_changes_nothing_writes_nothing() {
    let folder = Folder::new();
    let ledger = folder.open();
    let mut commit = poll(0);
    commit.rows.extend((0..10).map(|index| row("n", index)));
    ledger.commit(commit.clone()).await.unwrap();
    let before = wal::size(&wal::file(&folder.store()));
    ledger.commit(commit).await.unwrap();
    assert_eq!(wal::size(&wal::file(&folder.store())), before);
}

#[tokio::test]
async fn acts_on_a_locked_store_give_up_together_and_it_is_sound_afterwards() {
    let folder = Folder::new();
    let ledger = folder.open();
    let other = Connection::open(folder.store()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let before = Instant::now();
    let commit = || ledger.commit(rows(vec![row("m", 0)]));
    let errors = tokio::join!(commit(), commit(), commit(), commit());
    let waited = before.elapsed();
    // Not two seconds each: whoever waited in the queue has waited.
    assert!((2_000..3_500).contains(&waited.as_millis()), "{waited:?}");
    for error in [errors.0, errors.1, errors.2, errors.3] {
        let error = error.unwrap_err();
        assert!(!error.damaged);
        assert_eq!(
            error.message,
            format!("cannot commit to the store {}: database is locked", folder.store().display())
        );
        let hint = "end the transaction of whatever has the store open, such as a `sqlite3` shell";
        assert_eq!(error.hint.as_deref(), Some(hint));
    }
    assert_eq!(ledger.next_due().await.unwrap(), None, "it can be read all the while");
    other.execute_batch("COMMIT").unwrap();
    ledger.commit(rows(vec![row("m", 0)])).await.unwrap();
    assert_eq!(ledger.history(&row("m", 0).series, Period::from_index(0)).await.unwrap(), [row("m", 0)]);
}

#[tokio::test]
async fn too_many_rows_are_refused_before_anything_is_done() {
    let ledger = Sqlite::open_in_memory().unwrap();
    let error = ledger.commit(rows(vec![row("m", 0); COMMIT_ROWS_MAX + 1])).await.unwrap_err();
    assert_eq!(error.message, "cannot commit to the store :memory:: 100001 rows are more than 100000");
    ledger.commit(rows(vec![row("m", 0); COMMIT_ROWS_MAX])).await.unwrap();
}

#[tokio::test]
async fn more_readings_than_one_transaction_deletes_are_all_forgotten() {
    let ledger = Sqlite::open_in_memory().unwrap();
    let all = ["a", "b"].into_iter().flat_map(|model| (0..10_010).map(move |index| row(model, index)));
    ledger.commit(rows(all.collect())).await.unwrap();
    ledger.forget_readings(row("a", 10_009).period).await.unwrap();
    for model in ["a", "b"] {
        let left = ledger.history(&row(model, 0).series, Period::from_index(0)).await.unwrap();
        assert_eq!(left, [row(model, 10_009)]);
    }
}

#[tokio::test]
async fn the_audit_log_is_bounded_and_keeps_the_newest() {
    let ledger = Sqlite::open_in_memory().unwrap();
    let entry = |number: i64| AuditRecord {
        at: Timestamp::UNIX_EPOCH,
        who: "otpsd".to_owned(),
        act: "untold".to_owned(),
        subject: number.to_string(),
        detail: String::new(),
    };
    ledger.commit(Commit { audit: (0..20_010).map(entry).collect(), ..Commit::default() }).await.unwrap();
    assert_eq!(ledger.audit(2).await.unwrap(), [entry(20_009), entry(20_008)]);
    let count = |connection: &mut Connection| {
        connection.query_one("SELECT count(*) FROM audit", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(ledger.writer.run(count).await, Some(20_000));
}

#[tokio::test]
async fn an_operator_reads_times_and_figures_with_sqlite3() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.commit(rows(vec![row("m", 0)])).await.unwrap();
    let sql = "SELECT model, time, invocation_latency_p50 FROM readings JOIN series ON id = series_id";
    let read =
        look(&folder.store()).query_one(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    assert_eq!(read, ("m".to_owned(), "2026-10-15T18:15:00Z".to_owned(), 6161.7));
}
