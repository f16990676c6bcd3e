//! The configuration is read again while the daemon runs. One that is invalid changes nothing, and is seen.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use config::{Origins, ProcessEnvironment, Purpose, render};
use domain::Plan;
use jiff::Timestamp;
use tokio::sync::Notify;
use web::snapshot::ConfigurationFailure;

/// Reads the configuration again, and hands a valid one on.
#[derive(Clone)]
pub(crate) struct Reloading {
    path: PathBuf,
    /// The store and the control socket are there, and stay there.
    state_dir: PathBuf,
    inner: Arc<Mutex<Inner>>,
    ready: Arc<Notify>,
}

#[derive(Default)]
struct Inner {
    next: Option<(Plan, Arc<Origins>)>,
    failure: Option<ConfigurationFailure>,
}

impl Reloading {
    pub(crate) fn new(path: PathBuf, state_dir: PathBuf) -> Self {
        Self { path, state_dir, inner: Arc::default(), ready: Arc::default() }
    }

    /// Reads the configuration. A valid one is taken up at once; what was wrong with another one is shown until a later one is
    /// valid.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as `otpsd check` says it.
    pub(crate) fn read(&self, now: Timestamp) -> Result<(), String> {
        let outcome = config::load(std::slice::from_ref(&self.path), Purpose::Run, &ProcessEnvironment);
        let read = match outcome.plan {
            None => Err(render::text(&outcome.problems, false)),
            Some(plan) if plan.daemon.state_dir != self.state_dir => {
                Err("error: `state-dir` cannot change while the daemon runs\nhint: restart it\n".to_owned())
            }
            Some(plan) => Ok((plan, Arc::new(outcome.origins))),
        };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(next) => {
                (inner.next, inner.failure) = (Some(next), None);
                drop(inner);
                self.ready.notify_one();
                Ok(())
            }
            Err(problems) => {
                let at = inner.failure.as_ref().map_or(now, |failure| failure.at);
                inner.failure = Some(ConfigurationFailure { at, problems: problems.clone() });
                Err(problems)
            }
        }
    }

    /// Returns a valid configuration once one was read, with where its values are written.
    pub(crate) async fn next(&self) -> (Plan, Arc<Origins>) {
        loop {
            let next = self.inner.lock().unwrap_or_else(PoisonError::into_inner).next.take();
            if let Some(next) = next {
                return next;
            }
            self.ready.notified().await;
        }
    }

    /// A valid configuration could not be taken up.
    pub(crate) fn failed(&self, now: Timestamp, problems: String) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.failure = Some(ConfigurationFailure { at: now, problems });
    }

    /// What is wrong with what was read last.
    pub(crate) fn failure(&self) -> Option<ConfigurationFailure> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }
}
