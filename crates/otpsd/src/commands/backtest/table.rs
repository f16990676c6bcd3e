//! What was found, for people on a terminal.

mod difference;

use std::io::{self, Write};

use comfy_table::{ContentArrangement, Table, presets};

use super::hindsight::{Hindsight, Said, Sight};
use super::{Backtest, Found, words};
use crate::event::Event;
use crate::figures::counted;

/// The widest a table may be.
const WIDTH: u16 = 110;
/// So many series that came close are named.
const CLOSEST: usize = 3;
/// So many series are named that could not be judged.
const UNJUDGED: usize = 10;

/// Writes what was found: what was said, or what is otherwise; and how far it carries.
pub(super) fn write(out: &mut impl Write, backtest: &Backtest<'_>) -> io::Result<()> {
    let hindsight = backtest.hindsight();
    match &backtest.found {
        Found::One(_) => said(out, backtest)?,
        Found::Two { former, comparison, changes } => {
            difference::write(out, &former.to_string(), comparison, changes)?;
        }
    }
    for line in words::carries(backtest) {
        writeln!(out, "{line}")?;
    }
    closest(out, hindsight)?;
    unjudged(out, hindsight)
}

/// Everything that was said, and how much that is.
fn said(out: &mut impl Write, backtest: &Backtest<'_>) -> io::Result<()> {
    let hindsight = backtest.hindsight();
    let event = |said: &Said| Event::of(&said.effect, backtest.plan).map(|event| (event, to(said)));
    let events: Vec<(Event, String)> = hindsight.said.iter().filter_map(event).collect();
    // Where nobody is told of anything, a column would only repeat that.
    let tells = events.iter().any(|(_, to)| !to.is_empty());
    if !events.is_empty() {
        let mut table = empty();
        let head = ["TIME (UTC)", "WHAT", "SUMMARY", "TO"];
        let columns = if tells { 4 } else { 3 };
        table.set_header(&head[..columns]);
        for (event, to) in &events {
            let time = event.time.strip_suffix(":00Z").unwrap_or(&event.time).replace('T', " ");
            let row = [time, event.event.replace('_', " "), event.summary.clone(), to.clone()];
            table.add_row(&row[..columns]);
        }
        show(out, &table)?;
        writeln!(out)?;
    }
    let count = |name: &str| events.iter().filter(|(event, _)| event.event == name).count();
    let (incidents, pages) = (count("page_opened"), hindsight.pages());
    let grouped = match pages {
        0 => String::new(),
        pages if pages == incidents => String::new(),
        pages => format!(" (as {})", counted(pages, "grouped page")),
    };
    writeln!(
        out,
        "{} series, {:.1} days: {} opened{grouped}, {} resolved, {} opened",
        hindsight.series.len(),
        hindsight.days(),
        counted(incidents, "page"),
        count("page_resolved"),
        counted(count("ticket_opened"), "ticket")
    )
}

/// The channels that are told; of what joins a page that is open, that nobody is.
fn to(said: &Said) -> String {
    let mut channels: Vec<&str> = said.channels.iter().map(String::as_str).collect();
    channels.extend(said.tellings.iter().filter(|one| !one.joins).map(|one| one.channel.as_str()));
    if channels.is_empty() && said.tellings.iter().any(|one| one.joins) {
        return "joins the open page".to_owned();
    }
    channels.join(", ")
}

fn closest(out: &mut impl Write, hindsight: &Hindsight) -> io::Result<()> {
    let closest = hindsight.closest();
    if closest.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nClosest to paging without doing so:")?;
    let mut table = empty();
    for (seen, closest) in closest.iter().take(CLOSEST) {
        table.add_row([
            words::time(closest.period.end()),
            words::place(&seen.series),
            words::closest(closest, &seen.rule),
        ]);
    }
    show(out, &table)
}

fn unjudged(out: &mut impl Write, hindsight: &Hindsight) -> io::Result<()> {
    let begin = hindsight.span.from;
    let mut lines: Vec<[String; 2]> = Vec::new();
    for seen in &hindsight.series {
        let why = match &seen.sight {
            Sight::From(_) => continue,
            Sight::Never(why) => format!("never: {why}"),
            Sight::NotWatched(why) => format!("not watched: {}", why.words()),
        };
        lines.push([words::place(&seen.series), why]);
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot judged since {}:", words::time(begin.start()))?;
    let more = lines.len().saturating_sub(UNJUDGED);
    let mut table = empty();
    lines.into_iter().take(UNJUDGED).for_each(|line| {
        table.add_row(line);
    });
    show(out, &table)?;
    if more > 0 {
        writeln!(out, " and {more} more")?;
    }
    Ok(())
}

/// A table without lines.
pub(super) fn empty() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table
}

pub(super) fn show(out: &mut impl Write, table: &Table) -> io::Result<()> {
    table.to_string().lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}
