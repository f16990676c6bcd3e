//! Who is told of what: stories in effects, and what is said of them.

mod held;
mod mutes;
mod pages;
mod properties;
mod routes;
mod script;
mod situations;
mod store_lost;
mod tickets;
mod world;
