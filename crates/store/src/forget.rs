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

/// What is still of somebody's concern: the keys of incidents, pages and tickets that are open, and of messages that are owed.
const OPEN_KEYS: &str = "
    SELECT key FROM incidents WHERE resolved IS NULL
    UNION SELECT incident_key FROM states WHERE incident_key IS NOT NULL
    UNION SELECT key FROM pages WHERE closed IS NULL
    UNION SELECT incident FROM page_members JOIN pages ON pages.id = page_id WHERE closed IS NULL
    UNION SELECT key FROM filed
    UNION SELECT key FROM tickets
    UNION SELECT key FROM source_tickets
    UNION SELECT key FROM source_gaps
    UNION SELECT key FROM outbox WHERE state = 'due'";

/// One kind of thing that is over at some time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// For errors.
    pub(crate) act: &'static str,
    table: &'static str,
    id: &'static str,
    /// Over before `?1`. A page or an incident that something is still owed of is not.
    over: &'static str,
    /// The column that must not be one of the open keys.
    key: Option<&'static str>,
}

/// All of them. Members go with their page.
pub(crate) const CLOSED: [Kind; 5] = [
    Kind {
        act: "forget old messages in",
        table: "outbox",
        id: "seq",
        // What stands by is over with what it stands by for: as long as that is owed, so is the key.
        over: "state <> 'due' AND at < ?1",
        key: Some("key"),
    },
    Kind {
        act: "forget old incidents in",
        table: "incidents",
        id: "key",
        over: "resolved IS NOT NULL AND at < ?1",
        key: Some("key"),
    },
    Kind { act: "forget old pages in", table: "pages", id: "id", over: "closed < ?1", key: Some("key") },
    Kind { act: "forget old silences in", table: "silences", id: "id", over: "until_time < ?1", key: None },
    Kind { act: "forget old audit entries in", table: "audit", id: "seq", over: "at < ?1", key: None },
];

/// Deletes what was over before `horizon`.
pub(crate) fn closed(connection: &Connection, kind: Kind, horizon: Timestamp) -> rusqlite::Result<Forgot> {
    let Kind { table, id, over, key, .. } = kind;
    let open = key.map(|key| format!("AND {key} NOT IN ({OPEN_KEYS})")).unwrap_or_default();
    let sql =
        format!("DELETE FROM {table} WHERE {id} IN (SELECT {id} FROM {table} WHERE {over} {open} LIMIT ?2)");
    connection.prepare_cached(&sql)?.execute((Time(horizon), DELETE_ROWS_MAX)).map(Forgot::rows)
}
