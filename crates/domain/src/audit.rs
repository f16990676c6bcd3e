//! What was done, by whom, and why: kept beside the incidents.

use jiff::Timestamp;

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// When.
    pub at: Timestamp,
    /// Who: a person, or `otpsd`.
    pub who: String,
    /// What, as a word: `accept`, `silence_add`, `silence_expire`, `withdrawn`, `untold`, `store_rebuilt`, `configuration`.
    pub act: String,
    /// On what: a series, a key, an id.
    pub subject: String,
    /// Why, and what came of it, in a line or two.
    pub detail: String,
}
