//! Why a series is in its state: what was learned, what the last periods said, and what would come next.
//!
//! # Layout
//!
//! - `replayed`: from a recording.
//! - `text`: for people.

mod replayed;
mod text;

pub(crate) use self::text::{at_a_moment, baseline};

use std::io::{self, Write as _};

use anyhow::Result;
use domain::ExitCode;

use crate::cli::{ExplainArgs, ExplainFormat};
use crate::commands::ask;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let explained = match &args.config {
        Some(config) if args.recordings.is_empty() => ask::explain(config, &args.series, args.at),
        config => replayed::explain(config.as_deref(), &args.recordings, &args.series, args.at),
    };
    let explained = match explained {
        Ok(explained) => explained,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    let printed = match args.format {
        ExplainFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(&explained)?),
        ExplainFormat::Text => write!(out, "{}", text::text(&explained)),
    };
    match printed {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::Success),
    }
}
