//! The arguments of `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// The least that this configuration must be allowed in AWS
    IamPolicy(IamPolicyArgs),
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
