//! Two configurations in figures.

use domain::{Plan, SourcePlan};

use super::super::hindsight::{Comparison, Hindsight, Kind, Never, Sight};
use super::{in_days, length};
use crate::commands::plan::{Changes, dollars, more_dollars};
use crate::figures::counted;

/// A figure of both.
pub(in super::super) struct Row {
    pub(in super::super) what: String,
    pub(in super::super) before: String,
    pub(in super::super) after: String,
    /// The difference in words.
    pub(in super::super) note: String,
}

/// What becomes of the fleet and the bill: `; 21 series added; +$6.05 a month`, or nothing.
pub(in super::super) fn fleet(changes: &Changes) -> String {
    let mut text = String::new();
    for (series, what) in [(&changes.added, "added"), (&changes.removed, "removed")] {
        if !series.is_empty() {
            text.push_str(&format!("; {} {what}", counted(series.len(), "series")));
        }
    }
    if changes.is_priced() && changes.usd().abs() >= 0.005 {
        text.push_str(&format!("; {} a month", more_dollars(changes.usd())));
    }
    text
}

/// Side by side: who is judged, what is said, how fast, and what it costs.
pub(in super::super) fn side_by_side(plan: &Plan, comparison: &Comparison, changes: &Changes) -> Vec<Row> {
    let Comparison { before, after, .. } = comparison;
    let days = in_days(after.days());
    let row = |what: String, of: &dyn Fn(&Hindsight) -> String, note: String| Row {
        what,
        before: of(before),
        after: of(after),
        note,
    };
    let mut rows = vec![
        row(
            "series judged / learning / cannot be judged".to_owned(),
            &sights,
            signed(watched(after) - watched(before)),
        ),
        row(format!("pages in {days}"), &pages, counts(comparison)),
        row(format!("tickets in {days}"), &|of| of.tickets.len().to_string(), ticket_counts(comparison)),
        row("onset to decision, median / worst".to_owned(), &delays, settle(plan)),
    ];
    if changes.is_priced() {
        rows.push(Row {
            what: "CloudWatch a month".to_owned(),
            before: dollars(changes.before.month.usd()),
            after: dollars(changes.after.month.usd()),
            note: more_dollars(changes.usd()),
        });
    }
    rows
}

/// Series that are watched.
fn watched(of: &Hindsight) -> i64 {
    of.series.iter().filter(|one| !matches!(one.sight, Sight::NotWatched(_))).count() as i64
}

/// `1 lost, 1 moved, 4 same`
fn counts(comparison: &Comparison) -> String {
    let parts: Vec<String> = Kind::ALL
        .into_iter()
        .map(|kind| (comparison.count(kind), kind.as_str()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    if parts.is_empty() { "same".to_owned() } else { parts.join(", ") }
}

fn ticket_counts(comparison: &Comparison) -> String {
    match (comparison.count_tickets(Kind::Lost), comparison.count_tickets(Kind::Gained)) {
        (0, 0) => "same".to_owned(),
        (gone, new) => format!("{gone} gone, {new} new"),
    }
}

/// How long after the decision a page leaves.
fn settle(plan: &Plan) -> String {
    let delays = plan.sources.iter().map(|SourcePlan::CloudWatch(one)| one.settle_delay);
    match delays.max() {
        Some(delay) => format!("a page leaves {} min later (settle)", delay.as_secs().div_ceil(60)),
        None => String::new(),
    }
}

/// `136 / 3 / 2`
fn sights(of: &Hindsight) -> String {
    let count = |which: fn(&Sight) -> bool| of.series.iter().filter(|seen| which(&seen.sight)).count();
    let judged = count(|sight| matches!(sight, Sight::From(_)));
    let learning = count(|sight| matches!(sight, Sight::Never(Never::TooLittleHistory { .. })));
    let never = count(|sight| matches!(sight, Sight::Never(_))) - learning;
    format!("{judged} / {learning} / {never}")
}

/// `72 (12 after grouping)`
fn pages(of: &Hindsight) -> String {
    let (pages, grouped) = (of.paging().count(), of.pages());
    if grouped == 0 || grouped == pages {
        pages.to_string()
    } else {
        format!("{pages} ({grouped} after grouping)")
    }
}

fn signed(difference: i64) -> String {
    match difference {
        0 => "same".to_owned(),
        more if more > 0 => format!("+{more}"),
        less => format!("−{}", -less),
    }
}

/// `15 min / 25 min`, or that there is none.
fn delays(of: &Hindsight) -> String {
    match of.to_decision() {
        Some((middle, worst)) => format!("{} / {}", length(middle), length(worst)),
        None => "–".to_owned(),
    }
}
