//! A loopback by the clock of the machine, for commands that look at what was and need no daemon.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use domain::{Period, Series};
use jiff::Timestamp;
use simulator::loopback::{Loopback, Options};

use crate::process::{Ran, otpsd, write};
use crate::story::{Story, Tell};

/// Services with a history that ends now.
pub(crate) struct Served {
    runtime: tokio::runtime::Runtime,
    loopback: Option<Loopback>,
    folder: tempfile::TempDir,
    /// The first period that is not told.
    pub(crate) until: Period,
}

impl Served {
    /// `tell` counts periods from [`Self::until`] on, so that all that were are below 0.
    pub(crate) fn start(series: Vec<Series>, tell: Tell) -> Self {
        Self::with(series, tell, |_| {})
    }

    pub(crate) fn with(series: Vec<Series>, tell: Tell, change: impl FnOnce(&mut Options)) -> Self {
        // Old enough to have settled, and at an hour, since whoever is LEARNING learns by the hour.
        let settled = Period::containing(Timestamp::now()) - 12;
        let until = settled - settled.index().rem_euclid(12);
        let telemetry = Story { begin: until, series, tell };
        let mut options = Options::new(Arc::new(telemetry), Arc::new(Timestamp::now));
        change(&mut options);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let loopback = runtime.block_on(Loopback::start(options)).unwrap();
        Self { runtime, loopback: Some(loopback), folder: tempfile::tempdir().unwrap(), until }
    }

    pub(crate) fn loopback(&self) -> &Loopback {
        self.loopback.as_ref().expect("it runs until it is dropped")
    }

    pub(crate) fn url(&self) -> String {
        self.loopback().url()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes `otpsd.toml`, with the address of the services for every `URL`.
    pub(crate) fn configure(&self, text: &str) -> PathBuf {
        write(self.folder.path(), "otpsd.toml", &text.replace("URL", &self.url()))
    }

    /// The binary with credentials, in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = otpsd();
        command.args(arguments).current_dir(self.folder.path());
        command.env("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE");
        command.env("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().expect("otpsd can be run").into()
    }

    /// Calls of an operation so far.
    pub(crate) fn calls(&self, operation: &str) -> u64 {
        let totals = self.loopback().calls();
        totals.iter().filter(|total| total.operation == operation).map(|total| total.calls).sum()
    }

    /// Waits until something holds that calls bring about.
    pub(crate) fn wait_until(&self, met: impl FnMut(&Loopback) -> bool) {
        let patience = std::time::Duration::from_secs(60);
        let waited = async { tokio::time::timeout(patience, self.loopback().wait_until(met)).await };
        self.runtime.block_on(waited).expect("it does not come about");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(loopback) = self.loopback.take() {
            self.runtime.block_on(loopback.shutdown());
        }
    }
}
