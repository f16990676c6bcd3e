//! The daemon.

use std::sync::Arc;

use anyhow::Result;
use config::Origins;
use domain::{ExitCode, Plan};
use indicatif::ProgressBar;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::app::clock::Clock;
use crate::app::reloading::Reloading;
use crate::app::served::Served;
use crate::app::{App, Options, Running, StartError};
use crate::cli::RunArgs;
use crate::commands::{asked_to_end, configuration, failed, runtime};
use crate::logs;

/// How often an open status page looks again.
const REFRESH_SECONDS: u32 = 30;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let (plan, origins) = match configuration::read_with_origins(&args.config, config::Purpose::Run) {
        Ok(read) => read,
        Err(code) => return Ok(code),
    };
    let bar = logs::start(plan.daemon.log);
    let clock = match args.rehearse {
        None => Clock::Wall,
        Some(mapping) => Clock::Rehearsal(watch::channel(mapping).1),
    };
    let reloading = Reloading::new(args.config.clone(), plan.daemon.state_dir.clone());
    runtime()?.block_on(watch_on((plan, Arc::new(origins)), &clock, &reloading, bar.as_ref()))
}

/// Why the daemon begins anew, in the same process and with what is written down.
enum Anew {
    /// The configuration was read again.
    Configured(Box<Configured>),
    /// The store is of no use any more.
    Damaged(String),
}

/// A plan, and where its values are written.
type Configured = (Plan, Arc<Origins>);

async fn watch_on(
    mut plan: Configured,
    clock: &Clock,
    reloading: &Reloading,
    bar: Option<&ProgressBar>,
) -> Result<ExitCode> {
    let mut hangups = signal(SignalKind::hangup())?;
    let mut damaged = None;
    let mut served = None;
    // What to go back to when a configuration that is valid cannot be taken up: its port may be taken.
    let mut before: Option<Configured> = None;
    loop {
        let running = match start(plan.clone(), clock, reloading, bar, (damaged.take(), served.clone())).await
        {
            Ok(running) => running,
            Err(error) => {
                let Some(known) = before.take() else { return Ok(failed(&error, error.hint.as_deref())) };
                tracing::error!(
                    hint = error.hint,
                    "the configuration cannot be taken up, so the one before holds: {error}"
                );
                reloading.failed(clock.now(), error.to_string());
                plan = known;
                continue;
            }
        };
        before = None;
        served = Some(running.served());
        let anew = loop {
            tokio::select! {
                why = asked_to_end() => {
                    tracing::info!("{why}: ending in order");
                    running.stop().await;
                    tracing::info!("ended");
                    return Ok(ExitCode::Success);
                }
                why = running.damaged() => break Anew::Damaged(why),
                next = reloading.next() => break Anew::Configured(Box::new(next)),
                Some(()) = hangups.recv() => {
                    if let Err(problems) = reloading.read(clock.now()) {
                        tracing::error!("SIGHUP: the configuration is invalid, so the one before holds:\n{problems}");
                        running.show();
                    }
                }
            }
        };
        match anew {
            Anew::Damaged(why) => {
                tracing::error!(
                    "the store turned out to be damaged, so the daemon begins anew without it: {why}"
                );
                damaged = Some(why);
            }
            Anew::Configured(next) => {
                tracing::info!("the configuration was read again");
                before = Some(std::mem::replace(&mut plan, *next));
            }
        }
        running.pause().await;
    }
}

async fn start(
    (plan, origins): Configured,
    clock: &Clock,
    reloading: &Reloading,
    bar: Option<&ProgressBar>,
    (damaged, served): (Option<String>, Option<Arc<Served>>),
) -> Result<Running, StartError> {
    let options = Options {
        clock: clock.clone(),
        quotas: poller::Quotas::at_rate(clock.rate()),
        aws: None,
        refresh_seconds: REFRESH_SECONDS,
        damaged,
        reloading: Some(reloading.clone()),
        origins,
        bar: bar.cloned(),
        served,
    };
    let running = App::new(plan, options).await?.start();
    tracing::info!("otpsd {} watches; status page at http://{}/", crate::VERSION, running.address());
    Ok(running)
}
