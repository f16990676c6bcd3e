//! PagerDuty's Events API v2.
//!
//! # Layout
//!
//! - `event`: the body of a trigger and of its resolve, without the routing key.
//! - `channel`: posting it, with the routing key.
//! - `answer`: what a status means for the outbox.

mod answer;
mod channel;
mod event;

pub(crate) use channel::PagerDutyChannel;
pub(crate) use event::event;
