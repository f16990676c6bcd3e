//! The arguments of `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::Timestamp;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Which series: account/region/model, or any part of it that no other has
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// As it was at this time, such as 2026-10-15T18:20:00Z; as it is now, or at the end of the recording, if not given
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<Timestamp>,
    /// The configuration of the running daemon: its state folder has the socket. With a RECORDING, whose rules judge it
    #[arg(long, value_name = "FILE|DIR", required_unless_present = "recordings")]
    pub(crate) config: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,
    /// Recordings to explain instead of asking the running daemon
    #[arg(value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}
