//! Names, times and figures as they stand in tables.

use domain::Series;

use super::super::hindsight::Filed;
use super::super::words;
use super::shown;
use crate::commands::plan::code;

/// A row of a table.
pub(super) fn row(cells: &[&str]) -> String {
    format!("| {} |", cells.join(" | "))
}

pub(super) fn bold(text: &str) -> String {
    format!("**{text}**")
}

/// Text from outside: whatever is special to Markdown or HTML, or mentions somebody, is an entity. What stands in backticks stays.
pub(super) fn text(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    let ends = text.matches('`').count().is_multiple_of(2);
    for letter in text.chars() {
        match letter {
            '`' if ends => {
                in_code = !in_code;
                out.push(letter);
            }
            '|' if in_code => out.push_str("\\|"),
            _ if letter.is_control() => out.push(' '),
            _ if in_code => out.push(letter),
            '&' | '<' | '>' | '|' | '*' | '_' | '[' | ']' | '~' | '#' | '@' | '\\' | '`' | '$' => {
                out.push_str(&format!("&#{};", u32::from(letter)));
            }
            _ => out.push(letter),
        }
    }
    out
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
        assert_eq!(text("a|b <img src=x> @team #1"), "a&#124;b &#60;img src=x&#62; &#64;team &#35;1");
        assert_eq!(text("window `a|b` is *open*"), "window `a\\|b` is &#42;open&#42;");
        // A backtick without another one begins nothing.
        assert_eq!(text("a ` <b>"), "a &#96; &#60;b&#62;");
        assert_eq!(text("two\nlines"), "two lines");
        let hostile = Series::new("-", "us|east", "a`<script>|@all");
        assert_eq!(series(&hostile), "us&#124;east `a'<script>\\|@all`");
    }
}
