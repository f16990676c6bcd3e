//! The whole, from outside: the built `otpsd` as a user would run it, against the loopback services of the simulator.

mod arrows;
mod backtest;
mod bench;
mod check;
mod daemon;
mod demo;
mod docs;
mod explain;
mod fire_bill;
mod fire_blind;
mod fire_credentials;
mod fire_data;
mod fire_long;
mod fire_regions;
mod fire_systemd;
mod kill;
mod process;
mod rehearsal;
mod simulate;
mod story;
mod tidy;
