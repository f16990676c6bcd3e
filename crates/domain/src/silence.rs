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
