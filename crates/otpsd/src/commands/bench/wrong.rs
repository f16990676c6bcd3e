//! One thing that a detector got wrong.

use std::fmt;

use domain::{Cause, PERIOD_SECONDS, Period};

use super::labelled::Label;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wrong {
    /// Which fleet: `seed 3`, or the name of a recording.
    pub(super) fleet: String,
    pub(super) model: String,
    pub(super) kind: WrongKind,
    /// When: of what was missed its begin, of what was said the moment.
    pub(super) at: Period,
    /// What was going on, if anything was.
    pub(super) during: Option<During>,
}

/// What was going on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct During {
    pub(super) kind: String,
    pub(super) minutes: i64,
    pub(super) magnitude: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongKind {
    MissedPage,
    FalsePage,
    TailPaged,
    RepeatedPage,
    NeverResolved,
    ResolvedEarly,
    MissedTicket(Cause),
    WrongCause(Cause),
    ExtraTicket(Cause),
    FalseTicket(Cause),
}

impl Wrong {
    pub(super) fn new(fleet: &str, model: &str, kind: WrongKind, label: Option<&Label>, at: Period) -> Self {
        let during = label.map(|label| During {
            kind: label.kind.clone(),
            minutes: (label.span.until - label.span.from) * PERIOD_SECONDS / 60,
            magnitude: label.magnitude,
        });
        Self { fleet: fleet.to_owned(), model: model.to_owned(), kind, at, during }
    }
}

impl WrongKind {
    /// As JSON writes it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::MissedPage => "missed_page",
            Self::FalsePage => "false_page",
            Self::TailPaged => "slow_minority_paged",
            Self::RepeatedPage => "repeated_page",
            Self::NeverResolved => "never_resolved",
            Self::ResolvedEarly => "resolved_early",
            Self::MissedTicket(_) => "missed_ticket",
            Self::WrongCause(_) => "wrong_cause",
            Self::ExtraTicket(_) => "extra_ticket",
            Self::FalseTicket(_) => "false_ticket",
        }
    }

    /// The cause of the ticket: of a missed one what was owed, else what was said.
    pub(super) const fn cause(self) -> Option<Cause> {
        match self {
            Self::MissedTicket(cause)
            | Self::WrongCause(cause)
            | Self::ExtraTicket(cause)
            | Self::FalseTicket(cause) => Some(cause),
            _ => None,
        }
    }
}

/// `seed 3 sim.host-004-v1:0 2026-10-18T06:05:00Z false_ticket queueing during dip for 10 min, 0.50`
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.fleet, self.model, self.at, self.kind.as_str())?;
        if let Some(cause) = self.kind.cause() {
            write!(f, " {cause}")?;
        }
        match &self.during {
            Some(During { kind, minutes, magnitude }) => {
                write!(f, " during {kind} for {minutes} min, {magnitude:.2}")
            }
            None => f.write_str(" while nothing was going on"),
        }
    }
}
