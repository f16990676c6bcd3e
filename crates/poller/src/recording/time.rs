//! Times of recordings.

use domain::Period;
use jiff::Timestamp;

/// Why a text or number is not the start of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoPeriod {
    /// It is no time at all.
    NoTime,
    /// It is a time at which no period starts.
    NoStart,
}

impl NoPeriod {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::NoTime => "is not a time",
            Self::NoStart => "is not the start of a five-minute period",
        }
    }

    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::NoTime => "write it with its offset, such as 2026-10-01T00:05:00Z",
            Self::NoStart => "record with a period of 300 seconds, and name a period by its start",
        }
    }
}

/// The period that starts at the time a text names: an ISO 8601 time with its offset.
pub(super) fn parse(text: &[u8]) -> Result<Period, NoPeriod> {
    let text = str::from_utf8(text).map_err(|_| NoPeriod::NoTime)?;
    let time: Timestamp = text.parse().map_err(|_| NoPeriod::NoTime)?;
    Period::starting(time).ok_or(NoPeriod::NoStart)
}

/// The period that starts at a Unix time in seconds.
pub(super) fn from_epoch(seconds: f64) -> Result<Period, NoPeriod> {
    // The conversion saturates, and `Timestamp` refuses what it saturates at.
    let time = Timestamp::from_second(seconds as i64).map_err(|_| NoPeriod::NoTime)?;
    if seconds.fract() != 0.0 {
        return Err(NoPeriod::NoStart);
    }
    Period::starting(time).ok_or(NoPeriod::NoStart)
}
