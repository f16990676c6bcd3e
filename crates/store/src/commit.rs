//! Everything that one step changed, in one transaction.

use domain::Commit;
use rusqlite::Connection;

use crate::series::Ids;
use crate::{audit, filed, incidents, outbox, pages, readings, settling, silences, sources, states};

/// Rows that one commit may hold: some 25 MB of the write-ahead log. A larger one is refused; a backfill commits its
/// rows in parts, since laying a row twice changes nothing.
pub const COMMIT_ROWS_MAX: usize = 100_000;

/// Writes all of it, or none: a transaction that is dropped is rolled back.
pub(crate) fn write(connection: &mut Connection, commit: &Commit) -> rusqlite::Result<()> {
    let tx = connection.transaction()?;
    let mut ids = Ids::new(&tx);
    readings::merge(&tx, &mut ids, &commit.rows)?;
    for state in &commit.states {
        states::replace(&tx, &mut ids, state)?;
    }
    for (series, through) in &commit.diagnosed {
        states::diagnosed(&tx, &mut ids, series, *through)?;
    }
    for record in &commit.incidents {
        incidents::replace(&tx, &mut ids, record)?;
    }
    for state in &commit.sources {
        sources::replace(&tx, state)?;
    }
    for page in &commit.pages {
        pages::replace(&tx, &mut ids, page)?;
    }
    for filed in &commit.filed {
        filed::replace(&tx, filed)?;
    }
    for silence in &commit.silences {
        silences::replace(&tx, silence)?;
    }
    for record in &commit.audit {
        audit::add(&tx, record)?;
    }
    let mut owed = Vec::new();
    for message in &commit.outbox {
        if outbox::owe(&tx, message)? {
            owed.push(message);
            // What stands by was handed to nobody.
            if message.standby_for.is_none() && commit.begun.contains(&message.id) {
                outbox::begun(&tx, &message.id)?;
            }
        }
    }
    settling::committed(&tx, &owed)?;
    drop(ids);
    tx.commit()
}
