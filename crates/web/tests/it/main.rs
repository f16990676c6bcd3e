//! The routes, called as a client would call them, over invented fleets.

mod api;
mod call;
mod http;
mod metrics;
mod openmetrics;
mod pages;
mod ready;
mod sample;
