//! The built daemon as a process of its own, to be measured from outside.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Daemon {
    /// `target/release/otpsd` with a configuration, on a clock, with an access key.
    pub(crate) fn start(config: &Path, clock: &str, key: &str) -> Self {
        let log = config.with_extension("log");
        let child = Command::new("target/release/otpsd")
            .args(["run", "--config", config.to_str().expect("a path"), "--rehearse", clock])
            .env("AWS_ACCESS_KEY_ID", key)
            .env("AWS_SECRET_ACCESS_KEY", "not a secret")
            .env("RUST_LOG", "otpsd=info")
            .stderr(Stdio::from(File::create(&log).expect("a file")))
            .spawn()
            .expect("build target/release/otpsd first");
        Self { child, log }
    }

    /// A file or folder of its process in `/proc`.
    pub(crate) fn process(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.child.id()))
    }

    /// KiB of `VmRSS:` and the like.
    pub(crate) fn memory(&self, name: &str) -> u64 {
        let text = fs::read_to_string(self.process("status")).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    /// The sum of all samples on /metrics that begin so; `None` while it does not answer.
    pub(crate) fn metric(&self, begin: &str) -> Option<f64> {
        let log = fs::read_to_string(&self.log).ok()?;
        let address = log.split_once("status page at http://")?.1.split('/').next()?;
        let mut stream = TcpStream::connect(address).ok()?;
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let lines = text.lines().filter(|line| line.starts_with(begin));
        Some(lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).sum())
    }
}
