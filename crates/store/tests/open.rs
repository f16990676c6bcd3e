//! What is opened, what is refused, and that what is refused is left as it was.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use domain::{
    Commit, Key, Ledger, LedgerError, Message, Metric, NoticeKind, Period, Reading, Row, Series, Statistic,
};
use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use store::{OpenError, SetAside, Sqlite};
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

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Why it was set aside when it was opened: as it was, with its log, under a dated name. The new store works, and stays.
    async fn set_aside(&self) -> String {
        let before = self.files();
        let ledger = Sqlite::open(&self.store()).unwrap();
        assert!(ledger.is_fresh());
        let SetAside { path, why } = ledger.set_aside().expect("it was set aside").clone();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let dated = name.strip_prefix("otpsd.db.damaged-").unwrap();
        assert!(
            dated.len() == "20261201T031500Z".len() && dated.contains("T") && dated.ends_with("Z"),
            "{name}"
        );
        let kept: BTreeMap<_, _> = self
            .files()
            .into_iter()
            .filter_map(|(path, content)| {
                let end = path.file_name()?.to_str()?.strip_prefix(&name)?.to_owned();
                (end != "-shm").then(|| (self.0.path().join(format!("otpsd.db{end}")), content))
            })
            .collect();
        assert_eq!(kept, before, "{why}");

        ledger.commit(Commit { rows: vec![row(0)], ..Commit::default() }).await.unwrap();
        drop(ledger);
        let again = Sqlite::open(&self.store()).unwrap();
        assert_eq!(again.set_aside(), None);
        assert_eq!(again.history(&row(0).series, Period::from_index(0)).await.unwrap(), [row(0)]);
        why
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
fn a_missing_folder_is_made_for_its_owner_alone() {
    let folder = Folder::new();
    let made = folder.0.path().join("state");
    Sqlite::open(&made.join("otpsd.db")).unwrap();
    assert_eq!(fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn a_store_that_was_never_finished_is_made_again() {
    let folder = Folder::new();
    fs::write(folder.0.path().join("otpsd.db.new"), "half a database").unwrap();
    fs::write(folder.0.path().join("otpsd.db.new-journal"), "half a journal").unwrap();
    let ledger = Sqlite::open(&folder.store()).unwrap();
    assert!(ledger.is_fresh() && ledger.set_aside().is_none());
    ledger.commit(Commit { rows: vec![row(0)], ..Commit::default() }).await.unwrap();
    drop(ledger);
    assert_eq!(folder.names(), ["otpsd.db", "otpsd.db.lock"]);
}

#[test]
fn wrong_places_say_what_to_do() {
    let folder = Folder::new();
    let open = |path: &str| folder.text(Sqlite::open(&folder.0.path().join(path)).unwrap_err());
    fs::write(folder.0.path().join("file"), "").unwrap();
    fs::create_dir(folder.0.path().join("otpsd.db")).unwrap();
    let long = "n".repeat(252);
    let texts = [
        open("missing/state/otpsd.db"),
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
    the store /state/otpsd.db was written by a newer otpsd: its schema is number 7, and this one knows up to 5
      hint: it was left as it is; run that version again, or move the file away to learn anew
    ");
    assert!(!closed.log().exists());

    let crashed = Folder::filled().await;
    as_another(&crashed.store(), "PRAGMA user_version = 7");
    assert!(fs::metadata(crashed.log()).unwrap().len() > 0, "the number stands only in the log");
    let error = crashed.refused();
    assert!(matches!(error, OpenError::Newer { found: 7, known: 5, .. }), "{error}");
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
async fn a_damaged_store_is_set_aside_and_a_new_one_takes_its_place() {
    let not_a_database = Folder::new();
    fs::write(not_a_database.store(), "dear diary, ".repeat(1_000)).unwrap();
    assert_eq!(not_a_database.set_aside().await, "it does not begin as a SQLite database does");

    let empty = Folder::new();
    fs::write(empty.store(), "").unwrap();
    let ledger = Sqlite::open(&empty.store()).unwrap();
    assert_eq!(ledger.set_aside().unwrap().why, "the file is empty");

    for length in [1, 50, 100, 4_096, 60_000] {
        damaged(&format!("cut to {length} bytes"), |bytes| bytes.truncate(length)).await;
    }
    damaged("cut to half", |bytes| bytes.truncate(bytes.len() / 2)).await;
    damaged("no first page", |bytes| bytes[..4_096].fill(0)).await;
    for page in [1, 2, 3, 10, 25] {
        damaged(&format!("noise on page {page}"), |bytes| {
            noise(&mut bytes[(page - 1) * 4_096..page * 4_096]);
        })
        .await;
    }
    damaged("noise across two pages in the middle", |bytes| {
        let middle = bytes.len() / 2 + 1_000;
        noise(&mut bytes[middle..middle + 4_096]);
    })
    .await;
}

fn noise(bytes: &mut [u8]) {
    let mut noise = 1_u32;
    for byte in bytes {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = (noise >> 24) as u8;
    }
}

async fn damaged(harm: &str, inflict: impl FnOnce(&mut Vec<u8>)) {
    let folder = Folder::filled().await;
    let mut bytes = fs::read(folder.store()).unwrap();
    assert!(bytes.len() > 25 * 4_096, "{}", bytes.len());
    inflict(&mut bytes);
    fs::write(folder.store(), bytes).unwrap();
    println!("{harm}: {}", folder.set_aside().await);
}

#[tokio::test]
async fn the_log_of_another_database_is_set_aside_with_the_store() {
    let other = Folder::new();
    as_another(&other.store(), "PRAGMA journal_mode = wal; CREATE TABLE bookmarks (url TEXT)");
    let folder = Folder::filled().await;
    fs::copy(other.log(), folder.log()).unwrap();
    assert_eq!(folder.set_aside().await, "the -wal file beside it belongs to another database");

    // One that is no log at all is not read by SQLite either: the store is what it was at its last checkpoint.
    let folder = Folder::filled().await;
    fs::write(folder.log(), "no log").unwrap();
    let ledger = Sqlite::open(&folder.store()).unwrap();
    assert_eq!(ledger.set_aside(), None);
    assert_eq!(ledger.history(&row(0).series, Period::from_index(0)).await.unwrap().len(), 1_000);
}

/// A store beside which another one of `rows` readings left its log, with `more` of them.
async fn with_the_log_of_another_store(rows: i64, more: i64) -> Folder {
    let other = Folder::new();
    let ledger = Sqlite::open(&other.store()).unwrap();
    ledger.commit(Commit { rows: (0..rows).map(row).collect(), ..Commit::default() }).await.unwrap();
    drop(ledger);
    let ledger = Sqlite::open(&other.store()).unwrap();
    ledger
        .commit(Commit { rows: (rows..rows + more).map(row).collect(), ..Commit::default() })
        .await
        .unwrap();
    // As a crash leaves it.
    let folder = Folder::filled().await;
    fs::copy(other.log(), folder.log()).unwrap();
    folder
}

#[tokio::test]
async fn the_log_of_another_store_does_not_pass_for_its_own() {
    const MALFORMED: &str = "database disk image is malformed";
    const OF_ANOTHER: &str = "the -wal file beside it belongs to another database";
    // What is noticed first depends on which pages the log has.
    for (rows, more, noticed) in [(0, 1, MALFORMED), (500, 1, OF_ANOTHER)] {
        let why = with_the_log_of_another_store(rows, more).await.set_aside().await;
        assert_eq!(why, noticed, "{rows} and {more}");
    }
    // Whole in itself, and of a store that is smaller than this one.
    let why = with_the_log_of_another_store(0, 500).await.set_aside().await;
    assert_eq!(why, OF_ANOTHER);

    // Of a larger one, and only about what this one does not have: it is what it was.
    let folder = with_the_log_of_another_store(2_010, 1).await;
    for index in [1_000, 1_001] {
        let ledger = Sqlite::open(&folder.store()).unwrap();
        assert_eq!(ledger.set_aside(), None);
        let history = ledger.history(&row(0).series, Period::from_index(0)).await.unwrap();
        assert_eq!(history, (0..index).map(row).collect::<Vec<_>>());
        ledger.commit(Commit { rows: vec![row(index)], ..Commit::default() }).await.unwrap();
    }
}

#[tokio::test]
async fn a_log_without_its_database_is_set_aside() {
    let folder = Folder::filled().await;
    as_another(&folder.store(), "CREATE TABLE t (n)");
    fs::remove_file(folder.store()).unwrap();
    assert_eq!(folder.set_aside().await, "the database is gone, and its write-ahead log is still there");
}

#[tokio::test]
async fn two_that_are_damaged_within_a_second_are_both_kept() {
    let folder = Folder::new();
    for text in ["first", "second", "third"] {
        fs::write(folder.store(), text).unwrap();
        let ledger = Sqlite::open(&folder.store()).unwrap();
        assert_eq!(fs::read_to_string(&ledger.set_aside().unwrap().path).unwrap(), text);
    }
    let kept = folder.names().into_iter().filter(|name| name.contains("damaged")).count();
    assert_eq!(kept, 3);
}

#[tokio::test]
async fn damage_that_is_met_later_is_told_apart_and_leads_to_a_new_store() {
    let folder = Folder::new();
    let ledger = Sqlite::open(&folder.store()).unwrap();
    let message = |number: usize| Message {
        id: number.to_string(),
        channel: "log.all".to_owned(),
        kind: NoticeKind::Page,
        key: Key::from_text("otpsd-k"),
        summary: String::new(),
        body: "m".repeat(1_000_000),
        attributes: Vec::new(),
        created: Timestamp::UNIX_EPOCH,
        standby_for: None,
    };
    ledger.commit(Commit { outbox: (0..40).map(message).collect(), ..Commit::default() }).await.unwrap();
    drop(ledger);
    let ledger = Sqlite::open(&folder.store()).unwrap();
    // Under its feet, beyond what it has in memory.
    let length = fs::metadata(folder.store()).unwrap().len();
    let file = fs::File::options().write(true).open(folder.store()).unwrap();
    let mut junk = vec![0; 4_096 * 64];
    noise(&mut junk);
    for block in 1..length / junk.len() as u64 {
        file.write_all_at(&junk, block * junk.len() as u64).unwrap();
    }
    let Err(error) = ledger.messages(40).await else { panic!("it read what is not there") };
    assert!(error.damaged, "{error}");
    let text = error.message.replace(&folder.0.path().display().to_string(), "/state");
    assert_eq!(text, "cannot read the outbox of the store /state/otpsd.db: database disk image is malformed");
    let hint = "the file is damaged: opened anew, it is set aside, and a new one takes its place";
    assert_eq!(error.hint.as_deref(), Some(hint));
    drop(ledger);

    let ledger = Sqlite::open_anew(&folder.store(), &error.message).unwrap();
    assert_eq!(ledger.set_aside().unwrap().why, error.message);
    assert!(ledger.is_fresh());
    ledger.commit(Commit { rows: vec![row(0)], ..Commit::default() }).await.unwrap();
    assert_eq!(ledger.history(&row(0).series, Period::from_index(0)).await.unwrap(), [row(0)]);
}
