//! How far it is, on a terminal.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A line on standard error, if that is a terminal. It goes away at the end.
pub(super) struct Progress {
    done: AtomicUsize,
    all: usize,
    begun: Instant,
    shown: bool,
}

impl Progress {
    pub(super) fn new(all: usize) -> Self {
        let progress =
            Self { done: AtomicUsize::new(0), all, begun: Instant::now(), shown: stderr().is_terminal() };
        progress.show(0);
        progress
    }

    pub(super) fn one_more(&self) {
        self.show(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }

    pub(super) fn end(&self) {
        self.write("\r\x1b[K");
    }

    fn show(&self, done: usize) {
        let seconds = self.begun.elapsed().as_secs();
        self.write(&format!("\r{done} of {} fleets scored, {seconds} s\x1b[K", self.all));
    }

    /// Progress that cannot be shown is no reason to stop.
    fn write(&self, text: &str) {
        if self.shown {
            let mut out = stderr().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}
