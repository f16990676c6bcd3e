//! The arguments of `test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What follows the options of `test` in its long help.
const EXAMPLE: &str = "\
Example:
  [[test]]
  name = \"a slow host pages once\"
  config = \"otpsd.toml\"

  [[test.series]]
  otps = \"100x11 60x11 100x11\"    # an hour as ever, one at 60 %, one as ever

  [[test.expect]]
  at = \"+1h15m\"                   # the third slow period ends
  page = true

  [[test.expect]]
  at = \"+2h15m\"
  resolve = true

  Before the start there are two weeks of the first values. What is said and
  not expected is a failure too. config/scenarios has more of them.";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLE)]
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
