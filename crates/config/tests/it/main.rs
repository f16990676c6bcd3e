//! The configuration as its users meet it: texts in, plans and rendered problems out.

mod broken;
mod cases;
mod delivery;
mod edited;
#[path = "../../../../tests/edits.rs"]
mod edits;
mod files;
mod fleet;
mod holds;
mod mistakes;
mod origins;
mod plans;
mod properties;
mod reference;
mod rendering;
mod scenarios;
mod schema;
mod secrets;
mod surroundings;
mod uses;
