//! What one period says.

use std::fmt;

use crate::{Estimator, Otps, Period};

/// One period of a series, as it can be judged: its OTPS, or the named reason why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Datapoint {
    /// All inputs were there and make sense.
    Valid {
        /// OTPS by both estimators, at least one of them.
        otps: Otps,
        /// How many requests it is about.
        samples: f64,
    },
    /// Neither breaching nor within: it opens nothing and resolves nothing.
    Missing(MissingReason),
}

/// Why a period has no verdict. The names are part of the output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingReason {
    /// The source answered, and has nothing for the period: no requests.
    NoData,
    /// Requests, but none with a TimeToFirstToken: nothing streamed.
    NoTimeToFirstToken,
    /// An input other than TimeToFirstToken is missing.
    IncompleteInputs,
    /// Latency is not above TimeToFirstToken, so there is no decode time.
    NoDecodeTime,
    /// The decode time or the OTPS cannot be real.
    Implausible,
    /// Fewer requests than the rule asks for, even over the widest window.
    TooFewSamples,
    /// The share of streaming calls left its learned level, so that the inputs are about different requests.
    StreamingShift,
    /// Nothing to compare with yet.
    NoBaseline,
    /// The source could not be read: nobody knows.
    NotSeen,
}

impl MissingReason {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::NoData,
        Self::NoTimeToFirstToken,
        Self::IncompleteInputs,
        Self::NoDecodeTime,
        Self::Implausible,
        Self::TooFewSamples,
        Self::StreamingShift,
        Self::NoBaseline,
        Self::NotSeen,
    ];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoData => "no_data",
            Self::NoTimeToFirstToken => "no_time_to_first_token",
            Self::IncompleteInputs => "incomplete_inputs",
            Self::NoDecodeTime => "no_decode_time",
            Self::Implausible => "implausible",
            Self::TooFewSamples => "too_few_samples",
            Self::StreamingShift => "streaming_shift",
            Self::NoBaseline => "no_baseline",
            Self::NotSeen => "not_seen",
        }
    }
}

impl fmt::Display for MissingReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoData => "no requests",
            Self::NoTimeToFirstToken => "no streaming requests",
            Self::IncompleteInputs => "an input metric is missing",
            Self::NoDecodeTime => "latency is not above time to first token",
            Self::Implausible => "the figures cannot be real",
            Self::TooFewSamples => "too few requests",
            Self::StreamingShift => "the share of streaming requests changed",
            Self::NoBaseline => "nothing to compare with yet",
            Self::NotSeen => "the source could not be read",
        })
    }
}

/// What a period says about the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Strictly below the line.
    Breaching,
    /// On the line or above.
    Within,
    /// Says nothing, for the reason named.
    Missing(MissingReason),
}

/// One of the last periods with everything its verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// Which period.
    pub period: Period,
    /// What it says.
    pub verdict: Verdict,
    /// The estimator that decided.
    pub estimator: Estimator,
    /// OTPS of the window by both estimators, where there is one.
    pub otps: Option<Otps>,
    /// What the deciding estimator usually is at this hour, in tokens per second.
    pub baseline: Option<f64>,
    /// Relative noise that is usual at this sample count: one robust standard deviation of `ln(OTPS / baseline)`.
    pub noise: Option<f64>,
    /// Requests in the window.
    pub samples: f64,
    /// How many periods the window spans, 1 to 5.
    pub window: u8,
}

impl Slot {
    /// OTPS of the deciding estimator, in tokens per second.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.otps.and_then(|otps| otps.by(self.estimator))
    }

    /// OTPS over its baseline.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        Some(self.value()? / self.baseline?)
    }
}
