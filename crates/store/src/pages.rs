//! The tables `pages` and `page_members`: who got which page, and which incidents it is about.

use domain::{Group, Key, Member, PageState};
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use crate::columns::{Number, Real, Time};
use crate::series::{self, Ids};

/// Replaces the page of the same key and channel.
pub(crate) fn replace(tx: &Transaction<'_>, ids: &mut Ids<'_>, page: &PageState) -> rusqlite::Result<()> {
    let PageState { key, channel, receiver, group, opened, told, summary, members, held_told, closed } = page;
    let sql =
        "INSERT INTO pages (key, channel, receiver, group_name, opened, told, summary, held_told, closed)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT DO UPDATE SET receiver = excluded.receiver, group_name = excluded.group_name,
            opened = excluded.opened, told = excluded.told, summary = excluded.summary,
            held_told = excluded.held_told, closed = excluded.closed
        RETURNING id";
    let id: i64 = tx.prepare_cached(sql)?.query_one(
        (
            key.as_str(),
            channel,
            receiver,
            group.as_str(),
            Number(*opened),
            Time(*told),
            summary,
            held_told,
            closed.map(Time),
        ),
        |row| row.get(0),
    )?;
    replace_members(tx, ids, id, members)
}

/// Most changes of a page touch one incident, or none: then the others are not written.
fn replace_members(
    tx: &Transaction<'_>,
    ids: &mut Ids<'_>,
    page: i64,
    members: &[Member],
) -> rusqlite::Result<()> {
    let before = read_members(tx, page)?;
    let sql = "INSERT OR REPLACE INTO page_members
            (page_id, position, incident, series_id, onset, opened, joined, worst, recovered, resolved)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let mut statement = tx.prepare_cached(sql)?;
    let mut before = before.into_iter();
    for (position, member) in (0_i64..).zip(members) {
        if before.next().as_ref() == Some(member) {
            continue;
        }
        let Member { incident, series, onset, opened, joined, worst, recovered, resolved } = member;
        statement.execute((
            page,
            position,
            incident.as_str(),
            ids.of(series)?,
            Number(*onset),
            Number(*opened),
            Time(*joined),
            worst.map(Real),
            recovered.map(Number),
            resolved.map(Number),
        ))?;
    }
    for (position, _) in (0_i64..).skip(members.len()).zip(before) {
        let sql = "DELETE FROM page_members WHERE page_id = ?1 AND position = ?2";
        tx.prepare_cached(sql)?.execute((page, position))?;
    }
    Ok(())
}

/// All pages, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<PageState>> {
    let mut statement = connection.prepare_cached("SELECT * FROM pages ORDER BY told, id")?;
    let pages = statement.query_map([], |row| read(connection, row))?;
    pages.collect()
}

/// Whether the page of this key to this channel is known to be over.
pub(crate) fn is_closed(connection: &Connection, key: &str, channel: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT closed IS NOT NULL FROM pages WHERE key = ?1 AND channel = ?2";
    let closed = connection.prepare_cached(sql)?.query_one((key, channel), |row| row.get(0)).optional()?;
    Ok(closed.unwrap_or(false))
}

fn read(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<PageState> {
    Ok(PageState {
        key: Key::from_text(row.get::<_, String>("key")?),
        channel: row.get("channel")?,
        receiver: row.get("receiver")?,
        group: Group::from_text(row.get::<_, String>("group_name")?),
        opened: row.get::<_, Number>("opened")?.0,
        told: row.get::<_, Time>("told")?.0,
        summary: row.get("summary")?,
        members: read_members(connection, row.get("id")?)?,
        held_told: row.get("held_told")?,
        closed: row.get::<_, Option<Time>>("closed")?.map(|time| time.0),
    })
}

fn read_members(connection: &Connection, page: i64) -> rusqlite::Result<Vec<Member>> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM page_members JOIN series ON series.id = series_id WHERE page_id = ?1 ORDER BY position",
    )?;
    let members = statement.query_map([page], |row| {
        let number =
            |column| row.get::<_, Option<Number>>(column).map(|number| number.map(|number| number.0));
        Ok(Member {
            incident: Key::from_text(row.get::<_, String>("incident")?),
            series: series::read(row)?,
            onset: row.get::<_, Number>("onset")?.0,
            opened: row.get::<_, Number>("opened")?.0,
            joined: row.get::<_, Time>("joined")?.0,
            worst: row.get::<_, Option<Real>>("worst")?.map(|real| real.0),
            recovered: number("recovered")?,
            resolved: number("resolved")?,
        })
    })?;
    members.collect()
}
