//! The arguments of `test-notify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};
use jiff::Timestamp;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("whom").required(true).args(["channel", "route"])))]
pub(crate) struct TestNotifyArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Send a page and its resolve, marked as a test, to this channel
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) channel: Option<String>,
    /// Show who would get what is said of this series: account/region/model. Sends nothing unless --send is given
    #[arg(long, value_name = "SERIES")]
    pub(crate) route: Option<String>,
    /// With --route: the cause; otps_drop for a page, or that of a ticket
    #[arg(long, value_name = "CAUSE", default_value = "otps_drop", requires = "route")]
    pub(crate) cause: String,
    /// With --route: at this time, such as 2026-12-01T03:00:00Z; now, if not given
    #[arg(long, value_name = "TIME", requires = "route")]
    pub(crate) at: Option<Timestamp>,
    /// With --route: send to whom it finds
    #[arg(long, requires = "route")]
    pub(crate) send: bool,
    /// How long to wait between the page and its resolve, or between a ticket and its end
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = hold)]
    pub(crate) hold: Duration,
}

/// A duration from nothing to an hour.
fn hold(text: &str) -> Result<Duration, String> {
    let parsed: jiff::SignedDuration =
        text.parse().map_err(|_| "expected a duration such as 10s or 5m".to_owned())?;
    let range = jiff::SignedDuration::ZERO..=jiff::SignedDuration::from_hours(1);
    if !range.contains(&parsed) {
        return Err("expected between 0s and 1h".to_owned());
    }
    Duration::try_from(parsed).map_err(|error| error.to_string())
}
