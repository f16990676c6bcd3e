//! For people: what is otherwise comes first, then everything that holds.

use std::fmt::Write as _;

use domain::{Plan, Series};

use super::Planned;
use super::changes::{Change, Changes};
use super::cost::{self, DAYS, HOURS, POLLS};
use super::picture::Picture;
use super::rules::{Judged, whence};
use super::telling::Kind;
use super::words::{self, PLAIN, dollars};
use crate::figures::{counted, thousands};

pub(super) fn text(planned: &Planned<'_>) -> String {
    let mut out = format!("{}\n", head(planned));
    for what in planned.fleet.unknown() {
        let _ = writeln!(out, "{what}");
    }
    if let Some(changes) = &planned.changes {
        let _ = write!(out, "\n{}", self::changes(planned, changes));
    }
    warnings(&mut out, planned.new);
    if planned.fleet.is_known() {
        rules(&mut out, planned.new);
        told(&mut out, planned.new);
        unwatched(&mut out, planned.new);
    } else {
        rules_of_nobody(&mut out, planned.new);
        routes(&mut out, planned.new.plan);
    }
    bill(&mut out, planned);
    out
}

/// One line: for what the plan is made, and what that costs.
pub(super) fn head(planned: &Planned<'_>) -> String {
    let (fleet, new) = (planned.fleet, planned.new);
    if !fleet.is_known() {
        return format!(
            "{}: no series is known, so this is made without: name a recording, or let the sources be asked",
            planned.config
        );
    }
    let mut from = fleet.recordings.clone();
    if fleet.is_live {
        from.push("what the sources have".to_owned());
    }
    let watched = new.watching.watched.len();
    let sources = match new.plan.sources.len() {
        0 => "no source reads them".to_owned(),
        some => format!("{} watched by {}", thousands(watched as u64), counted(some, "source")),
    };
    format!(
        "{}: {} of {}, {sources}, {} a month",
        planned.config,
        counted(fleet.seen.len(), "series"),
        from.join(" and "),
        dollars(new.total().month.usd())
    )
}

fn changes(planned: &Planned<'_>, changes: &Changes) -> String {
    let mut out = format!("Against {}: {}\n", planned.against(), summary(changes));
    for (place, change) in changes.all.iter().enumerate() {
        let _ = writeln!(out, "\n{:>3}. {}", place + 1, change.words);
        if let Some(whence) = whence_of(change) {
            let _ = writeln!(out, "     {whence}");
        }
        listed(&mut out, &change.series, "       ");
    }
    out
}

/// What is otherwise, in one line.
pub(super) fn summary(changes: &Changes) -> String {
    if changes.all.is_empty() {
        return "nothing changes".to_owned();
    }
    let mut parts = Vec::new();
    let mut part = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{} {what}", counted(count, "series")));
        }
    };
    part(changes.added.len(), "added");
    part(changes.removed.len(), "removed");
    part(changes.concerned("rule"), "judged otherwise");
    part(changes.concerned("pages_told"), "with other people for pages");
    if parts.is_empty() {
        parts.push(counted(changes.all.len(), "change"));
    }
    if changes.is_priced() {
        parts.push(format!("{} a month", words::more_dollars(changes.usd())));
    }
    parts.join(", ")
}

/// Where it is written, and where it was.
pub(super) fn whence_of(change: &Change) -> Option<String> {
    let (places, former) = (change.places.join(", "), change.former_places.join(", "));
    match (places.is_empty(), former.is_empty()) {
        (true, true) => None,
        (false, true) => Some(places),
        (true, false) => Some(format!("was {former}")),
        (false, false) => Some(format!("{places}; was {former}")),
    }
}

/// Whose it is, a line for each model or place.
fn listed(out: &mut String, series: &[Series], indent: &str) {
    for line in words::series(series, PLAIN) {
        let _ = writeln!(out, "{indent}{line}");
    }
}

fn warnings(out: &mut String, picture: &Picture<'_>) {
    if picture.warnings.is_empty() {
        return;
    }
    out.push_str("\nWARNINGS\n");
    for warning in &picture.warnings {
        let _ = writeln!(out, "  - {}", warning.words);
        if !warning.places.is_empty() {
            let _ = writeln!(out, "    {}", warning.places.join(", "));
        }
        listed(out, &warning.series, "      ");
    }
}

fn rules(out: &mut String, picture: &Picture<'_>) {
    out.push_str("\nRULES\n");
    for (place, group) in picture.alike.iter().enumerate() {
        if place > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "  {}", counted(group.series.len(), "series"));
        out.push_str(&keys(&group.judged, "    "));
        listed(out, &group.series, "      ");
    }
}

/// The keys that are not defaults, each with its place, and the labels.
pub(crate) fn keys(judged: &Judged, indent: &str) -> String {
    let lines: Vec<(String, String)> = judged
        .written()
        .chain(&judged.labels)
        .map(|one| (format!("{} = {}", one.key, one.value), whence(one)))
        .collect();
    let widest = lines.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    let mut text: String =
        lines.iter().map(|(left, right)| format!("{indent}{left:<widest$}  {right}\n")).collect();
    let defaults = judged.rule.len() - judged.written().count();
    let _ = writeln!(
        text,
        "{indent}{}",
        match (defaults, judged.written().count()) {
            (_, 0) => "every key of the rule has its default".to_owned(),
            (0, _) => "no key of the rule has its default".to_owned(),
            (defaults, _) =>
                format!("the other {} of the rule have their defaults", counted(defaults, "key")),
        }
    );
    text
}

fn told(out: &mut String, picture: &Picture<'_>) {
    out.push_str("\nWHO IS TOLD\n");
    let lines = told_lines(picture);
    let widest = lines.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    for (left, right) in lines {
        let _ = writeln!(out, "  {left:<widest$}  {right}");
    }
}

fn unwatched(out: &mut String, picture: &Picture<'_>) {
    let groups = by_why(picture);
    if groups.is_empty() {
        return;
    }
    out.push_str("\nNOT WATCHED\n");
    for (why, series) in groups {
        let _ = writeln!(out, "  {}, {why}", counted(series.len(), "series"));
        listed(out, &series, "      ");
    }
}

/// Series that are not watched, by the reason.
pub(super) fn by_why(picture: &Picture<'_>) -> Vec<(String, Vec<Series>)> {
    let mut groups: Vec<(String, Vec<Series>)> = Vec::new();
    for (seen, why) in &picture.watching.unwatched {
        let why = why.words();
        match groups.iter_mut().find(|(same, _)| *same == why) {
            Some((_, series)) => series.push(seen.series.clone()),
            None => groups.push((why, vec![seen.series.clone()])),
        }
    }
    groups
}

/// What holds for whatever series there will be.
fn rules_of_nobody(out: &mut String, picture: &Picture<'_>) {
    out.push_str("\nRULES\n  whoever no override is about\n");
    let nobody = Series::new("", "-", "-");
    let plain_plan = Plan { overrides: Vec::new(), labels: Vec::new(), ..picture.plan.clone() };
    out.push_str(&keys(&Judged::of(&plain_plan, picture.origins, &nobody), "    "));
    let tables: Vec<_> = picture.origins.tables().filter(|table| table.starts_with("override.")).collect();
    for table in tables {
        let place = picture.origins.table(table).map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(out, "  [{table}]  {place}");
        for key in picture.origins.keys(table) {
            let _ = writeln!(out, "    {key} = {}", picture.origins.value(table, key).unwrap_or_default());
        }
    }
}

fn routes(out: &mut String, plan: &Plan) {
    out.push_str("\nROUTES, the first that matches wins\n");
    for kind in Kind::ALL {
        for route in kind.routes(plan) {
            let _ = writeln!(out, "  {:<6}  {}", kind.as_str(), words::route(route));
        }
    }
}

fn bill(out: &mut String, planned: &Planned<'_>) {
    out.push_str("\nCLOUDWATCH A MONTH\n");
    let picture = planned.new;
    if picture.bills.is_empty() {
        out.push_str("  no source: nothing is asked for\n");
        return;
    }
    if planned.new.total().series == 0 {
        for line in arithmetic(planned) {
            let _ = writeln!(out, "  {line}");
        }
        return;
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["SOURCE", "REGION", "SERIES", "A POLL", "AN HOUR", "METRICS", "CALLS", "COST"]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    for bill in &picture.bills {
        let month = bill.month();
        table.add_row([
            bill.source.clone(),
            bill.region.clone(),
            thousands(bill.series as u64),
            thousands(bill.poll.billed_metrics),
            thousands(bill.hour.billed_metrics),
            thousands(month.billed_metrics),
            thousands(month.calls),
            dollars(month.usd()),
        ]);
    }
    let total = picture.total();
    if picture.bills.len() > 1 {
        for (source, total) in
            cost::by_source(&picture.bills).iter().filter(|_| picture.plan.sources.len() > 1)
        {
            table.add_row(sum(source, *total));
        }
        table.add_row(sum("all", total));
    }
    for line in table.to_string().lines() {
        let _ = writeln!(out, "  {}", line.trim_end().trim_start_matches(' '));
    }
    for line in arithmetic(planned) {
        let _ = writeln!(out, "  {line}");
    }
}

fn sum(name: &str, total: cost::Total) -> [String; 8] {
    [
        name.to_owned(),
        "all".to_owned(),
        thousands(total.series as u64),
        String::new(),
        String::new(),
        thousands(total.month.billed_metrics),
        thousands(total.month.calls),
        dollars(total.month.usd()),
    ]
}

/// How the figures come about.
pub(super) fn arithmetic(planned: &Planned<'_>) -> Vec<String> {
    let total = planned.new.total();
    let backfill = planned.new.plan.learning.backfill_days;
    let more = poller::Cost::of_read(1, 4, domain::MetricSet::Diagnosis);
    let mut lines = vec![
        format!(
            "{DAYS} days: metrics of a poll × {} polls + metrics of an hour × {HOURS} hours, at $0.01 for 1,000",
            thousands(POLLS)
        ),
        format!(
            "once, for {backfill} days of history of all of them: {} metrics in {} calls, {}",
            thousands(total.backfill.billed_metrics),
            thousands(total.backfill.calls),
            dollars(total.backfill.usd())
        ),
        format!(
            "looking for new models: up to {} calls of ListMetrics, of which AWS gives 1,000,000 free",
            thousands(total.listings)
        ),
        format!(
            "a series that breaches: {} metrics more with every poll, {} an hour",
            thousands(more.billed_metrics),
            dollars(more.times(12).usd())
        ),
    ];
    if total.series == 0 {
        let one = poller::Cost::of_read(1, 1, domain::MetricSet::Decode).times(POLLS)
            + poller::Cost::of_read(1, 1, domain::MetricSet::Diagnosis).times(HOURS);
        lines[1] = format!(
            "nothing is known to be watched yet; each series is {} metrics, {} a month",
            thousands(one.billed_metrics),
            dollars(one.usd())
        );
    }
    lines
}

/// Who is told, for a table.
pub(super) fn told_lines(picture: &Picture<'_>) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for (kind, groups) in [(Kind::Page, &picture.pages), (Kind::Ticket, &picture.tickets)] {
        for (told, series) in groups {
            let whose = format!("{}s of {}", kind.as_str(), counted(series.len(), "series"));
            lines.push((whose, told.words_with_places()));
        }
    }
    for (told, names) in &picture.sources {
        lines.push((format!("{} cannot be read", names.join(", ")), told.words_with_places()));
    }
    lines
}
