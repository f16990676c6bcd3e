//! simulator.

mod telemetry;

pub use telemetry::{Observation, Telemetry};
