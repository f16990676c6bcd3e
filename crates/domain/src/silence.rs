//! What somebody does not want to hear of for a while.

use jiff::Timestamp;

use crate::Matcher;

/// A silence: what it is about is judged and recorded, and told nobody until it ends. It is said over the control socket, not written in
/// the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// Its name: eight hexadecimal digits.
    pub id: String,
    /// What it is about.
    pub matcher: Matcher,
    /// Who said so.
    pub author: String,
    /// Why.
    pub comment: String,
    /// Its first instant.
    pub from: Timestamp,
    /// The first instant after it. One that is expired by hand ends at once.
    pub until: Timestamp,
}

impl Silence {
    /// Whether it holds at `at`.
    #[must_use]
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_from_its_first_instant_until_its_end() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let silence = Silence {
            id: "5117ab1e".to_owned(),
            matcher: Matcher::default(),
            author: "kim".to_owned(),
            comment: "moving".to_owned(),
            from: at("2026-06-01T10:00:00Z"),
            until: at("2026-06-01T11:00:00Z"),
        };
        for (time, holds) in
            [("09:59:59", false), ("10:00:00", true), ("10:59:59", true), ("11:00:00", false)]
        {
            assert_eq!(silence.holds(at(&format!("2026-06-01T{time}Z"))), holds, "{time}");
        }
        let expired = Silence { until: silence.from, ..silence.clone() };
        assert!(!expired.holds(silence.from), "one that ends where it begins never holds");
    }
}
