//! The page of a report. The template escapes everything that it is given; only charts, which hold no text from outside, go
//! in as they are.

use askama::Template;
use domain::Span;
use jiff::SignedDuration;

use super::incident::{IncidentView, dated};
use super::lists::{NearRow, SeriesRow, TicketRow, share};
use super::model::{Against, Change, Compared, Incident, Kind, Made, Report};
use crate::headers::{STYLE, hash};
use crate::times::{When, length};

/// What the report looks like, beyond the look of every page.
const OWN_STYLE: &str = include_str!("../../templates/report/report.css");
/// Incidents that have charts, the first of the list; with more of them, the file would be too large to open.
const DRAWN: usize = 200;

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
    incidents: Vec<IncidentView<'a>>,
    /// Whether any of them is slow by one configuration and not by the other.
    differ: bool,
    tickets: Vec<TicketRow<'a>>,
    near: Vec<NearRow<'a>>,
    series: Vec<SeriesRow<'a>>,
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
    changes: &'a [Change],
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
        let incidents: Vec<IncidentView<'a>> = incidents
            .into_iter()
            .enumerate()
            .map(|(place, incident)| IncidentView::new(place, incident, until, place < DRAWN))
            .collect();
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
            incidents,
            tickets: report.tickets.iter().map(TicketRow::new).collect(),
            near: report.near.iter().map(NearRow::new).collect(),
            series: series(report),
        }
    }
}

impl<'a> AgainstView<'a> {
    fn new(against: &'a Against) -> Self {
        Self { configuration: &against.configuration, changes: &against.changes, compared: &against.compared }
    }
}

fn kind(incident: &Incident) -> Option<Kind> {
    incident.difference.as_ref().map(|difference| difference.kind)
}

/// The page in one line.
fn headline(report: &Report, days: &str) -> (&'static str, String) {
    let count = |of| report.incidents.iter().filter(|incident| kind(incident) == Some(of)).count();
    if report.against.is_some() {
        let (lost, gained, moved) = (count(Kind::Lost), count(Kind::Gained), count(Kind::Moved));
        return match (lost, gained + moved) {
            (0, 0) if report.pages == 0 => ("calm", "No page, before or after".to_owned()),
            (0, 0) => ("calm", format!("No page lost or gained: the same {}", pages(report.pages))),
            (0, _) => ("quiet", format!("No page lost, {gained} gained, {moved} moved")),
            (_, _) => ("alarm", format!("{} lost, {gained} gained, {moved} moved", pages(lost))),
        };
    }
    match report.pages {
        0 => ("calm", format!("No page in {days}")),
        count => ("quiet", format!("{} in {days}", pages(count))),
    }
}

fn pages(count: usize) -> String {
    plural(count, "page")
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
    let mut tally = vec![
        number("pages", report.pages),
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

fn series(report: &Report) -> Vec<SeriesRow<'_>> {
    report
        .series
        .iter()
        .map(|line| {
            let own =
                |incident: &&Incident| incident.series == line.series && kind(incident) != Some(Kind::Lost);
            let lost = |ticket: &&super::model::Ticket| {
                ticket.difference.as_ref().is_some_and(|difference| difference.kind == Kind::Lost)
            };
            let tickets = report.tickets.iter().filter(|ticket| ticket.series == line.series);
            SeriesRow::new(
                line,
                report.incidents.iter().filter(own).count(),
                tickets.filter(|ticket| !lost(ticket)).count(),
            )
        })
        .collect()
}
