//! The HTML pages: what the templates show, as texts that are ready to be read.
//!
//! Templates escape everything that they are given; only charts, which hold no text from outside, go in as they are.

mod attention;
mod charts;
mod frame;
mod ledger;
mod muted;
mod outbox;
mod row;
mod slots;
mod standing;
mod told;

use askama::Template;
use jiff::Timestamp;

use crate::sight::Sight;
use crate::snapshot::{SeriesStatus, Snapshot};
use crate::times::When;
use attention::Attention;
use frame::Frame;
pub(crate) use frame::Root;
use ledger::{AuditRow, IncidentRow, SourceRow, TicketRow};
use muted::{MuteRow, UNTOLD_SHOWN, UntoldRow};
use outbox::MessageRow;
use row::{Row, Shown};
pub(crate) use slots::{Mark, SlotRow, in_words};
use standing::Standing;
use told::Told;

/// Series that unfold to their charts and last periods on the page of the whole fleet, worst first; the others link to
/// their own page. Unfolded, a series is about 17 kB, and the page is fetched again every half minute.
const UNFOLDING: usize = 30;
/// Series in ALARM whose details stand open from the start; with more of them, the table is what gives an overview.
const UNFOLDED_FROM_THE_START: usize = 3;
/// Entries of the audit log that are shown.
const AUDIT_SHOWN: usize = 20;

/// `/`
#[derive(Template)]
#[template(path = "fleet.html")]
pub(crate) struct Fleet {
    frame: Frame,
    verdict: Verdict,
    tally: Vec<Tally>,
    attention: Vec<Attention>,
    pages: Vec<Told>,
    pages_omitted: usize,
    untold: Vec<UntoldRow>,
    untold_omitted: usize,
    mutes: Vec<MuteRow>,
    groups: Vec<Group>,
    sources: Vec<SourceRow>,
    tickets: Vec<TicketRow>,
    incidents: Vec<IncidentRow>,
    messages: Vec<MessageRow>,
    audit: Vec<AuditRow>,
}

/// `/series/{id}`
#[derive(Template)]
#[template(path = "series.html")]
pub(crate) struct One {
    frame: Frame,
    row: Row,
    tickets: Vec<TicketRow>,
    incidents: Vec<IncidentRow>,
}

/// What is not there.
#[derive(Template)]
#[template(path = "absent.html")]
pub(crate) struct Absent {
    frame: Frame,
    what: String,
}

/// The page in one sentence.
struct Verdict {
    tone: &'static str,
    text: String,
}

/// One number of the strip below it.
struct Tally {
    tone: &'static str,
    label: &'static str,
    value: String,
}

/// Series of one standing.
struct Group {
    title: &'static str,
    why: &'static str,
    tone: &'static str,
    rows: Vec<Row>,
}

impl Fleet {
    /// The page of `snapshot` at `now`.
    pub(crate) fn new(snapshot: &Snapshot, root: Root, now: Timestamp) -> Self {
        let mut standings: Vec<(Standing, &SeriesStatus)> = snapshot
            .series
            .iter()
            .map(|status| (Standing::of(status.state, Sight::of(snapshot, status, now)), status))
            .collect();
        standings.sort_by(|(a, one), (b, other)| {
            a.cmp(b).then_with(|| {
                let place =
                    |status: &SeriesStatus| (status.series.region().to_owned(), status.series.clone());
                place(one).cmp(&place(other))
            })
        });
        let count = |standing| standings.iter().filter(|(each, _)| *each == standing).count();
        let counts = Standing::ALL.map(|standing| (standing, count(standing)));
        let alarms = counts[0].1;

        let mut rows = standings.iter().enumerate().map(|(place, (standing, status))| {
            let shown = match *standing {
                Standing::Alarm if alarms <= UNFOLDED_FROM_THE_START => Shown::Unfolded,
                _ if place < UNFOLDING => Shown::Folded,
                _ => Shown::Row,
            };
            Row::new(snapshot, status, now, shown)
        });
        let groups = counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(standing, count)| Group {
                title: standing.title(),
                why: standing.why(),
                tone: standing.tone(),
                rows: rows.by_ref().take(*count).collect(),
            })
            .collect();

        let (pages, pages_omitted) = told::lines(snapshot, now);
        let untold = snapshot.untold.iter().take(UNTOLD_SHOWN);
        let verdict = Verdict::of(snapshot, &counts, now);
        let title = match (alarms, verdict.tone) {
            (0, "calm") => "otpsd".to_owned(),
            (0, _) => "(?) otpsd".to_owned(),
            _ => format!("({alarms}) ALARM · otpsd"),
        };
        Self {
            frame: Frame::new(snapshot, root, now, title, verdict.tone),
            tally: tally(snapshot, &counts, now),
            verdict,
            attention: attention::list(snapshot, now),
            pages,
            pages_omitted,
            untold: untold.map(|each| UntoldRow::new(each, snapshot, now)).collect(),
            untold_omitted: snapshot.untold.len().saturating_sub(UNTOLD_SHOWN),
            mutes: muted::mutes(snapshot, now),
            groups,
            sources: snapshot.sources.iter().map(|source| SourceRow::new(snapshot, source, now)).collect(),
            tickets: tickets(snapshot, now),
            incidents: snapshot
                .incidents
                .iter()
                .map(|record| IncidentRow::new(record, snapshot, now))
                .collect(),
            messages: snapshot
                .messages
                .iter()
                .map(|owed| MessageRow::new(owed, &snapshot.messages, now))
                .collect(),
            audit: snapshot.audit.iter().take(AUDIT_SHOWN).map(|record| AuditRow::new(record, now)).collect(),
        }
    }
}

impl One {
    /// The page of one series at `now`.
    pub(crate) fn new(snapshot: &Snapshot, status: &SeriesStatus, root: Root, now: Timestamp) -> Self {
        let row = Row::new(snapshot, status, now, Shown::OwnPage);
        let title = format!("{} {} · otpsd", row.standing.badge(), row.model);
        let own = |record: &&domain::IncidentRecord| record.incident.series == status.series;
        Self {
            frame: Frame::new(snapshot, root, now, title, row.standing.tone()),
            tickets: snapshot
                .tickets
                .iter()
                .filter(|ticket| ticket.series == status.series)
                .map(|ticket| TicketRow::new(ticket, now))
                .collect(),
            incidents: snapshot
                .incidents
                .iter()
                .filter(own)
                .map(|record| IncidentRow::new(record, snapshot, now))
                .collect(),
            row,
        }
    }
}

impl Absent {
    /// A page that says that `what` is not there.
    pub(crate) fn new(snapshot: &Snapshot, what: String, root: Root, now: Timestamp) -> Self {
        let mut frame = Frame::new(snapshot, root, now, "Not found · otpsd".to_owned(), "unknown");
        frame.refresh = 0;
        Self { frame, what }
    }
}

impl Verdict {
    fn of(snapshot: &Snapshot, counts: &[(Standing, usize)], now: Timestamp) -> Self {
        let count =
            |standing| counts.iter().find(|(each, _)| *each == standing).map_or(0, |(_, count)| *count);
        let total: usize = counts.iter().map(|(_, count)| count).sum();
        let (alarms, unseen, ok) = (count(Standing::Alarm), count(Standing::NotSeen), count(Standing::Ok));
        let verb = |n: usize| if n == 1 { "is" } else { "are" };
        let (tone, text) = if alarms > 0 {
            let untold = match snapshot.untold.len() {
                0 => String::new(),
                count if count == alarms => ", told to nobody".to_owned(),
                count => format!(", {count} of them told to nobody"),
            };
            ("alarm", format!("{alarms} of {} {} in ALARM{untold}", series(total), verb(alarms)))
        } else if let Some(stale) = crate::ready::evaluation(snapshot.last_evaluation, now) {
            ("unknown", capital(&stale))
        } else if unseen > 0 {
            ("unknown", format!("No ALARM, but {unseen} of {} {} not seen", series(total), verb(unseen)))
        } else if total == 0 {
            ("unknown", "No series is watched".to_owned())
        } else if ok == 0 {
            ("unknown", "No series can be judged yet".to_owned())
        } else if ok == total {
            ("calm", format!("No ALARM: all {} are judged, none is slow", series(total)))
        } else {
            ("calm", format!("No ALARM: {ok} of {} {} judged, none is slow", series(total), verb(ok)))
        };
        Self { tone, text }
    }
}

/// All that stand, those about sources first: they say what the others may not know.
fn tickets(snapshot: &Snapshot, now: Timestamp) -> Vec<TicketRow> {
    let of_sources = snapshot.source_tickets.iter().map(|ticket| TicketRow::of_source(ticket, now));
    let of_gaps = snapshot.gaps.iter().map(|gap| TicketRow::of_gap(gap, now));
    of_sources
        .chain(of_gaps)
        .chain(snapshot.tickets.iter().map(|ticket| TicketRow::new(ticket, now)))
        .collect()
}

fn series(count: usize) -> String {
    format!("{count} series")
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

fn tally(snapshot: &Snapshot, counts: &[(Standing, usize)], now: Timestamp) -> Vec<Tally> {
    let series = counts.iter().map(|(standing, count)| Tally {
        tone: if *count == 0 { "none" } else { standing.tone() },
        label: standing.badge(),
        value: count.to_string(),
    });
    let stale = crate::ready::evaluation(snapshot.last_evaluation, now).is_some();
    let evaluation = Tally {
        tone: if stale { "unknown" } else { "quiet" },
        label: "last evaluation",
        value: snapshot.last_evaluation.map_or_else(|| "none".to_owned(), |last| When::new(last, now).age),
    };
    let owed = snapshot.outbox.owed;
    let outbox = Tally {
        tone: if owed == 0 { "none" } else { "unknown" },
        label: "messages owed",
        value: owed.to_string(),
    };
    series.chain([outbox, evaluation]).collect()
}
