//! A store that is of no use any more is kept, under a name that says since when.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::open_error::OpenError;

/// The database and what SQLite may leave beside it.
const ENDS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A store that was found damaged, and where it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The database under its new name; its log and index, if there were any, stand beside it, so that `sqlite3` can open it. The
    /// database itself may have been missing.
    pub path: PathBuf,
    /// What was wrong with it.
    pub why: String,
}

/// Renames the store and what stands beside it: `otpsd.sqlite` is `otpsd.sqlite.damaged-20261201T031500Z` from now on.
pub(crate) fn set_aside(
    path: &Path,
    folder: &Path,
    now: Timestamp,
    why: String,
) -> Result<SetAside, OpenError> {
    let to = free_name(path, now);
    match rename_all(path, &to).and_then(|()| File::open(folder)?.sync_all()) {
        Ok(()) => Ok(SetAside { path: to, why }),
        Err(source) => Err(OpenError::NotSetAside { path: path.to_owned(), problem: why, source }),
    }
}

fn free_name(path: &Path, now: Timestamp) -> PathBuf {
    let dated = beside(path, &now.strftime(".damaged-%Y%m%dT%H%M%SZ").to_string());
    let numbered = (2..).map(|number| beside(&dated, &format!(".{number}")));
    let free = |name: &PathBuf| ENDS.iter().all(|end| !beside(name, end).exists());
    std::iter::once(dated.clone()).chain(numbered).find(free).unwrap_or(dated)
}

/// The database goes first: a log without one is known for what it is when this is interrupted.
fn rename_all(path: &Path, to: &Path) -> io::Result<()> {
    for end in ENDS {
        match std::fs::rename(beside(path, end), beside(to, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The path of a file whose name goes on with `end`.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    path.into()
}
