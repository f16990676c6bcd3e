//! What the daemon says, and how it reaches people: the texts of pages, resolves and tickets, their wire bodies, and
//! the channels that carry them.
//!
//! Rendering is pure. A message is rendered once, when it becomes owed, and holds no secret; a [`domain::Channel`]
//! sends it once, adds its own secret, and says by [`domain::Retry`] whether to try again.
//!
//! # Layout
//!
//! - [`text`]: what people read.
//! - [`render`]: a page, a resolve or a ticket as a [`domain::Message`] in the wire format of one channel.
//! - [`open()`]: the channel of a plan.
//! - `sns`: bodies in the shape of a CloudWatch alarm, and the topic.
//! - `pagerduty`: events of the Events API v2, and where they are posted.
//! - `opsitem`: OpsItems of Systems Manager.
//! - `webhook`: any address that takes JSON.
//! - `item`: the body of messages to trackers of work.
//! - `log`: the daemon's own log.
//! - `aws`, `http`, `redaction`: what calls of AWS and plain HTTP need, and what must not be seen of them.
//! - `figures`, `moments`, `sheet`, `cut`: numbers, times, lines, and making them fit.
//! - `deciding`: the period that a page is about.

mod aws;
mod context;
mod cut;
mod deciding;
#[cfg(test)]
mod fake;
mod figures;
mod http;
mod item;
mod log;
mod moments;
mod open;
mod opsitem;
mod pagerduty;
mod redaction;
pub mod render;
#[cfg(test)]
mod sample;
mod sheet;
mod sns;
pub mod text;
mod webhook;

pub use context::Context;
pub use open::{open, open_with};
