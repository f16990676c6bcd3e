//! How far it is, on a terminal, where it takes longer than a moment.

use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is over sooner needs no bar.
const MOMENT: Duration = Duration::from_millis(1_500);
/// The bar is moved after so many steps: a step takes microseconds.
const STEPS: u64 = 500;

/// A bar on standard error, if that is a terminal. It goes away at the end.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    done: AtomicU64,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self { bar, begun: Instant::now(), done: AtomicU64::new(0), is_terminal: stderr().is_terminal() }
    }

    /// So many more steps are to be done.
    pub(super) fn expect(&self, steps: u64) {
        self.bar.set_length(self.bar.length().unwrap_or_default() + steps);
    }

    /// One more is done.
    pub(super) fn step(&self) {
        if self.is_terminal && (self.done.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(STEPS) {
            self.bar.inc(STEPS);
            if self.bar.is_hidden() && self.begun.elapsed() >= MOMENT {
                self.show();
            }
        }
    }

    fn show(&self) {
        let style = ProgressStyle::with_template("judging [{bar:30}] {percent} %, {eta} left")
            .expect("the template is well formed");
        self.bar.set_style(style.progress_chars("=> "));
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
