//! How far it is: a bar on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use domain::SourceError;
use indicatif::{ProgressBar, ProgressStyle};

use crate::figures::thousands;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How far it is, on standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    /// What is being done: `recording`.
    doing: &'static str,
    bar: ProgressBar,
    /// Whether nobody sees the bar.
    lines: bool,
    begun: Instant,
    told: Instant,
    values: u64,
}

impl Progress {
    /// Shows nothing yet.
    pub(crate) fn new(doing: &'static str) -> Self {
        let lines = !stderr().is_terminal();
        let bar = if lines { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        Self { doing, bar, lines, begun: Instant::now(), told: Instant::now(), values: 0 }
    }

    /// So many Regions are asked who is there.
    pub(super) fn ask(&self, regions: usize) {
        let counted = if regions == 1 { "1 Region".to_owned() } else { format!("{regions} Regions") };
        self.bar.set_message(format!("asking {counted} for models"));
        self.bar.tick();
    }

    /// So many series are going to be read.
    pub(super) fn expect(&self, series: usize) {
        let style =
            ProgressStyle::with_template("{msg} [{bar:30}] {pos} of {len} series, {prefix}{eta} left")
                .expect("the template is well formed");
        self.bar.set_style(style.progress_chars("=> "));
        self.bar.set_length(series as u64);
        self.bar.set_message(self.doing);
    }

    /// So many more series were read, with so many values.
    pub(super) fn read(&mut self, series: usize, values: u64) {
        self.values += values;
        self.bar.set_prefix(format!("{} values, ", thousands(self.values)));
        self.bar.inc(series as u64);
    }

    /// Time has passed.
    pub(super) fn tick(&mut self) {
        self.bar.tick();
        if self.lines && self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            anstream::eprintln!("{}", self.line());
        }
    }

    fn line(&self) -> String {
        let seconds = self.begun.elapsed().as_secs();
        let doing = self.doing;
        match self.bar.length() {
            Some(all) => {
                format!(
                    "{doing}: {} of {all} series, {} values, {seconds} s",
                    self.bar.position(),
                    thousands(self.values)
                )
            }
            None => format!("{doing}: asking for models, {seconds} s"),
        }
    }

    /// It is done: the bar goes away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Where tasks say why they wait.
    pub(super) fn notes(&self) -> Notes {
        Notes { bar: self.bar.clone() }
    }
}

/// Says why something takes longer.
#[derive(Debug, Clone)]
pub(super) struct Notes {
    bar: ProgressBar,
}

impl Notes {
    /// For one Region of a source.
    pub(super) fn of(
        &self,
        source: &str,
        region: &str,
    ) -> impl Fn(&SourceError, Duration) + Send + Sync + use<> {
        let (bar, place) = (self.bar.clone(), format!("source `{source}` in {region}"));
        move |error, pause| {
            let (failure, seconds) = (error.failure.as_str().replace('_', " "), pause.as_secs());
            bar.suspend(|| {
                anstream::eprintln!("note: {place} is asked again in {seconds} s ({failure}): {error}");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is() {
        let mut progress = Progress { lines: true, bar: ProgressBar::hidden(), ..Progress::new("recording") };
        progress.bar.unset_length();
        progress.ask(2);
        assert_eq!(progress.line(), "recording: asking for models, 0 s");
        progress.expect(1_200);
        progress.read(3, 1_234_567);
        assert_eq!(progress.line(), "recording: 3 of 1200 series, 1,234,567 values, 0 s");
    }
}
