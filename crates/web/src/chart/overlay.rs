//! What is said on top of a chart: moments with a name, a stretch that is shaded, and figures for whoever points at it.

use std::fmt::{Result, Write};

use super::percent;

/// Pixels of one row of names above the plot.
const ROW: u32 = 14;
/// Pixels between a moment and its name.
const APART: i64 = 4;

/// What is said on top of a chart.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    /// Moments with a name.
    pub(crate) flags: Vec<Flag>,
    /// Periods after the start, from the first inside to the first after: shaded.
    pub(crate) shaded: Option<(i64, i64)>,
    /// Figures for whoever points at a place.
    pub(crate) columns: Vec<Column>,
}

/// A moment with a name.
#[derive(Debug)]
pub(crate) struct Flag {
    /// Periods after the start.
    pub(crate) at: i64,
    /// Its name: no text from outside.
    pub(crate) text: String,
    /// The row of its name, from above.
    pub(crate) row: u32,
    /// On which side of it the name stands.
    pub(crate) side: Side,
}

/// Left or right of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The name ends at it.
    Before,
    /// The name begins at it.
    After,
}

/// Some periods that are pointed at together.
#[derive(Debug)]
pub(crate) struct Column {
    /// Periods after the start.
    pub(crate) at: i64,
    /// How many.
    pub(crate) periods: i64,
    /// Their figures: no text from outside.
    pub(crate) title: String,
}

impl Overlay {
    /// Pixels that it takes above the plot.
    pub(super) fn height(&self) -> u32 {
        self.flags.iter().map(|flag| (flag.row + 1) * ROW).max().unwrap_or(0)
    }

    /// What is behind the lines.
    pub(super) fn write_behind(&self, svg: &mut String, periods: i64, above: u32, height: u32) -> Result {
        let Some((from, until)) = self.shaded else { return Ok(()) };
        let (left, right) = (percent(from, periods), percent(until, periods));
        let width = right - left;
        write!(
            svg,
            r#"<rect class="shaded" x="{left:.2}%" y="{above}" width="{width:.2}%" height="{height}"/>"#
        )
    }

    /// Rectangles that hold the figures, in units of the stretched plot. A period is drawn at its start, and pointed at
    /// around it.
    pub(super) fn write_columns(&self, svg: &mut String, height: i64) -> Result {
        if self.columns.is_empty() {
            return Ok(());
        }
        svg.push_str(r#"<g class="columns" transform="translate(-.5)">"#);
        for Column { at, periods, title } in &self.columns {
            write!(
                svg,
                r#"<rect x="{at}" width="{periods}" height="{height}"><title>{title}</title></rect>"#
            )?;
        }
        svg.push_str("</g>");
        Ok(())
    }

    /// The moments, down to `bottom`. The names are above all lines.
    pub(super) fn write_flags(&self, svg: &mut String, periods: i64, bottom: u32) -> Result {
        for flag in &self.flags {
            let (x, top) = (percent(flag.at, periods), flag.row * ROW + 1);
            write!(svg, r#"<line class="flag" x1="{x:.2}%" x2="{x:.2}%" y1="{top}" y2="{bottom}"/>"#)?;
        }
        for flag in &self.flags {
            let (x, y) = (percent(flag.at, periods), flag.row * ROW + 10);
            let (class, apart) = match flag.side {
                Side::Before => ("flag before", -APART),
                Side::After => ("flag", APART),
            };
            write!(svg, r#"<text class="{class}" x="{x:.2}%" dx="{apart}" y="{y}">{}</text>"#, flag.text)?;
        }
        Ok(())
    }
}
