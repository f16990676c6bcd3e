//! Only one daemon may own a store. SQLite's own locks last for a transaction, so there is a file beside it that is
//! locked as long as the process lives; the kernel lets go of it however the process ends.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::aside::beside;

/// Held as long as it lives.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Why the lock was not taken.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process has it, and wrote this number into the file.
    Held(Option<u32>),
    /// The file could not be made in its folder.
    NotMade(io::Error),
    /// The file system cannot lock.
    NotLocked(io::Error),
}

impl Lock {
    /// Takes the lock that stands beside the store at `path`, and writes down whose it is.
    pub(crate) fn take(path: &Path) -> Result<Self, LockError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = options.open(beside(path, ".lock")).map_err(LockError::NotMade)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
            Err(TryLockError::Error(error)) => return Err(LockError::NotLocked(error)),
        }
        // Who holds it is a courtesy to the reader of an error: a full disk must not keep the daemon from starting.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
