//! Logs: for people on a terminal, JSON otherwise, always on standard error. On a terminal a bar may stand below them.

use std::io::{self, IsTerminal as _, Write};

use domain::LogPlan;
use indicatif::ProgressBar;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

/// Standard error, above a bar if one is drawn.
#[derive(Debug, Clone)]
struct AboveBar(ProgressBar);

impl Write for AboveBar {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(line))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl<'a> MakeWriter<'a> for AboveBar {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Starts logging. `RUST_LOG` says what is shown; by default the daemon's own words from `info` up. Gives the bar that may be
/// drawn below it, where people read at a terminal.
pub(crate) fn start(plan: LogPlan) -> Option<ProgressBar> {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,otpsd=info,notifier=info,poller=info,store=info"));
    let human = match plan {
        LogPlan::Auto => io::stderr().is_terminal(),
        LogPlan::Human => true,
        LogPlan::Json => false,
    };
    let filter = filter.and(filter_fn(holds_no_secret));
    // On a full disk a line may not be taken. To say so in the same place would panic, and end the task that logs.
    let bar = ProgressBar::hidden();
    let lines = fmt::layer().with_writer(AboveBar(bar.clone())).log_internal_errors(false);
    let subscriber = tracing_subscriber::registry();
    // A second call, as in tests, changes nothing.
    let _ = if human {
        let colour =
            std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && io::stderr().is_terminal();
        let lines = lines.with_ansi(colour).with_target(false);
        subscriber.with(lines.with_filter(filter)).try_init()
    } else {
        subscriber.with(lines.json().flatten_event(true).with_filter(filter)).try_init()
    };
    (human && io::stderr().is_terminal()).then_some(bar)
}

/// At its highest level the AWS SDK logs whole answers. One that repeats its request, as something in between may give, has a session token
/// in it.
fn holds_no_secret(of: &Metadata<'_>) -> bool {
    *of.level() < Level::TRACE || !of.target().starts_with("aws_")
}
