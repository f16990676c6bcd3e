//! Logs: for people on a terminal, JSON otherwise, always on standard error.

use std::io::IsTerminal as _;

use domain::LogPlan;
use tracing_subscriber::EnvFilter;

/// Starts logging. `RUST_LOG` says what is shown; by default the daemon's own words from `info` up.
pub(crate) fn start(plan: LogPlan) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,otpsd=info,notifier=info,poller=info,store=info"));
    let human = match plan {
        LogPlan::Auto => std::io::stderr().is_terminal(),
        LogPlan::Human => true,
        LogPlan::Json => false,
    };
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second call, as in tests, changes nothing.
    let _ = if human {
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::io::stderr().is_terminal();
        builder.with_ansi(colour).with_target(false).try_init()
    } else {
        builder.json().flatten_event(true).try_init()
    };
}
