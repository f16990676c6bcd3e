//! What SQLite says, in the words of the ledger.

use std::path::Path;

use domain::LedgerError;
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHORT_READ;

use crate::holder;

/// What a full disk asks for.
pub(crate) const MAKE_ROOM: &str = "make room on the disk; nothing that was committed is lost";

/// An act on an open store that failed. It changed nothing.
pub(crate) fn failure(act: &str, store: &Path, error: &rusqlite::Error) -> LedgerError {
    let by = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => holder::of(store),
        _ => None,
    };
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    LedgerError {
        message: format!("cannot {act} the store {}: {error}{by}", store.display()),
        hint: hint(error).map(str::to_owned),
        damaged: is_damage(error),
    }
}

/// Whether the file itself is damaged. No act gets better by trying again then. A file that is shorter than it says was cut.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    let is_cut = error.sqlite_error().is_some_and(|one| one.extended_code == SQLITE_IOERR_SHORT_READ);
    is_cut || matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// What to do about an error of SQLite.
pub(crate) fn hint(error: &rusqlite::Error) -> Option<&'static str> {
    if matches!(error, rusqlite::Error::FromSqlConversionFailure(..)) {
        return Some("the row was written by hand or by another version of otpsd; look at it with `sqlite3`");
    }
    Some(match error.sqlite_error_code()? {
        ErrorCode::DiskFull => MAKE_ROOM,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            "end the transaction of whatever has the store open, such as a `sqlite3` shell"
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            "the file is damaged: opened anew, it is set aside, and a new one takes its place"
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => {
            "the folder of the store and all files in it must be writable for the user that otpsd runs as"
        }
        ErrorCode::SystemIoFailure => "the disk or the file system failed; the kernel's log says more",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi::{self, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_IOERR_READ, SQLITE_NOTADB};

    use super::*;

    #[test]
    fn a_file_that_was_cut_is_damaged_and_a_disk_that_fails_is_not() {
        let is_damaged = |code| is_damage(&rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR_SHORT_READ] {
            assert!(is_damaged(code), "{code}");
        }
        for code in [SQLITE_FULL, SQLITE_IOERR_READ] {
            assert!(!is_damaged(code), "{code}");
        }
    }
}
