//! The write-ahead log: every commit is appended to it and synced, and what it holds is folded into the database from
//! time to time. It can be folded in only up to the oldest reader, so a program that leaves a transaction open makes it
//! grow; that cannot be prevented, but it is said, and what changes nothing writes nothing: five thousand commits of a
//! reading, a state and a source make 52 MiB.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::aside::beside;

/// Pages (of 2 KiB) after which a commit folds the log in.
const CHECKPOINT_PAGES: i32 = 2_000;
/// Bytes that the log keeps once it has been folded in; what a large commit needed beyond is given back.
const KEPT_BYTES: i64 = 8 * 1024 * 1024;
/// Bytes from which the log is spoken of.
const LARGE_BYTES: u64 = 64 * 1024 * 1024;

/// Turns the log on. `false` when the file system cannot hold one.
pub(crate) fn turn_on(connection: &Connection) -> rusqlite::Result<bool> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    // FULL: a commit returns after the log has been synced. NORMAL would lose the last ones with the power.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", KEPT_BYTES)?;
    Ok(mode == "wal")
}

/// The file of the log of a database.
pub(crate) fn file(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

/// Looks at the size of the log.
#[derive(Debug)]
pub(crate) struct Watch {
    file: PathBuf,
    large: bool,
}

impl Watch {
    pub(crate) fn new(database: &Path) -> Self {
        Self { file: file(database), large: false }
    }

    /// Folds in a log that has grown beyond what it keeps, as soon as no reader is in the way. Says once that it is large, and once
    /// that it no longer is.
    pub(crate) fn look(&mut self, connection: &Connection) {
        let mut bytes = size(&self.file);
        if bytes > KEPT_BYTES.unsigned_abs() {
            // A reader is no reason to wait, and no error: it is tried again after the next job.
            let tried = connection
                .busy_timeout(Duration::ZERO)
                .and_then(|()| connection.query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
            if let Err(error) = tried {
                tracing::debug!(%error, "the write-ahead log of the store could not be folded in");
            }
            bytes = size(&self.file);
        }
        let news = self.news(bytes);
        let file = self.file.display();
        match news {
            Some(true) => {
                let hint = "end the transaction of whatever has the store open, such as a `sqlite3` shell";
                tracing::warn!(%file, bytes, hint, "the write-ahead log of the store cannot be folded in and grows");
            }
            Some(false) => {
                tracing::info!(%file, bytes, "the write-ahead log of the store shrank again");
            }
            None => {}
        }
    }

    /// Whether the log has become large, or has ceased to be.
    fn news(&mut self, bytes: u64) -> Option<bool> {
        let large = bytes > LARGE_BYTES;
        let news = (large != self.large).then_some(large);
        self.large = large;
        news
    }
}

/// Bytes of a file; none when it cannot be seen.
pub(crate) fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_log_is_told_once_and_so_is_its_end() {
        let mut watch = Watch::new(Path::new("otpsd.db"));
        assert_eq!(watch.file, Path::new("otpsd.db-wal"));
        let mib = 1024 * 1024;
        let sizes = [0, 64 * mib, 64 * mib + 1, 90 * mib, 8 * mib, 8 * mib];
        assert_eq!(sizes.map(|bytes| watch.news(bytes)), [None, None, Some(true), None, Some(false), None]);
    }
}
