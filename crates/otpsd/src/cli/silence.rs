//! The arguments of `silence`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use jiff::{SignedDuration, Timestamp};

use super::StatusFormat;

#[derive(Debug, Subcommand)]
pub(crate) enum SilenceCommand {
    /// Tell nobody of some series for a while; they are judged and recorded all the same
    Add(AddArgs),
    /// Silences that hold, or will
    List(ListArgs),
    /// End a silence now: what still stands is told
    Expire(ExpireArgs),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("end").required(true).args(["length", "until"])))]
#[command(group(ArgGroup::new("about").required(true).multiple(true).args(["model", "account", "region", "label", "all"])))]
pub(crate) struct AddArgs {
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Models, as a glob such as "*haiku*"
    #[arg(long, value_name = "GLOB")]
    pub(crate) model: Vec<String>,
    /// Accounts, as a glob
    #[arg(long, value_name = "GLOB")]
    pub(crate) account: Vec<String>,
    /// Regions, as a glob such as "eu-*"
    #[arg(long, value_name = "GLOB")]
    pub(crate) region: Vec<String>,
    /// Labels, each with a glob for its value, such as tier=2
    #[arg(long, value_name = "KEY=GLOB", value_parser = label)]
    pub(crate) label: Vec<(String, String)>,
    /// Only this cause: otps_drop for pages, or that of a ticket
    #[arg(long, value_name = "CAUSE")]
    pub(crate) cause: Vec<String>,
    /// Everything
    #[arg(long, conflicts_with_all = ["model", "account", "region", "label"])]
    pub(crate) all: bool,
    /// For how long, such as 2h
    #[arg(long = "for", value_name = "DURATION", value_parser = length)]
    pub(crate) length: Option<SignedDuration>,
    /// Until when, such as 2026-12-01T04:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<Timestamp>,
    /// From when on, such as 2026-12-01T02:00:00Z; now, if not given
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<Timestamp>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: String,
    /// Who says so; the user that runs this, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// How to print them
    #[arg(long, value_enum, default_value_t = StatusFormat::Table)]
    pub(crate) format: StatusFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ExpireArgs {
    /// Which one, as `otpsd silence list` shows it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Who says so; the user that runs this, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
}

/// A label, `tier=2`.
fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, glob)) if !key.is_empty() && !glob.is_empty() => Ok((key.to_owned(), glob.to_owned())),
        _ => Err("expected a label and a glob such as tier=2".to_owned()),
    }
}

/// A length such as `2h` or `45m`, from a minute to 90 days.
fn length(text: &str) -> Result<SignedDuration, String> {
    let parsed: jiff::Span = text.parse().map_err(|_| "expected a duration such as 2h or 3d".to_owned())?;
    let parsed = parsed
        .to_duration(jiff::SpanRelativeTo::days_are_24_hours())
        .map_err(|_| "expected minutes, hours or days, such as 2h or 3d".to_owned())?;
    let range = SignedDuration::from_mins(1)..=SignedDuration::from_hours(24 * 90);
    if range.contains(&parsed) { Ok(parsed) } else { Err("expected between 1m and 90d".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_a_unit_and_a_range() {
        assert_eq!(length("2h"), Ok(SignedDuration::from_hours(2)));
        assert_eq!(length("3d"), Ok(SignedDuration::from_hours(72)));
        for text in ["2", "10s", "-2h", "100d", "soon", "1mo"] {
            assert!(length(text).is_err(), "{text}");
        }
        assert_eq!(label("tier=2"), Ok(("tier".to_owned(), "2".to_owned())));
        assert!(label("tier").is_err() && label("=2").is_err());
    }
}
