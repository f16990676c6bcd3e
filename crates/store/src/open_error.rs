//! Why a store did not open.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use domain::LedgerError;

/// Why a store did not open. In every case, what was there is left as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder is not there.
    #[error("cannot open the store {path}: the folder {folder} does not exist")]
    NoFolder {
        /// The store.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// What should be the folder is something else.
    #[error("cannot open the store {path}: {folder} is not a folder")]
    NotAFolder {
        /// The store.
        path: PathBuf,
        /// What should be its folder.
        folder: PathBuf,
    },
    /// No file can be made in the folder.
    #[error("cannot open the store {path}: the folder {folder} is not writable")]
    FolderNotWritable {
        /// The store.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The path is a folder.
    #[error("cannot open the store {path}: it is a folder, and a file was expected")]
    IsFolder {
        /// The store.
        path: PathBuf,
    },
    /// The file is there, and cannot be opened for reading and writing.
    #[error("cannot open the store {path}: the file cannot be read and written")]
    NotWritable {
        /// The store.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not there, or cannot be opened for reading.
    #[error("cannot open the store {path} for reading")]
    NotReadable {
        /// The store.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is to be looked at only, and its schema is one that a daemon of this version would bring up to date first.
    #[error(
        "the store {path} was written by an older otpsd: its schema is number {found}, and this one reads number {known}"
    )]
    Older {
        /// The store.
        path: PathBuf,
        /// The number of its schema.
        found: i32,
        /// The number that this version reads.
        known: i32,
    },
    /// Another daemon owns it.
    #[error("the store {path} is in use by another otpsd{}", .holder.map(|id| format!(" (process {id})")).unwrap_or_default())]
    Locked {
        /// The store.
        path: PathBuf,
        /// The other process, by its own word.
        holder: Option<u32>,
    },
    /// Another program is in the middle of something.
    #[error("the store {path} is locked by {}", .holder.as_deref().unwrap_or("another program"))]
    Busy {
        /// The store.
        path: PathBuf,
        /// Which one it is, where the system tells: `process 4242 (sqlite3)`.
        holder: Option<String>,
    },
    /// A sound database, and of something else.
    #[error("{path} is a SQLite database, but not a store of otpsd")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read, or contradicts itself, although it had just been made: any other is set aside.
    #[error("the store {path} is damaged: {problem}")]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What was found first.
        problem: String,
    },
    /// It cannot be read, or contradicts itself, and could not be set aside.
    #[error("the store {path} is damaged ({problem}), and could not be set aside")]
    NotSetAside {
        /// The store.
        path: PathBuf,
        /// What was found first.
        problem: String,
        /// What the system said.
        source: io::Error,
    },
    /// Its schema has a number that this version does not know.
    #[error(
        "the store {path} was written by a newer otpsd: its schema is number {found}, and this one knows up to {known}"
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// The number of its schema.
        found: i32,
        /// The newest number that this version knows.
        known: i32,
    },
    /// Anything else.
    #[error("cannot open the store {path}: could not {act}")]
    Failed {
        /// The store.
        path: PathBuf,
        /// What was tried.
        act: &'static str,
        /// What came back.
        source: Box<dyn Error + Send + Sync>,
        /// What to do about it.
        hint: Option<&'static str>,
    },
}

impl OpenError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoFolder { .. } => {
                "create the folder, owned by the user that otpsd runs as, or set daemon.state-dir to one that exists"
            }
            Self::NotAFolder { .. } => "set daemon.state-dir to a folder",
            Self::FolderNotWritable { .. } => {
                "make the folder writable for the user that otpsd runs as, or set daemon.state-dir to one that is"
            }
            Self::IsFolder { .. } => "move that folder away, or set daemon.state-dir to another one",
            Self::NotWritable { .. } => {
                "give the file to the user that otpsd runs as (`chown`), with mode 0600"
            }
            Self::NotReadable { .. } => {
                "is `daemon.state-dir` the folder of the daemon, and is this the user that it runs as?"
            }
            Self::Older { .. } => {
                "start the daemon of this version once: it brings its store up to date; or ask with that version"
            }
            Self::Locked { .. } => "stop the other one first, or give this one a daemon.state-dir of its own",
            Self::Busy { .. } => {
                "end the transaction of whatever has it open, such as a `sqlite3` shell, and start again"
            }
            Self::Foreign { .. } => {
                "it was left as it is; move it away, or set daemon.state-dir to another folder"
            }
            Self::Damaged { .. } => "the disk or the file system failed; the kernel's log says more",
            Self::NotSetAside { .. } => {
                "move it away together with its -wal and -shm files, and otpsd learns anew from the history of its sources"
            }
            Self::Newer { .. } => {
                "it was left as it is; run that version again, or move the file away to learn anew"
            }
            Self::Failed { hint, .. } => return *hint,
        })
    }
}

impl From<OpenError> for LedgerError {
    fn from(error: OpenError) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        let damaged = matches!(error, OpenError::Damaged { .. } | OpenError::NotSetAside { .. });
        Self { message, hint: error.hint().map(str::to_owned), damaged }
    }
}
