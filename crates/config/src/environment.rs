//! What a configuration may ask of the machine.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// No configuration and no secret is larger. A device that never ends must not fill the memory.
pub(crate) const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Environment variables, files and the time: an argument, so that tests can have their own.
pub trait Environment {
    /// The value of an environment variable, if it is set.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// What a file holds, up to a limit of 1 MiB and one byte.
    ///
    /// # Errors
    ///
    /// Those of the file system; a folder is one.
    fn file(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The paths of what is in a folder, in any order.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// What time it is: that of this machine, unless told otherwise.
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The environment and the files of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let open = std::fs::File::open(path).map_err(|error| {
            let is_socket = std::fs::metadata(path).is_ok_and(|it| it.file_type().is_socket());
            if is_socket { io::Error::new(error.kind(), "it is a socket") } else { error }
        });
        open?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }
}

/// Why a file could not be read, in a few words of lower case.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ if error.get_ref().is_some() => error.to_string(),
        kind => kind.to_string(),
    }
}
