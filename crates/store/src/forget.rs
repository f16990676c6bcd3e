//! What keeps the file from growing. Pages that are freed are used again, so the file stays as large as it ever had to be.

use domain::Period;
use jiff::Timestamp;
use rusqlite::Connection;

use crate::columns::{Number, Time};

/// Rows that one transaction deletes, so that a commit never waits long behind one.
const DELETE_ROWS_MAX: i64 = 10_000;

/// What one transaction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forgot {
    /// As much as it may; there may be more.
    Part,
    /// Everything that was left.
    Rest,
}

impl Forgot {
    fn rows(count: usize) -> Self {
        if i64::try_from(count).is_ok_and(|count| count < DELETE_ROWS_MAX) { Self::Rest } else { Self::Part }
    }
}

/// Deletes readings before `horizon`.
pub(crate) fn readings(connection: &Connection, horizon: Period) -> rusqlite::Result<Forgot> {
    // The join goes by series, so that each is one range of the table: it is not ordered by time as a whole.
    let mut statement = connection.prepare_cached(
        "DELETE FROM readings WHERE (series_id, period) IN (
            SELECT series_id, period FROM series CROSS JOIN readings ON series_id = id AND period < ?1 LIMIT ?2)",
    )?;
    statement.execute((Number(horizon), DELETE_ROWS_MAX)).map(Forgot::rows)
}

/// Deletes delivered messages of before, unless they are of an incident that is still open: its resolve must find the
/// channels that got its page.
pub(crate) fn messages(connection: &Connection, before: Timestamp) -> rusqlite::Result<Forgot> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM outbox WHERE seq IN (
            SELECT seq FROM outbox WHERE state = 'delivered' AND at < ?1
                AND NOT EXISTS (SELECT 1 FROM incidents WHERE incidents.key = outbox.key AND resolved IS NULL)
                AND NOT EXISTS (SELECT 1 FROM states WHERE incident_key = outbox.key)
            LIMIT ?2)",
    )?;
    statement.execute((Time(before), DELETE_ROWS_MAX)).map(Forgot::rows)
}

/// Deletes incidents that resolved before.
pub(crate) fn incidents(connection: &Connection, before: Timestamp) -> rusqlite::Result<Forgot> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM incidents WHERE rowid IN (
            SELECT rowid FROM incidents WHERE resolved IS NOT NULL AND at < ?1 LIMIT ?2)",
    )?;
    statement.execute((Time(before), DELETE_ROWS_MAX)).map(Forgot::rows)
}
