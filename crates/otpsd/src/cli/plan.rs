//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// What it is compared with: a file, a folder, or one of git such as main:config
    #[arg(long, value_name = "FILE|DIR|GITREF:PATH")]
    pub(crate) against: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = PlanFormat::Text)]
    pub(crate) format: PlanFormat,
    /// Ask the sources for their series, also beside recordings; one that does not answer is an error
    #[arg(long)]
    pub(crate) live: bool,
    /// Ask no source, even without a recording
    #[arg(long, conflicts_with = "live")]
    pub(crate) offline: bool,
    /// Recordings whose series are planned for: .csv, .csv.gz, .csv.zst, or the JSON of `aws cloudwatch get-metric-data`
    #[arg(value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// A part of a comment on a pull request
    Markdown,
}
