//! The arguments of `simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use simulator::loopback::FaultRule;

use crate::app::clock::{Mapping, RATES};

/// What follows the options of `simulate` in its long help.
const FAULTS: &str = "\
Faults:
  NAME[,KEY=VALUE]...

  throttle[,retry-after-seconds=N]  too many calls
  internal, unavailable             500, 503
  denied, expired-token, unknown-key, clock-skew
                                    403, as AWS answers to bad credentials
  kms-access-denied, kms-disabled   the key of an SNS topic is out of reach
  status[,code=502][,retry-after-seconds=N]
                                    a proxy answers with this status
  slow[,milliseconds=2000]          it is carried out later
  slow-reply[,milliseconds=2000]    carried out at once, answered later
  hang                              there is no answer
  hang-up                           the connection is closed without a byte
  trickle[,milliseconds=1000]       an answer without end, byte by byte
  malformed                         a page in HTML, as of a login portal
  lose-reply                        carried out, but closed without a byte
  cut-reply                         carried out, but the answer breaks off
  small-pages[,datapoints=100]      GetMetricData has short pages,
  fail-results                      results with an InternalError,
  shuffle-results, unknown-ids      results in any order, or of nobody
  late[,seconds=600,share=0.5]      a period shows only in part at first
  revised[,seconds=600,factor=1.5]  values are wrong by a factor at first
  missing                           there is no data

  What it concerns, where that is not everything: operation (GetMetricData,
  ListMetrics, PutMetricData, Publish, GetCallerIdentity, AssumeRole,
  AssumeRoleWithWebIdentity, ContainerCredentials, CreateOpsItem,
  UpdateOpsItem, GetOpsItem, DescribeOpsItems, enqueue, webhook, jira or one
  of jira.search, jira.create, jira.edit, jira.comment, jira.transition,
  jira.read), region, access-key, resource (a topic, a role, a routing key, a
  path of the webhook, an issue, an OpsItem), model, metric.
  How many calls, where that is not all: times; which share: chance=0.5.

  --fault throttle,operation=GetMetricData,times=20
  --fault late,seconds=900,model=us.example.sonnet-large-v1:0
  --fault unavailable,operation=enqueue

  They can be switched while it serves, at /_loopback/faults.";

#[derive(Debug, Args)]
#[command(after_long_help = FAULTS)]
#[command(group(clap::ArgGroup::new("to").required(true).args(["serve", "out"])))]
pub(crate) struct SimulateArgs {
    /// Serve as CloudWatch, SNS, STS, OpsCenter, PagerDuty, Jira and a webhook on 127.0.0.1, until SIGTERM or Ctrl-C
    #[arg(long)]
    pub(crate) serve: bool,
    /// Write a recording, NAME.csv.gz, with what is owed for it, NAME.labels.csv, and NAME.models.csv
    #[arg(long, value_name = "NAME")]
    pub(crate) out: Option<PathBuf>,
    /// Which fleet: six models and a story, or many at random
    #[arg(long, value_enum, default_value_t = FleetName::Demo)]
    pub(crate) fleet: FleetName,
    /// The same seed gives the same requests
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Models of a random fleet [default: 24]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) models: Option<u16>,
    /// Days of a random fleet, of which the first 14 are without events [default: 35]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(15..=400))]
    pub(crate) days: Option<u16>,
    /// No events in a random fleet: whatever pages is a false page
    #[arg(long)]
    pub(crate) calm: bool,
    /// Serve recordings instead of a fleet
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["out", "fleet", "seed", "models", "days", "calm"])]
    pub(crate) recording: Vec<PathBuf>,
    /// The port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 4566, conflicts_with = "out")]
    pub(crate) port: u16,
    /// What goes wrong from the start; may be given several times. --help has the names
    #[arg(long, value_name = "FAULT", conflicts_with = "out")]
    pub(crate) fault: Vec<FaultRule>,
    /// Serve on a clock that shows TIME now [default: the wall's time; of recordings, a day and a half before their end]
    #[arg(long, value_name = "TIME", conflicts_with = "out")]
    pub(crate) from: Option<Timestamp>,
    /// Serve on a clock that runs this many times as fast; the daemon needs the --rehearse that is printed then
    #[arg(long, value_name = "RATE", value_parser = rate, conflicts_with = "out")]
    pub(crate) rate: Option<f64>,
    /// Serve on a clock of its own: at the wall time ANCHOR it shows ORIGIN, and runs RATE times as fast
    #[arg(long, value_name = "ORIGIN,ANCHOR,RATE", conflicts_with_all = ["from", "rate", "out"])]
    pub(crate) rehearse: Option<Mapping>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FleetName {
    /// The one of `otpsd demo`
    Demo,
    /// Of --seed, --models, --days and --calm
    Random,
}

/// How many times as fast a clock runs.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| RATES.contains(rate));
    rate.ok_or_else(|| format!("expected a number from {} to {}", RATES.start(), RATES.end()))
}
