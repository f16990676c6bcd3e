//! The table `silences`: what somebody does not want to hear of for a while.

use domain::{Matcher, Silence};
use rusqlite::{Connection, Transaction};

use crate::columns::{Json, Time};

/// Replaces the silence of the same id.
pub(crate) fn replace(tx: &Transaction<'_>, silence: &Silence) -> rusqlite::Result<()> {
    let Silence { id, matcher, author, comment, from, until } = silence;
    let Matcher { models, accounts, regions, causes, labels } = matcher;
    let sql = "INSERT OR REPLACE INTO silences
            (id, models, accounts, regions, causes, labels, author, comment, from_time, until_time)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    tx.prepare_cached(sql)?.execute((
        id,
        Json(models),
        Json(accounts),
        Json(regions),
        Json(causes),
        Json(labels),
        author,
        comment,
        Time(*from),
        Time(*until),
    ))?;
    Ok(())
}

/// All that have not been forgotten, by id.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<Silence>> {
    let mut statement = connection.prepare_cached("SELECT * FROM silences ORDER BY id")?;
    let silences = statement.query_map([], |row| {
        Ok(Silence {
            id: row.get("id")?,
            matcher: Matcher {
                models: row.get::<_, Json<_>>("models")?.0,
                accounts: row.get::<_, Json<_>>("accounts")?.0,
                regions: row.get::<_, Json<_>>("regions")?.0,
                causes: row.get::<_, Json<_>>("causes")?.0,
                labels: row.get::<_, Json<_>>("labels")?.0,
            },
            author: row.get("author")?,
            comment: row.get("comment")?,
            from: row.get::<_, Time>("from_time")?.0,
            until: row.get::<_, Time>("until_time")?.0,
        })
    })?;
    silences.collect()
}
