//! Inline SVG charts: lines over periods, with gaps where there is no value.
//!
//! Two coordinate systems: the plot itself is stretched to whatever width there is, so its lines keep their width by
//! `vector-effect`; labels stand outside of it, in percent and pixels, so that they stay legible on a phone. Colours
//! come from the stylesheet by class. No text from outside goes into a chart.

mod hours;
mod overlay;
mod path;
mod scale;
mod thin;

use std::fmt::Write;

use domain::Period;

use hours::hours;
pub(crate) use overlay::{Column, Flag, Overlay, Side};
use path::{Point, area, dots, line};
use scale::{Scale, tick};
use thin::thin;

/// Units of the stretched plot, from its bottom to its top.
const UNITS: f64 = 400.0;
/// Pixels above the plot, for the label of its top.
const ABOVE: u32 = 14;
/// Pixels below the plot, for the hours.
const BELOW: u32 = 18;
/// Pixels of a plot that is high enough for a second label on its scale.
const ROOM_FOR_TWO: u32 = 80;
/// Points of a line that can be told apart.
const MOST_POINTS: usize = 720;
/// How near to an edge, in percent, an hour has no room for its label.
const EDGE: f64 = 5.0;

/// One quantity over some time.
pub(crate) struct Chart<'a> {
    /// What a reader who cannot see it is told.
    pub(crate) label: String,
    /// The first period.
    pub(crate) from: Period,
    /// How many there are.
    pub(crate) periods: i64,
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
    /// What is said on top of it.
    pub(crate) overlay: Overlay,
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
        let drawn = |values: &[Option<f64>]| thin(&place(values), MOST_POINTS);
        let above = ABOVE + self.overlay.height();
        let (height, bottom) = (self.height + above + BELOW, self.height + above);
        write!(
            svg,
            r#"<svg class="chart" width="100%" height="{height}" role="img" aria-label="{}">"#,
            self.label
        )?;
        self.overlay.write_behind(svg, self.periods, above, self.height)?;
        for share in [0.0, 0.5, 1.0] {
            let y = self.pixel(share);
            write!(svg, r#"<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>"#)?;
        }
        for hour in hours(self.from, self.periods) {
            let percent = percent(hour.at, self.periods);
            write!(
                svg,
                r#"<line class="grid" x1="{percent:.2}%" x2="{percent:.2}%" y1="{above}" y2="{bottom}"/>"#
            )?;
            if (EDGE..=100.0 - EDGE).contains(&percent) {
                let (y, text) = (height - 4, hour.text);
                write!(svg, r#"<text class="hour" x="{percent:.2}%" y="{y}">{text}</text>"#)?;
            }
        }
        write!(
            svg,
            r#"<svg y="{above}" width="100%" height="{}" viewBox="0 0 {} {UNITS}" preserveAspectRatio="none">"#,
            self.height, self.periods
        )?;
        if let Some(zone) = &self.zone {
            write!(svg, r#"<path class="zone" d="{}"/>"#, area(&drawn(zone), UNITS as i64))?;
        }
        for each in &self.lines {
            write!(svg, r#"<path class="{}" d="{}"/>"#, each.class, line(&drawn(&each.values)))?;
        }
        if self.marks.iter().any(Option::is_some) {
            write!(svg, r#"<path class="breach" d="{}"/>"#, dots(&drawn(&self.marks)))?;
        }
        self.overlay.write_columns(svg, UNITS as i64)?;
        svg.push_str("</svg>");
        // Above the lines, so that they stay legible where a line crosses them.
        let labelled: &[f64] = if self.height < ROOM_FOR_TWO { &[1.0] } else { &[0.5, 1.0] };
        for share in labelled {
            let (text, above) = (tick(scale.top * share), self.pixel(*share) - 3);
            write!(svg, r#"<text x="0" y="{above}">{text}{}</text>"#, self.unit)?;
        }
        self.overlay.write_flags(svg, self.periods, bottom)?;
        svg.push_str("</svg>");
        Ok(())
    }

    /// Where a share of the scale stands, in pixels from above.
    fn pixel(&self, share: f64) -> u32 {
        ABOVE + self.overlay.height() + ((1.0 - share) * f64::from(self.height)).round() as u32
    }
}

/// Where the start of a period stands, in percent of the width.
fn percent(at: i64, periods: i64) -> f64 {
    at as f64 / periods.max(1) as f64 * 100.0
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
            periods: 288,
            height: 100,
            unit: "",
            zone: Some(vec![Some(48.0); 6]),
            marks: vec![None, None, None, Some(30.0), Some(36.0), None],
            lines: vec![
                Line { class: "baseline", values: vec![Some(60.0); 6] },
                Line { class: "p50", values },
            ],
            overlay: Overlay::default(),
        };
        insta::assert_snapshot!(chart.svg().replace("><", ">\n<"));
    }

    #[test]
    fn nothing_to_draw_is_an_empty_frame() {
        let chart = Chart {
            label: "OTPS".to_owned(),
            from: Period::from_index(0),
            periods: 288,
            height: 100,
            unit: "",
            zone: None,
            marks: Vec::new(),
            lines: vec![Line { class: "p50", values: vec![None; 288] }],
            overlay: Overlay::default(),
        };
        let svg = chart.svg();
        assert!(svg.contains(r#"<path class="p50" d=""/>"#), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
