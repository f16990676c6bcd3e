//! What is remembered of a series between two steps.

use std::fmt;

use crate::{Cause, Incident, Key, Period, Series, Span, Terms};

/// The state of a series' alarm, in the terms of CloudWatch, and `LEARNING`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlarmState {
    /// Judged, and not slow.
    Ok,
    /// An incident is open.
    Alarm,
    /// None of the last periods could be judged.
    InsufficientData,
    /// Not enough history for a baseline yet.
    Learning,
}

impl AlarmState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Alarm, Self::InsufficientData, Self::Learning];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Alarm => "ALARM",
            Self::InsufficientData => "INSUFFICIENT_DATA",
            Self::Learning => "LEARNING",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

impl fmt::Display for AlarmState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A change of state.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// Whose.
    pub series: Series,
    /// From what.
    pub from: AlarmState,
    /// To what.
    pub to: AlarmState,
    /// The period whose verdict decided.
    pub decided: Period,
}

/// A ticket that stands.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTicket {
    /// Why.
    pub cause: Cause,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// Its name to every receiver.
    pub key: Key,
    /// The reference level that was frozen when it opened.
    pub usual: Terms,
    /// The last day (counted from 1970-01-01) on which something was said of it.
    pub told_day: i64,
}

/// All that must be remembered of a series beside its history of readings. Together with the history it decides
/// everything that is said next: an engine restored from both cannot be told from one that never stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesState {
    /// Whose.
    pub series: Series,
    /// The state of the alarm.
    pub state: AlarmState,
    /// The period whose verdict led to it.
    pub since: Period,
    /// Everything up to and including this period has been judged.
    pub judged_through: Period,
    /// The open incident.
    pub incident: Option<Incident>,
    /// The open tickets.
    pub tickets: Vec<OpenTicket>,
    /// Periods of closed incidents: they never train a baseline.
    pub untrained: Vec<Span>,
}
