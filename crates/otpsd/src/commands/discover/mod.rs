//! Which models there are, what they do in a day, and whether they can be judged: as the beginning of a configuration.
//!
//! # Layout
//!
//! - `place`: where it is looked, with a configuration or without one.
//! - `found`: what is known of each series.
//! - `sight`: whether it can be judged, since when or from when on, and why not.
//! - `fragment`, `json`: how that is said, to people and configurations, and to scripts.

mod found;
mod fragment;
mod json;
mod place;
mod sight;

use std::io::{self, Write as _};

use anyhow::Result;
use domain::{ExitCode, MetricSet, Plan};
use jiff::Timestamp;

use self::found::Found;
use crate::cli::{DiscoverArgs, DiscoverFormat};
use crate::commands::failed;
use crate::history::{self, Everybody, Outcome, Wanted};

/// All that was found.
#[derive(Debug)]
struct Discovered {
    plan: Plan,
    /// Whether there is no configuration yet: what is printed is one of its own then.
    is_first: bool,
    outcome: Outcome,
    found: Vec<Found>,
    /// Days that were looked at.
    days: i64,
    /// When it was looked.
    at: Timestamp,
}

pub(crate) fn run(args: &DiscoverArgs) -> Result<ExitCode> {
    let plan = match place::plan(args) {
        Ok(plan) => plan,
        Err(code) => return Ok(code),
    };
    let wanted = match Wanted::of(&plan, args.source.as_deref(), args.since, None) {
        Ok(wanted) => Wanted { metrics: MetricSet::Decode, everybody: Everybody(true), ..wanted },
        Err(code) => return Ok(code),
    };
    let (recording, outcome) = match history::recording(&wanted)? {
        Ok(read) => read,
        Err(ExitCode::CannotRun) => {
            let hint =
                "look at the Regions; a model shows in CloudWatch some 15 minutes after its first call";
            return Ok(failed(&"no model was found", Some(hint)));
        }
        Err(code) => return Ok(code),
    };
    let found = found::all(&plan, &recording, &outcome);
    let days = args.since.as_hours() / 24;
    let discovered = Discovered {
        is_first: args.config.is_none(),
        days: days.max(1),
        at: wanted.until,
        plan,
        outcome,
        found,
    };
    let text = match args.format {
        DiscoverFormat::Text => fragment::toml(&discovered),
        DiscoverFormat::Json => json::json(&discovered)?,
    };
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(discovered.outcome.exit_code()),
    }
}
