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
//! - [`probe`]: whether a receiver answers, without telling it anything.
//! - `notice`: what is said, before it is cut to a format, and the daemon's own JSON of it.
//! - [`heartbeat`]: signs of life, for something outside that notices when they stop.
//! - `sns`: bodies in the shape of a CloudWatch alarm, and the topic.
//! - `pagerduty`: events of the Events API v2, and where they are posted.
//! - `opsitem`: OpsItems of Systems Manager.
//! - `jira`: issues of Jira Cloud.
//! - `webhook`: any address that takes JSON.
//! - `item`, `tracked`: the body of messages to trackers of work, and what it says.
//! - `log`: the daemon's own log.
//! - `aws`, `http`, `redaction`: what calls of AWS and plain HTTP need, and what must not be seen of them.
//! - `figures`, `moments`, `sheet`, `cut`: numbers, times, lines, and making them fit.
//! - `deciding`, `gathered`: the period that a page is about, and the order of its series.

mod aws;
mod context;
mod cut;
mod deciding;
#[cfg(test)]
mod fake;
mod figures;
mod gathered;
pub mod heartbeat;
mod http;
mod item;
mod jira;
mod log;
mod moments;
mod notice;
mod open;
mod opsitem;
mod pagerduty;
pub mod probe;
mod redaction;
pub mod render;
#[cfg(test)]
mod sample;
mod sheet;
mod sns;
pub mod text;
mod tracked;
mod webhook;

pub use context::Context;
pub use open::{open, open_with};
