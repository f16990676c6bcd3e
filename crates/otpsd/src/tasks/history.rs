//! Tells how far the reading of history is: by a bar on a terminal, now and then in a log, and on the status page.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use web::snapshot::ReadingHistory;

use crate::app::sources::Sources;

/// How often it is looked at.
const EVERY: Duration = Duration::from_secs(1);
/// How often the page shows it. What is shown of a thousand series takes some time to be built.
const SHOWN_EVERY: Duration = Duration::from_secs(5);
/// How often a log has a line of it.
const LOGGED_EVERY: Duration = Duration::from_secs(10);

pub(crate) struct History {
    pub(crate) sources: Arc<Sources>,
    /// Where there is a terminal; hidden otherwise.
    pub(crate) bar: ProgressBar,
    /// Whether anybody sees it.
    pub(crate) on_terminal: bool,
    /// There is something new to show.
    pub(crate) changed: Arc<Notify>,
}

/// A reading that is going on.
#[derive(Debug, Clone, Copy)]
struct Going {
    begun: Instant,
    shown: Instant,
    logged: Instant,
    last: ReadingHistory,
}

impl History {
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut going = None;
        loop {
            tokio::select! {
                now = ticks.tick() => going = self.look(going, now),
                () = stop.cancelled() => break,
            }
        }
        self.bar.finish_and_clear();
    }

    fn look(&self, going: Option<Going>, now: Instant) -> Option<Going> {
        match (going, self.sources.history()) {
            (None, None) => None,
            (None, Some(last)) => {
                self.changed.notify_one();
                self.begin();
                Some(self.goes_on(Going { begun: now, shown: now, logged: now, last }, last, now))
            }
            (Some(going), Some(last)) => Some(self.goes_on(going, last, now)),
            (Some(going), None) => {
                self.bar.finish_and_clear();
                self.changed.notify_one();
                let (series, seconds) = (going.last.of, now.duration_since(going.begun).as_secs());
                tracing::info!(series, seconds, "history is read: {series} series in {seconds} s");
                None
            }
        }
    }

    fn begin(&self) {
        if self.on_terminal {
            let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos} of {len} series, {eta} left")
                .expect("the template is well formed");
            self.bar.set_style(style.progress_chars("=> "));
            self.bar.reset();
            self.bar.set_message("reading history");
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn goes_on(&self, going: Going, last: ReadingHistory, now: Instant) -> Going {
        self.bar.set_length(last.of as u64);
        self.bar.set_position(last.read as u64);
        let mut going = Going { last, ..going };
        if now.duration_since(going.shown) >= SHOWN_EVERY {
            going.shown = now;
            self.changed.notify_one();
        }
        if !self.on_terminal && now.duration_since(going.logged) >= LOGGED_EVERY {
            going.logged = now;
            tracing::info!(read = last.read, of = last.of, "{last}");
        }
        going
    }
}
