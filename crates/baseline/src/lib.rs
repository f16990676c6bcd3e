//! What a period is expected to be, and the noise around it, learned from two weeks of OTPS.
//!
//! Everything is learned on `ln(OTPS)`, where a slowdown by a share is a shift, and with medians, so that an incident or
//! a broken datapoint in the history moves nothing. There is no clock and no state: a [`Baseline`] is a pure function
//! of the samples that it is given.
//!
//! # Layout
//!
//! - [`Sample`], [`Baseline`]: what goes in, what comes out.
//! - [`Pair`], [`Conditional`]: what one figure is, given another.
//! - `season`: the level by hour of the week, shrunk toward the hour of the day, shrunk toward the overall median.
//! - `noise`: how far a datapoint strays, as a function of its sample count.
//! - `robust`: medians and the spread that they imply.

mod conditional;
mod learn;
mod noise;
mod robust;
mod season;

pub use conditional::{Conditional, Pair};
pub use learn::{Baseline, Sample};
pub use noise::Noise;
pub use robust::{median, spread, weighted_median};
