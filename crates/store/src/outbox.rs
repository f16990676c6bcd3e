//! The table `outbox`: what is owed, stands by, was delivered, refused or withdrawn.

use domain::{Backlog, Key, Message, Owed, OwedState};
use jiff::{SignedDuration, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql, Transaction};

use crate::columns::{Json, Name, Time};

/// How far back refused messages are counted.
const REFUSED_DAYS: i64 = 7;

/// Channels that something is owed to, each found by one look into the index.
pub(crate) const CHANNELS: &str = "
    WITH RECURSIVE owed (channel) AS (
        SELECT min(channel) FROM outbox WHERE state = 'due'
        UNION ALL
        SELECT (SELECT min(channel) FROM outbox WHERE state = 'due' AND channel > owed.channel)
        FROM owed WHERE channel IS NOT NULL
    )
    SELECT channel FROM owed WHERE channel IS NOT NULL";

/// Only the oldest message of a key to a channel that is still due may go: a resolve must not overtake its page, not
/// even while the page waits for its next attempt. What was delivered, refused for good or withdrawn is in nobody's way.
pub(crate) const HEADS: &str = "
    SELECT at, seq FROM outbox WHERE state = 'due' AND channel = ?1 AND turn = ?2 AND at <= ?3 AND NOT EXISTS (
        SELECT 1 FROM outbox AS older WHERE older.state = 'due'
            AND older.channel = outbox.channel AND older.key = outbox.key AND older.seq < outbox.seq)
    ORDER BY at, seq LIMIT ?4";

/// What the receiver called the last earlier message of the same key.
macro_rules! with_earlier {
    () => {
        "outbox.*, (SELECT reference FROM outbox AS earlier
            WHERE earlier.key = outbox.key AND earlier.channel = outbox.channel AND earlier.seq < outbox.seq
                AND reference IS NOT NULL
            ORDER BY seq DESC LIMIT 1) AS earlier_reference"
    };
}

pub(crate) const BACKLOG: &str = "SELECT count(*) AS owed, min(created) AS oldest,
        min(CASE WHEN kind = 'page' THEN created END) AS oldest_page,
        (SELECT count(*) FROM outbox WHERE state = 'refused' AND at >= ?1) AS refused
    FROM outbox WHERE state = 'due'";

/// What wakes people goes before tickets.
const TURNS: [i64; 2] = [0, 1];

/// Owes a message from now on, or lets it stand by. `false` when its id is known: then it is left as it is, whatever became of it.
pub(crate) fn owe(tx: &Transaction<'_>, message: &Message) -> rusqlite::Result<bool> {
    let sql = "INSERT INTO outbox
            (id, channel, kind, key, summary, body, attributes, created, standby_for, attempts, state, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?8)
        ON CONFLICT (id) DO NOTHING";
    let standing = if message.standby_for.is_some() { Standing::Standby } else { Standing::Due };
    let inserted = tx.prepare_cached(sql)?.execute((
        &message.id,
        &message.channel,
        Name(message.kind),
        message.key.as_str(),
        &message.summary,
        &message.body,
        Json(&message.attributes),
        Time(message.created),
        &message.standby_for,
        standing,
    ))?;
    Ok(inserted == 1)
}

/// It was handed to its channel before it could be written down.
pub(crate) fn begun(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("UPDATE outbox SET attempts = 1 WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Messages to be sent at `now`: what wakes people before tickets, and of each the longest due first.
pub(crate) fn due(
    connection: &Connection,
    now: Timestamp,
    limit: i64,
    each: i64,
    except: &[String],
) -> rusqlite::Result<Vec<Owed>> {
    let mut heads = connection.prepare_cached(HEADS)?;
    let mut places = Vec::new();
    for channel in channels(connection)?.iter().filter(|channel| !except.contains(channel)) {
        let mut room = each.min(limit);
        for turn in TURNS {
            let found = heads.query_map((channel, turn, Time(now), room), |row| {
                Ok((turn, row.get::<_, String>("at")?, row.get::<_, i64>("seq")?))
            })?;
            for place in found {
                places.push(place?);
                room -= 1;
            }
        }
    }
    places.sort();
    places.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let mut whole =
        connection.prepare_cached(concat!("SELECT ", with_earlier!(), " FROM outbox WHERE seq = ?1"))?;
    places.into_iter().map(|(.., seq)| whole.query_one([seq], read)).collect()
}

/// When the next message becomes due.
pub(crate) fn next_due(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let mut heads = connection.prepare_cached(HEADS)?;
    let mut next = None;
    for channel in channels(connection)? {
        for turn in TURNS {
            if let Some(head) = heads.query((&channel, turn, Time(Timestamp::MAX), 1))?.next()? {
                let at = head.get::<_, Time>("at")?.0;
                next = Some(next.map_or(at, |next: Timestamp| next.min(at)));
            }
        }
    }
    Ok(next)
}

fn channels(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(CHANNELS)?;
    let channels = statement.query_map([], |row| row.get(0))?;
    channels.collect()
}

/// What is not yet with its receivers.
pub(crate) fn backlog(connection: &Connection, now: Timestamp) -> rusqlite::Result<Backlog> {
    let since =
        now.checked_sub(SignedDuration::from_hours(24 * REFUSED_DAYS)).unwrap_or(Timestamp::UNIX_EPOCH);
    connection.prepare_cached(BACKLOG)?.query_one([Time(since)], |row| {
        Ok(Backlog {
            owed: row.get::<_, u32>("owed")?.into(),
            refused: row.get::<_, u32>("refused")?.into(),
            oldest: row.get::<_, Option<Time>>("oldest")?.map(|time| time.0),
            oldest_page: row.get::<_, Option<Time>>("oldest_page")?.map(|time| time.0),
        })
    })
}

/// The newest messages in any state, newest first.
pub(crate) fn newest(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<Owed>> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        with_earlier!(),
        " FROM outbox ORDER BY seq DESC LIMIT ?1"
    ))?;
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
            attributes: row.get::<_, Json<_>>("attributes")?.0,
            created: row.get::<_, Time>("created")?.0,
            standby_for: row.get("standby_for")?,
        },
        attempts: row.get("attempts")?,
        state: match row.get("state")? {
            Standing::Due => OwedState::Due(at),
            Standing::Delivered => OwedState::Delivered(at),
            Standing::Refused => OwedState::Refused(at),
            Standing::Standby => OwedState::Standby,
            Standing::Withdrawn => OwedState::Withdrawn(at),
        },
        last_error: row.get("last_error")?,
        reference: row.get("earlier_reference")?,
    })
}

/// The column `state`; its time stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Due,
    Delivered,
    Refused,
    Standby,
    Withdrawn,
}

impl Standing {
    const ALL: [Self; 5] = [Self::Due, Self::Delivered, Self::Refused, Self::Standby, Self::Withdrawn];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Delivered => "delivered",
            Self::Refused => "refused",
            Self::Standby => "standby",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl ToSql for Standing {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for Standing {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::ALL.into_iter().find(|standing| standing.as_str() == name).ok_or(FromSqlError::InvalidType)
    }
}
