//! Everything that runs: each task is a loop around acts of the edges, ends when it is told to, and says so.

pub(crate) mod control;
pub(crate) mod deliver;
pub(crate) mod heartbeat;
pub(crate) mod history;
pub(crate) mod housekeeping;
pub(crate) mod poll;
pub(crate) mod publish;
pub(crate) mod tick;
pub(crate) mod watchdog;
