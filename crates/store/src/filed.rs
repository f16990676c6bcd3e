//! The table `filed`: the channels that were told of a ticket.

use domain::{Filed, Key};
use rusqlite::{Connection, Transaction};

/// Replaces what is known of a ticket. One without channels leaves nothing behind.
pub(crate) fn replace(tx: &Transaction<'_>, filed: &Filed) -> rusqlite::Result<()> {
    let key = filed.key.as_str();
    tx.prepare_cached("DELETE FROM filed WHERE key = ?1")?.execute([key])?;
    let mut statement =
        tx.prepare_cached("INSERT INTO filed (key, position, channel) VALUES (?1, ?2, ?3)")?;
    for (position, channel) in (0_i64..).zip(&filed.channels) {
        statement.execute((key, position, channel))?;
    }
    Ok(())
}

/// All tickets that were filed and not closed, by key.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<Filed>> {
    let mut statement = connection.prepare_cached("SELECT key, channel FROM filed ORDER BY key, position")?;
    let mut rows = statement.query([])?;
    let mut all = Vec::<Filed>::new();
    while let Some(row) = rows.next()? {
        let key = Key::from_text(row.get::<_, String>("key")?);
        let channel = row.get("channel")?;
        match all.last_mut() {
            Some(filed) if filed.key == key => filed.channels.push(channel),
            _ => all.push(Filed { key, channels: vec![channel] }),
        }
    }
    Ok(all)
}
