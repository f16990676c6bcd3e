//! The time that the services go by.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// In ISO 8601.
pub(crate) fn as_text<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

/// In ISO 8601, or null.
pub(crate) fn as_text_if_any<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(|time| time.to_string()).serialize(serializer)
}
