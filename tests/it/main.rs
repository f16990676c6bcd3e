//! The whole, from outside: the built `otpsd` as a user would run it, against the loopback services of the simulator.

mod arrows;
mod backtest;
mod bench;
mod check;
mod daemon;
mod demo;
mod docs;
mod explain;
mod kill;
mod process;
mod rehearsal;
mod simulate;
mod tidy;
