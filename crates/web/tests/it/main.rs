//! The routes, called as a client would call them, over invented fleets.

mod api;
mod call;
mod delivery;
mod http;
mod metrics;
mod monitoring;
mod openmetrics;
mod pages;
mod ready;
mod sample;
