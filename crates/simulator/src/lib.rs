//! A fleet simulated request by request, and loopback services that serve it on the wire.
//!
//! # Layout
//!
//! - [`Telemetry`]: what happened, whoever made it; the seam between the two halves.
//! - [`Fleet`]: models whose every request is drawn, with [`Event`]s; for the demonstration and at random.
//! - [`labels`]: what is owed for everything that happens to a fleet.
//! - [`Replay`]: a recording, served as if it happened.
//! - [`loopback`]: CloudWatch over any telemetry, and whatever takes messages and tickets, on 127.0.0.1.

mod fleet;
pub mod labels;
pub mod loopback;
mod replay;
mod telemetry;

pub use fleet::{
    DEMO_HISTORY, DEMO_STORY, Decode, Event, EventKind, FirstToken, Fleet, FleetOptions, ModelSpec,
    PromptCache, RequestClass, Rhythm, Tokens,
};
pub use replay::Replay;

pub use telemetry::{Observation, Telemetry};
