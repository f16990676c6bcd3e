//! What people read, as pure functions: one line and a full text for a page, its resolve, a page that is held open, a ticket, a
//! ticket about a source that fails, and one about what of it is not watched.
//!
//! Whoever reads a page was asleep a minute ago. So the first line alone says what, where and how much; every figure
//! stands beside what it usually is; and what is not known is said to be unknown.
//!
//! # Layout
//!
//! - [`page`], [`resolve`], [`held`], [`ticket`], [`source`], [`coverage`]: the messages.
//! - `heading`: series in a line, and the last lines of every text.
//! - `slots`: the last periods, one a line.
//! - `identity`: the terms of latency for what is usual and for now.
//! - `sureness`: how far the evidence carries.
//! - `findings`: what was ruled out, what moved, what nobody looked at.
//! - `fell_back`: latency-optimized traffic that is served with Standard latency.
//! - `around`: what cannot be seen, and how other Regions are doing.

mod around;
pub mod coverage;
mod fell_back;
mod findings;
mod heading;
pub mod held;
mod identity;
pub mod page;
pub mod resolve;
mod slots;
pub mod source;
mod sureness;
pub mod ticket;

/// The title of the steps of a page.
pub(crate) const DO_NOW: &str = "Do now";
/// The title of the steps of a ticket.
pub(crate) const DO_IN_ORDER: &str = "Do, in this order";

#[cfg(test)]
mod tests;
