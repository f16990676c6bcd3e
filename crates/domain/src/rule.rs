//! When a series pages, and from what it learns: the values of a validated configuration.

use crate::Span;

/// Which estimator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EstimatorChoice {
    /// The p50 where its learned noise can carry the line, else the token-weighted one.
    Auto,
    /// Always [`crate::Estimator::P50`].
    P50,
    /// Always [`crate::Estimator::TokenWeighted`].
    TokenWeighted,
}

impl EstimatorChoice {
    /// As configuration writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::P50 => "p50",
            Self::TokenWeighted => "token-weighted",
        }
    }
}

/// What is done with what was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Pages and tickets are sent.
    Page,
    /// Everything is judged and recorded, nothing is sent.
    Observe,
}

/// What a period is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// A share of the baseline: [`Rule::page_below`].
    Threshold,
    /// A band below the baseline, as wide as what is learned of its noise. It needs two weeks of history.
    Anomaly {
        /// How many standard deviations the band is wide.
        deviations: f64,
        /// A period must also lie below this share of the baseline, above 0 and below 1: a quiet series has a narrow band.
        below: f64,
    },
}

/// What a period without a verdict counts as, in the words of CloudWatch alarms, and `neutral`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingData {
    /// As nothing: it opens nothing and resolves nothing.
    Neutral,
    /// As missing: with nothing else the state is INSUFFICIENT_DATA.
    Missing,
    /// The state stays what it is.
    Ignore,
    /// As breaching. Where that alone makes an ALARM it is a ticket, never a page.
    Breaching,
    /// As within.
    NotBreaching,
}

impl MissingData {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Neutral, Self::Missing, Self::Ignore, Self::Breaching, Self::NotBreaching];

    /// As configuration writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Missing => "missing",
            Self::Ignore => "ignore",
            Self::Breaching => "breaching",
            Self::NotBreaching => "notBreaching",
        }
    }
}

/// When a series pages, and when it resolves.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What is done with what was judged.
    pub mode: Mode,
    /// What a period is held against.
    pub method: Method,
    /// A period breaches strictly below this share of the baseline, above 0 and below 1.
    pub page_below: f64,
    /// A period also breaches strictly below this OTPS (tokens per second), even while LEARNING.
    pub page_below_otps: Option<f64>,
    /// How many of the last periods are looked at (N), 1 to 12.
    pub evaluation_periods: u8,
    /// How many of them must breach (M), 1 to N.
    pub datapoints_to_alarm: u8,
    /// What a period without a verdict counts as.
    pub missing_data: MissingData,
    /// Which estimator decides.
    pub estimator: EstimatorChoice,
    /// Requests that a window must hold for the token-weighted estimator; for the p50, five times as many.
    pub min_samples: u32,
    /// Periods that a window may span to find them, 1 to N.
    pub widest_window: u8,
    /// A drop must also be this many standard deviations of the learned noise below the baseline; 0 turns it off.
    pub noise_sigmas: f64,
    /// An incident resolves above this share of the baseline, at least `page_below`.
    pub recover_above: f64,
    /// How many datapoints in a row must be above it.
    pub recover_datapoints: u8,
    /// The model whose history, in the same account and Region, a series is judged by until it has its own. Only what that model has
    /// learned of itself is meant, so that no chain and no circle comes of two that name each other.
    pub learn_from: Option<String>,
}

impl Rule {
    /// The rule made one that can be met, where its parts come from several places and do not go together: M and the widest window are at
    /// most N, and nothing resolves below where it pages.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        self.datapoints_to_alarm = self.datapoints_to_alarm.min(self.evaluation_periods);
        self.widest_window = self.widest_window.min(self.evaluation_periods);
        self.recover_above = self.recover_above.max(self.page_below);
        self
    }
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            mode: Mode::Page,
            method: Method::Threshold,
            page_below: 0.80,
            page_below_otps: None,
            evaluation_periods: 5,
            datapoints_to_alarm: 3,
            missing_data: MissingData::Neutral,
            estimator: EstimatorChoice::Auto,
            min_samples: 10,
            widest_window: 5,
            noise_sigmas: 2.0,
            recover_above: 0.85,
            recover_datapoints: 3,
            learn_from: None,
        }
    }
}

/// From what a baseline is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Learning {
    /// Days of history that a baseline is learned from.
    pub history_days: u16,
    /// Days of history that must be there before anything is judged.
    pub min_days: u16,
    /// Valid datapoints that must be there before anything is judged.
    pub min_datapoints: u32,
    /// Days that are read from a source at the first start.
    pub backfill_days: u16,
    /// Whether the baseline follows the hour, or is one level for all hours.
    pub seasonal: bool,
    /// Spans that never train a baseline: holidays, load tests.
    pub never_train: Vec<Span>,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            history_days: 14,
            min_days: 3,
            min_datapoints: 500,
            backfill_days: 35,
            seasonal: true,
            never_train: Vec::new(),
        }
    }
}

/// When a ticket about a creep is filed.
#[derive(Debug, Clone, PartialEq)]
pub struct TicketRule {
    /// Growth of TimeToFirstToken or of output tokens against the same day a week before that counts as a day of
    /// evidence: 0.15 is 15 %.
    pub growth: f64,
    /// Loss of OTPS against the oldest days that are kept that counts as a day of evidence: 0.15 is 15 %.
    pub erosion: f64,
    /// Days that are looked at.
    pub days: u8,
    /// Days of evidence among them.
    pub days_to_ticket: u8,
}

impl Default for TicketRule {
    fn default() -> Self {
        Self { growth: 0.15, erosion: 0.15, days: 5, days_to_ticket: 3 }
    }
}
