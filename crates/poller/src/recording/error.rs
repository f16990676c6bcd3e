//! Why a recording cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a recording cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {message}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct RecordingError {
    /// Which file.
    pub file: PathBuf,
    /// The line in it, counted from 1, where there is one.
    pub line: Option<u64>,
    /// What is wrong there, in lower case.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What the system said.
    #[source]
    pub source: Option<io::Error>,
}

impl RecordingError {
    /// About a file as a whole.
    pub(super) fn new(file: &Path, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            message: message.into(),
            hint: Some(hint.into()),
            source: None,
        }
    }

    /// The same, at a line.
    pub(super) fn at(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }

    /// What the system said while the file was being read.
    pub(super) fn reading(file: &Path, error: io::Error) -> Self {
        let (message, hint) = match error.kind() {
            io::ErrorKind::NotFound => ("there is no such file", "give the path of a recording"),
            io::ErrorKind::IsADirectory => ("is a folder", "give the files in it, one by one"),
            io::ErrorKind::PermissionDenied => ("may not be read", "let the user that runs otpsd read it"),
            io::ErrorKind::UnexpectedEof => {
                return Self::new(file, "the compressed data ends early: the file was cut short", COPY_AGAIN);
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                ("the compressed data is damaged", COPY_AGAIN)
            }
            _ => ("cannot be read", "look at what the system said"),
        };
        Self { source: Some(error), ..Self::new(file, message, hint) }
    }

    /// What the system said while the file was being written.
    pub(super) fn writing(file: &Path, error: io::Error) -> Self {
        Self {
            source: Some(error),
            ..Self::new(
                file,
                "cannot be written",
                "look at the folder, its rights and the space that is left",
            )
        }
    }
}

const COPY_AGAIN: &str = "copy or download it again";
