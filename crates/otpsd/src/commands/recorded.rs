//! Recordings that are played as if they happened.

use std::path::PathBuf;

use domain::{ExitCode, PERIODS_PER_HOUR, Series, Span};
use jiff::Timestamp;
use poller::Recording;
use simulator::Replay;

use super::failed;

/// What is played of a recording when nothing else is said: a day and a half, as long as the story of the demo.
const PLAYED: i64 = 36 * PERIODS_PER_HOUR;

/// A recording that is not empty.
#[derive(Debug)]
pub(crate) struct Recorded {
    recording: Recording,
    span: Span,
}

impl Recorded {
    /// Reads files as one recording, or says why it cannot.
    pub(crate) fn read(files: &[PathBuf]) -> Result<Self, ExitCode> {
        let recording = Recording::read(files).map_err(|error| failed(&error, error.hint.as_deref()))?;
        let Some(span) = recording.span() else {
            return Err(failed(&"the recording has no rows", Some("record some, or give another file")));
        };
        Ok(Self { recording, span })
    }

    /// Everybody in it, in order.
    pub(crate) fn series(&self) -> &[Series] {
        self.recording.series()
    }

    /// From its first period up to its last.
    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// A day and a half before its end, or its beginning.
    pub(crate) fn last_day_and_a_half(&self) -> Timestamp {
        (self.span.until - PLAYED).max(self.span.from).start()
    }

    /// As telemetry.
    pub(crate) fn replay(&self) -> Replay {
        let series = self.recording.series();
        Replay::new(self.recording.periods().flat_map(|rows| {
            let period = rows.period();
            rows.rows().map(move |(index, reading)| (series[index].clone(), period, reading))
        }))
    }
}
