//! Serves a fleet or a recording as CloudWatch on loopback, with the receivers of messages and tickets next to it.

use std::sync::Arc;

use anyhow::Result;
use domain::{ExitCode, Period};
use jiff::Timestamp;
use simulator::Telemetry;
use simulator::loopback::{Loopback, Options};
use tokio::sync::watch;

use super::fleet;
use crate::app::clock::{Clock, Mapping};
use crate::cli::SimulateArgs;
use crate::commands::recorded::Recorded;
use crate::commands::{asked_to_end, failed, runtime};

pub(super) fn run(args: &SimulateArgs) -> Result<ExitCode> {
    let recorded = match args.recording.is_empty() {
        true => None,
        false => match Recorded::read(&args.recording) {
            Ok(recorded) => Some(recorded),
            Err(code) => return Ok(code),
        },
    };
    let mapping = mapping(args, recorded.as_ref());
    let (clock, begin) = match mapping {
        None => (Clock::Wall, Timestamp::now()),
        Some(mapping) => (Clock::Rehearsal(watch::channel(mapping).1), mapping.origin),
    };
    let telemetry: Arc<dyn Telemetry> = match recorded {
        Some(recorded) => Arc::new(recorded.replay()),
        None => Arc::new(fleet::served(args, Period::containing(begin))),
    };
    runtime()?.block_on(async {
        let mut options = Options::new(telemetry, clock.reader());
        options.port = Some(args.port);
        options.faults.clone_from(&args.fault);
        let loopback = match Loopback::start(options).await {
            Ok(loopback) => loopback,
            Err(error) => {
                let what = format!("cannot listen on 127.0.0.1:{}: {error}", args.port);
                return Ok(failed(&what, Some("choose another port with --port, or 0 for a free one")));
            }
        };
        anstream::println!("{}", loopback.url());
        if let Some(Mapping { origin, anchor: Some(anchor), rate }) = mapping {
            // Whoever is to be on the same clock needs it in full.
            anstream::println!("--rehearse {origin},{anchor},{rate}");
        }
        let url = loopback.url();
        anstream::eprintln!("CloudWatch, SNS, STS, SSM, Jira  {url}");
        anstream::eprintln!("PagerDuty                        {url}/v2/enqueue");
        anstream::eprintln!("webhook, heartbeat               {url}/webhook/NAME");
        anstream::eprintln!("what they were told              {url}/_loopback/messages");
        asked_to_end().await;
        loopback.shutdown().await;
        Ok(ExitCode::Success)
    })
}

/// The clock, where it is not the wall's. A recording is of the past, so its clock never is.
fn mapping(args: &SimulateArgs, recorded: Option<&Recorded>) -> Option<Mapping> {
    if args.rehearse.is_some() {
        return args.rehearse;
    }
    if args.from.is_none() && args.rate.is_none() && recorded.is_none() {
        return None;
    }
    let anchor = Timestamp::now();
    let now = recorded.map_or_else(|| Period::containing(anchor).start(), Recorded::last_day_and_a_half);
    Some(Mapping { origin: args.from.unwrap_or(now), anchor: Some(anchor), rate: args.rate.unwrap_or(1.0) })
}
