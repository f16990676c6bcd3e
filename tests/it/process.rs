//! Runs the built binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const BINARY: &str = env!("CARGO_BIN_EXE_otpsd");

/// The binary, with an environment that has nothing of this machine's in it.
pub(crate) fn otpsd() -> Command {
    bare(Command::new(BINARY))
}

/// The same, as a process that ignores a signal.
pub(crate) fn otpsd_ignoring(signal: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' {signal}; exec \"$0\" \"$@\""), BINARY]);
    bare(shell)
}

fn bare(mut command: Command) -> Command {
    command.env_clear().current_dir(ROOT);
    for name in ["PATH", "HOME", "TMPDIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("AWS_EC2_METADATA_DISABLED", "true");
    command
}

/// What a run printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Runs to the end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    otpsd().args(arguments).output().expect("otpsd can be run").into()
}

/// A file in a folder.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}
