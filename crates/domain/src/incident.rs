//! One episode of slow decoding of one series.

use jiff::Timestamp;

use crate::{Evidence, Key, Period, Series};

/// An open incident: a series and the period that opened it.
#[derive(Debug, Clone, PartialEq)]
pub struct Incident {
    /// Whose.
    pub series: Series,
    /// The first breaching period of those that opened it.
    pub onset: Period,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// Its own name. Receivers know it by the key of the page that it is in.
    pub key: Key,
    /// The lowest ratio to the baseline so far, where there was a baseline.
    pub worst: Option<f64>,
}

impl Incident {
    /// The incident that `opened` opened.
    #[must_use]
    pub fn new(series: Series, onset: Period, opened: Period) -> Self {
        let key = Key::of_incident(&series, opened);
        Self { series, onset, opened, key, worst: None }
    }
}

/// An incident in the ledger's record of them all.
#[derive(Debug, Clone, PartialEq)]
pub struct IncidentRecord {
    /// The incident.
    pub incident: Incident,
    /// What its page said in one line.
    pub summary: String,
    /// What shows it, while it is open.
    pub evidence: Option<Evidence>,
    /// The period whose verdict resolved it, once one did.
    pub resolved: Option<Period>,
    /// When the record last changed.
    pub at: Timestamp,
}
