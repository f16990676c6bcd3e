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
        let options = Options { clock, aws: None, refresh_seconds: REFRESH_SECONDS };
        let app = match App::new(plan, options).await {
            Ok(app) => app,
            Err(error) => return Ok(failed(&error, error.hint.as_deref())),
        };
        let running = app.start();
        tracing::info!("otpsd {} watches; status page at http://{}/", crate::VERSION, running.address());
        let why = asked_to_end().await;
        tracing::info!("{why}: ending in order");
        running.stop().await;
        tracing::info!("ended");
        Ok(ExitCode::Success)
    })
}
