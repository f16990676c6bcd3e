//! A comment on a pull request: what a reviewer must see comes first, what holds as before is folded away.
//!
//! Everything that comes from outside stands as code, or with its special characters as entities, so that no name can end a table, mention
//! people or bring in HTML. Every list has a budget of characters, which together stay below what GitHub takes.
//!
//! # Layout
//!
//! - `sheet`: lists that are cut with a count.
//! - `cells`: names, times and figures as they stand in tables.
//! - `difference`: two configurations side by side, and the pages that differ.

mod cells;
mod difference;
mod sheet;

use std::fmt::Write as _;

use self::cells::bold;
use self::sheet::{Budget, Sheet};
use super::hindsight::{Hindsight, Sight};
use super::words::quoted;
use super::{Backtest, Found, words};
use crate::figures::counted;
use crate::markdown::{code, text};

/// What GitHub takes in one comment, in characters.
#[cfg(test)]
const MOST: usize = 65_536;

/// Files that are named in the head; of more, the rest is counted.
const NAMED: usize = 3;

pub(super) fn markdown(backtest: &Backtest<'_>) -> String {
    let mut sheet = Sheet::default();
    let hindsight = backtest.hindsight();
    match &backtest.found {
        Found::One(_) => {
            sheet.line(&format!("### otpsd: {}\n", words::totals(hindsight)));
            sheet.line(&format!(
                "{}, {}\n",
                code(&shown(&backtest.args.config.display().to_string())),
                past(backtest)
            ));
            pages(&mut sheet, hindsight);
            tickets(&mut sheet, hindsight);
        }
        Found::Two { former, comparison, changes } => {
            let both = difference::Both { backtest, former, comparison, changes };
            both.write(&mut sheet);
        }
    }
    closest(&mut sheet, hindsight);
    if let Found::Two { comparison, changes, .. } = &backtest.found {
        difference::folded(&mut sheet, backtest, comparison, changes);
    }
    unjudged(&mut sheet, hindsight);
    sheet.line(&format!("Again: {}", code(&again(backtest))));
    sheet.text()
}

/// By what it was made, on which history, and how far that carries.
fn past(backtest: &Backtest<'_>) -> String {
    let hindsight = backtest.hindsight();
    let names = &backtest.past.names;
    let mut named: Vec<String> = names.iter().take(NAMED).map(|name| code(&shown(name))).collect();
    if names.len() > NAMED {
        named.push(format!("{} more", names.len() - NAMED));
    }
    let mut text = format!(
        "otpsd {}. History: {} UTC, {}, {}.",
        crate::VERSION,
        words::days(hindsight.span),
        named.join(", "),
        counted(hindsight.series.len(), "series")
    );
    for line in words::carries(backtest) {
        let _ = write!(text, " {}", self::text(&line));
    }
    text
}

/// A name that is not longer than anybody would read.
fn shown(name: &str) -> String {
    const LONGEST: usize = 120;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

fn pages(sheet: &mut Sheet, hindsight: &Hindsight) {
    let mut rows = Vec::new();
    for episode in hindsight.paging() {
        rows.push(cells::row(&[
            &words::short_time(episode.opened().end()),
            &cells::series(episode.series()),
            &words::evidence(episode, &hindsight.rule(episode.series())),
            &words::lasted(episode, hindsight.span.until),
            &text(&words::told(episode)),
            &words::grounds(episode),
        ]));
    }
    let head = "| decided | series | OTPS / baseline | lasted | to | how sure |\n| --- | --- | --- | --- | --- | --- |";
    sheet.table(&format!("{} (times UTC)", bold("Pages")), head, &rows, Budget::Pages);
}

fn tickets(sheet: &mut Sheet, hindsight: &Hindsight) {
    let rows: Vec<String> = hindsight.tickets.iter().map(|filed| cells::ticket(None, filed)).collect();
    let head = "| opened | cause | series | summary | to |\n| --- | --- | --- | --- | --- |";
    sheet.table(&format!("{} (times UTC)", bold("Tickets")), head, &rows, Budget::Tickets);
}

/// The series that came closest to paging, most of them in few words.
fn closest(sheet: &mut Sheet, hindsight: &Hindsight) {
    const SHOWN: usize = 3;
    let closest = hindsight.closest();
    let one = |(seen, closest): &(&super::hindsight::Seen, &super::hindsight::Closest)| {
        let (series, when) = (cells::series(&seen.series), words::short_time(closest.period.end()));
        format!("{series} on {when}, {}", words::closest(closest, &seen.rule))
    };
    let shown: Vec<String> = closest.iter().take(SHOWN).map(one).collect();
    if !shown.is_empty() {
        sheet.line(&format!("Closest to paging without doing so (UTC):\n- {}\n", shown.join("\n- ")));
    }
}

/// Who was never judged, and why.
fn unjudged(sheet: &mut Sheet, hindsight: &Hindsight) {
    let mut rows = Vec::new();
    for seen in &hindsight.series {
        let why = match &seen.sight {
            Sight::From(_) => continue,
            Sight::Never(why) => why.to_string(),
            Sight::NotWatched(why) => format!("not watched: {}", why.words()),
        };
        rows.push(cells::row(&[&cells::series(&seen.series), &why]));
    }
    let summary = format!("{} could not be judged", counted(rows.len(), "series"));
    sheet.folded(&summary, "| series | why |\n| --- | --- |", &rows, Budget::Folded);
}

/// The command that makes it again.
fn again(backtest: &Backtest<'_>) -> String {
    let args = backtest.args;
    let mut words = vec!["otpsd backtest --config".to_owned(), quoted(&args.config.display().to_string())];
    if let Some(against) = &args.against {
        words.extend(["--against".to_owned(), quoted(against)]);
    }
    if let Some(source) = &args.source {
        words.extend(["--source".to_owned(), quoted(source)]);
    }
    if args.since.is_some() {
        let span = backtest.hindsight().span;
        words.extend([
            format!("--since {}m", (span.until - span.from) * 5),
            format!("--until {}", span.until),
        ]);
    }
    words.extend(args.recordings.iter().take(NAMED).map(|file| quoted(&file.display().to_string())));
    if args.recordings.len() > NAMED {
        words.push("…".to_owned());
    }
    shown_whole(&words.join(" "))
}

fn shown_whole(command: &str) -> String {
    const LONGEST: usize = 600;
    match command.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &command[..end]),
        None => command.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut() {
        assert_eq!(shown("short"), "short");
        assert_eq!(shown(&"é".repeat(200)).chars().count(), 121);
    }

    #[test]
    fn all_lists_together_fit_a_comment() {
        let lists: usize = Budget::ALL.into_iter().map(Budget::characters).sum();
        // A head of nine lines, the closest ones, and the command.
        assert!(lists + 8_000 < MOST, "{lists}");
    }
}
