//! The command line.
//!
//! # Layout
//!
//! - `examples`: what people most often type, for the help of every command.
//! - `backtest`, `baseline`, `bench`, `explain`, `export`, `history`, `plan`, `silence`, `simulate`, `test`, `test_notify`: the arguments of these commands.

mod backtest;
mod baseline;
mod bench;
pub(crate) mod examples;
mod explain;
mod export;
mod history;
mod plan;
mod silence;
mod simulate;
mod test;
mod test_notify;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::Timestamp;

pub(crate) use self::backtest::{BacktestArgs, BacktestFormat};
pub(crate) use self::baseline::{AcceptArgs, BaselineCommand, ShowArgs};
pub(crate) use self::bench::{BenchArgs, BenchFormat, Models};
pub(crate) use self::explain::{ExplainArgs, ExplainFormat};
pub(crate) use self::export::{ExportCommand, IamPolicyArgs, LearnedArgs, PolicyFormat};
pub(crate) use self::history::{DiscoverArgs, DiscoverFormat, RecordArgs};
pub(crate) use self::plan::{PlanArgs, PlanFormat};
pub(crate) use self::silence::{AddArgs, ExpireArgs, ListArgs, SilenceCommand};
pub(crate) use self::simulate::{FleetName, SimulateArgs};
pub(crate) use self::test::{TestArgs, TestFormat};
pub(crate) use self::test_notify::TestNotifyArgs;
use crate::app::clock::Mapping;

/// Pages when, and only when, a model decodes more slowly than it usually does.
#[derive(Debug, Parser)]
#[command(name = "otpsd", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Watch: poll, judge, page and resolve, until SIGTERM
    Run(RunArgs),
    /// Play a day and a half of a small fleet with the real daemon, in a minute; needs no credentials and no network
    Demo(DemoArgs),
    /// What a configuration would have done on recorded history
    Backtest(BacktestArgs),
    /// Which models there are, what they do in a day and whether they can be judged, as the beginning of a configuration
    Discover(DiscoverArgs),
    /// Read history from CloudWatch into a file that `backtest` reads
    Record(RecordArgs),
    /// Measure detection on labelled fleets: what was missed, what was false, how long it took
    Bench(BenchArgs),
    /// Why a series is in its state, what was learned of it, and what would come next
    Explain(ExplainArgs),
    /// Read configurations, and show every problem with file, line and column
    Check(CheckArgs),
    /// What a configuration comes to: who is watched by which rule, who is told, what it costs, and what changes
    Plan(PlanArgs),
    /// Print the JSON Schema of a configuration, for editors
    Schema,
    /// Run unit tests of alarms: series in a short notation, and what is to be said of them
    Test(TestArgs),
    /// Serve a simulated fleet or a recording as CloudWatch, SNS and PagerDuty on loopback; or write one to a file
    Simulate(SimulateArgs),
    /// Ask the running daemon how it is doing
    Status(StatusArgs),
    /// Tell nobody of some series for a while: add, list and expire silences of the running daemon
    #[command(subcommand)]
    Silence(SilenceCommand),
    /// What the running daemon learned of a series, or let it take a new level for normal
    #[command(subcommand)]
    Baseline(BaselineCommand),
    /// Send a page that is marked as a test, and its resolve; or show who would get what
    TestNotify(TestNotifyArgs),
    /// What otpsd needs and learned, in the words of AWS: an IAM policy, native alarms, a dashboard
    #[command(subcommand)]
    Export(ExportCommand),
    /// Print a script that completes commands and flags: `otpsd completions bash > /etc/bash_completion.d/otpsd`
    Completions(CompletionsArgs),
    /// Let the running daemon read its configuration again; one that is invalid changes nothing
    Reload(ReloadArgs),
    /// Exit code 0 if the running daemon gets on, for container health checks
    Healthcheck(HealthcheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Rehearse on a clock of its own: at the wall time ANCHOR it shows ORIGIN, and runs RATE times as fast
    #[arg(long, value_name = "ORIGIN,ANCHOR,RATE")]
    pub(crate) rehearse: Option<Mapping>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// How long it takes to play
    #[arg(long = "for", value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub(crate) length: Duration,
    /// Play recordings instead of the story: their last day and a half, with what was before as history
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) recording: Vec<PathBuf>,
    /// Play the recordings from here on
    #[arg(long, value_name = "TIME", requires = "recording")]
    pub(crate) from: Option<Timestamp>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Configurations
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// How to print problems
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Also ask every source, channel and heartbeat whether it answers; nothing is sent
    #[arg(long)]
    pub(crate) live: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// One JSON array
    Json,
    /// Annotations of a pull request
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = StatusFormat::Table)]
    pub(crate) format: StatusFormat,
}

#[derive(Debug, Args)]
pub(crate) struct HealthcheckArgs {
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReloadArgs {
    /// The configuration of the daemon: its state folder has the socket
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// For which shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusFormat {
    /// For people
    Table,
    /// One JSON object
    Json,
}

/// A duration such as `60s`, `2m` or `1m30s`, from five seconds to a day.
fn duration(text: &str) -> Result<Duration, String> {
    let parsed: jiff::SignedDuration =
        text.parse().map_err(|_| "expected a duration such as 60s or 2m".to_owned())?;
    let range = jiff::SignedDuration::from_secs(5)..=jiff::SignedDuration::from_hours(24);
    if !range.contains(&parsed) {
        return Err("expected between 5s and 24h".to_owned());
    }
    Duration::try_from(parsed).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_a_unit_and_a_range() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["60", "1s", "-5m", "soon", "3d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
