//! The arguments of `backtest`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::{SignedDuration, Timestamp};

use super::history;

#[derive(Debug, Args)]
pub(crate) struct BacktestArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// What it is compared with on the same history: a file, a folder, or one of git such as main:config
    #[arg(long, value_name = "FILE|DIR|GITREF:PATH")]
    pub(crate) against: Option<String>,
    /// Read the history from CloudWatch, so far back, such as 35d or 12h; of its first days only the learning is of use
    #[arg(long, value_name = "DURATION", value_parser = history::since, conflicts_with = "recordings")]
    pub(crate) since: Option<SignedDuration>,
    /// Up to this time, such as 2026-10-15T18:20:00Z; up to what has settled, if not given
    #[arg(long, value_name = "TIME", requires = "since")]
    pub(crate) until: Option<Timestamp>,
    /// The source of the configuration that is read; all, if not given
    #[arg(long, value_name = "NAME", requires = "since")]
    pub(crate) source: Option<String>,
    /// How to print what would have happened
    #[arg(long, value_enum, default_value_t = BacktestFormat::Table)]
    pub(crate) format: BacktestFormat,
    /// Write it into this file, which is replaced once all of it is written
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// End with exit code 1 if anything would have paged; with --against, if a page is lost or gained
    #[arg(long)]
    pub(crate) fail_on_page: bool,
    /// Recordings: .csv, .csv.gz, .csv.zst, or the JSON of `aws cloudwatch get-metric-data`
    #[arg(value_name = "RECORDING", required_unless_present = "since")]
    pub(crate) recordings: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BacktestFormat {
    /// For people
    Table,
    /// One JSON object a line
    Jsonl,
    /// A comment on a pull request
    Markdown,
    /// One file for a browser, with charts and the text of every page
    Html,
}
