//! What a configuration would have done on recorded history.
//!
//! # Layout
//!
//! - `hindsight`: what a backtest finds, as a value.
//! - `replaying`, `watching`, `telling`: how it is found: engines are driven, looked at, and asked whom they would have woken.
//! - `watched`: which series of a recording a configuration is about.
//! - `table`: for people; `html`: as a file with charts; `words`: what several outputs say alike.
//! - `progress`: how far it is.

mod hindsight;
mod html;
mod progress;
mod replaying;
mod table;
mod telling;
mod watched;
mod watching;
mod words;

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use domain::{ExitCode, Period, Plan, Span};
use poller::Recording;

use self::hindsight::Hindsight;
use self::progress::Progress;
use self::replaying::Detail;
use self::watched::Watched;
use crate::cli::{BacktestArgs, BacktestFormat};
use crate::commands::{configuration, failed};
use crate::event::Event;

pub(crate) fn run(args: &BacktestArgs) -> Result<ExitCode> {
    let plan = match configuration::read(&args.config, config::Purpose::Backtest) {
        Ok(plan) => plan,
        Err(code) => return Ok(code),
    };
    let recording = match Recording::read(&args.recordings) {
        Ok(recording) => recording,
        Err(error) => return Ok(failed(&error, error.hint.as_deref())),
    };
    note_what_is_left_out(&plan, &recording);
    let detail = match args.format {
        BacktestFormat::Html => Detail::Charts,
        BacktestFormat::Table | BacktestFormat::Jsonl => Detail::Said,
    };
    let hindsight = look_back(&plan, &recording, detail);
    let events: Vec<Event> = hindsight.said.iter().filter_map(|said| said.event(&plan)).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = match args.format {
        BacktestFormat::Jsonl => events.iter().try_for_each(|event| {
            serde_json::to_writer(&mut out, event)?;
            out.write_all(b"\n")
        }),
        BacktestFormat::Table => table::write(&mut out, &hindsight, &events),
        BacktestFormat::Html => html::write(&mut out, args, &plan, &hindsight),
    };
    match printed.and_then(|()| out.flush()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if args.fail_on_page && !hindsight.episodes.is_empty() => Ok(ExitCode::No),
        _ => Ok(ExitCode::Success),
    }
}

/// What a configuration would have done on a recording.
fn look_back(plan: &Plan, recording: &Recording, detail: Detail) -> Hindsight {
    let nothing = Period::from_index(0);
    let span = recording.span().unwrap_or(Span { from: nothing, until: nothing });
    let progress = Progress::new();
    let hindsight = replaying::replay(plan, recording, span, detail, &progress);
    progress.end();
    hindsight
}

/// Says which part of a recording is not judged, and why.
fn note_what_is_left_out(plan: &Plan, recording: &Recording) {
    let watched = Watched::of(plan, recording.series());
    let (all, left_out) = (recording.series().len(), watched.left_out());
    if watched.elsewhere {
        anstream::eprintln!(
            "note: no source of the configuration reads any of the {all} series of the recording; all of them are judged"
        );
    } else if left_out > 0 {
        anstream::eprintln!(
            "note: {left_out} of the {all} series of the recording are not judged: no source of the configuration reads them"
        );
    }
}
