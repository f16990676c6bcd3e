//! What deserves a reader in the morning, and never wakes anybody.

use std::fmt;

use crate::{Finding, Key, Period, Series, Terms};

/// Why a ticket is filed. The set is closed, and the names are part of the output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A source could not be read.
    SourceFailing,
    /// No data where the same hours of past weeks had it.
    NoData,
    /// The share of streaming requests changed.
    StreamingMix,
    /// p95 and token-weighted OTPS fell, the median user is not hit.
    SlowTail,
    /// TimeToFirstToken grew with the prompt.
    PromptGrowth,
    /// TimeToFirstToken grew because the prompt cache serves less.
    CacheRegression,
    /// TimeToFirstToken grew, and the prompt does not explain it.
    Queueing,
    /// Responses grew, OTPS held.
    LongerResponses,
    /// OTPS fell slowly over weeks.
    DecodeErosion,
    /// An incident has stood for days: somebody must decide whether this is the new normal.
    LevelShift,
    /// Most periods could not be judged.
    LowConfidence,
    /// A model that must be there is not.
    ModelMissing,
    /// There are more series than may be watched.
    SeriesLimit,
    /// Reading all of it would cost more than it may.
    CostLimit,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::SourceFailing,
        Self::NoData,
        Self::StreamingMix,
        Self::SlowTail,
        Self::PromptGrowth,
        Self::CacheRegression,
        Self::Queueing,
        Self::LongerResponses,
        Self::DecodeErosion,
        Self::LevelShift,
        Self::LowConfidence,
        Self::ModelMissing,
        Self::SeriesLimit,
        Self::CostLimit,
    ];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SourceFailing => "source_failing",
            Self::NoData => "no_data",
            Self::StreamingMix => "streaming_mix",
            Self::SlowTail => "slow_tail",
            Self::PromptGrowth => "prompt_growth",
            Self::CacheRegression => "cache_regression",
            Self::Queueing => "queueing",
            Self::LongerResponses => "longer_responses",
            Self::DecodeErosion => "decode_erosion",
            Self::LevelShift => "level_shift",
            Self::LowConfidence => "low_confidence",
            Self::ModelMissing => "model_missing",
            Self::SeriesLimit => "series_limit",
            Self::CostLimit => "cost_limit",
        }
    }

    /// Whether it is about what of a source is watched, and not about one of its series.
    #[must_use]
    pub const fn is_of_source(self) -> bool {
        matches!(self, Self::SourceFailing | Self::ModelMissing | Self::SeriesLimit | Self::CostLimit)
    }

    /// The cause of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == name)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is said of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TicketAction {
    /// It is new.
    Opened,
    /// It still stands, with newer figures.
    Updated,
    /// Its reason is gone.
    Closed,
}

impl TicketAction {
    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Updated => "updated",
            Self::Closed => "closed",
        }
    }
}

/// Something that deserves a reader, about one series. It cannot page: no channel that wakes people takes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticket {
    /// Whose.
    pub series: Series,
    /// Why.
    pub cause: Cause,
    /// What is said of it.
    pub action: TicketAction,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// The period whose verdict is told now; equal to `opened` for a new ticket.
    pub decided: Period,
    /// Its name to every receiver.
    pub key: Key,
    /// The terms of latency in the reference days, frozen when it opened.
    pub usual: Terms,
    /// The terms of latency now.
    pub now: Terms,
    /// Days of evidence, and days that were looked at.
    pub days: (u8, u8),
    /// What else was looked at, and what came of it.
    pub findings: Vec<Finding>,
}
