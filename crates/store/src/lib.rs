//! The ledger of otpsd on SQLite: one file that an operator can open with `sqlite3`.
//!
//! [`Sqlite`] is a [`domain::Ledger`]. One thread owns the connection and does one job after the other, so that no two
//! transactions of the daemon can ever meet. A commit returns after its data is on the disk: `kill -9` and a power cut
//! lose nothing that was committed.
//!
//! # Layout
//!
//! - `sqlite`: [`Sqlite`], one short method per act.
//! - `writer`: the thread and its queue.
//! - `open`, `lock`, `open_error`: from a path to a connection, or an [`OpenError`] that says what to do.
//! - `aside`: where a damaged store goes.
//! - `schema`: the numbered migrations of `migrations/`.
//! - `wal`: how large the write-ahead log may grow, and what is said when it does.
//! - `commit`: one transaction, from `series`, `readings`, `states`, `tickets`, `sources`, `incidents`, `evidence`, `pages`,
//!   `filed`, `silences`, `audit` and `outbox`, one file a subject.
//! - `settling`: what the outbox does by itself: it withdraws, and lets go what stood by.
//! - `forget`: what keeps the file from growing.
//! - `columns`: how values stand in columns.
//! - `failure`: what SQLite says, as a [`domain::LedgerError`] with a hint; `holder`: who has the lock.
//! - `contract`: the test that every ledger passes, SQLite or not (with the feature `contract`).

mod aside;
mod audit;
mod columns;
mod commit;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod evidence;
mod failure;
mod filed;
mod forget;
mod holder;
mod incidents;
mod lock;
mod open;
mod open_error;
mod outbox;
mod pages;
mod readings;
mod schema;
mod series;
mod settling;
mod silences;
mod sources;
mod sqlite;
mod states;
#[cfg(test)]
mod tests;
mod tickets;
mod wal;
mod writer;

pub use aside::SetAside;
pub use commit::COMMIT_ROWS_MAX;
pub use open_error::OpenError;
pub use sqlite::{ANSWER_ROWS_MAX, Sqlite};
