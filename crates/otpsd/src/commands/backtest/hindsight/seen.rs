//! How far a series could be judged.

use std::cmp::Ordering;
use std::fmt;

use domain::{Learning, MissingReason, Period, Rule, Series};
use evaluator::Progress;

use super::Ratios;
use crate::commands::plan::Why;

/// A series of the recording.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) series: Series,
    pub(crate) rule: Rule,
    /// Since when it could be judged, or why not.
    pub(crate) sight: Sight,
    pub(crate) counts: Counts,
    /// Whenever it came near paging without doing so, in order of time: each run of breaching periods at its closest.
    pub(crate) near: Vec<Closest>,
    /// The ratio of each period that had one. Known only near charts.
    pub(crate) ratios: Ratios,
}

impl Seen {
    /// When it came closest.
    pub(crate) fn closest(&self) -> Option<&Closest> {
        self.near.iter().min_by(|one, other| one.order(other))
    }

    /// How close it came from one period on, until another.
    pub(crate) fn closest_within(&self, from: Period, until: Period) -> Option<&Closest> {
        let within = self.near.iter().filter(|near| from <= near.period && near.period < until);
        within.min_by(|one, other| one.order(other))
    }
}

/// Since when a series could be judged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sight {
    /// From this period on.
    From(Period),
    /// Never.
    Never(Never),
    /// No source of the configuration watches it.
    NotWatched(Why),
}

/// Why a series could never be judged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Never {
    /// It had no requests.
    NoRequests,
    /// Nothing of it streams.
    NotStreaming,
    /// The history is too short, or has too few datapoints.
    TooLittleHistory { progress: Progress, learning: Learning },
    /// A period never had enough requests.
    TooFewRequests,
    /// What most of its periods lack.
    Other(MissingReason),
}

/// Periods of a series.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// With a verdict.
    pub(crate) judged: u32,
    /// With requests and without a verdict, by the order of [`MissingReason::ALL`].
    pub(crate) missing: [u32; MissingReason::ALL.len()],
    /// Those of them that came before the first verdict.
    pub(crate) before: u32,
}

impl Counts {
    /// Periods with requests.
    pub(crate) fn with_requests(&self) -> u32 {
        self.judged + self.missing.iter().sum::<u32>()
    }

    /// Periods with requests from the first verdict on.
    pub(crate) fn since_judged(&self) -> u32 {
        self.with_requests() - self.before
    }

    /// The reason that most periods without a verdict have.
    pub(crate) fn main_reason(&self) -> Option<MissingReason> {
        let most = self.missing.iter().copied().max().filter(|most| *most > 0)?;
        let place = self.missing.iter().position(|count| *count == most)?;
        MissingReason::ALL.get(place).copied()
    }
}

/// Periods that were below the line together, and opened nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Closest {
    /// The last of them.
    pub(crate) period: Period,
    /// How many breached.
    pub(crate) breaching: u8,
    /// Of how many.
    pub(crate) of: u8,
    /// How many would have been needed.
    pub(crate) needed: u8,
    /// The lowest ratio among them.
    pub(crate) lowest: Option<f64>,
}

impl Closest {
    /// There were enough of them, and all evidence together spoke against a page.
    pub(crate) fn is_withheld(&self) -> bool {
        self.breaching >= self.needed
    }

    /// Closest first: by how many are missing, then by how low it was, then by when.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let missing = |one: &Self| i16::from(one.needed) - i16::from(one.breaching);
        let lowest = |one: &Self| one.lowest.unwrap_or(1.0);
        missing(self)
            .cmp(&missing(other))
            .then(lowest(self).total_cmp(&lowest(other)))
            .then(self.period.cmp(&other.period))
    }
}

impl fmt::Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRequests => f.write_str("no requests"),
            Self::NotStreaming => f.write_str("nothing of it streams"),
            Self::TooFewRequests => f.write_str("too few requests"),
            Self::TooLittleHistory { progress, learning } => {
                let days = progress.periods as f64 / domain::PERIODS_PER_DAY as f64;
                write!(
                    f,
                    "too little history: {days:.1} of {} days, {} of {} datapoints",
                    learning.min_days, progress.datapoints, learning.min_datapoints
                )
            }
            Self::Other(reason) => write!(f, "{reason}"),
        }
    }
}
