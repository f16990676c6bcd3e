//! The arguments of `baseline`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::StatusFormat;

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineCommand {
    /// What was learned of a series, and what does not train it
    Show(ShowArgs),
    /// Take the level of now for the new normal: ends the incident, and learns from no older reading
    Accept(AcceptArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Which series: account/region/model, or any part of it that no other has
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StatusFormat::Table)]
    pub(crate) format: StatusFormat,
}

#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Which series: account/region/model, or any part of it that no other has
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Why this is the new normal; it stays in the audit log
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: String,
    /// Who says so; the user that runs this, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) who: Option<String>,
}
