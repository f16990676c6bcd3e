//! What there is to read: the status page, `/healthz`, `/readyz`, `/metrics` and the JSON API of the daemon, and the report of a
//! backtest.
//!
//! What the daemon serves is a rendering of the newest [`Snapshot`]; nothing here asks a peer, decides anything, or looks at a clock
//! of its own. A fetch costs the daemon no call.
//!
//! # Layout
//!
//! - [`snapshot`]: what is known at one moment, which the app builds.
//! - `sight`: whether a series is seen at all.
//! - `ready`: whether the daemon does its work ([`Readiness`]).
//! - `page`, `chart`: the HTML pages and their inline SVG; the templates are in `templates/`.
//! - [`report`]: a backtest as one HTML file.
//! - `api`: the JSON types.
//! - `metrics`: what is counted ([`Metrics`]).
//! - `router`, `headers`: the routes ([`router()`]), and what every answer carries.
//! - `about`: what a silence is about ([`in_words`]).
//! - `figures`, `times`: numbers and times as people read them.

mod about;
mod api;
mod chart;
mod figures;
mod headers;
mod metrics;
mod page;
mod ready;
pub mod report;
mod router;
mod sight;
pub mod snapshot;
mod times;

use std::sync::Arc;

use jiff::Timestamp;

pub use about::in_words;
pub use metrics::{DeliveryOutcome, Metrics, PollOutcome, SERIES_LIMIT};
pub use ready::{Readiness, UNSENT_PAGE_LIMIT};
pub use router::{Web, router};
pub use sight::STALE_AFTER_PERIODS;
pub use snapshot::Snapshot;

/// The clock of the daemon, which in an accelerated demo is not that of the machine.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
