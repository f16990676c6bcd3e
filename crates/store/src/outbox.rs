//! The table `outbox`: what is owed, was delivered, or was refused.

use domain::{Key, Message, Outcome, Owed, OwedState};
use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row, Transaction};

use crate::columns::{Name, Pairs, Time};

/// Only the oldest message of a key to a channel that is still due may go: a resolve must not overtake its page, not
/// even while the page waits for its next attempt. What was delivered, or refused for good, is in nobody's way.
const IS_HEAD: &str = "state = 'due' AND NOT EXISTS (
    SELECT 1 FROM outbox AS older
    WHERE older.state = 'due' AND older.channel = outbox.channel AND older.key = outbox.key AND older.seq < outbox.seq)";

/// Owes a message from now on. One whose id is known is left as it is, whatever became of it.
pub(crate) fn owe(tx: &Transaction<'_>, message: &Message) -> rusqlite::Result<()> {
    let sql =
        "INSERT INTO outbox (id, channel, kind, key, summary, body, attributes, created, attempts, state, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 'due', ?8)
        ON CONFLICT (id) DO NOTHING";
    tx.prepare_cached(sql)?.execute((
        &message.id,
        &message.channel,
        Name(message.kind),
        message.key.as_str(),
        &message.summary,
        &message.body,
        Pairs(message.attributes.clone()),
        Time(message.created),
    ))?;
    Ok(())
}

/// Messages to be sent at `now`, oldest first; of those due since the same moment, what wakes people before tickets.
pub(crate) fn due(connection: &Connection, now: Timestamp, limit: i64) -> rusqlite::Result<Vec<Owed>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT * FROM outbox WHERE {IS_HEAD} AND at <= ?1
        ORDER BY at, kind NOT IN ('page', 'resolve'), seq LIMIT ?2"
    ))?;
    let owed = statement.query_map((Time(now), limit), read)?;
    owed.collect()
}

/// When the next message becomes due.
pub(crate) fn next_due(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let mut statement = connection.prepare_cached(&format!("SELECT min(at) FROM outbox WHERE {IS_HEAD}"))?;
    Ok(statement.query_one([], |row| row.get::<_, Option<Time>>(0))?.map(|time| time.0))
}

/// Writes down what came of one attempt. The error of the last failed one stays when a later one succeeds.
pub(crate) fn record(tx: &Transaction<'_>, outcome: &Outcome) -> rusqlite::Result<()> {
    let (state, at) = match outcome.state {
        OwedState::Due(at) => ("due", at),
        OwedState::Delivered(at) => ("delivered", at),
        OwedState::Refused(at) => ("refused", at),
    };
    let sql = "UPDATE outbox SET attempts = attempts + 1, state = ?2, at = ?3, last_error = coalesce(?4, last_error)
        WHERE id = ?1";
    tx.prepare_cached(sql)?.execute((&outcome.id, state, Time(at), &outcome.error))?;
    Ok(())
}

/// The channels that were owed the page of an incident, in the order in which they became so.
pub(crate) fn recipients(connection: &Connection, key: &Key) -> rusqlite::Result<Vec<String>> {
    let sql =
        "SELECT channel FROM outbox WHERE kind = 'page' AND key = ?1 GROUP BY channel ORDER BY min(seq)";
    let mut statement = connection.prepare_cached(sql)?;
    let channels = statement.query_map([key.as_str()], |row| row.get(0))?;
    channels.collect()
}

/// The newest messages in any state, newest first.
pub(crate) fn newest(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<Owed>> {
    let mut statement = connection.prepare_cached("SELECT * FROM outbox ORDER BY seq DESC LIMIT ?1")?;
    let owed = statement.query_map([limit], read)?;
    owed.collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Owed> {
    let at = row.get::<_, Time>("at")?.0;
    Ok(Owed {
        message: Message {
            id: row.get("id")?,
            channel: row.get("channel")?,
            kind: row.get::<_, Name<_>>("kind")?.0,
            key: Key::from_text(row.get::<_, String>("key")?),
            summary: row.get("summary")?,
            body: row.get("body")?,
            attributes: row.get::<_, Pairs>("attributes")?.0,
            created: row.get::<_, Time>("created")?.0,
        },
        attempts: row.get("attempts")?,
        state: match row.get("state")? {
            Standing::Due => OwedState::Due(at),
            Standing::Delivered => OwedState::Delivered(at),
            Standing::Refused => OwedState::Refused(at),
        },
        last_error: row.get("last_error")?,
    })
}

/// The column `state`; its time stands beside it.
enum Standing {
    Due,
    Delivered,
    Refused,
}

impl FromSql for Standing {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "due" => Ok(Self::Due),
            "delivered" => Ok(Self::Delivered),
            "refused" => Ok(Self::Refused),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}
