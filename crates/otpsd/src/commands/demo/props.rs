//! What must be put away again, however the demo ends: the folder of the store, the daemon, the services.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use simulator::loopback::Loopback;
use tempfile::TempDir;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::app::Running;
use crate::commands::complain;

/// A daemon whose store is thrown away anyhow is not waited for any longer.
const LONGEST_STOP: Duration = Duration::from_secs(1);

/// What is in use.
#[derive(Default)]
pub(super) struct Props {
    running: Option<Running>,
    loopback: Option<Arc<Loopback>>,
    state: Option<TempDir>,
}

impl Props {
    /// Keeps the services.
    pub(super) fn serve(&mut self, loopback: Loopback) -> Arc<Loopback> {
        Arc::clone(self.loopback.insert(Arc::new(loopback)))
    }

    /// Keeps the daemon.
    pub(super) fn run(&mut self, running: Running) -> &Running {
        self.running.insert(running)
    }

    /// The folder for the store, made when it is first asked for.
    pub(super) fn state_dir(&mut self) -> Result<&Path> {
        let what = || format!("cannot make a folder for the store in {}", std::env::temp_dir().display());
        let state = match self.state.take() {
            Some(state) => state,
            None => tempfile::Builder::new().prefix("otpsd-demo-").tempdir().with_context(what)?,
        };
        Ok(self.state.insert(state).path())
    }

    /// Stops what runs and removes the folder. Says whether it could.
    pub(super) async fn put_away(self) -> bool {
        if let Some(running) = self.running {
            let _ = tokio::time::timeout(LONGEST_STOP, running.stop()).await;
        }
        drop(self.loopback);
        let Some(state) = self.state else { return true };
        let path = state.path().to_owned();
        let removed = state.close();
        if let Err(error) = &removed {
            complain(&format!("cannot remove {}: {error}", path.display()), None);
        }
        removed.is_ok()
    }
}

/// The signals that end a demo.
pub(super) struct Interrupt {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Interrupt {
    /// From now on they end it in order, and not the process at once.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Returns when one comes.
    pub(super) async fn caught(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "Ctrl-C",
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.hangup.recv() => "SIGHUP",
        }
    }
}
