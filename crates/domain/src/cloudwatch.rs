//! CloudWatch's own names, as sources and recordings write them.

use std::fmt;

/// A metric of the `AWS/Bedrock` namespace that this project reads.
///
/// Source: Amazon Bedrock user guide, "Monitor Amazon Bedrock runtime metrics".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Milliseconds from the request to the last token; all calls.
    InvocationLatency,
    /// Milliseconds from the request to the first token; successful streaming calls only.
    TimeToFirstToken,
    /// Output tokens of a request; all calls.
    OutputTokenCount,
    /// Input tokens of a request, without what the prompt cache served.
    InputTokenCount,
    /// Input tokens that the prompt cache served.
    CacheReadInputTokens,
    /// Input tokens that were written to the prompt cache.
    CacheWriteInputTokens,
    /// Requests that were throttled; they count in no other metric.
    InvocationThrottles,
    /// Requests that failed on the side of AWS.
    InvocationServerErrors,
    /// Tokens that a request takes of the quota of tokens a minute, about: "an approximation", says its documentation, that does not
    /// reflect the reservations that drive throttling.
    EstimatedTpmQuotaUsage,
}

impl Metric {
    /// The three that OTPS is computed from.
    pub const DECODE: [Self; 3] = [Self::InvocationLatency, Self::TimeToFirstToken, Self::OutputTokenCount];
    /// The ones that only explain.
    pub const DIAGNOSIS: [Self; 6] = [
        Self::InputTokenCount,
        Self::CacheReadInputTokens,
        Self::CacheWriteInputTokens,
        Self::InvocationThrottles,
        Self::InvocationServerErrors,
        Self::EstimatedTpmQuotaUsage,
    ];
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::InvocationLatency,
        Self::TimeToFirstToken,
        Self::OutputTokenCount,
        Self::InputTokenCount,
        Self::CacheReadInputTokens,
        Self::CacheWriteInputTokens,
        Self::InvocationThrottles,
        Self::InvocationServerErrors,
        Self::EstimatedTpmQuotaUsage,
    ];

    /// The name in CloudWatch and in recordings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvocationLatency => "InvocationLatency",
            Self::TimeToFirstToken => "TimeToFirstToken",
            Self::OutputTokenCount => "OutputTokenCount",
            Self::InputTokenCount => "InputTokenCount",
            Self::CacheReadInputTokens => "CacheReadInputTokens",
            Self::CacheWriteInputTokens => "CacheWriteInputTokens",
            Self::InvocationThrottles => "InvocationThrottles",
            Self::InvocationServerErrors => "InvocationServerErrors",
            Self::EstimatedTpmQuotaUsage => "EstimatedTPMQuotaUsage",
        }
    }

    /// The other spelling under which AWS has published the metric, if there is one.
    #[must_use]
    pub const fn other_name(self) -> Option<&'static str> {
        match self {
            Self::CacheReadInputTokens => Some("CacheReadInputTokenCount"),
            Self::CacheWriteInputTokens => Some("CacheWriteInputTokenCount"),
            _ => None,
        }
    }

    /// The metric of that name, in either spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.name() == name || metric.other_name() == Some(name))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A statistic of a metric over a period. Up to five of one metric are billed as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statistic {
    /// The median.
    P50,
    /// The 95th percentile.
    P95,
    /// The total.
    Sum,
    /// How many requests.
    SampleCount,
}

impl Statistic {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::P50, Self::P95, Self::Sum, Self::SampleCount];

    /// The name in CloudWatch and in recordings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P95 => "p95",
            Self::Sum => "Sum",
            Self::SampleCount => "SampleCount",
        }
    }

    /// The statistic of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|statistic| statistic.name() == name)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A service tier, as CloudWatch's `ResolvedServiceTier` has it: which one served a request. Priority is up to 25 % faster than default.
///
/// Source: Amazon Bedrock user guide, "Service tiers for optimizing performance and cost".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Capacity of one's own; what is above it is served by [`Self::Default`].
    Reserved,
    /// Before all others.
    Priority,
    /// What is served unless something else is asked for.
    Default,
    /// Cheaper, and later.
    Flex,
}

impl Tier {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reserved, Self::Priority, Self::Default, Self::Flex];

    /// The name in CloudWatch and in recordings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reserved => "reserved",
            Self::Priority => "priority",
            Self::Default => "default",
            Self::Flex => "flex",
        }
    }

    /// The tier of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_in_both_spellings() {
        for metric in Metric::ALL {
            assert_eq!(Metric::from_name(metric.name()), Some(metric));
        }
        assert_eq!(Metric::from_name("CacheReadInputTokenCount"), Some(Metric::CacheReadInputTokens));
        assert_eq!(Metric::from_name("Invocations"), None);
        for statistic in Statistic::ALL {
            assert_eq!(Statistic::from_name(statistic.name()), Some(statistic));
        }
        for tier in Tier::ALL {
            assert_eq!(Tier::from_name(tier.name()), Some(tier));
        }
    }
}
