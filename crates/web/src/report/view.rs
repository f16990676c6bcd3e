//! The page of a report. The template escapes everything that it is given; only charts, which hold no text from outside, go
//! in as they are.

use askama::Template;
use domain::Span;
use jiff::SignedDuration;

use super::incident::{IncidentView, ToldView, dated};
use super::lists::{NearRow, SeriesRow, TicketRow, share};
use super::model::{Against, Change, Compared, Difference, Incident, Kind, Made, Report};
use super::words::{Part, parts};
use crate::headers::{STYLE, hash};
use crate::times::{When, length};

/// What the report looks like, beyond the look of every page.
const OWN_STYLE: &str = include_str!("../../templates/report/report.css");
/// Incidents that have charts and texts, the first of the list: each takes some 60 kB, and a file must open everywhere.
const DRAWN: usize = 60;
/// Rows of a list that somebody still reads.
const MOST_ROWS: usize = 1_000;

/// The page.
#[derive(Template)]
#[template(path = "report/report.html")]
pub(super) struct View<'a> {
    title: String,
    policy: String,
    style: String,
    tone: &'static str,
    headline: String,
    from: When,
    until: When,
    made: &'a Made,
    tally: Vec<Tally>,
    against: Option<AgainstView<'a>>,
    notes: Vec<Vec<Part<'a>>>,
    incidents: List<IncidentView<'a>>,
    /// Incidents that have charts.
    drawn: usize,
    /// Whether any of them is slow by one configuration and not by the other.
    differ: bool,
    tickets: List<TicketRow<'a>>,
    near: List<NearRow<'a>>,
    series: List<SeriesRow<'a>>,
}

/// Rows, and how many there would be.
struct List<T> {
    rows: Vec<T>,
    total: usize,
}

impl<T> List<T> {
    /// The first of `total` rows.
    fn of(total: usize, rows: impl Iterator<Item = T>) -> Self {
        Self { rows: rows.take(MOST_ROWS).collect(), total }
    }

    /// How many are not shown.
    fn more(&self) -> usize {
        self.total - self.rows.len()
    }
}

/// One number of the strip below the headline.
struct Tally {
    tone: &'static str,
    label: &'static str,
    value: String,
}

/// The comparison with another configuration.
struct AgainstView<'a> {
    configuration: &'a str,
    changes: Vec<ChangeRow<'a>>,
    compared: &'a [Compared],
}

impl<'a> View<'a> {
    /// The page of `report`.
    pub(super) fn new(report: &'a Report) -> Self {
        let style = format!("{STYLE}{OWN_STYLE}");
        let days = in_days(report.history);
        let (tone, headline) = headline(report, &days);
        let mut incidents: Vec<&Incident> = report.incidents.iter().collect();
        // Lost ones first, and those that stay the same last; else in order of time, as they came.
        incidents.sort_by_key(|incident| kind(incident).map_or(u8::MAX, |kind| kind as u8));
        let until = report.history.until;
        let view = |place| IncidentView::new(place, &incidents, until, place < DRAWN);
        Self {
            title: format!("{headline} · otpsd backtest"),
            policy: format!(
                "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
                hash(&style)
            ),
            style,
            tone,
            headline,
            from: dated(report.history.from),
            until: dated(until),
            made: &report.made,
            tally: tally(report),
            against: report.against.as_ref().map(AgainstView::new),
            differ: report.incidents.iter().any(|incident| incident.difference.is_some()),
            notes: report.notes.iter().map(|note| parts(note)).collect(),
            drawn: incidents.len().min(DRAWN),
            incidents: List::of(incidents.len(), (0..incidents.len()).map(view)),
            tickets: List::of(report.tickets.len(), report.tickets.iter().map(TicketRow::new)),
            near: List::of(report.near.len() + report.near_more, report.near.iter().map(NearRow::new)),
            series: List::of(report.series.len(), series(report)),
        }
    }
}

/// One change of the configuration.
struct ChangeRow<'a> {
    text: Vec<Part<'a>>,
    at: Option<&'a str>,
    was: Option<&'a str>,
}

impl<'a> ChangeRow<'a> {
    fn new(change: &'a Change) -> Self {
        Self { text: parts(&change.text), at: change.at.as_deref(), was: change.was.as_deref() }
    }
}

impl<'a> AgainstView<'a> {
    fn new(against: &'a Against) -> Self {
        Self {
            configuration: &against.configuration,
            changes: against.changes.iter().map(ChangeRow::new).collect(),
            compared: &against.compared,
        }
    }
}

fn kind(incident: &Incident) -> Option<Kind> {
    incident.difference.as_ref().map(|difference| difference.kind)
}

/// The page in one line.
fn headline(report: &Report, days: &str) -> (&'static str, String) {
    let count = |of| report.incidents.iter().filter(|incident| kind(incident) == Some(of)).count();
    // Where nobody is told of anything, what was decided is looked at.
    let (what, number) = match report.pages {
        0 => ("incident", report.incidents.len() - count(Kind::Lost)),
        pages => ("page", pages),
    };
    if report.against.is_some() {
        let (lost, gained, moved) = (count(Kind::Lost), count(Kind::Gained), count(Kind::Moved));
        return match (lost, gained + moved) {
            (0, 0) if number == 0 => ("calm", "No page, before or after".to_owned()),
            (0, 0) => ("calm", format!("No page lost or gained: the same {}", plural(number, what))),
            (0, _) => ("quiet", format!("No page lost, {gained} gained, {moved} moved")),
            (_, _) => ("alarm", format!("{} lost, {gained} gained, {moved} moved", plural(lost, "page"))),
        };
    }
    match (report.pages, number) {
        (0, 0) => ("calm", format!("No page in {days}")),
        (0, _) => ("quiet", format!("{} in {days}, of which nobody would be told", plural(number, what))),
        _ => ("quiet", format!("{} in {days}", plural(number, what))),
    }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `30 days`, or the two largest units of what is shorter.
fn in_days(span: Span) -> String {
    let time = span.until.start().duration_since(span.from.start());
    match time.as_hours() {
        ..48 => length(time),
        hours if hours % 24 == 0 => plural((hours / 24) as usize, "day"),
        hours => format!("{:.1} days", hours as f64 / 24.0),
    }
}

fn tally(report: &Report) -> Vec<Tally> {
    let number = |label, count: usize| Tally {
        tone: if count == 0 { "none" } else { "quiet" },
        label,
        value: count.to_string(),
    };
    let judged = report.series.iter().filter(|line| line.judged_from.is_some()).count();
    let some = |label, value| Tally { tone: "quiet", label, value };
    let own = report.incidents.iter().filter(|incident| kind(incident) != Some(Kind::Lost)).count();
    let mut tally = vec![
        number("pages", report.pages),
        number("incidents", own),
        number("tickets", report.tickets.len()),
        some("series judged", format!("{judged} of {}", report.series.len())),
        some("periods judged", share(report.coverage)),
    ];
    if let Some((median, worst)) = to_decision(&report.incidents) {
        tally.push(some("onset to decision, median", length(median)));
        tally.push(some("at worst", length(worst)));
    }
    tally
}

/// From the begin of the first slow period to the end of the one that decided, over what would page: the middle one, or the
/// longer of the two in the middle, and the longest.
fn to_decision(incidents: &[Incident]) -> Option<(SignedDuration, SignedDuration)> {
    let mut times: Vec<SignedDuration> = incidents
        .iter()
        .filter(|incident| kind(incident) != Some(Kind::Lost))
        .map(|incident| incident.opened.end().duration_since(incident.onset.start()))
        .collect();
    times.sort();
    Some((*times.get(times.len() / 2)?, *times.last()?))
}

fn series(report: &Report) -> impl Iterator<Item = SeriesRow<'_>> {
    let is_lost =
        |one: &Option<Difference>| one.as_ref().is_some_and(|difference| difference.kind == Kind::Lost);
    report.series.iter().map(move |line| {
        let incidents = report.incidents.iter().filter(|one| one.series == line.series);
        let tickets = report.tickets.iter().filter(|one| one.series == line.series);
        SeriesRow::new(
            line,
            incidents.filter(|one| !is_lost(&one.difference)).count(),
            tickets.filter(|one| !is_lost(&one.difference)).count(),
        )
    })
}
