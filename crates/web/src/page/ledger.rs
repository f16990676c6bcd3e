//! The lists below the series: sources, tickets, incidents, the audit log.

use domain::{AuditRecord, Cause, IncidentRecord, SourceAct};
use jiff::{SignedDuration, Timestamp};

use crate::figures::ratio;
use crate::snapshot::{GapStatus, Snapshot, SourceStatus, SourceTicketStatus, TicketStatus};
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

/// One entry of the audit log.
pub(crate) struct AuditRow {
    pub(crate) at: When,
    pub(crate) who: String,
    pub(crate) act: String,
    pub(crate) subject: String,
    pub(crate) detail: String,
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
            (None, _) if source.history.is_some_and(|history| history.of > 0) => {
                ("quiet", source.history.unwrap_or_default().to_string())
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

impl TicketRow {
    /// The row of a ticket about what of a source is not watched.
    pub(crate) fn of_gap(gap: &GapStatus, now: Timestamp) -> Self {
        Self {
            id: None,
            who: format!("source {}", gap.source),
            place: String::new(),
            cause: gap.cause.as_str(),
            text: if gap.summary.is_empty() { in_words(gap.cause).to_owned() } else { gap.summary.clone() },
            opened: When::new(gap.since, now),
            key: gap.key.to_string(),
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
        Cause::ModelMissing => "A model that must be there is not.",
        Cause::SeriesLimit => "There are more series than may be watched.",
        Cause::CostLimit => "Less is read, for the sake of what it costs.",
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
            worst: ratio(incident.worst, snapshot.rule_of(&incident.series).page_below),
            summary: record.summary.clone(),
            key: incident.key.to_string(),
        }
    }
}

impl AuditRow {
    /// The row of `record`.
    pub(crate) fn new(record: &AuditRecord, now: Timestamp) -> Self {
        Self {
            at: When::new(record.at, now),
            who: record.who.clone(),
            act: record.act.clone(),
            subject: record.subject.clone(),
            detail: record.detail.clone(),
        }
    }
}
