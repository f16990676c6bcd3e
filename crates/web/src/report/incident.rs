//! One incident, as texts that are ready to be read.

use domain::Period;
use jiff::Timestamp;

use super::figures::Figures;
use super::model::{Difference, Incident, Kind, Message, Told};
use super::panels::Panels;
use super::words::{Part, parts};
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
    /// When it was back, and how long it had been slow.
    pub(super) back: Option<When>,
    pub(super) resolved: Option<When>,
    pub(super) ended: Option<&'a str>,
    /// `3 h 10 min`
    pub(super) lasted: String,
    pub(super) worst: String,
    pub(super) badge: Option<Badge>,
    pub(super) why: Vec<Vec<Part<'a>>>,
    pub(super) told: ToldView<'a>,
    /// What is drawn of it; nothing of those for which there is no room.
    pub(super) drawn: Option<Drawn>,
}

/// Who would have been told.
pub(super) enum ToldView<'a> {
    Pages(&'a [Message]),
    /// The incident whose page it is in.
    With {
        model: &'a str,
        place: String,
        anchor: String,
    },
    Nobody {
        why: Vec<Part<'a>>,
        text: &'a str,
    },
}

/// What there is to see of an incident.
pub(super) struct Drawn {
    pub(super) marks: Vec<Mark>,
    pub(super) marks_in_words: String,
    pub(super) slots: Vec<SlotRow>,
    pub(super) figures: Figures,
    pub(super) panels: Option<Panels>,
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

/// Why something differs, line by line.
pub(super) fn why(difference: Option<&Difference>) -> Vec<Vec<Part<'_>>> {
    difference.into_iter().flat_map(|difference| &difference.why).map(|line| parts(line)).collect()
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

/// What links to the incident at this place of the report name.
pub(super) fn anchor(place: usize) -> String {
    format!("incident-{}", place + 1)
}

impl<'a> IncidentView<'a> {
    /// The view of the incident at `place` of `all`, in a report that ends at `until`.
    pub(super) fn new(place: usize, all: &[&'a Incident], until: Period, is_drawn: bool) -> Self {
        let incident = all[place];
        let (series, onset) = (&incident.series, incident.onset.start());
        let end = incident.recovered.unwrap_or(until).start();
        let lasted = length(end.duration_since(onset));
        Self {
            anchor: anchor(place),
            model: series.model(),
            place: super::lists::place(series),
            summary: &incident.summary,
            key: incident.key.to_string(),
            onset: dated(incident.onset),
            decided: after(incident.opened.end(), onset),
            back: incident.recovered.map(|recovered| after(recovered.start(), onset)),
            resolved: incident.resolved.map(|resolved| after(resolved.end(), onset)),
            ended: incident.ended.as_deref(),
            lasted: if incident.recovered.is_none() { format!("{lasted}, and goes on") } else { lasted },
            worst: ratio(incident.worst, incident.rule.page_below),
            badge: incident.difference.as_ref().map(Badge::of),
            why: why(incident.difference.as_ref()),
            told: ToldView::new(&incident.told, all),
            drawn: is_drawn.then(|| Drawn::new(incident)),
        }
    }
}

impl<'a> ToldView<'a> {
    fn new(told: &'a Told, all: &[&'a Incident]) -> Self {
        match told {
            Told::Pages(messages) => Self::Pages(messages),
            Told::With(key) => match all.iter().position(|incident| incident.key == *key) {
                Some(place) => Self::With {
                    model: all[place].series.model(),
                    place: super::lists::place(&all[place].series),
                    anchor: anchor(place),
                },
                None => Self::Pages(&[]),
            },
            Told::Nobody(why, message) => Self::Nobody { why: parts(why), text: &message.text },
        }
    }

    /// The channels, or why there is none.
    pub(super) fn in_a_word(&self) -> String {
        match self {
            Self::Pages(messages) => {
                let mut channels: Vec<&str> =
                    messages.iter().flat_map(|message| &message.to).map(String::as_str).collect();
                channels.sort_unstable();
                channels.dedup();
                channels.join(", ")
            }
            Self::With { model, .. } => format!("with {model}"),
            Self::Nobody { why, .. } => {
                format!("nobody: {}", why.iter().map(|part| part.text).collect::<String>())
            }
        }
    }
}

impl Drawn {
    fn new(incident: &Incident) -> Self {
        let (onset, figures) = (incident.onset.start(), Figures::new(incident));
        Self {
            marks: incident.slots.iter().map(|slot| Mark::new(slot.verdict)).collect(),
            marks_in_words: in_words(&incident.slots),
            slots: incident.slots.iter().map(|slot| SlotRow::new(slot, &incident.rule, onset)).collect(),
            panels: Panels::new(incident, &figures),
            figures,
        }
    }
}
