//! The engine: from readings to verdicts, states, incidents, pages and tickets.
//!
//! [`Engine::step`] is the only judge of otpsd. The daemon, the backtest, the demo and the tests drive the same one. It
//! has no clock, socket, file, thread, randomness or hash map.
//!
//! # Layout
//!
//! In the order of the data, one step a module:
//!
//! - `history`, `narrow`: the readings that are still needed, in little memory.
//! - `datapoint`, `streaming`: a reading becomes OTPS by both estimators, or missing with a reason.
//! - `window`: the shortest trailing window that holds enough requests.
//! - `learned`: baselines and what else is usual, up to a boundary.
//! - `verdict`: value against baseline, by the rule.
//! - `stretch`: fresh evidence of several periods, none of it counted twice.
//! - `confirm`, `tail`: whether that evidence is a slow host, surely, and not a few slow requests.
//! - `recovery`: whether it is over.
//! - `treatment`: what missing periods make of an alarm, by the rules of CloudWatch.
//! - `machine`: verdicts become states, incidents and their end.
//! - `diagnosis`: which term of latency moved, and what did not.
//! - `fell_back`: whether latency-optimized traffic came back under the name of its series.
//! - `days`, `tickets`: days in figures, and what deserves a reader in the morning.
//! - [`Settings`]: what every series is judged by.
//! - [`Engine`]: all series, driven by time.
//!
//! And apart from all series:
//!
//! - [`SourceWatch`]: when a source that fails becomes a ticket.
//! - [`coverage`]: what of a source is not watched as it should be.
//! - [`thrift`]: how much of a source is read for what it may cost.
//! - [`paging`]: who is told of what.

mod confirm;
pub mod coverage;
mod datapoint;
mod days;
mod diagnosis;
mod effect;
mod engine;
mod fell_back;
mod history;
mod learned;
mod machine;
mod narrow;
pub mod paging;
mod recovery;
mod settings;
mod sources;
mod streaming;
mod stretch;
mod tail;
pub mod thrift;
mod tickets;
mod treatment;
mod verdict;
mod window;

pub use effect::Effect;
pub use engine::{Engine, Input};
pub use learned::Progress;
pub use machine::explain::{Explanation, Outlook, Usual, UsualOtps, Weighed};
pub use machine::{lent_from, needed_from};
pub use paging::{Desk, Notice, Paging, Untold};
pub use settings::Settings;
pub use sources::{Affected, FAILING_TO_TICKET, GOOD_POLLS_TO_CLOSE, SourceNews, SourceWatch};
