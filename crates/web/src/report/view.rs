//! The page of a report. The template escapes everything that it is given; only charts, which hold no text from outside, go
//! in as they are.

use askama::Template;

use super::incident::{IncidentView, ToldView, dated};
use super::lists::{NearRow, SeriesRow, TicketRow};
use super::model::{Against, Change, Compared, Difference, Figure, Headline, Incident, Kind, Made, Report};
use super::words::{Part, parts};
use crate::headers::{STYLE, hash};
use crate::times::When;

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
    headline: &'a str,
    from: When,
    until: When,
    made: &'a Made,
    tally: &'a [Figure],
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
        let Headline { tone, text: headline } = &report.headline;
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
            tone: tone.class(),
            headline,
            from: dated(report.history.from),
            until: dated(until),
            made: &report.made,
            tally: &report.tally,
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
