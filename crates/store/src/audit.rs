//! The table `audit`: what was done, by whom, and why.

use domain::AuditRecord;
use rusqlite::{Connection, Transaction};

use crate::columns::Time;

/// Entries that are kept, whatever their age: a loop that writes them must not fill the disk.
const ENTRIES_MAX: i64 = 20_000;

/// Adds an entry. The oldest makes room for it when there are too many.
pub(crate) fn add(tx: &Transaction<'_>, record: &AuditRecord) -> rusqlite::Result<()> {
    let AuditRecord { at, who, act, subject, detail } = record;
    let sql = "INSERT INTO audit (at, who, act, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.prepare_cached(sql)?.execute((Time(*at), who, act, subject, detail))?;
    let oldest = tx.last_insert_rowid() - ENTRIES_MAX;
    tx.prepare_cached("DELETE FROM audit WHERE seq <= ?1")?.execute([oldest])?;
    Ok(())
}

/// The newest entries, newest first.
pub(crate) fn newest(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<AuditRecord>> {
    let mut statement = connection.prepare_cached("SELECT * FROM audit ORDER BY seq DESC LIMIT ?1")?;
    let records = statement.query_map([limit], |row| {
        Ok(AuditRecord {
            at: row.get::<_, Time>("at")?.0,
            who: row.get("who")?,
            act: row.get("act")?,
            subject: row.get("subject")?,
            detail: row.get("detail")?,
        })
    })?;
    records.collect()
}
