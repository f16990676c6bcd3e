//! Who was told, who was not, and what stands in the way.

use std::fmt;

use domain::{Key, Series};
use jiff::Timestamp;

/// The configuration was read again, and cannot be taken up: the one before holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationFailure {
    /// When that was first so.
    pub at: Timestamp,
    /// What is wrong with it, as `otpsd check` says it.
    pub problems: String,
}

/// A key that two overrides set for series that are watched: only one of the values holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideConflict {
    /// Which holds and which does not, with where both are written.
    pub what: String,
    /// For how many series.
    pub series: usize,
    /// The first of them.
    pub example: Series,
}

/// The store was damaged: it was set aside, and history was read again from the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRebuilt {
    /// When.
    pub at: Timestamp,
    /// Where the damaged one lies now.
    pub set_aside: String,
    /// What was wrong with it.
    pub why: String,
}

/// An open incident that nobody was told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntoldStatus {
    /// Whose.
    pub series: Series,
    /// Its name.
    pub key: Key,
    /// Why not.
    pub why: Untold,
}

/// Why nobody was told of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Untold {
    /// A silence holds, by its id.
    Silence(String),
    /// A maintenance window is open, by its name.
    Maintenance(String),
    /// The rule only observes.
    Observe,
    /// No route takes it.
    NoRoute,
}

impl Untold {
    /// The reasons as metrics name them.
    pub const REASONS: [&'static str; 4] = ["silence", "maintenance", "observe", "no_route"];

    /// One of [`Untold::REASONS`].
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Silence(_) => "silence",
            Self::Maintenance(_) => "maintenance",
            Self::Observe => "observe",
            Self::NoRoute => "no_route",
        }
    }
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silence(id) => write!(f, "silence {id}"),
            Self::Maintenance(name) => write!(f, "maintenance `{name}`"),
            Self::Observe => f.write_str("observe mode"),
            Self::NoRoute => f.write_str("no route takes it"),
        }
    }
}

/// A maintenance window that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceStatus {
    /// The name in the configuration.
    pub name: String,
    /// Why, where that was said.
    pub comment: Option<String>,
    /// When it ends.
    pub until: Timestamp,
    /// What it is about, as [`crate::in_words`] says it.
    pub about: String,
}

/// How many messages wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxStatus {
    /// Messages that are still to be delivered.
    pub owed: u64,
    /// Messages that were refused for good, or given up, in the last seven days.
    pub refused: u64,
    /// When the oldest of the owed ones became owed.
    pub oldest_owed: Option<Timestamp>,
    /// When the oldest of the owed pages became owed.
    pub oldest_page: Option<Timestamp>,
    /// Pages that could not be written down, and are sent from memory.
    pub in_hand: u64,
}
