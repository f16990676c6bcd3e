//! What somebody who knew the truth would ask of a detector, for one model.

use domain::{PERIODS_PER_DAY, Period, Span};
use simulator::labels::Expect;

/// Models by their traffic: the fewer requests, the harder it is to be sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// 60 requests a period and more, as the median of the periods with requests.
    Busy,
    /// 20 to 59.
    Middling,
    /// Below 20, where CloudWatch itself calls a percentile unsure.
    Quiet,
}

impl Tier {
    pub(super) const ALL: [Self; 3] = [Self::Busy, Self::Middling, Self::Quiet];

    pub(super) fn of(median_samples: u32) -> Self {
        match median_samples {
            60.. => Self::Busy,
            20..60 => Self::Middling,
            0..20 => Self::Quiet,
        }
    }

    /// As JSON writes it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Busy => "60+",
            Self::Middling => "20-59",
            Self::Quiet => "0-19",
        }
    }
}

/// One thing that happened, and what is owed for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    /// What, by name.
    pub(super) kind: String,
    /// From when to when.
    pub(super) span: Span,
    /// Since when it could be known: the requests that show it have been there after this period.
    pub(super) evident: Period,
    /// What is owed.
    pub(super) expect: Expect,
    /// How much, in the terms of its kind.
    pub(super) magnitude: f64,
}

/// A model with everything that happened to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    /// The value of `ModelId`.
    pub(super) name: String,
    pub(super) tier: Tier,
    /// The first period after the days that are for learning. What is said before it is not scored.
    pub(super) begin: Period,
    /// How long it is scored, in months of 30 days.
    pub(super) months: f64,
    /// In order of time.
    pub(super) labels: Vec<Label>,
}

impl Model {
    pub(super) fn new(
        name: &str,
        median_samples: u32,
        start: Period,
        days: i64,
        learn_days: i64,
        labels: Vec<Label>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            tier: Tier::of(median_samples),
            begin: start + learn_days * PERIODS_PER_DAY,
            months: (days - learn_days) as f64 / 30.0,
            labels,
        }
    }
}
