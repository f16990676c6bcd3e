//! Names, times and figures as they stand in tables.

use domain::Series;

use super::super::hindsight::Filed;
use super::super::words;
use super::shown;
use crate::markdown::{code, text};

/// A row of a table.
pub(super) fn row(cells: &[&str]) -> String {
    format!("| {} |", cells.join(" | "))
}

pub(super) fn bold(text: &str) -> String {
    format!("**{text}**")
}

/// Where a series is, and its model as code.
pub(super) fn series(series: &Series) -> String {
    format!("{} {}", text(&shown(&words::whereabouts(series))), code(&shown(series.model())))
}

/// A row of a ticket, with what became of it in front where that is asked for.
pub(super) fn ticket(kind: Option<&str>, filed: &Filed) -> String {
    let opened = &filed.opened;
    let channels = if filed.channels.is_empty() { "nobody".to_owned() } else { filed.channels.join(", ") };
    let cells = [
        words::short_time(opened.decided.end()),
        opened.cause.as_str().to_owned(),
        series(&opened.series),
        text(&shown_summary(&notifier::text::ticket::summary(opened))),
        text(&channels),
    ];
    let cells = kind.map(str::to_owned).into_iter().chain(cells).collect::<Vec<_>>();
    row(&cells.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A summary ends with the series, which has a cell of its own.
fn shown_summary(summary: &str) -> String {
    summary.rsplit_once(" (").map_or(summary, |(words, _)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let hostile = Series::new("-", "us|east", "a`<script>|@all");
        assert_eq!(series(&hostile), "us&#124;east `a'<script>\\|@all`");
    }
}
