//! The daemon.

use anyhow::Result;
use domain::ExitCode;
use tokio::sync::watch;

use crate::app::clock::Clock;
use crate::app::{App, Options};
use crate::cli::RunArgs;
use crate::commands::{asked_to_end, configuration, failed, runtime};
use crate::logs;

/// How often an open status page looks again.
const REFRESH_SECONDS: u32 = 30;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let plan = match configuration::read(&args.config, config::Purpose::Run) {
        Ok(plan) => plan,
        Err(code) => return Ok(code),
    };
    logs::start(plan.daemon.log);
    let clock = match args.rehearse {
        None => Clock::Wall,
        Some(mapping) => Clock::Rehearsal(watch::channel(mapping).1),
    };
    runtime()?.block_on(async {
        let mut damaged = None;
        loop {
            let options = Options {
                clock: clock.clone(),
                aws: None,
                refresh_seconds: REFRESH_SECONDS,
                damaged: damaged.take(),
            };
            let app = match App::new(plan.clone(), options).await {
                Ok(app) => app,
                Err(error) => return Ok(failed(&error, error.hint.as_deref())),
            };
            let running = app.start();
            tracing::info!("otpsd {} watches; status page at http://{}/", crate::VERSION, running.address());
            tokio::select! {
                why = asked_to_end() => {
                    tracing::info!("{why}: ending in order");
                    running.stop().await;
                    tracing::info!("ended");
                    return Ok(ExitCode::Success);
                }
                why = running.damaged() => {
                    tracing::error!("the store turned out to be damaged, so the daemon begins anew without it: {why}");
                    running.stop().await;
                    damaged = Some(why);
                }
            }
        }
    })
}
