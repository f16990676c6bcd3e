//! From a path to a connection. Nothing is changed before it is clear that the file is a sound store, or new; one that is damaged is
//! set aside, and a new one takes its place.

use std::fs::{DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::aside::{self, SetAside, beside};
use crate::failure;
use crate::holder;
use crate::lock::{Lock, LockError};
use crate::open_error::OpenError;
use crate::schema::{self, APPLICATION_ID, Identity, MIGRATIONS};
use crate::wal;

/// How long an act waits for the lock of another program, its time in the queue included. Less than the five seconds after which a page
/// goes out whether it could be committed or not.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of a page of a new database. A commit that changes little writes whole pages into the log, and a program that keeps reading
/// keeps all of them there: half of SQLite's own 4,096 makes the log half as long.
const PAGE_BYTES: u32 = 2_048;
/// Memory for pages of the database, in KiB.
const CACHE_KIB: i32 = 16 * 1024;
/// Prepared statements that are kept: all there are.
const STATEMENTS_MAX: usize = 80;

/// A store that is ready.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    /// Keeps other daemons out; none in memory.
    pub(crate) lock: Option<Lock>,
    /// Whether there was nothing before, or nothing that could be used.
    pub(crate) fresh: bool,
    /// What was there before, and was no use any more.
    pub(crate) set_aside: Option<SetAside>,
}

/// Opens the store at `path`, and makes one where there is nothing. One that is damaged is set aside at `now`; so is any, with `condemned`
/// as the reason.
pub(crate) fn file(path: &Path, now: Timestamp, condemned: Option<String>) -> Result<Opened, OpenError> {
    let folder = folder(path)?;
    let lock = Lock::take(path).map_err(|error| lock_error(path, &folder, error))?;
    let damage = match condemned {
        Some(why) => why,
        None => match existing(path) {
            Ok(Some((connection, fresh))) => {
                return Ok(Opened { connection, lock: Some(lock), fresh, set_aside: None });
            }
            Ok(None) => {
                let connection = new(path, &folder)?;
                return Ok(Opened { connection, lock: Some(lock), fresh: true, set_aside: None });
            }
            Err(OpenError::Damaged { problem, .. }) => problem,
            Err(error) => return Err(error),
        },
    };
    let set_aside = aside::set_aside(path, &folder, now, damage)?;
    let connection = new(path, &folder)?;
    Ok(Opened { connection, lock: Some(lock), fresh: true, set_aside: Some(set_aside) })
}

/// The store that is there, if anything is.
fn existing(path: &Path) -> Result<Option<(Connection, bool)>, OpenError> {
    let damaged = |problem: &str| OpenError::Damaged { path: path.to_owned(), problem: problem.to_owned() };
    let log_is_empty = wal::size(&wal::file(path)) == 0;
    let file = match File::options().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return if log_is_empty {
                Ok(None)
            } else {
                Err(damaged("the database is gone, and its write-ahead log is still there"))
            };
        }
        Err(source) => return Err(not_writable(path, source)),
    };
    // A store gets its name when it is whole, so that one without content has lost it.
    let Some(header) = Header::read(path, file)? else { return Err(damaged("the file is empty")) };
    if log_is_empty {
        header.refuse(path)?;
    }
    open(path, header).map(Some)
}

/// The connection, and whether there was nothing in the file.
fn open(path: &Path, header: Header) -> Result<(Connection, bool), OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(path, flags).map_err(|error| sql(path, "open the database", error))?;
    ready(path, connection, header)
}

/// The store that is there, for looking at it: nothing of it is changed, whatever is found wrong with it, and a daemon may use it at the
/// same time. It must be of the schema of this version, since bringing it there is for those who own it.
pub(crate) fn to_look_at(path: &Path) -> Result<Opened, OpenError> {
    let file = File::open(path).map_err(|source| OpenError::NotReadable { path: path.to_owned(), source })?;
    let nothing = || OpenError::Damaged { path: path.to_owned(), problem: "the file is empty".to_owned() };
    Header::read(path, file)?.ok_or_else(nothing)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        Connection::open_with_flags(path, flags).map_err(|error| sql(path, "open the database", error))?;
    settle(&mut connection).map_err(|error| sql(path, "set up the connection", error))?;
    let identity = Identity::of(&connection).map_err(|error| sql(path, "read what it is", error))?;
    let (found, known) = (accept(path, identity)?, schema::newest(MIGRATIONS));
    if found < known {
        return Err(OpenError::Older { path: path.to_owned(), found, known });
    }
    Ok(Opened { connection, lock: None, fresh: false, set_aside: None })
}

/// Makes a store under another name, and gives it its own once it is whole: whatever interrupts this leaves no half of one.
fn new(path: &Path, folder: &Path) -> Result<Connection, OpenError> {
    let unfinished = beside(path, ".new");
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            OpenError::FolderNotWritable { path: path.to_owned(), folder: folder.to_owned(), source }
        }
        kind => OpenError::Failed {
            path: path.to_owned(),
            act: "make a new one",
            source: source.into(),
            hint: (kind == ErrorKind::StorageFull).then_some(failure::MAKE_ROOM),
        },
    };
    for name in ["", "-journal"].map(|end| beside(&unfinished, end)) {
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    // For its owner alone; SQLite gives the files beside it the same mode.
    File::options().write(true).mode(0o600).create_new(true).open(&unfinished).map_err(failed)?;
    let made = Connection::open(&unfinished).and_then(|mut connection| {
        settle(&mut connection)?;
        connection.pragma_update(None, "page_size", PAGE_BYTES)?;
        schema::migrate(&mut connection, MIGRATIONS, 0)?;
        connection.close().map_err(|(_, error)| error)
    });
    made.map_err(|error| sql(path, "make the tables", error))?;
    std::fs::rename(&unfinished, path).and_then(|()| File::open(folder)?.sync_all()).map_err(failed)?;
    let header = Header { application_id: APPLICATION_ID, user_version: schema::newest(MIGRATIONS) };
    open(path, header).map(|(connection, _)| connection)
}

/// A store that ends with the process.
pub(crate) fn memory() -> Result<Opened, OpenError> {
    let path = Path::new(":memory:");
    let mut connection =
        Connection::open_in_memory().map_err(|error| sql(path, "open the database", error))?;
    settle(&mut connection).map_err(|error| sql(path, "set up the connection", error))?;
    schema::migrate(&mut connection, MIGRATIONS, 0).map_err(|error| sql(path, "make the tables", error))?;
    Ok(Opened { connection, lock: None, fresh: true, set_aside: None })
}

/// The folder of the store. It is made, for its owner alone, where only it is missing.
fn folder(path: &Path) -> Result<PathBuf, OpenError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let missing = |error: &io::Error| error.kind() == ErrorKind::NotFound;
    let metadata = match std::fs::metadata(&folder) {
        Err(error) if missing(&error) => match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => std::fs::metadata(&folder),
            Err(_) => return Err(OpenError::NoFolder { path: path.into(), folder }),
        },
        found => found,
    };
    match metadata {
        Err(source) => Err(OpenError::FolderNotWritable { path: path.into(), folder, source }),
        Ok(metadata) if !metadata.is_dir() => Err(OpenError::NotAFolder { path: path.into(), folder }),
        Ok(_) if path.is_dir() => Err(OpenError::IsFolder { path: path.into() }),
        Ok(_) => Ok(folder),
    }
}

fn lock_error(path: &Path, folder: &Path, error: LockError) -> OpenError {
    let path = path.to_owned();
    match error {
        LockError::Held(holder) => OpenError::Locked { path, holder },
        LockError::NotMade(source) => match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                OpenError::FolderNotWritable { path, folder: folder.to_owned(), source }
            }
            kind => OpenError::Failed {
                path,
                act: "make the lock file beside it",
                source: source.into(),
                hint: (kind == ErrorKind::StorageFull).then_some(failure::MAKE_ROOM),
            },
        },
        LockError::NotLocked(source) => OpenError::Failed {
            path,
            act: "lock the file beside it",
            source: source.into(),
            hint: Some("the store needs a file system with locks: a local disk"),
        },
    }
}

fn not_writable(path: &Path, source: io::Error) -> OpenError {
    OpenError::NotWritable { path: path.to_owned(), source }
}

/// What the file itself says, without its write-ahead log.
///
/// Source: "Database File Format", section 1.3: big-endian numbers at fixed places of the first hundred bytes.
#[derive(Debug, Clone, Copy)]
struct Header {
    application_id: i32,
    user_version: i32,
}

impl Header {
    /// `None` when the file is empty.
    fn read(path: &Path, file: File) -> Result<Option<Self>, OpenError> {
        let mut start = Vec::new();
        file.take(100).read_to_end(&mut start).map_err(|source| not_writable(path, source))?;
        if start.is_empty() {
            return Ok(None);
        }
        let number = |at| start.get(at..at + 4)?.try_into().ok().map(i32::from_be_bytes);
        match (start.starts_with(b"SQLite format 3\0"), number(68), number(60)) {
            (true, Some(application_id), Some(user_version)) => {
                Ok(Some(Self { application_id, user_version }))
            }
            _ => Err(not_a_database(path)),
        }
    }

    /// Refuses without opening the file, since opening alone makes files beside it.
    fn refuse(self, path: &Path) -> Result<(), OpenError> {
        match self.application_id {
            APPLICATION_ID => accept(path, Identity::Store(self.user_version)).map(drop),
            0 => Ok(()),
            _ => accept(path, Identity::Foreign).map(drop),
        }
    }
}

/// The number of the schema of a store that this version can take; 0 for one that is yet to be made.
fn accept(path: &Path, identity: Identity) -> Result<i32, OpenError> {
    let path = path.to_owned();
    let known = schema::newest(MIGRATIONS);
    match identity {
        Identity::Empty => Ok(0),
        Identity::Store(found) if found > known => Err(OpenError::Newer { path, found, known }),
        Identity::Store(version) => Ok(version),
        Identity::Foreign => Err(OpenError::Foreign { path }),
    }
}

/// Looks at what was opened, and only then sets it up. Until then closing it must not fold its log in: that would change
/// a file that is about to be refused.
fn ready(path: &Path, mut connection: Connection, header: Header) -> Result<(Connection, bool), OpenError> {
    let fold_on_close = |connection: &Connection, yes: bool| {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !yes).map(drop)
    };
    let prepared = fold_on_close(&connection, false).and_then(|()| settle(&mut connection));
    prepared.map_err(|error| sql(path, "set up the connection", error))?;

    let identity = Identity::of(&connection).map_err(|error| sql(path, "read what it is", error))?;
    let was_ours = header.application_id == APPLICATION_ID;
    if was_ours && (!matches!(identity, Identity::Store(_)) || is_shorter(path, &connection)?) {
        let problem = "the -wal file beside it belongs to another database".to_owned();
        return Err(OpenError::Damaged { path: path.to_owned(), problem });
    }
    let version = accept(path, identity)?;
    look_over(path, &connection)?;

    if !wal::turn_on(&connection).map_err(|error| sql(path, "turn on the write-ahead log", error))? {
        return Err(OpenError::Failed {
            path: path.to_owned(),
            act: "turn on the write-ahead log",
            source: "the file system cannot hold one".into(),
            hint: Some("the store needs a local disk"),
        });
    }
    schema::migrate(&mut connection, MIGRATIONS, version)
        .map_err(|error| sql(path, "bring its schema up to date", error))?;
    fold_on_close(&connection, true).map_err(|error| sql(path, "set up the connection", error))?;
    Ok((connection, version == 0))
}

/// Whether the database is shorter with its log than without. A store never shrinks, so that this is the log of a smaller one.
fn is_shorter(path: &Path, connection: &Connection) -> Result<bool, OpenError> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let length = number("page_count").and_then(|pages| Ok(pages * number("page_size")?));
    let length = length.map_err(|error| sql(path, "read how large it is", error))?;
    Ok(i64::try_from(wal::size(path)).is_ok_and(|alone| length < alone))
}

/// What a connection needs, in a file or not. None of it is written to the file.
fn settle(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    // A transaction that only finds out midway that it must wait for another program fails instead of waiting.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(())
}

/// Reads the whole file once (two or three seconds for 35 days of 200 models), so that damage is found here, where it can be
/// dealt with, and not by the first page that cannot be committed.
fn look_over(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    let found: String = connection
        .query_one("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| sql(path, "look it over", error))?;
    if found == "ok" {
        return Ok(());
    }
    // The first line may only name the tree that the second one is about.
    let problem = found.lines().collect::<Vec<_>>().join(" ");
    Err(OpenError::Damaged { path: path.to_owned(), problem })
}

fn not_a_database(path: &Path) -> OpenError {
    OpenError::Damaged {
        path: path.to_owned(),
        problem: "it does not begin as a SQLite database does".to_owned(),
    }
}

fn sql(path: &Path, act: &'static str, error: rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => not_a_database(&path),
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path, problem: error.to_string() },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            OpenError::Busy { holder: holder::of(&path), path }
        }
        // As a text, since the error under it says the same again.
        _ => OpenError::Failed { path, act, hint: failure::hint(&error), source: error.to_string().into() },
    }
}

#[cfg(test)]
mod tests {
    use domain::LedgerError;
    use rusqlite::ffi;

    use super::*;

    /// The failures that a test which may run as root cannot bring about.
    #[test]
    fn failures_of_the_system_say_what_to_do() {
        let (path, folder) = (Path::new("/state/otpsd.db"), Path::new("/state"));
        let not_made = |kind: ErrorKind| lock_error(path, folder, LockError::NotMade(kind.into()));
        let code =
            |code| sql(path, "read what it is", rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let errors = [
            not_made(ErrorKind::PermissionDenied),
            not_made(ErrorKind::ReadOnlyFilesystem),
            not_made(ErrorKind::StorageFull),
            not_made(ErrorKind::InvalidFilename),
            lock_error(path, folder, LockError::NotLocked(ErrorKind::Unsupported.into())),
            OpenError::NotSetAside {
                path: path.to_owned(),
                problem: "the file is empty".to_owned(),
                source: ErrorKind::PermissionDenied.into(),
            },
            damaged_anew(path),
            not_writable(path, ErrorKind::PermissionDenied.into()),
            code(ffi::SQLITE_BUSY),
            code(ffi::SQLITE_FULL),
            code(ffi::SQLITE_IOERR_FSYNC),
        ];
        let texts = errors.map(|error| {
            let LedgerError { message, hint, .. } = error.into();
            format!("{message}\n  hint: {}", hint.as_deref().unwrap_or("-"))
        });
        insta::assert_snapshot!(texts.join("\n"));
    }

    fn damaged_anew(path: &Path) -> OpenError {
        OpenError::Damaged { path: path.to_owned(), problem: "database disk image is malformed".to_owned() }
    }

    #[test]
    fn a_store_in_the_working_folder_has_a_folder() {
        assert_eq!(folder(Path::new("otpsd.db")).unwrap(), Path::new("."));
    }
}
