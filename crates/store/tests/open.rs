//! What is opened, what is refused, and that what is refused is left as it was.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use domain::{Commit, Ledger, LedgerError, Metric, Period, Reading, Row, Series, Statistic};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use store::{OpenError, Sqlite};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn store(&self) -> PathBuf {
        self.0.path().join("otpsd.db")
    }

    fn log(&self) -> PathBuf {
        self.0.path().join("otpsd.db-wal")
    }

    /// A store with a thousand readings, closed.
    async fn filled() -> Self {
        let folder = Self::new();
        let ledger = Sqlite::open(&folder.store()).unwrap();
        ledger.commit(Commit { rows: (0..1_000).map(row).collect(), ..Commit::default() }).await.unwrap();
        folder
    }

    /// The content of every file, as a number. Not of the lock, nor of what any reader makes: an empty log and its index.
    fn files(&self) -> BTreeMap<PathBuf, u64> {
        let paths = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        let kept = paths.filter(|path| !path.ends_with("otpsd.db.lock") && !path.ends_with("otpsd.db-shm"));
        let contents = kept.map(|path| (path.clone(), fs::read(path).unwrap()));
        let numbers = contents.filter(|(_, bytes)| !bytes.is_empty()).map(|(path, bytes)| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            (path, hasher.finish())
        });
        numbers.collect()
    }

    /// The error of opening, after which all files are what they were.
    fn refused(&self) -> OpenError {
        let before = self.files();
        let error = Sqlite::open(&self.store()).unwrap_err();
        assert_eq!(self.files(), before, "{error}");
        error
    }

    /// What a person reads, with the folder and the process as they are for everyone.
    fn text(&self, error: OpenError) -> String {
        let LedgerError { message, hint, .. } = error.into();
        let text = format!("{message}\n  hint: {}", hint.as_deref().unwrap_or("-"));
        let text = text.replace(&self.0.path().display().to_string(), "/state");
        text.replace(&std::process::id().to_string(), "4242")
    }
}

fn row(index: i64) -> Row {
    let mut reading = Reading::default();
    for metric in Metric::ALL {
        reading.of_mut(metric).set(Statistic::P50, Some(index as f64 + 0.1));
    }
    let series = Series::new("111122223333", "us-east-1", "m");
    Row { series, period: Period::from_index(5_973_627 + index), reading }
}

/// Runs SQL as another program would. Closing leaves the log where it is, as a crash does.
fn as_another(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_store_is_made_for_its_owner_alone_and_opens_again() {
    let folder = Folder::new();
    let ledger = Sqlite::open(&folder.store()).unwrap();
    assert!(ledger.is_fresh());
    ledger.commit(Commit { rows: vec![row(0)], ..Commit::default() }).await.unwrap();
    for name in ["otpsd.db", "otpsd.db-wal", "otpsd.db-shm", "otpsd.db.lock"] {
        let mode = fs::metadata(folder.0.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    drop(ledger);
    let ledger = Sqlite::open(&folder.store()).unwrap();
    assert!(!ledger.is_fresh());
    assert_eq!(ledger.history(&row(0).series, Period::from_index(0)).await.unwrap(), [row(0)]);
}

#[test]
fn an_empty_file_is_a_fresh_store() {
    let folder = Folder::new();
    fs::write(folder.store(), "").unwrap();
    assert!(Sqlite::open(&folder.store()).unwrap().is_fresh());
}

#[test]
fn wrong_places_say_what_to_do() {
    let folder = Folder::new();
    let open = |path: &str| folder.text(Sqlite::open(&folder.0.path().join(path)).unwrap_err());
    fs::write(folder.0.path().join("file"), "").unwrap();
    fs::create_dir(folder.0.path().join("otpsd.db")).unwrap();
    let long = "n".repeat(252);
    let texts = [
        open("missing/otpsd.db"),
        open("file/otpsd.db"),
        open("otpsd.db"),
        open(&long).replace(&long, "nnn…"),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

#[tokio::test]
async fn a_second_daemon_is_refused_until_the_first_has_ended() {
    let folder = Folder::filled().await;
    let first = Sqlite::open(&folder.store()).unwrap();
    let second = Sqlite::open(&folder.store()).unwrap_err();
    insta::assert_snapshot!(folder.text(second), @r"
    the store /state/otpsd.db is in use by another otpsd (process 4242)
      hint: stop the other one first, or give this one a daemon.state-dir of its own
    ");
    fs::write(folder.0.path().join("otpsd.db.lock"), "not a number").unwrap();
    let second = Sqlite::open(&folder.store()).unwrap_err();
    assert!(matches!(second, OpenError::Locked { holder: None, .. }), "{second}");
    drop(first);
    Sqlite::open(&folder.store()).unwrap();
}

#[tokio::test]
async fn a_newer_store_is_refused_closed_or_crashed() {
    let closed = Folder::filled().await;
    Connection::open(closed.store()).unwrap().pragma_update(None, "user_version", 7).unwrap();
    assert!(!closed.log().exists());
    insta::assert_snapshot!(closed.text(closed.refused()), @r"
    the store /state/otpsd.db was written by a newer otpsd: its schema is number 7, and this one knows up to 2
      hint: it was left as it is; run that version again, or move the file away to learn anew
    ");
    assert!(!closed.log().exists());

    let crashed = Folder::filled().await;
    as_another(&crashed.store(), "PRAGMA user_version = 7");
    assert!(fs::metadata(crashed.log()).unwrap().len() > 0, "the number stands only in the log");
    let error = crashed.refused();
    assert!(matches!(error, OpenError::Newer { found: 7, known: 2, .. }), "{error}");
}

#[test]
fn a_database_of_something_else_is_refused() {
    let text = |sql: &str| {
        let folder = Folder::new();
        Connection::open(folder.store()).unwrap().execute_batch(sql).unwrap();
        folder.text(folder.refused())
    };
    let with_tables = text("CREATE TABLE bookmarks (url TEXT)");
    insta::assert_snapshot!(with_tables, @r"
    /state/otpsd.db is a SQLite database, but not a store of otpsd
      hint: it was left as it is; move it away, or set daemon.state-dir to another folder
    ");
    assert_eq!(text("PRAGMA application_id = 7"), with_tables);
    assert_eq!(text("PRAGMA journal_mode = wal; CREATE TABLE t (n)"), with_tables);
}

#[tokio::test]
async fn damage_is_found_when_it_is_opened() {
    let not_a_database = Folder::new();
    fs::write(not_a_database.store(), "dear diary, ".repeat(1_000)).unwrap();
    insta::assert_snapshot!(not_a_database.text(not_a_database.refused()), @r"
    the store /state/otpsd.db is damaged: it does not begin as a SQLite database does
      hint: it was left as it is; move it away together with its -wal and -shm files, and otpsd learns anew from the history of its sources
    ");

    for length in [1, 50, 100, 4_096, 60_000] {
        damaged(&format!("cut to {length} bytes"), |bytes| bytes.truncate(length)).await;
    }
    damaged("no first page", |bytes| bytes[..4_096].fill(0)).await;
    for page in [1, 2, 3, 10, 25] {
        damaged(&format!("noise on page {page}"), |bytes| {
            let mut noise = 1_u32;
            for byte in &mut bytes[(page - 1) * 4_096..page * 4_096] {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = (noise >> 24) as u8;
            }
        })
        .await;
    }
}

async fn damaged(harm: &str, inflict: impl FnOnce(&mut Vec<u8>)) {
    let folder = Folder::filled().await;
    let mut bytes = fs::read(folder.store()).unwrap();
    assert!(bytes.len() > 25 * 4_096, "{}", bytes.len());
    inflict(&mut bytes);
    fs::write(folder.store(), bytes).unwrap();
    let error = folder.refused();
    assert!(matches!(error, OpenError::Damaged { .. }), "{harm}: {error:?}");
    println!("{harm}: {error}");
}

#[tokio::test]
async fn the_log_of_another_database_is_damage_and_not_folded_in() {
    let other = Folder::new();
    as_another(&other.store(), "PRAGMA journal_mode = wal; CREATE TABLE bookmarks (url TEXT)");
    let folder = Folder::filled().await;
    fs::copy(other.log(), folder.log()).unwrap();
    insta::assert_snapshot!(folder.text(folder.refused()), @r"
    the store /state/otpsd.db is damaged: the -wal file beside it belongs to another database
      hint: it was left as it is; move it away together with its -wal and -shm files, and otpsd learns anew from the history of its sources
    ");

    fs::remove_file(folder.log()).unwrap();
    let ledger = Sqlite::open(&folder.store()).unwrap();
    let history = ledger.history(&row(0).series, Period::from_index(0)).await.unwrap();
    assert_eq!(history.len(), 1_000, "without it the store is what it was");
}
