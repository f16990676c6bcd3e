//! A part of a comment on a pull request: what changes, and what to look at. What holds as before is folded away.

use std::fmt::Write as _;

use super::Planned;
use super::changes::{Change, Changes};
use super::picture::Picture;
use super::text::{self, whence_of};
use super::words::{self, PLAIN, dollars, more_dollars};
use crate::figures::{counted, thousands};
use crate::markdown::{code, text as escaped};

/// Changes that are shown; a comment has its limits, and a reader too.
const SHOWN: usize = 40;

pub(super) fn markdown(planned: &Planned<'_>) -> String {
    let mut out = String::new();
    match &planned.changes {
        Some(changes) => {
            let _ = writeln!(out, "### otpsd plan: {}\n", text::summary(changes));
            let _ = writeln!(
                out,
                "{} → {}. {}\n",
                code(&planned.against()),
                code(&planned.config),
                known(planned)
            );
            table(&mut out, planned, changes);
            self::changes(&mut out, changes);
        }
        None => {
            let total = planned.new.total();
            let _ = writeln!(
                out,
                "### otpsd plan: {}, {} a month\n",
                counted(planned.new.watching.watched.len(), "series"),
                dollars(total.month.usd())
            );
            let _ = writeln!(out, "{}. {}\n", code(&planned.config), known(planned));
        }
    }
    warnings(&mut out, planned);
    folded(&mut out, planned);
    out
}

/// For which series it is made.
fn known(planned: &Planned<'_>) -> String {
    let fleet = planned.fleet;
    let unanswered: String =
        fleet.unknown().iter().map(|what| format!(" {}.", escaped(&capital(what)))).collect();
    if !fleet.is_known() {
        let why = if unanswered.is_empty() { "no source was asked" } else { "no source answered" };
        return format!("No series is known here: there is no recording, and {why}.{unanswered}");
    }
    let mut from: Vec<String> = fleet.recordings.iter().map(|name| code(name)).collect();
    if fleet.is_live {
        from.push("what the sources have".to_owned());
    }
    format!("For the {} of {}.{unanswered}", counted(fleet.seen.len(), "series"), from.join(" and "))
}

fn table(out: &mut String, planned: &Planned<'_>, changes: &Changes) {
    // Without series nothing of it is known.
    let Some(old) = planned.old.as_ref().filter(|_| planned.fleet.is_known()) else { return };
    let watched = |picture: &Picture<'_>| picture.watching.watched.len();
    out.push_str("| | before | after | |\n| --- | ---: | ---: | --- |\n");
    let (added, removed) = (changes.added.len(), changes.removed.len());
    let difference = match (added, removed) {
        (0, 0) => "same".to_owned(),
        (added, 0) => format!("+{added}"),
        (0, removed) => format!("−{removed}"),
        (added, removed) => format!("+{added}, −{removed}"),
    };
    let _ = writeln!(
        out,
        "| series watched | {} | {} | {difference} |",
        thousands(watched(old) as u64),
        thousands(watched(planned.new) as u64)
    );
    let _ = writeln!(
        out,
        "| CloudWatch a month | {} | {} | {} |",
        dollars(changes.before.month.usd()),
        dollars(changes.after.month.usd()),
        more_dollars(changes.usd())
    );
    let untold = |picture: &Picture<'_>| {
        let nobody = picture.pages.iter().filter(|(told, _)| !told.is_whole());
        nobody.map(|(_, series)| series.len()).sum::<usize>()
    };
    let (before, after) = (untold(old), untold(planned.new));
    if before + after > 0 {
        let _ = writeln!(out, "| series whose pages may wake nobody | {before} | {after} | |");
    }
    let (before, after) = (old.warnings.len(), planned.new.warnings.len());
    let _ = writeln!(out, "| warnings | {before} | {after} | |\n");
}

fn changes(out: &mut String, changes: &Changes) {
    if changes.all.is_empty() {
        return;
    }
    out.push_str("**What changes**\n\n");
    for (place, change) in changes.all.iter().take(SHOWN).enumerate() {
        let _ = writeln!(out, "{}", numbered(place + 1, change));
    }
    if changes.all.len() > SHOWN {
        let _ = writeln!(out, "\n…and {} more; `--format json` has all.", changes.all.len() - SHOWN);
    }
    out.push('\n');
}

fn warnings(out: &mut String, planned: &Planned<'_>) {
    let picture = planned.new;
    if picture.warnings.is_empty() {
        return;
    }
    out.push_str("**To look at**\n\n");
    for warning in picture.warnings.iter().take(SHOWN) {
        let is_new = planned.old.as_ref().is_some_and(|old| {
            !old.warnings.iter().any(|other| (other.kind, &other.words) == (warning.kind, &warning.words))
        });
        let new = if is_new { "**new:** " } else { "" };
        let places = if warning.places.is_empty() {
            String::new()
        } else {
            format!(" — {}", code(&warning.places.join(", ")))
        };
        let _ =
            writeln!(out, "- {new}{}{places}{}", escaped(&capital(&warning.words)), listed(&warning.series));
    }
    out.push('\n');
}

fn folded(out: &mut String, planned: &Planned<'_>) {
    let picture = planned.new;
    if planned.fleet.is_known() {
        let _ =
            writeln!(out, "<details><summary>The rule of every series, and who is told</summary>\n\n```text");
        for group in &picture.alike {
            let _ = writeln!(out, "{}", counted(group.series.len(), "series"));
            out.push_str(&fenced(&text::keys(&group.judged, "  ")));
            for line in words::series(&group.series, PLAIN) {
                let _ = writeln!(out, "    {}", fenced(&line));
            }
            out.push('\n');
        }
        for (whose, told) in text::told_lines(picture) {
            let _ = writeln!(out, "{whose}: {}", fenced(&told));
        }
        for (why, series) in text::by_why(picture) {
            let _ = writeln!(out, "not watched: {}, {why}", counted(series.len(), "series"));
            for line in words::series(&series, PLAIN) {
                let _ = writeln!(out, "    {}", fenced(&line));
            }
        }
        out.push_str("```\n\n</details>\n");
    }
    if picture.total().series == 0 {
        return;
    }
    out.push_str("<details><summary>What CloudWatch costs</summary>\n\n");
    out.push_str(
        "| source | Region | series | metrics a poll | an hour | a month | calls a month | cost |\n",
    );
    out.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for bill in &picture.bills {
        let month = bill.month();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            escaped(&bill.source),
            escaped(&bill.region),
            thousands(bill.series as u64),
            thousands(bill.poll.billed_metrics),
            thousands(bill.hour.billed_metrics),
            thousands(month.billed_metrics),
            thousands(month.calls),
            dollars(month.usd())
        );
    }
    let total = picture.total();
    let _ = writeln!(
        out,
        "| **all** | | {} | | | {} | {} | **{}** |\n",
        thousands(total.series as u64),
        thousands(total.month.billed_metrics),
        thousands(total.month.calls),
        dollars(total.month.usd())
    );
    for line in text::arithmetic(planned) {
        let _ = writeln!(out, "- {line}");
    }
    out.push_str("\n</details>\n");
}

/// A change as one of a numbered list, with its places and whom it concerns.
pub(crate) fn numbered(number: usize, change: &Change) -> String {
    let whence = whence_of(change).map(|whence| format!(" — {}", code(&whence))).unwrap_or_default();
    format!("{number}. {}{whence}{}", escaped(&capital(&change.words)), listed(&change.series))
}

/// Whose it is, under what is said of them. A comment takes the end of a line for a break of its own.
fn listed(series: &[domain::Series]) -> String {
    words::series(series, [escaped, code]).iter().map(|line| format!("<br>{line}")).collect()
}

/// Text as a sentence begins.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A text that does not end the block of code that it stands in.
fn fenced(text: &str) -> String {
    text.replace("```", "'''")
}
