//! Serves a simulated fleet as CloudWatch, SNS and PagerDuty on loopback.

use std::sync::Arc;

use anyhow::Result;
use domain::{ExitCode, Period};
use jiff::Timestamp;
use simulator::Fleet;
use simulator::loopback::{Loopback, Options};
use tokio::sync::watch;

use crate::app::clock::Clock;
use crate::cli::SimulateArgs;
use crate::commands::{asked_to_end, failed, runtime};

pub(crate) fn run(args: &SimulateArgs) -> Result<ExitCode> {
    let (clock, begin) = match args.rehearse {
        None => (Clock::Wall, Timestamp::now()),
        Some(mapping) => (Clock::Rehearsal(watch::channel(mapping).1), mapping.origin),
    };
    runtime()?.block_on(async {
        let fleet = Fleet::demo(args.seed, Period::containing(begin));
        let mut options = Options::new(Arc::new(fleet), clock.reader());
        options.port = Some(args.port);
        let loopback = match Loopback::start(options).await {
            Ok(loopback) => loopback,
            Err(error) => {
                let what = format!("cannot listen on 127.0.0.1:{}: {error}", args.port);
                return Ok(failed(&what, Some("choose another port with --port, or 0 for a free one")));
            }
        };
        anstream::println!("{}", loopback.url());
        asked_to_end().await;
        loopback.shutdown().await;
        Ok(ExitCode::Success)
    })
}
