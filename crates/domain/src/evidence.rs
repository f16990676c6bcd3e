//! What a decision rests on, as values; every text about it is a rendering of these.

use crate::{Slot, Terms};

/// The evidence of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The terms of latency in the breaching periods.
    pub now: Terms,
    /// What they usually are at these hours.
    pub usual: Terms,
    /// The periods that the rule looked at, oldest first, at most `evaluation-periods` of them.
    pub slots: Vec<Slot>,
    /// The share of the baseline below which a period breaches (0.80), or `None` when an absolute floor decided.
    pub line: Option<f64>,
    /// How many periods had to breach, and of how many; [`crate::OtpsDrop::observe`] fills it in.
    pub m_of_n: (u8, u8),
    /// What else was looked at, and what came of it.
    pub findings: Vec<Finding>,
    /// The model by whose history it was judged, where the series has none of its own yet.
    pub learned_from: Option<String>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// What was looked at.
    pub subject: Subject,
    /// What came of it.
    pub check: Check,
    /// What it usually is, in its own unit.
    pub usual: Option<f64>,
    /// What it is now, in its own unit.
    pub now: Option<f64>,
}

/// What came of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// It did not move, so it is not the reason.
    RuledOut,
    /// It moved too.
    Moved,
    /// It could not be read.
    NotChecked,
}

/// What can be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// p50 of InputTokenCount, in tokens.
    PromptLength,
    /// p50 of OutputTokenCount, in tokens.
    ResponseLength,
    /// Share of requests that streamed, 0 to 1.
    StreamingShare,
    /// Share of the prompt that the cache served, 0 to 1.
    CacheReads,
    /// Throttled requests per request.
    Throttles,
    /// Server errors per request.
    ServerErrors,
    /// Tokens a minute of the quota that were used, about.
    QuotaUsage,
    /// Share of requests that the priority tier served, 0 to 1; CloudWatch has the service tier only for some models.
    ServiceTier,
    /// Share of requests that the reserved tier served, 0 to 1.
    ReservedTier,
    /// Share of requests that the flex tier served, 0 to 1.
    FlexTier,
}

impl Subject {
    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PromptLength => "prompt_length",
            Self::ResponseLength => "response_length",
            Self::StreamingShare => "streaming_share",
            Self::CacheReads => "cache_reads",
            Self::Throttles => "throttles",
            Self::ServerErrors => "server_errors",
            Self::QuotaUsage => "quota_usage",
            Self::ServiceTier => "service_tier",
            Self::ReservedTier => "reserved_tier",
            Self::FlexTier => "flex_tier",
        }
    }
}
