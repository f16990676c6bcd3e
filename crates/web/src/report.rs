//! The report of a backtest: one HTML file that needs nothing else, in the look of the status page.
//!
//! A caller fills in a [`Report`], whose types are those of `domain` and plain numbers, and [`write()`] writes it. Nothing in
//! the file runs or is loaded: its policy allows its own stylesheet and its own icon, so that even markup from outside that
//! were not escaped could do nothing.
//!
//! # Layout
//!
//! - `model`: what is reported, which the caller fills in.
//! - `view`: the page, as texts that are ready to be read.
//! - `incident`: one incident: its sentence, the periods of its decision, its charts.
//! - `panels`: the charts of an incident.
//! - `figures`: the numbers behind the charts, as a table and under the pointer.
//! - `lists`: tickets, near misses, series.
//! - `words`: sentences with names in them.

mod figures;
mod incident;
mod lists;
mod model;
mod panels;
mod view;
mod words;

use std::io;

use askama::Template as _;
use domain::{PERIODS_PER_HOUR, Period, Span};

pub use model::{
    Against, Change, Compared, Coverage, Difference, Figure, Headline, Incident, Kind, Made, Message,
    NearMiss, Point, Report, SeriesLine, Ticket, Told, Tone,
};

/// Writes the file.
///
/// # Errors
///
/// Those of `out`.
pub fn write(out: &mut impl io::Write, report: &Report) -> io::Result<()> {
    view::View::new(report).write_into(out)
}

/// The periods whose points the charts of an incident show: enough before it to see what was usual, and some after it.
/// `resolved` is the period that resolved it, `history` what there is.
#[must_use]
pub fn shown(onset: Period, resolved: Option<Period>, history: Span) -> Span {
    let end = resolved.map_or(history.until, |resolved| resolved + 1);
    let lasted = (end - onset).max(0);
    let before = (lasted / 2).clamp(3 * PERIODS_PER_HOUR, 12 * PERIODS_PER_HOUR);
    let after = (lasted / 2).clamp(3 * PERIODS_PER_HOUR / 2, 12 * PERIODS_PER_HOUR);
    Span { from: history.from.max(onset - before), until: history.until.min(end + after) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(index: i64) -> Period {
        Period::from_index(index)
    }

    #[test]
    fn charts_begin_before_an_incident_and_end_after_it() {
        let history = Span { from: at(0), until: at(10_000) };
        // An hour: three hours before, and one and a half after the period that resolved it.
        let hour = shown(at(1_000), Some(at(1_011)), history);
        assert_eq!(hour, Span { from: at(1_000 - 36), until: at(1_012 + 18) });
        // Ten hours: half of that before and after.
        let long = shown(at(1_000), Some(at(1_119)), history);
        assert_eq!(long, Span { from: at(1_000 - 60), until: at(1_120 + 60) });
        // Days: not more than half a day before and after.
        let days = shown(at(1_000), Some(at(3_999)), history);
        assert_eq!(days, Span { from: at(1_000 - 144), until: at(4_000 + 144) });
    }

    #[test]
    fn charts_stay_within_the_history() {
        let history = Span { from: at(990), until: at(1_015) };
        assert_eq!(shown(at(1_000), Some(at(1_011)), history), history);
        assert_eq!(shown(at(1_000), None, history), history);
    }
}
