//! The routes, called as a client would call them, over invented fleets.

mod api;
mod backtests;
mod call;
mod contrast;
mod delivery;
mod http;
mod metrics;
mod monitoring;
mod openmetrics;
mod pages;
mod ready;
mod report;
mod sample;
