//! The explanation for people: what is the case, why, and what comes next; then the figures.
//!
//! # Layout
//!
//! - `summary`: the state in a sentence or two, and what comes next.
//! - `usual`: what was learned, and who decides.
//! - `slots`: the last periods.
//! - `rule`: every key.
//! - `sheet`: lines that fit.

mod rule;
mod sheet;
mod slots;
mod summary;
mod usual;

use domain::Period;
use jiff::Timestamp;

use self::sheet::Sheet;
use crate::explained::{Explained, Learning, Rule};

pub(super) fn text(explained: &Explained) -> String {
    let mut sheet = Sheet::default();
    sheet.line(&explained.series);
    sheet.gap();
    summary::summary(&mut sheet, explained);
    slots::slots(&mut sheet, explained);
    usual::usual(&mut sheet, explained);
    tickets(&mut sheet, explained);
    rule::rule(&mut sheet, explained);
    sheet.finish()
}

/// The state and the last periods.
pub(crate) fn at_a_moment(explained: &Explained) -> String {
    let mut sheet = Sheet::default();
    sheet.line(&explained.series);
    sheet.gap();
    summary::summary(&mut sheet, explained);
    slots::slots(&mut sheet, explained);
    sheet.finish()
}

/// What was learned, and what does not train it.
pub(crate) fn baseline(explained: &Explained) -> String {
    let mut sheet = Sheet::default();
    sheet.line(&explained.series);
    if explained.usual.is_none() {
        let Learning { days, days_needed, datapoints, datapoints_needed } = explained.learning;
        sheet.gap();
        sheet.paragraph(0, &format!(
            "Nothing is usual yet: it is LEARNING, with {days:.1} of {days_needed} days and {datapoints} of {datapoints_needed} datapoints."
        ));
    }
    usual::usual(&mut sheet, explained);
    if !explained.not_trained.is_empty() {
        sheet.title("What does not train it");
        for span in &explained.not_trained {
            let until = moment(&span.until);
            match &span.from {
                Some(from) => sheet.line(&format!("  {} to {until}: an incident", moment(from))),
                None => sheet.line(&format!("  everything before {until}: a new level was accepted")),
            }
        }
    }
    sheet.finish()
}

fn tickets(sheet: &mut Sheet, explained: &Explained) {
    if explained.tickets.is_empty() {
        return;
    }
    sheet.title("Open tickets, which page nobody");
    for ticket in &explained.tickets {
        sheet.line(&format!("  {}, {}, opened {}", ticket.key, ticket.cause, end_of(&ticket.opened)));
        sheet.paragraph(4, &format!("{}.", ticket.summary));
    }
}

/// The begin of a period, `2 Nov 06:10Z`, kept together.
fn moment(period: &str) -> String {
    written(period, 0, "%-d\u{a0}%b\u{a0}%H:%MZ")
}

/// The end of a period, in the same way.
fn end_of(period: &str) -> String {
    written(period, 1, "%-d\u{a0}%b\u{a0}%H:%MZ")
}

/// The end of a period, `2 Nov 2026 06:10Z`.
fn end_with_year(period: &str) -> String {
    written(period, 1, "%-d\u{a0}%b\u{a0}%Y\u{a0}%H:%MZ")
}

/// The begin of the period that many later.
fn written(period: &str, later: i64, format: &str) -> String {
    let begin: Option<Timestamp> = period.parse().ok();
    let begin = begin.map(|time| (Period::containing(time) + later).start());
    begin.map_or_else(|| period.to_owned(), |time| time.strftime(format).to_string())
}

/// A ratio in hundredths. One below the line of the rule is never shown as the line.
fn ratio(value: f64, rule: &Rule) -> String {
    let (rounded, line) = ((value * 100.0).round(), rule.page_below);
    let shown = if value < line && rounded >= line * 100.0 { (value * 100.0).floor() } else { rounded };
    format!("{:.2}", shown / 100.0)
}

/// Tokens per second.
fn otps(value: f64) -> String {
    format!("{value:.1}")
}

/// `±4 %`, and `±0.5 %` where tenths matter.
fn noise(value: f64) -> String {
    let percent = value * 100.0;
    if percent < 2.0 { format!("±{percent:.1} %") } else { format!("±{percent:.0} %") }
}

#[cfg(test)]
mod tests;
