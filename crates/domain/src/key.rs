//! Names for what is said, so that any repeat of it can be recognised.

use std::fmt;

use crate::{Cause, Failure, Group, Period, Series, SourceAct};

/// The key of an incident or a ticket: `otpsd-` and sixteen hexadecimal digits.
///
/// It is a function of what it names alone (series, cause, and the period that opened it), so that a replay, a lost
/// store and a second daemon arrive at the same key. It goes to every receiver as its deduplication key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key of the incident of `series` that `opened` opened.
    #[must_use]
    pub fn of_incident(series: &Series, opened: Period) -> Self {
        Self::digest(&format!("page|{series}|{}", opened.index()))
    }

    /// The key of the page of a group that `opened` opened. It names the group and not one of its incidents, so that whichever of two
    /// accounts is read first, and after a lost store, the same slump has the same key. Of a group of one series it is the key of
    /// the incident.
    #[must_use]
    pub fn of_page(group: &Group, opened: Period) -> Self {
        Self::digest(&format!("page|{group}|{}", opened.index()))
    }

    /// The key of the ticket of `series` and `cause` that `opened` opened.
    #[must_use]
    pub fn of_ticket(series: &Series, cause: Cause, opened: Period) -> Self {
        Self::digest(&format!("ticket|{}|{series}|{}", cause.as_str(), opened.index()))
    }

    /// The key of the ticket of a source that has not done `act` since `since`, failing as `failure`. It names the source by
    /// its name in the configuration, since that is what it is about.
    #[must_use]
    pub fn of_source(source: &str, act: SourceAct, failure: Failure, since: Period) -> Self {
        Self::digest(&format!("source|{source}|{}|{}|{}", act.as_str(), failure.as_str(), since.index()))
    }

    /// A key of something else that is told: a function of its parts.
    #[must_use]
    pub fn from_parts(parts: &[&str]) -> Self {
        Self::digest(&parts.join("|"))
    }

    /// A key that was stored or received.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// FNV-1a, 64 bits: stable over versions and machines, which the standard library's hashes are not.
    fn digest(text: &str) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in text.bytes() {
            hash ^= u64::from(byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self(format!("otpsd-{hash:016x}"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GroupBy;

    #[test]
    fn keys_are_a_contract() {
        // Worked out with an independent FNV-1a over the texts in the comments. A changed key would open every
        // standing incident a second time.
        let series = Series::new("111122223333", "us-east-1", "m");
        let opened = Period::from_index(5_970_000);
        // page|111122223333/us-east-1/m|5970000
        assert_eq!(Key::of_incident(&series, opened).as_str(), "otpsd-54dd9473edee387a");
        // page|us-east-1|5970000
        let (region, alone) = (GroupBy::Region.group(&series), GroupBy::Series.group(&series));
        assert_eq!(Key::of_page(&region, opened).as_str(), "otpsd-f5a76268213b6e09");
        assert_eq!(Key::of_page(&alone, opened), Key::of_incident(&series, opened));
        // ticket|queueing|111122223333/us-east-1/m|5970000
        assert_eq!(Key::of_ticket(&series, Cause::Queueing, opened).as_str(), "otpsd-762428875229261a");
        // source|main|read|denied|5970000
        let key = Key::of_source("main", SourceAct::Read, Failure::Denied, opened);
        assert_eq!(key.as_str(), "otpsd-e3eb95477fd2c335");
    }
}
