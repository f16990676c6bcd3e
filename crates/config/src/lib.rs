//! TOML text to a [`domain::Plan`], or every problem at once, with file, line, column and hint.
//!
//! The keys, their defaults and why they are there: [`REFERENCE`], which is read like any other configuration.
//!
//! # Layout
//!
//! - [`load`], [`read`]: from paths or texts to an [`Outcome`]; [`Purpose`] says what for.
//! - [`Problem`], [`render`]: what is wrong, and how it is shown to people, scripts and pull requests.
//! - [`Origins`], [`effective`], [`conflicts`]: where each value is written, what holds for a series because of which, and what was
//!   written for it twice.
//! - [`Environment`]: the variables and files that a configuration may ask for.
//! - `text`, `mask`, `report`: places, excerpts without secrets, and the problems found so far.
//! - [`schema_json`]: the JSON Schema of a configuration, for editors.
//! - `document`, `tree`, `table`, `schema`, `hint`: from TOML to tables, the keys that there are, and what to tell of others.
//! - `value`, `duration`, `zone`, `address`, `aws`, `secret`, `secret_url`, `never_train`: kinds of values, and what is wrong
//!   with one.
//! - `canonical`: values in one way of writing.
//! - `matching`, `reach`, `labels`, `hours`: what routes and maintenance windows are about, and when.
//! - `daemon`, `alarm`, `baseline`, `ticket`, `overriding`, `maintenance`, `source`, `heartbeat`, `channel`, `route`: one table
//!   each, values to domain types, and what must hold between them.
//! - `fallback`, `recipients`: what holds between routes and channels.
//! - [`scenario`]: another kind of file, unit tests of alarms.

mod address;
mod alarm;
mod aws;
mod baseline;
mod canonical;
mod channel;
mod conflict;
mod daemon;
mod document;
mod duration;
mod effective;
mod environment;
mod fallback;
mod heartbeat;
mod hint;
mod hours;
mod json_schema;
mod labels;
mod load;
mod maintenance;
mod mask;
mod matching;
mod never_train;
mod origins;
mod outcome;
mod overriding;
mod problem;
mod quote;
mod reach;
mod read;
mod recipients;
pub mod render;
mod report;
mod route;
pub mod scenario;
mod schema;
mod secret;
mod secret_url;
mod source;
mod table;
mod text;
mod ticket;
mod tree;
mod value;
mod zone;

pub use conflict::{Conflict, Setter, conflicts};
pub use effective::{Clamp, Effective, effective, effective_labels};
pub use environment::{Environment, ProcessEnvironment};
pub use json_schema::schema_json;
pub use load::load;
pub use origins::{Origin, Origins};
pub use outcome::{Outcome, Purpose};
pub use problem::{Place, Problem, Related, Severity};
pub use read::read;
pub use text::File;

/// Every key with its default and one line of why: `config/otpsd.toml` of the project.
pub const REFERENCE: &str = include_str!("../../../config/otpsd.toml");
