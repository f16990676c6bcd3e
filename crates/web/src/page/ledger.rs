//! The lists below the series: sources, tickets, incidents, messages.

use domain::{Cause, IncidentRecord, Owed, OwedState, SourceAct};
use jiff::{SignedDuration, Timestamp};

use crate::figures::ratio;
use crate::snapshot::{Snapshot, SourceStatus, SourceTicketStatus, TicketStatus};
use crate::times::{When, length, moment};

/// One source in one Region.
pub(crate) struct SourceRow {
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) tone: &'static str,
    pub(crate) state: String,
    pub(crate) last_success: Option<When>,
    pub(crate) series: usize,
    pub(crate) settle_delay: String,
    /// The end of the newest period that was judged of any of its series.
    pub(crate) judged: Option<When>,
}

/// One ticket that stands.
pub(crate) struct TicketRow {
    /// The series, where it is about one: it has a page.
    pub(crate) id: Option<String>,
    /// The model, or the source.
    pub(crate) who: String,
    /// The Region, or the Regions.
    pub(crate) place: String,
    pub(crate) cause: &'static str,
    pub(crate) text: String,
    pub(crate) opened: When,
    pub(crate) key: String,
}

/// One incident.
pub(crate) struct IncidentRow {
    pub(crate) id: String,
    pub(crate) region: String,
    pub(crate) model: String,
    pub(crate) open: bool,
    pub(crate) onset: When,
    pub(crate) resolved: Option<When>,
    pub(crate) lasted: String,
    pub(crate) worst: String,
    pub(crate) summary: String,
    pub(crate) key: String,
}

/// One message.
pub(crate) struct MessageRow {
    pub(crate) created: When,
    pub(crate) channel: String,
    pub(crate) kind: &'static str,
    pub(crate) summary: String,
    pub(crate) tone: &'static str,
    pub(crate) state: String,
    pub(crate) error: Option<String>,
}

impl SourceRow {
    /// The row of `source`.
    pub(crate) fn new(snapshot: &Snapshot, source: &SourceStatus, now: Timestamp) -> Self {
        let own = || {
            let region = &source.region;
            snapshot
                .series
                .iter()
                .filter(move |each| each.source == source.name && each.series.region() == region)
        };
        let (tone, state) = match (&source.failure, source.last_success) {
            (Some(failure), _) => {
                ("unknown", format!("{} since {}", failure.failure.as_str(), moment(failure.since, now)))
            }
            (None, None) => ("quiet", "not read yet".to_owned()),
            (None, Some(_)) => ("calm", "read".to_owned()),
        };
        Self {
            name: source.name.clone(),
            region: source.region.clone(),
            tone,
            state,
            last_success: source.last_success.map(|last| When::new(last, now)),
            series: own().count(),
            settle_delay: length(
                SignedDuration::try_from(source.settle_delay).unwrap_or(SignedDuration::MAX),
            ),
            judged: own().map(|each| each.judged_through).max().map(|period| When::new(period.end(), now)),
        }
    }
}

impl TicketRow {
    /// The row of `ticket`.
    pub(crate) fn new(ticket: &TicketStatus, now: Timestamp) -> Self {
        Self {
            id: Some(ticket.series.to_string()),
            who: ticket.series.model().to_owned(),
            place: ticket.series.region().to_owned(),
            cause: ticket.cause.as_str(),
            text: ticket.summary.clone().unwrap_or_else(|| in_words(ticket.cause).to_owned()),
            opened: When::new(ticket.opened.end(), now),
            key: ticket.key.to_string(),
        }
    }

    /// The row of a ticket about a source.
    pub(crate) fn of_source(ticket: &SourceTicketStatus, now: Timestamp) -> Self {
        let text = ticket.summary.clone().unwrap_or_else(|| {
            let what = match ticket.act {
                SourceAct::Read => in_words(Cause::SourceFailing),
                SourceAct::Discover => "New models cannot be found.",
            };
            format!("{what} ({})", ticket.failure.as_str())
        });
        Self {
            id: None,
            who: format!("source {}", ticket.source),
            place: ticket.regions.join(", "),
            cause: Cause::SourceFailing.as_str(),
            text,
            opened: When::new(ticket.opened, now),
            key: ticket.key.to_string(),
        }
    }
}

/// A cause in words, for a ticket whose own are not known any more.
const fn in_words(cause: Cause) -> &'static str {
    match cause {
        Cause::SourceFailing => "The source cannot be read.",
        Cause::NoData => "No data where the same hours of past weeks had it.",
        Cause::StreamingMix => "The share of streaming requests changed.",
        Cause::SlowTail => "p95 and token-weighted OTPS fell; the median user is not hit.",
        Cause::PromptGrowth => "The first token takes longer, and prompts grew.",
        Cause::CacheRegression => "The first token takes longer, and the prompt cache serves less.",
        Cause::Queueing => "The first token takes longer, and the prompt does not explain it.",
        Cause::LongerResponses => "Responses grew, and OTPS held.",
        Cause::DecodeErosion => "OTPS fell slowly over weeks.",
        Cause::LevelShift => "An incident has stood for days: is this the new normal?",
        Cause::LowConfidence => "Most periods could not be judged.",
    }
}

impl IncidentRow {
    /// The row of `record`.
    pub(crate) fn new(record: &IncidentRecord, snapshot: &Snapshot, now: Timestamp) -> Self {
        let incident = &record.incident;
        let end = record.resolved.map(domain::Period::end);
        Self {
            id: incident.series.to_string(),
            region: incident.series.region().to_owned(),
            model: incident.series.model().to_owned(),
            open: end.is_none(),
            onset: When::new(incident.onset.start(), now),
            resolved: end.map(|end| When::new(end, now)),
            lasted: length(end.unwrap_or(now).duration_since(incident.onset.start())),
            worst: ratio(incident.worst, snapshot.rule.page_below),
            summary: record.summary.clone(),
            key: incident.key.to_string(),
        }
    }
}

impl MessageRow {
    /// The row of `owed`.
    pub(crate) fn new(owed: &Owed, now: Timestamp) -> Self {
        let tries =
            |attempts: u32| if attempts == 1 { "1 try".to_owned() } else { format!("{attempts} tries") };
        let (tone, state) = match owed.state {
            OwedState::Delivered(at) => ("calm", format!("delivered {}", moment(at, now))),
            OwedState::Refused(at) => ("alarm", format!("refused {}", moment(at, now))),
            OwedState::Standby => ("quiet", "stands by".to_owned()),
            OwedState::Withdrawn(at) => ("quiet", format!("withdrawn {}", moment(at, now))),
            OwedState::Due(_) if owed.attempts == 0 => ("unknown", "owed".to_owned()),
            OwedState::Due(at) => {
                ("unknown", format!("owed, {}, next {}", tries(owed.attempts), moment(at, now)))
            }
        };
        let message = &owed.message;
        Self {
            created: When::new(message.created, now),
            channel: message.channel.clone(),
            kind: message.kind.as_str(),
            summary: message.summary.clone(),
            tone,
            state,
            // What an earlier attempt said does not matter once another was taken.
            error: owed.last_error.clone().filter(|_| !matches!(owed.state, OwedState::Delivered(_))),
        }
    }
}
