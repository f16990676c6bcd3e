//! What is otherwise than with another configuration, for people on a terminal.

use std::io::{self, Write};

use super::super::hindsight::{Comparison, Kind, PagePair};
use super::super::words;
use super::super::words::both;
use super::super::words::pair::{self, Reasons};
use crate::commands::plan::Changes;
use crate::figures::counted;

/// So many pages that differ are shown.
const SHOWN: usize = 50;

pub(super) fn write(
    out: &mut impl Write,
    former: &str,
    comparison: &Comparison,
    changes: &Changes,
) -> io::Result<()> {
    writeln!(out, "Against {former}: {}{}", pair::headline(comparison), both::fleet(changes))?;
    if comparison.by_decision {
        writeln!(out, "Neither tells anybody of pages: decisions are compared.")?;
    }
    let reasons = Reasons::of(comparison);
    for lines in reasons.shared(str::to_owned) {
        lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    let differ: Vec<&PagePair> = comparison.pages.iter().filter(|pair| pair.kind != Kind::Same).collect();
    for one in differ.iter().take(SHOWN) {
        writeln!(out)?;
        page(out, comparison, &reasons, one)?;
    }
    if differ.len() > SHOWN {
        writeln!(out, "\n and {} more; --format jsonl has all", differ.len() - SHOWN)?;
    }
    writeln!(out)?;
    let (before, after) = (&comparison.before, &comparison.after);
    writeln!(
        out,
        "{:.1} days: {} before, {} now; {} before, {} now ({} gone, {} new)",
        after.days(),
        counted(before.paging().count(), "page"),
        after.paging().count(),
        counted(before.tickets.len(), "ticket"),
        after.tickets.len(),
        comparison.count_tickets(Kind::Lost),
        comparison.count_tickets(Kind::Gained)
    )
}

fn page(
    out: &mut impl Write,
    comparison: &Comparison,
    reasons: &Reasons<'_>,
    one: &PagePair,
) -> io::Result<()> {
    let (before, after) = comparison.episodes(one);
    let Some(shown) = (if one.kind == Kind::Gained { after } else { before.or(after) }) else {
        return Ok(());
    };
    let of = if one.kind == Kind::Gained { &comparison.after } else { &comparison.before };
    let rule = of.rule(shown.series());
    let mark = one.kind.as_str().to_uppercase();
    writeln!(out, "{mark:<6}  {}  {}", words::time(shown.opened().end()), words::place(shown.series()))?;
    writeln!(
        out,
        "        {}, {}; {}",
        words::evidence(shown, &rule),
        words::lasted(shown, of.span.until),
        words::grounds(shown)
    )?;
    writeln!(out, "        to {}", words::told(shown))?;
    writeln!(out, "        {}", pair::what(comparison, one))?;
    reasons.at(one, str::to_owned).iter().try_for_each(|line| writeln!(out, "        {line}"))
}
