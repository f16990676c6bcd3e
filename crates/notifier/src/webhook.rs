//! An address that takes JSON.
//!
//! # Layout
//!
//! - `channel`: posting a body.
//! - `signature`: what proves that a body is the daemon's.
//! - `answer`: what a status means for the outbox.

mod answer;
mod channel;
mod signature;

pub(crate) use channel::WebhookChannel;
