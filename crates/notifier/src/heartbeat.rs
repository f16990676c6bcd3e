//! Signs of life, for something outside that raises an alarm when they stop.
//!
//! A sign is sent after periods were judged, never by a timer alone: a daemon that runs and reads nothing is not alive. Whoever calls
//! decides when; each function sends one sign once.
//!
//! # Layout
//!
//! - [`Ping`]: an address of a dead man's switch.
//! - [`CloudWatch`]: a metric, for an alarm on missing data.

mod cloudwatch;
mod ping;

pub use cloudwatch::CloudWatch;
pub use ping::Ping;
