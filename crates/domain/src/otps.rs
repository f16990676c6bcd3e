//! Output tokens per second, and the identity of latency.

use std::fmt;

/// How OTPS is computed from the statistics of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Estimator {
    /// `p50(OutputTokenCount) / (p50(InvocationLatency) - p50(TimeToFirstToken)) x 1000`: what the median user got,
    /// as long as the mix of requests stays what it is.
    P50,
    /// `Sum(OutputTokenCount) / (Sum(InvocationLatency) - Sum(TimeToFirstToken)) x 1000`: how fast tokens were made,
    /// right under any mix, but moved by a slow minority.
    TokenWeighted,
}

impl Estimator {
    /// As configuration and output write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::TokenWeighted => "token-weighted",
        }
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// OTPS of one period by both estimators, in tokens per second. Values are finite and above zero. A source may lack the
/// inputs of one of them; a valid datapoint has at least one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Otps {
    /// By [`Estimator::P50`].
    pub p50: Option<f64>,
    /// By [`Estimator::TokenWeighted`].
    pub token_weighted: Option<f64>,
}

impl Otps {
    /// The value of one estimator.
    #[must_use]
    pub const fn by(&self, estimator: Estimator) -> Option<f64> {
        match estimator {
            Estimator::P50 => self.p50,
            Estimator::TokenWeighted => self.token_weighted,
        }
    }
}

/// The terms of `InvocationLatency = TimeToFirstToken + OutputTokenCount / OTPS x 1000`, for one moment or for what is
/// usual. Every page and ticket shows them for the baseline and for now, so that a reader sees which term moved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Terms {
    /// p50 OTPS, in tokens per second, where its inputs were read.
    pub otps_p50: Option<f64>,
    /// Token-weighted OTPS, in tokens per second, where its inputs were read.
    pub otps_token_weighted: Option<f64>,
    /// p50 of InvocationLatency, in milliseconds.
    pub latency_ms: f64,
    /// p50 of TimeToFirstToken, in milliseconds.
    pub ttft_ms: f64,
    /// p50 of OutputTokenCount.
    pub output_tokens: f64,
    /// p50 of InputTokenCount, where it was read.
    pub input_tokens: Option<f64>,
    /// Share of the whole prompt that the cache served, 0 to 1, where it was read.
    pub cache_read_share: Option<f64>,
    /// Share of requests that streamed, 0 to 1.
    pub streaming_share: f64,
    /// Throttled requests per request, where it was read.
    pub throttle_share: Option<f64>,
    /// Server errors per request, where it was read.
    pub server_error_share: Option<f64>,
    /// Tokens a minute of the quota that were used, about, where it was read: EstimatedTPMQuotaUsage, on average over periods.
    pub quota_tokens: Option<f64>,
    /// Shares of the requests that a service tier other than the default one served, 0 to 1, where CloudWatch has them.
    pub tiers: Option<TierShares>,
    /// Requests in a period.
    pub samples: f64,
}

/// Shares of the requests that were served by a service tier, 0 to 1. The rest is of the default one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TierShares {
    /// Of the reserved tier.
    pub reserved: f64,
    /// Of the priority tier.
    pub priority: f64,
    /// Of the flex tier.
    pub flex: f64,
}

impl Terms {
    /// Milliseconds between the first and the last token, by the p50 figures: never below zero.
    #[must_use]
    pub fn decode_ms(&self) -> f64 {
        (self.latency_ms - self.ttft_ms).max(0.0)
    }
}
