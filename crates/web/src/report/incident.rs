//! One incident, as texts that are ready to be read.

use domain::Period;
use jiff::Timestamp;

use super::figures::Figures;
use super::model::{Difference, Incident, Kind, Message};
use super::panels::Panels;
use crate::figures::ratio;
use crate::page::{Mark, SlotRow, in_words};
use crate::times::{When, length};

/// One incident.
pub(super) struct IncidentView<'a> {
    /// What links to it name.
    pub(super) anchor: String,
    pub(super) model: &'a str,
    pub(super) place: String,
    pub(super) summary: &'a str,
    pub(super) key: String,
    pub(super) onset: When,
    pub(super) decided: When,
    pub(super) resolved: Option<When>,
    /// `3 h 10 min`
    pub(super) lasted: String,
    pub(super) worst: String,
    pub(super) badge: Option<Badge>,
    pub(super) why: Option<&'a str>,
    pub(super) quiet: Option<&'a str>,
    pub(super) marks: Vec<Mark>,
    pub(super) marks_in_words: String,
    pub(super) slots: Vec<SlotRow>,
    pub(super) figures: Figures,
    pub(super) panels: Option<Panels>,
    pub(super) messages: &'a [Message],
}

/// How a page differs, as a word and a colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Badge {
    pub(super) tone: &'static str,
    pub(super) text: &'static str,
}

impl Badge {
    /// The badge of a difference.
    pub(super) const fn of(difference: &Difference) -> Self {
        match difference.kind {
            Kind::Lost => Self { tone: "alarm", text: "lost" },
            Kind::Gained => Self { tone: "learning", text: "gained" },
            Kind::Moved => Self { tone: "unknown", text: "moved" },
        }
    }
}

/// A moment, and how long after `since` it was.
pub(super) fn after(time: Timestamp, since: Timestamp) -> When {
    let mut when = When::new(time, since);
    when.age = length(time.duration_since(since));
    when
}

/// A moment with its date.
pub(super) fn dated(period: Period) -> When {
    // Seen from the beginning of time, every day is another one.
    When::new(period.start(), Timestamp::UNIX_EPOCH)
}

impl<'a> IncidentView<'a> {
    /// The view of the incident at this place of the report, which ends at `until`. Without `drawn` it has neither charts nor
    /// figures.
    pub(super) fn new(place: usize, incident: &'a Incident, until: Period, drawn: bool) -> Self {
        let (series, onset) = (&incident.series, incident.onset.start());
        let figures = Figures::new(incident);
        let end = incident.resolved.map_or_else(|| until.start(), Period::end);
        let lasted = length(end.duration_since(onset));
        Self {
            anchor: format!("incident-{}", place + 1),
            model: series.model(),
            place: super::lists::place(series),
            summary: &incident.summary,
            key: incident.key.to_string(),
            onset: dated(incident.onset),
            decided: after(incident.opened.end(), onset),
            resolved: incident.resolved.map(|resolved| after(resolved.end(), onset)),
            lasted: if incident.resolved.is_none() { format!("{lasted}, and goes on") } else { lasted },
            worst: ratio(incident.worst, incident.rule.page_below),
            badge: incident.difference.as_ref().map(Badge::of),
            why: incident.difference.as_ref().map(|difference| difference.why.as_str()),
            quiet: incident.quiet.as_deref(),
            marks: incident.slots.iter().map(|slot| Mark::new(slot.verdict)).collect(),
            marks_in_words: in_words(&incident.slots),
            slots: incident.slots.iter().map(|slot| SlotRow::new(slot, &incident.rule, onset)).collect(),
            panels: drawn.then(|| Panels::new(incident, &figures)).flatten(),
            figures,
            messages: &incident.messages,
        }
    }
}
