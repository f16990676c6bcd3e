//! Inline SVG charts of one day: lines over periods, with gaps where there is no value.
//!
//! Two coordinate systems: the plot itself is stretched to whatever width there is, so its lines keep their width by
//! `vector-effect`; labels stand outside of it, in percent and pixels, so that they stay legible on a phone. Colours
//! come from the stylesheet by class. No text from outside goes into a chart.

mod path;
mod scale;

use std::fmt::Write;

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period};

use path::{Point, area, dots, line};
use scale::{Scale, tick};

/// Units of the stretched plot, from its bottom to its top.
const UNITS: f64 = 400.0;
/// Pixels above the plot, for the label of its top.
const ABOVE: u32 = 14;
/// Pixels below the plot, for the hours.
const BELOW: u32 = 18;
/// Pixels of a plot that is high enough for a second label on its scale.
const ROOM_FOR_TWO: u32 = 80;
/// Hours between two vertical lines.
const HOURS_A_TICK: i64 = 6;
/// How near to an edge, in percent, an hour has no room for its label.
const EDGE: f64 = 5.0;

/// One day of one quantity.
pub(crate) struct Chart<'a> {
    /// What a reader who cannot see it is told.
    pub(crate) label: String,
    /// The first period.
    pub(crate) from: Period,
    /// Pixels from the top to the bottom of the plot.
    pub(crate) height: u32,
    /// Written after the numbers of the scale: ` s`.
    pub(crate) unit: &'a str,
    /// Back to front.
    pub(crate) lines: Vec<Line>,
    /// Everything under this line is shaded.
    pub(crate) zone: Option<Vec<Option<f64>>>,
    /// Points that are marked.
    pub(crate) marks: Vec<Option<f64>>,
}

/// One value a period, from the first period of the chart on.
pub(crate) struct Line {
    /// The class that gives it its colour.
    pub(crate) class: &'static str,
    /// The values.
    pub(crate) values: Vec<Option<f64>>,
}

impl Chart<'_> {
    /// The SVG element.
    pub(crate) fn svg(&self) -> String {
        let mut svg = String::with_capacity(8_192);
        // Writing into a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let scale = Scale::over(self.lines.iter().flat_map(|line| &line.values).copied().flatten());
        let place = |values: &[Option<f64>]| -> Vec<Option<Point>> {
            (0_i64..)
                .zip(values)
                .map(|(x, value)| value.map(|value| (x, (UNITS - scale.share(value) * UNITS).round() as i64)))
                .collect()
        };
        let (height, bottom) = (self.height + ABOVE + BELOW, self.height + ABOVE);
        write!(
            svg,
            r#"<svg class="chart" width="100%" height="{height}" role="img" aria-label="{}">"#,
            self.label
        )?;
        for share in [0.0, 0.5, 1.0] {
            let y = self.pixel(share);
            write!(svg, r#"<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>"#)?;
        }
        for (percent, hour) in self.hours() {
            write!(
                svg,
                r#"<line class="grid" x1="{percent:.2}%" x2="{percent:.2}%" y1="{ABOVE}" y2="{bottom}"/>"#
            )?;
            if (EDGE..=100.0 - EDGE).contains(&percent) {
                let y = height - 4;
                write!(svg, r#"<text class="hour" x="{percent:.2}%" y="{y}">{hour:02}:00Z</text>"#)?;
            }
        }
        write!(
            svg,
            r#"<svg y="{ABOVE}" width="100%" height="{}" viewBox="0 0 {PERIODS_PER_DAY} {UNITS}" preserveAspectRatio="none">"#,
            self.height
        )?;
        if let Some(zone) = &self.zone {
            write!(svg, r#"<path class="zone" d="{}"/>"#, area(&place(zone), UNITS as i64))?;
        }
        for each in &self.lines {
            write!(svg, r#"<path class="{}" d="{}"/>"#, each.class, line(&place(&each.values)))?;
        }
        if self.marks.iter().any(Option::is_some) {
            write!(svg, r#"<path class="breach" d="{}"/>"#, dots(&place(&self.marks)))?;
        }
        svg.push_str("</svg>");
        // Above the lines, so that they stay legible where a line crosses them.
        let labelled: &[f64] = if self.height < ROOM_FOR_TWO { &[1.0] } else { &[0.5, 1.0] };
        for share in labelled {
            let (text, above) = (tick(scale.top * share), self.pixel(*share) - 3);
            write!(svg, r#"<text x="0" y="{above}">{text}{}</text>"#, self.unit)?;
        }
        svg.push_str("</svg>");
        Ok(())
    }

    /// Where a share of the scale stands, in pixels from above.
    fn pixel(&self, share: f64) -> u32 {
        ABOVE + ((1.0 - share) * f64::from(self.height)).round() as u32
    }

    /// Where the round hours stand, in percent of the width, and which they are.
    fn hours(&self) -> impl Iterator<Item = (f64, usize)> {
        let step = HOURS_A_TICK * PERIODS_PER_HOUR;
        let first = (step - self.from.index().rem_euclid(step)) % step;
        (first..=PERIODS_PER_DAY).step_by(step as usize).map(|offset| {
            let percent = offset as f64 / PERIODS_PER_DAY as f64 * 100.0;
            (percent, (self.from + offset).hour_of_day())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_with_a_gap_and_two_breaches() {
        // 18:00Z to 18:25Z of the day before; everything later is not there yet.
        let values = vec![Some(60.0), Some(60.0), None, Some(30.0), Some(36.0), Some(60.0)];
        let chart = Chart {
            label: "OTPS".to_owned(),
            from: Period::containing("2026-10-14T18:00:00Z".parse().unwrap()),
            height: 100,
            unit: "",
            zone: Some(vec![Some(48.0); 6]),
            marks: vec![None, None, None, Some(30.0), Some(36.0), None],
            lines: vec![
                Line { class: "baseline", values: vec![Some(60.0); 6] },
                Line { class: "p50", values },
            ],
        };
        insta::assert_snapshot!(chart.svg().replace("><", ">\n<"));
    }

    #[test]
    fn nothing_to_draw_is_an_empty_frame() {
        let chart = Chart {
            label: "OTPS".to_owned(),
            from: Period::from_index(0),
            height: 100,
            unit: "",
            zone: None,
            marks: Vec::new(),
            lines: vec![Line { class: "p50", values: vec![None; 288] }],
        };
        let svg = chart.svg();
        assert!(svg.contains(r#"<path class="p50" d=""/>"#), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn hours_are_round_and_in_utc() {
        let chart = Chart {
            label: String::new(),
            from: Period::containing("2026-10-14T18:20:00Z".parse().unwrap()),
            height: 100,
            unit: "",
            zone: None,
            marks: Vec::new(),
            lines: Vec::new(),
        };
        let hours: Vec<_> = chart.hours().map(|(percent, hour)| (format!("{percent:.2}"), hour)).collect();
        // 00:00 is 5 h 40 min after the start: 68 of 288 periods.
        let expected = [("23.61", 0), ("48.61", 6), ("73.61", 12), ("98.61", 18)];
        assert_eq!(hours, expected.map(|(percent, hour)| (percent.to_owned(), hour)));
    }
}
