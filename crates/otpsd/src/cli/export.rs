//! The arguments of `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// The least that this configuration must be allowed in AWS
    IamPolicy(IamPolicyArgs),
    /// The nearest native alarm of each series, with the learned threshold, as a CloudFormation template
    CloudwatchAlarms(LearnedArgs),
    /// The body of a CloudWatch dashboard: of each series OTPS with its threshold, latency, first token, tokens and throttles
    CloudwatchDashboard(LearnedArgs),
}

#[derive(Debug, Args)]
pub(crate) struct IamPolicyArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Only what is called with the credentials of this source; everything, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = PolicyFormat::Json)]
    pub(crate) format: PolicyFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyFormat {
    /// A policy document
    Json,
    /// A data source and a resource of Terraform
    Terraform,
}

#[derive(Debug, Args)]
pub(crate) struct LearnedArgs {
    /// The configuration, whose rules judge the recordings
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Recordings to learn from: .csv, .csv.gz, .csv.zst, or the JSON of `aws cloudwatch get-metric-data`
    #[arg(value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
}
