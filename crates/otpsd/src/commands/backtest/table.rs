//! What was found, for people on a terminal.

use std::io::{self, Write};

use comfy_table::{ContentArrangement, Table, presets};

use super::hindsight::{Hindsight, Sight};
use super::words::{self, counted};
use crate::event::Event;

/// The widest a table may be.
const WIDTH: u16 = 110;
/// So many series that came close are named.
const CLOSEST: usize = 3;
/// So many series are named that could not be judged.
const UNJUDGED: usize = 10;

/// Writes what was said, and how far it carries.
pub(super) fn write(out: &mut impl Write, hindsight: &Hindsight, events: &[Event]) -> io::Result<()> {
    if !events.is_empty() {
        let mut table = empty();
        table.set_header(["TIME (UTC)", "WHAT", "SUMMARY"]);
        for event in events {
            let time = event.time.strip_suffix(":00Z").unwrap_or(&event.time).replace('T', " ");
            table.add_row([time, event.event.replace('_', " "), event.summary.clone()]);
        }
        show(out, &table)?;
        writeln!(out)?;
    }
    let count = |name: &str| events.iter().filter(|event| event.event == name).count();
    writeln!(
        out,
        "{} series, {:.1} days: {} opened, {} resolved, {} opened",
        hindsight.series.len(),
        hindsight.days(),
        counted(count("page_opened"), "page"),
        count("page_resolved"),
        counted(count("ticket_opened"), "ticket")
    )?;
    for line in words::carries(hindsight) {
        writeln!(out, "{line}")?;
    }
    closest(out, hindsight)?;
    unjudged(out, hindsight)
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
            Sight::NotWatched => "not judged: no source of the configuration reads it".to_owned(),
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
