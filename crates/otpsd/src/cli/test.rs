//! The arguments of `test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Files of tests, or folders: of those, every file whose name ends with .test.toml
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only the tests that have this in their name
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<String>,
    /// How to print what came of them
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}
